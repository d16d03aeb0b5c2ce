/*
 * query.h - is this key in the set?
 */
#ifndef RIBBON_QUERY_H
#define RIBBON_QUERY_H

#include "ribbon.h"

/*
 * Choose how to probe a filter that has been decoded: its contains and batch,
 * by the kernel in use.
 */
extern void ribbon_query_prepare(RibbonFilter *filter);

/* The same for a plane of a map: its get and batch. */
extern void ribbon_query_prepare_plane(RibbonFilter *plane);

#endif /* RIBBON_QUERY_H */
