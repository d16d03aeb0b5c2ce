/*
 * filter.h - how to ask a filter with all of its planes
 */
#ifndef RIBBON_FILTER_H
#define RIBBON_FILTER_H

#include "format/plane.h"

/* Set how an opened filter is asked, whose planes are prepared (query.h). */
extern void ribbon_filter_prepare(RibbonFilter *filter);

#endif /* RIBBON_FILTER_H */
