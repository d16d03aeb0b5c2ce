/*
 * buildspace.h - memory for the groups of a call site, and files for a plan
 *
 * A space lives in fn_extra, or in a ribbonkeys.  Another extension that has a
 * state may call our functions in any context, so a state needs nothing of the
 * call site, which may end before it.  But if the node of a plan calls,
 * everything ends with the plan, and files can be shared.
 */
#ifndef RIBBON_BUILDSPACE_H
#define RIBBON_BUILDSPACE_H

#include "aggregate/buildparams.h"
#include "spill/spill.h"

/* Zeroed at first. */
typedef struct RibbonBuildSpace
{
	size_t budget;		/* bytes of memory for all groups together */
	MemoryContext plan; /* whose node calls; NULL: no plan's node does */
	bool gives;			/* the plan gives states to another process or node */
	bool takes;			/* or takes them from there */
} RibbonBuildSpace;

/* Set *space to what is known about a call site. */
extern void ribbon_buildspace_init(RibbonBuildSpace *space,
								   FunctionCallInfo fcinfo);

/* The space of a call site that keeps nothing else in fn_extra. */
extern RibbonBuildSpace *ribbon_buildspace_open(FunctionCallInfo fcinfo);

/* The memory context of the group at hand; throws if no aggregate calls. */
extern MemoryContext ribbon_buildspace_context(FunctionCallInfo fcinfo,
											   RibbonAggregate aggregate);

/*
 * Is there room in a budget for so many bytes more, beside the groups in a
 * context?
 */
extern bool ribbon_buildspace_has_memory(size_t budget, MemoryContext groups,
										 size_t more);

/* The same for a final function, which has no space, and a result to keep. */
extern bool ribbon_buildspace_may_keep(FunctionCallInfo fcinfo,
									   MemoryContext groups, size_t nbytes);

/* A spill that lives as long as context: the plan's, or a new one. */
extern RibbonSpill *ribbon_buildspace_spill(const RibbonBuildSpace *space,
											MemoryContext context);

#endif /* RIBBON_BUILDSPACE_H */
