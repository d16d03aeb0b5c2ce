/*
 * keysobject.h - a ribbonkeys that grows
 *
 * While it grows, a ribbonkeys is an expanded object with a state of hashes
 * alone (aggregate.h), in memory or in files.  So a transition function adds a
 * hash without a copy.  Storing or sending it flattens it to bytes
 * (key/keysbytes.h): sorts, and writes in order what is left without
 * duplicates.  That is called in any context, some of which cannot free (those
 * of tuples on their way through a sort), so it works in the object's own.
 */
#ifndef RIBBON_KEYSOBJECT_H
#define RIBBON_KEYSOBJECT_H

#include "aggregate/aggregate.h"
#include "key/ribbonkey.h"
#include "utils/expandeddatum.h"

typedef struct RibbonKeys
{
	ExpandedObjectHeader header;
	RibbonBuildSpace space;
	bool builds;			 /* its state's params say what to build */
	RibbonGiven given;		 /* by the row before, if rows say it */
	RibbonBuildState *state; /* in the object's context, as all of this */
} RibbonKeys;

StaticAssertDecl(sizeof(RibbonKeys) <= 128,
				 "a ribbonkeys takes more memory than the server's 128 bytes");

/* Make an empty one, in a child of this context, for this call. */
extern RibbonKeys *ribbon_keysobject_create(FunctionCallInfo fcinfo,
											RibbonAggregate aggregate,
											MemoryContext context,
											int key_class);

extern const ExpandedObjectMethods ribbon_keysobject_methods;

/* The object, if the datum is one; NULL if it is bytes. */
static inline RibbonKeys *
ribbon_keysobject_get(Datum datum)
{
	ExpandedObjectHeader *header;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(datum)))
		return NULL;
	header = DatumGetEOHP(datum);
	return header->eoh_methods == &ribbon_keysobject_methods ?
		(RibbonKeys *) header :
		NULL;
}

/*
 * Build with this rate, kind and width, which the set's bytes then contain,
 * too.  Throws if it builds with others.
 */
extern void ribbon_keysobject_build_by(RibbonKeys *keys, double fpr, int kind,
									   int width);

/*
 * Add all hashes of another ribbonkeys.  Throws unless one set can have both
 * (ribbon_buildstate_join_class).  Returns what its header says.
 */
extern RibbonKeysHead ribbon_keysobject_add(RibbonKeys *keys, Datum other);

/* The same for two states: if other says what to build, keys does, too. */
extern void ribbon_keysobject_combine(RibbonKeys *keys, Datum other);

#endif /* RIBBON_KEYSOBJECT_H */
