/*
 * passing.h - which records go on to a plane behind a filter
 *
 * The filter has just been built, and is asked as it will be once it is opened.
 */
#ifndef RIBBON_PASSING_H
#define RIBBON_PASSING_H

#include "compose/assembly.h"
#include "probe/opened.h"
#include "set/derive.h"

/*
 * Set *filter to the plane that was added last, of check bits, until the next
 * one is added.
 */
extern void ribbon_passing_open(const RibbonAssembly *assembly,
								RibbonOpened *filter);

/*
 * A RibbonDerive: of records, those that the filter says yes to, which is not
 * asked about those whose value words have (word & mask) == sure: they pass.
 */
typedef struct RibbonPassing
{
	const RibbonOpened *filter; /* NULL: all records pass */
	uint64_t mask;
	uint64_t sure;
	bool masked; /* flip the bits of those that pass by ribbon_hash_mask */
} RibbonPassing;

extern size_t ribbon_pass_records(void *arg, const uint64_t *records, size_t n,
								  uint64_t *passed);

#endif /* RIBBON_PASSING_H */
