/*
 * buildspace.c - how much memory is there, who calls, and whose files are used?
 *
 * The memory is what a sort or a hash table of this node may have: work_mem,
 * times hash_mem_multiplier if groups are hashed.  It is for all groups
 * together; their context keeps count of it.
 */
#include "aggregate/buildspace.h"

#include "executor/nodeAgg.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "utils/memutils.h"

/* With less, blocks of files would be written with few hashes in them. */
#define MIN_BUDGET (4 * 1024 * 1024)

/* What the context itself costs does not count. */
#define CONTEXT_OVERHEAD (64 * 1024)

MemoryContext
ribbon_buildspace_context(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s support function called outside an aggregate",
						ribbon_aggregate_info(aggregate)->name)));
	return context;
}

/*
 * The aggregate node that makes this call itself, or NULL.  Another extension's
 * aggregate that calls us passes its node on, but not the node's FmgrInfo.
 */
static AggState *
calling_node(FunctionCallInfo fcinfo)
{
	AggState *node = (AggState *) fcinfo->context;

	if (node == NULL || !IsA(node, AggState))
		return NULL;
	for (int i = 0; i < node->numtrans; i++)
	{
		AggStatePerTrans pertrans = &node->pertrans[i];

		if (fcinfo->flinfo == &pertrans->transfn ||
			fcinfo->flinfo == &pertrans->serialfn ||
			fcinfo->flinfo == &pertrans->deserialfn)
			return node;
	}
	return NULL;
}

/* Are all groups there at once? */
static bool
is_hashed(FunctionCallInfo fcinfo)
{
	AggState *node = (AggState *) fcinfo->context;

	return node != NULL && IsA(node, AggState) &&
		(node->aggstrategy == AGG_HASHED || node->aggstrategy == AGG_MIXED);
}

static size_t
find_budget(FunctionCallInfo fcinfo)
{
	size_t budget = is_hashed(fcinfo) ? get_hash_memory_limit() :
										(size_t) work_mem * 1024;

	return Max(budget, MIN_BUDGET);
}

void
ribbon_buildspace_init(RibbonBuildSpace *space, FunctionCallInfo fcinfo)
{
	AggState *caller = calling_node(fcinfo);

	space->budget = find_budget(fcinfo);
	if (caller != NULL)
	{
		space->plan = caller->ss.ps.state->es_query_cxt;
		space->takes = DO_AGGSPLIT_DESERIALIZE(caller->aggsplit);
		/* what was taken is not ours to give on; no plan asks for that */
		space->gives = DO_AGGSPLIT_SERIALIZE(caller->aggsplit) && !space->takes;
	}
}

RibbonBuildSpace *
ribbon_buildspace_open(FunctionCallInfo fcinfo)
{
	RibbonBuildSpace *space = fcinfo->flinfo->fn_extra;

	if (unlikely(space == NULL))
	{
		space = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									   sizeof(RibbonBuildSpace));
		ribbon_buildspace_init(space, fcinfo);
		fcinfo->flinfo->fn_extra = space;
	}
	return space;
}

bool
ribbon_buildspace_has_memory(size_t budget, MemoryContext groups, size_t more)
{
	return MemoryContextMemAllocated(groups, true) + more <=
		budget + CONTEXT_OVERHEAD;
}

bool
ribbon_buildspace_may_keep(FunctionCallInfo fcinfo, MemoryContext groups,
						   size_t nbytes)
{
	return !is_hashed(fcinfo) ||
		ribbon_buildspace_has_memory(find_budget(fcinfo), groups, nbytes);
}

RibbonSpill *
ribbon_buildspace_spill(const RibbonBuildSpace *space, MemoryContext context)
{
	return space->plan == NULL ? ribbon_spill_create(context, false) :
								 ribbon_spill_of(space->plan, space->gives);
}
