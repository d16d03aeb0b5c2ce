/*
 * aggregate.h - ribbon_build, and what its files share
 *
 *	 aggregate.c	the transition and final functions
 *	 partial.c		the functions of parallel and partitionwise plans
 *	 partialbytes.c	a partial state as bytes
 *	 options.c		the third argument
 *	 buildstate.c	the state of a group: its hashes
 *	 filter.c		from the hashes to the filter
 *
 * The state of a group is the array of its key hashes so far, in the order they
 * came and with their duplicates, growing by doubling; small enough at
 * first that many groups fit in memory.  If the memory of its node is used up,
 * it moves its hashes to a key store, and goes on with an empty array.
 *
 * After an error a state is of no use, but goes with its context as ever.
 */
#ifndef RIBBON_AGGREGATE_H
#define RIBBON_AGGREGATE_H

#include "ribbon_pg.h"

#include "spill/spill.h"

/* There may be a million of them: 64 bytes, in the context of the group. */
typedef struct BuildState
{
	RibbonParams params; /* the same for every row of the group */
	size_t nhashes;
	size_t capacity;
	uint64_t *hashes;		/* NULL as long as capacity is 0 */
	RibbonKeyStore *store;	/* more hashes, or NULL */
	struct varlena *result; /* see ribbon_buildstate_result */
} BuildState;

/*
 * What the groups of a call site share.  Lives in fn_extra, zeroed at first.
 *
 * Another extension that has a state may call our functions in any context.  A
 * state needs nothing of the call site, which may go before it.  But if it is
 * the node of a plan itself that calls, all is known to go with the plan, and
 * files can be shared.
 */
typedef struct BuildSpace
{
	size_t budget;		/* bytes of memory for all groups together */
	MemoryContext plan; /* whose node calls; NULL: no plan's node does */
	bool gives;			/* the plan's states to another process or node, */
	bool takes;			/* or gets them from there */
	RibbonSpill *spill; /* of the plan; NULL until it is needed */
} BuildSpace;

/*
 * buildstate.c
 */

/* The state that is an argument; NULL if there is none yet. */
static inline BuildState *
ribbon_buildstate_argument(FunctionCallInfo fcinfo, int arg)
{
	return PG_ARGISNULL(arg) ? NULL : (BuildState *) PG_GETARG_POINTER(arg);
}

/* The memory context of the group at hand; throws if no aggregate calls. */
extern MemoryContext ribbon_buildstate_context(FunctionCallInfo fcinfo);

/* Find out what there is to know of a call site. */
extern void ribbon_buildstate_init_space(BuildSpace *space,
										 FunctionCallInfo fcinfo);

/* An empty state, which goes with its context. */
extern BuildState *ribbon_buildstate_create(MemoryContext context,
											const RibbonParams *params);

/* Throw unless two parts of a group have the same parameters and key class. */
extern void ribbon_buildstate_check_same(const RibbonParams *a,
										 const RibbonParams *b);

/*
 * Make room for at least one hash: with more memory, or by emptying the array.
 */
extern void ribbon_buildstate_grow(BuildState *state, BuildSpace *space);

/* Add hashes[0..n). */
extern void ribbon_buildstate_add(BuildState *state, BuildSpace *space,
								  const uint64_t *hashes, size_t n);

/*
 * Move all hashes to the store, and free the array.  space may be NULL if the
 * state has a store.
 */
extern void ribbon_buildstate_flush(BuildState *state, BuildSpace *space);

/*
 * Give a state that has none a store, of a spill that lives as long as the
 * state: the plan's, or one of its own.
 */
extern void ribbon_buildstate_open_store(BuildState *state, BuildSpace *space);

/*
 * Has a filter been built of the hashes as they are, and is it kept?  That is
 * so until something is added.  A kept one is in the state's context.
 */
typedef enum RibbonBuilt
{
	RIBBON_NOT_BUILT,
	RIBBON_BUILT,
	RIBBON_KEPT
} RibbonBuilt;

/* *kept is set if it is. */
extern RibbonBuilt ribbon_buildstate_result(const BuildState *state,
											struct varlena **kept);

/* A filter has been built, and is kept, unless that is NULL. */
extern void ribbon_buildstate_built(BuildState *state, struct varlena *kept);

/* Something is going to be added to the store (grow sees to the array). */
extern void ribbon_buildstate_changes(BuildState *state);

/*
 * Is there memory to keep a filter of this size?  It is limited for a hashed
 * node.
 */
extern bool ribbon_buildstate_may_keep(const BuildState *state,
									   FunctionCallInfo fcinfo, size_t size);

/*
 * filter.c: the filter of hashes[0..n), in order and distinct, which stay what
 * they are; or of the hashes of a store, which is sealed afterwards.
 */
extern struct varlena *ribbon_filter_build(const RibbonParams *params,
										   uint64_t *hashes, size_t n);
extern struct varlena *ribbon_filter_build_stored(const RibbonParams *params,
												  RibbonKeyStore *keys);

/*
 * options.c: set what is mentioned in a text of so many bytes; errors list what
 * is valid.
 */
extern void ribbon_options_parse(const char *options, int length,
								 RibbonParams *params);

#endif /* RIBBON_AGGREGATE_H */
