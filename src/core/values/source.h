/*
 * source.h - a filter or map to look into: in memory, or read in slices
 */
#ifndef RIBBON_SOURCE_H
#define RIBBON_SOURCE_H

#include "ribbon.h"

typedef struct RibbonSource
{
	const RibbonFilter *filter; /* or map */
	const uint8_t *dictionary;	/* of a map, if that is in memory; or NULL */
	RibbonFetch fetch;			/* NULL: the bytes are in memory */
	void *arg;
} RibbonSource;

/* One that is in memory as a whole. */
static inline RibbonSource
ribbon_source_in_memory(const RibbonFilter *filter)
{
	return (RibbonSource){filter, filter->dictionary, NULL, NULL};
}

#endif /* RIBBON_SOURCE_H */
