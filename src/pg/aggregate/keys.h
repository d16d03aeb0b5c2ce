/*
 * keys.h - a ribbonkeys in memory
 *
 * While it grows, a ribbonkeys is an expanded object with a state of hashes
 * alone (buildstate.h), in memory or in files.  So a transition function adds a
 * hash without a copy.  Storing or sending it flattens it to bytes
 * (key/keysbytes.h).
 *
 *	 keys.c			 the object: growing, flattening
 *	 keysaggregate.c ribbon_keys, ribbon_build_keys, ribbon_build(ribbonkey)
 */
#ifndef RIBBON_KEYS_H
#define RIBBON_KEYS_H

#include "aggregate/buildstate.h"
#include "key/ribbonkey.h"
#include "utils/expandeddatum.h"

typedef struct RibbonKeys
{
	ExpandedObjectHeader header;
	RibbonBuildSpace space;
	bool builds;			 /* its state's params say what to build */
	struct varlena *options; /* those that were read last, or NULL */
	RibbonBuildState *state; /* in the object's context, as all of this */
} RibbonKeys;

/* Make an empty one, in a child of this context, for this call. */
extern RibbonKeys *ribbon_keys_create(FunctionCallInfo fcinfo,
									  RibbonAggregate aggregate,
									  MemoryContext context, int key_class);

/* The object, if the datum is one; NULL if it is bytes. */
extern RibbonKeys *ribbon_keys_expanded(Datum datum);

/*
 * The state of a transition or combine function, which is argument 0; a new
 * one, of this class, if that is NULL.  Throws if no aggregate calls.
 */
extern RibbonKeys *ribbon_keys_state(FunctionCallInfo fcinfo,
									 RibbonAggregate aggregate, int key_class);

/*
 * Build with this rate, kind and width, which the set's bytes then contain,
 * too.  Throws if it builds with others.
 */
extern void ribbon_keys_build_by(RibbonKeys *keys, double fpr, int kind,
								 int width);

static inline Datum
ribbon_keys_datum(RibbonKeys *keys)
{
	return EOHPGetRWDatum(&keys->header);
}

/* Add the hash of one key. */
static inline void
ribbon_keys_add(RibbonKeys *keys, int key_class, uint64_t hash)
{
	*ribbon_buildstate_room(keys->state, &keys->space, key_class, 1) = hash;
}

/*
 * Add all hashes of another ribbonkeys.  Throws unless one set can have both
 * (ribbon_buildparams_join_class).  Returns what its header says.
 */
extern RibbonKeysHead ribbon_keys_add_set(RibbonKeys *keys, Datum other);

/* The same for two states: if other says what to build, keys does, too. */
extern void ribbon_keys_combine(RibbonKeys *keys, Datum other);

/* Its bytes as a datum, in CurrentMemoryContext. */
extern struct varlena *ribbon_keys_flatten(RibbonKeys *keys);

#endif /* RIBBON_KEYS_H */
