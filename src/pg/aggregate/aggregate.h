/*
 * aggregate.h - from the rows of a group to a filter, a map or an exact set
 *
 * ribbon_build, ribbon_map and ribbon_build_exact are one aggregate with three
 * names: each of their functions only says which of them it is, or what that
 * builds.  The way of a group:
 *
 *----------
 *	 rows: key [, value | member] [, rate] [, options]
 *	   |
 *	   |  transition  buildaggregate.c: hashes the key, adds a record
 *	   v
 *	 state  buildstate.c: an array --- 32 kB ---> a set, in memory or in a file
 *	   |  ^   buildvalues.c: the values of a map
 *	   |  |
 *	   |  |  combine  partial.c: adds another state of the group
 *	   |  |
 *	   |  +-- state <--deserialize-- bytes <--serialize-- state of a worker
 *	   |							 partial.c
 *	   |  final  buildresult.c: sorts, drops duplicates, lets the core build
 *	   v
 *	 ribbonfilter | ribbonmap
 *----------
 *
 * A state holds one element for each row: the hash of the key and, of a map or
 * an exact set, one word more (ribbon_core.h).  There may be a million groups,
 * most of them small.  One that grows gets a set (set/set.h):
 *
 *----------
 *				 set			words					goes on when it has
 *	 small		 NULL			all elements			32 kB
 *	 in memory	 in its array	at the end of that,		all memory of the
 *								not counted by it		node (buildspace.h)
 *								yet; or NULL
 *	 in a file	 in its file	the same				-
 *
 *	 may be called in each of them		what is so after it
 *	 append, add, join_class, absorb	it may have gone on; nothing is built
 *	 open_file							in a file
 *	 seal, each							it stays; a set has counted all
 *
 *				 is_built	result
 *	 collected	 false		NULL
 *	 built		 true		NULL; built again, kept if there is memory
 *----------
 *
 * After an error a state is of no use.  It goes with its memory context.
 *
 * ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey) have such a state
 * inside a value that can travel, a ribbonkeys (keysaggregate.c).
 *
 * ribbon_size reckons what a filter would take (buildresult.c); the view
 * ribbon_progress shows how far builds are (progressview.c).
 *
 * Two headers of this room are included: buildparams.h, what is to be built,
 * and by which aggregate; and buildspace.h, the memory and files of all groups
 * of a call site.
 */
#ifndef RIBBON_AGGREGATE_H
#define RIBBON_AGGREGATE_H

#include "aggregate/buildparams.h"
#include "aggregate/buildspace.h"
#include "set/read.h"
#include "value/buildvalues.h"

/* In the context of its node or ribbonkeys.  There may be a million. */
typedef struct RibbonBuildState
{
	RibbonBuildParams params;	/* the same for every row of the group */
	uint32 nwords;				/* of hashes or records, from words on */
	uint32 capacity;			/* room for so many */
	uint64_t *words;			/* an array, or the end of the set's */
	RibbonSet *set;				/* those before these, or NULL */
	struct varlena *result;		/* what was built of all, or NULL */
	bool is_built;				/* nothing has been added since it was */
	RibbonBuildValues values[]; /* of a map one, of a filter none */
} RibbonBuildState;

StaticAssertDecl(sizeof(RibbonBuildState) <= 64,
				 "a state takes more memory than the server's 64 bytes");

/*
 * buildstate.c
 */

/* Make an empty state in a context; a map's values are then to be begun. */
extern RibbonBuildState *ribbon_buildstate_create(MemoryContext context,
												  const RibbonBuildParams
													  *params);

/* The state that is an argument; NULL if there is none yet. */
static inline RibbonBuildState *
ribbon_buildstate_argument(FunctionCallInfo fcinfo, int arg)
{
	return PG_ARGISNULL(arg) ? NULL :
							   (RibbonBuildState *) PG_GETARG_POINTER(arg);
}

/* How many elements it has, with duplicates unless it has just been sorted. */
extern uint64 ribbon_buildstate_count(const RibbonBuildState *state);

/*
 * Note that keys are added of this class, maybe another than those before; a
 * result has the class of all.  Throws unless they can be in one set with them.
 */
extern void ribbon_buildstate_join_class(RibbonBuildState *state,
										 int key_class);

/*
 * Before an element is added to a state that is full, or built: make room for
 * it, in memory or in a file, and drop the result.
 */
extern void ribbon_buildstate_grow(RibbonBuildState *state,
								   RibbonBuildSpace *space);

/* Add an element, of a key of this class; the caller sets its words. */
static inline uint64_t *
ribbon_buildstate_append(RibbonBuildState *state, RibbonBuildSpace *space,
						 int key_class, unsigned words)
{
	uint64_t *element;

	if (unlikely(state->params.key_class != key_class))
		ribbon_buildstate_join_class(state, key_class);
	if (unlikely(state->nwords == state->capacity || state->is_built))
		ribbon_buildstate_grow(state, space);
	element = state->words + state->nwords;
	state->nwords += words;
	return element;
}

/* Add words[0..n). */
extern void ribbon_buildstate_add(RibbonBuildState *state,
								  RibbonBuildSpace *space,
								  const uint64_t *words, size_t n);

/* Add all of another state, which may lose what it has in a file. */
extern void ribbon_buildstate_absorb(RibbonBuildState *state,
									 RibbonBuildSpace *space,
									 RibbonBuildState *other);

/*
 * Sort all elements, and drop duplicates.  Returns the state's set; if it has
 * none, *array, made a set of them until something is added.  All that follows
 * is shown as its build, up to ribbon_progress_end.
 */
extern RibbonSet *ribbon_buildstate_seal(RibbonBuildState *state,
										 RibbonSet *array);

/*
 * Return the state's set, which is in a file from now on, although what is in
 * memory may stay there; it lives as long as the state.
 */
extern RibbonSet *ribbon_buildstate_open_file(RibbonBuildState *state,
											  RibbonBuildSpace *space);

/* Throw what a function of a state's set returns, unless it is RIBBON_OK. */
extern void ribbon_buildstate_check(const RibbonBuildState *state,
									const RibbonSet *set, RibbonStatus status);

/* Go through all elements of a state. */
extern void ribbon_buildstate_each(RibbonBuildState *state,
								   RibbonTakeElements take, void *arg);

/* The context of all groups that a state's memory is counted with. */
extern MemoryContext ribbon_buildstate_groups(const RibbonBuildState *state);

/*
 * buildresult.c
 */

/*
 * Return what a final function returns: the filter or map of the keys so far,
 * newly built, or a copy of the one that is kept.  Sorts the state, which stays
 * the same set, and more may be added to it.
 */
extern struct varlena *ribbon_buildresult_build(RibbonBuildState *state,
												FunctionCallInfo fcinfo);

#endif /* RIBBON_AGGREGATE_H */
