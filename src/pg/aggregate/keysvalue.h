/*
 * keysvalue.h - a ribbonkeys in memory
 *
 * While it grows, a ribbonkeys is an expanded object: a state (aggregate.h) of
 * hashes alone, in memory or in files.  So a transition function adds a hash to
 * it without a copy.  Whoever stores it or sends it gets its bytes, by which it
 * is flattened (keysbytes.h).
 *
 *	 keysvalue.c	 the object: growing, flattening
 *	 keysio.c		 the type: text, binary, bytea, and what is asked of a value
 *	 keysaggregate.c ribbon_keys, ribbon_build_keys, ribbon_build(ribbonkey)
 */
#ifndef RIBBON_KEYSVALUE_H
#define RIBBON_KEYSVALUE_H

#include "aggregate/aggregate.h"
#include "aggregate/keysbytes.h"
#include "utils/expandeddatum.h"

typedef struct RibbonKeys
{
	ExpandedObjectHeader header;
	BuildSpace space;
	bool builds;			 /* its state's params say what to build */
	struct varlena *options; /* those that were read last, or NULL */
	BuildState *state;		 /* in the object's context, as all of this */
} RibbonKeys;

/* An empty one in a context, of which it is a child, for this call. */
extern RibbonKeys *ribbon_keys_create(FunctionCallInfo fcinfo,
									  RibbonAggregate aggregate,
									  MemoryContext context, int key_class);

/* The object that a datum is, or NULL: it is bytes. */
extern RibbonKeys *ribbon_keys_expanded(Datum datum);

/*
 * The one that argument 0, the state of a transition or combine function, is; a
 * new one, of this class, if that is NULL.  Throws if no aggregate calls.
 */
extern RibbonKeys *ribbon_keys_state(FunctionCallInfo fcinfo,
									 RibbonAggregate aggregate, int key_class);

/* Build by these, and say so where the set travels. */
extern void ribbon_keys_build_by(RibbonKeys *keys, const BuildParams *params);

static inline Datum
ribbon_keys_datum(RibbonKeys *keys)
{
	return EOHPGetRWDatum(&keys->header);
}

/* A key of this class comes: throws if there are others of another. */
static inline void
ribbon_keys_join_class(RibbonKeys *keys, int key_class)
{
	ribbon_buildparams_join_class(&keys->state->params, key_class, true);
}

/* Add the hash of one key. */
static inline void
ribbon_keys_add(RibbonKeys *keys, int key_class, uint64_t hash)
{
	BuildState *state = keys->state;

	if (unlikely(state->params.key_class != key_class))
		ribbon_keys_join_class(keys, key_class);
	if (unlikely(state->nwords == state->capacity))
		ribbon_buildstate_grow(state, &keys->space);
	state->words[state->nwords++] = hash;
}

/*
 * Add all hashes of another ribbonkeys, and throw unless they are of the same
 * class; returns what its header says.
 */
extern RibbonKeysHead ribbon_keys_add_all(RibbonKeys *keys, Datum other);

/* And if that says what to build, so does this; throws if it said otherwise. */
extern void ribbon_keys_join(RibbonKeys *keys, Datum other);

/* Its bytes as a datum, in CurrentMemoryContext. */
extern struct varlena *ribbon_keys_flatten(RibbonKeys *keys);

/*
 * Read the header of bytes; false if that cannot be one.  Of bytes that have
 * been stored, ribbon_keys_open throws then, and ribbon_keys_corrupt if what
 * follows proves to be none.
 */
extern bool ribbon_keys_try_open(RibbonKeysCursor *cursor,
								 struct varlena *value);
extern void ribbon_keys_open(RibbonKeysCursor *cursor, struct varlena *value);
pg_noreturn extern void ribbon_keys_corrupt(void);

#endif /* RIBBON_KEYSVALUE_H */
