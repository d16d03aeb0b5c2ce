/*
 * filter.h - contains and get of a filter with all of its planes
 */
#ifndef RIBBON_FILTER_H
#define RIBBON_FILTER_H

#include "format/plane.h"

/* Set contains and get of an opened filter whose planes are prepared. */
extern void ribbon_filter_prepare(RibbonFilter *filter);

#endif /* RIBBON_FILTER_H */
