/*
 * passing.h - which records go on to a plane behind a filter
 */
#ifndef RIBBON_PASSING_H
#define RIBBON_PASSING_H

#include "set/set.h"

/*
 * A RibbonDerive: of records, those that the filter says yes to, which is not
 * asked about those whose value words have (word & mask) == sure: they pass.
 */
typedef struct RibbonPassing
{
	const RibbonFilter *filter;
	uint64_t mask;
	uint64_t sure;
} RibbonPassing;

extern size_t ribbon_pass_records(void *arg, const uint64_t *records, size_t n,
								  uint64_t *passed);

#endif /* RIBBON_PASSING_H */
