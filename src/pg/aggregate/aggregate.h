/*
 * aggregate.h - from the rows of a group to a filter, a map or an exact set
 *
 * ribbon_build, ribbon_map and ribbon_build_exact are one aggregate with three
 * names: they share all functions but the first and the last, which differ only
 * in the aggregate that they name.  The way of a group:
 *
 *----------
 *	 rows: key [, value | member] [, rate] [, options]
 *	   |
 *	   |  transition  aggregate.c: hashes the key, adds a record
 *	   v
 *	 state  buildstate.c: an array  --- no memory left --->  key store, spill/
 *	   |  ^   buildvalues.c: the values of a map
 *	   |  |
 *	   |  |  combine  aggregate.c: adds another state of the group
 *	   |  |
 *	   |  +-- state <--deserialize-- bytes <--serialize-- state of a worker
 *	   |							 partial.c
 *	   |  final  buildresult.c: sorts, drops duplicates, lets the core build
 *	   v
 *	 ribbonfilter | ribbonmap
 *----------
 *
 * What is to be built (BuildParams, buildparams.h) comes with each row: a key
 * class from the key's type, the rest from the last arguments (options.c).  It
 * is kept in the state, and must be the same for all rows of a group.
 *
 * A state (BuildState) holds one record for each row: the hash of the key and,
 * of a map or an exact set, one word more (spill.h).  Records are in the order
 * of their rows, with duplicates.  The array starts small, for there may be
 * many groups, and doubles.  When the memory of its node is used up
 * (BuildSpace), its records move to a key store, and the array starts again.
 *
 * ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey) have such a state
 * inside a value that can travel, a ribbonkeys: keysvalue.h.
 *
 * After an error a state is of no use.  It goes with its memory context.
 */
#ifndef RIBBON_AGGREGATE_H
#define RIBBON_AGGREGATE_H

#include "ribbon_pg.h"

#include "aggregate/buildparams.h"
#include "key/key.h"
#include "spill/spill.h"
#include "value/value.h"

#define BUILD_HAS_NULL	  1
#define BUILD_HAS_NUMBERS 2 /* least and greatest are set */
#define BUILD_HAS_NUMBER_LIKE_NULL \
	4 /* a number that is the word which stands for NULL */
#define BUILD_ALL_FLAGS 7

/* The values of a map's keys so far: a range of numbers, or a dictionary. */
typedef struct BuildValues
{
	int64 least; /* of the numbers, if there are any */
	int64 greatest;
	uint8 value_class;			  /* a RibbonValueClass */
	uint8 flags;				  /* BUILD_HAS_... */
	RibbonDictionary *dictionary; /* NULL for numbers */
	uint64 id;					  /* no other in this process has it */
} BuildValues;

/* A group, in the context of its node.  There may be a million of them. */
typedef struct BuildState
{
	BuildParams params; /* the same for every row of the group */
	size_t nwords;		/* of hashes or records */
	size_t capacity;
	uint64_t *words;		/* NULL as long as capacity is 0 */
	RibbonKeyStore *store;	/* more of them, or NULL */
	struct varlena *result; /* kept by ribbon_buildresult_get, or NULL */
	BuildValues values[];	/* of a map one, of a filter none */
} BuildState;

StaticAssertDecl(sizeof(BuildState) <= 64,
				 "a state takes more memory than the server's 64 bytes");

/*
 * The memory and the files that all groups of a call site share.  Lives in
 * fn_extra, zeroed at first.
 *
 * Another extension that has a state may call our functions in any context.  So
 * a state needs nothing of the call site, which may end before it.  But if the
 * node of a plan calls, everything ends with the plan, and files can be shared.
 */
typedef struct BuildSpace
{
	size_t budget;		/* bytes of memory for all groups together */
	MemoryContext plan; /* whose node calls; NULL: no plan's node does */
	bool gives;			/* the plan gives states to another process or node */
	bool takes;			/* or takes them from there */
	RibbonSpill *spill; /* of the plan; NULL until it is needed */
} BuildSpace;

static inline bool
ribbon_buildparams_is_exact(const BuildParams *params)
{
	return params->aggregate == RIBBON_AGGREGATE_EXACT;
}

/* The name of the aggregate, for messages. */
static inline const char *
ribbon_buildparams_name(const BuildParams *params)
{
	return ribbon_aggregate_name((RibbonAggregate) params->aggregate);
}

/*
 * options.c: what is to be built, from the last arguments
 */

/* What is built if only keys, and values, are given. */
extern BuildParams ribbon_buildparams_default(int key_class,
											  RibbonAggregate aggregate);

/*
 * Set what is mentioned in a text of so many bytes; errors list what is valid.
 */
extern void ribbon_options_parse(const char *options, int length,
								 BuildParams *params);

/*
 * Set params from the rate, or from the options, in argument arg.  Options that
 * are the same text as last are not parsed again: returns NULL, else their
 * text.  After an error params are unchanged, since a caller that catches it
 * may call again.
 */
extern void ribbon_buildparams_read_fpr(FunctionCallInfo fcinfo,
										BuildParams *params, int arg);
extern struct varlena *ribbon_buildparams_read_options(FunctionCallInfo fcinfo,
													   BuildParams *params,
													   int arg,
													   const struct varlena
														   *last);

/* Keep a copy of options as *kept, in context, in place of the one there. */
extern void ribbon_buildparams_keep_options(struct varlena **kept,
											const struct varlena *options,
											MemoryContext context);

/*
 * buildstate.c
 */

/* The memory context of the group at hand; throws if no aggregate calls. */
extern MemoryContext ribbon_buildstate_context(FunctionCallInfo fcinfo,
											   RibbonAggregate aggregate);

/* Set *space to what is known about a call site. */
extern void ribbon_buildstate_init_space(BuildSpace *space,
										 FunctionCallInfo fcinfo);

/* The space of a call site that keeps nothing else in fn_extra. */
extern BuildSpace *ribbon_buildstate_open_space(FunctionCallInfo fcinfo);

/*
 * Make an empty state in a context.  For a map, the caller then calls
 * ribbon_buildvalues_init.
 */
extern BuildState *ribbon_buildstate_create(MemoryContext context,
											const BuildParams *params);

/* What the elements of a state's array and store are. */
extern RibbonRecords ribbon_buildstate_records(const BuildState *state);

/* Throw unless two parts of a group have the same parameters and key class. */
extern void ribbon_buildstate_check_same(const BuildParams *a,
										 const BuildParams *b);

/*
 * Note that a key has another class than those before.  If it was hashed
 * elsewhere, throws unless it can be in one set with them; else only the
 * classes of its parts can differ.
 */
extern void ribbon_buildparams_join_class(BuildParams *params, int key_class,
										  bool hashed);

/*
 * Make room for at least one hash or record: with more memory, or by emptying
 * the array.
 */
extern void ribbon_buildstate_grow(BuildState *state, BuildSpace *space);

/* Add words[0..n). */
extern void ribbon_buildstate_add(BuildState *state, BuildSpace *space,
								  const uint64_t *words, size_t n);

/*
 * Give a state a store, if it has none.  The store's spill lives as long as the
 * state: it is the plan's, or one of its own.
 */
extern void ribbon_buildstate_open_store(BuildState *state, BuildSpace *space);

/*
 * Move all words to the store, and free the array.  space may be NULL if the
 * state has a store.
 */
extern void ribbon_buildstate_flush(BuildState *state, BuildSpace *space);

/*
 * Sort, and drop duplicates, in the array, or in the store if there is one;
 * returns the number of words left.
 */
extern uint64 ribbon_buildstate_sort(BuildState *state);

/* Show in the progress view how many keys have come. */
extern void ribbon_buildstate_report(const BuildState *state);

/* Is there memory to keep a result of so many bytes beside all groups? */
extern bool ribbon_buildstate_may_keep(const BuildState *state,
									   FunctionCallInfo fcinfo, size_t nbytes);

/*
 * buildvalues.c
 */

/*
 * Initialize the values of a new state: none yet, of this class.  If head is
 * not NULL, they are in a dictionary that begins with it.
 */
extern void ribbon_buildvalues_init(BuildState *state,
									RibbonValueClass value_class,
									const uint8 *head, uint32 nhead);

/* Have the range of numbers include this one. */
static inline void
ribbon_buildvalues_widen(BuildValues *values, int64 number)
{
	if (unlikely((values->flags & BUILD_HAS_NUMBERS) == 0))
	{
		values->flags |= BUILD_HAS_NUMBERS;
		values->least = values->greatest = number;
	}
	values->least = Min(values->least, number);
	values->greatest = Max(values->greatest, number);
}

/* Add all values of another state; throws unless they are of one type. */
extern void ribbon_buildvalues_join(BuildState *state, const BuildState *other);

/*
 * Throw the error for two records with one hash and two values; or, in an exact
 * set, for a key that is both a member and not.  arg is the BuildState.
 */
pg_noreturn extern void ribbon_buildvalues_conflict(const void *arg,
													const uint64_t
														*two_records);

/* Is this a word of a value that has been added? */
extern bool ribbon_buildvalues_has(const BuildValues *values, uint64 word);

/* The codes of all values. */
extern RibbonValueCodes ribbon_buildvalues_codes(const BuildValues *values);

/*
 * buildresult.c
 */

/*
 * Return what a final function returns: the filter or map of the keys so far,
 * newly built, or a copy of the one that is kept.  Sorts the array and seals
 * the store.  The state stays the same set, and more may be added to it.
 */
extern struct varlena *ribbon_buildresult_get(BuildState *state,
											  FunctionCallInfo fcinfo);

/*
 * Drop the result that is kept, before something is added to the store.
 * (ribbon_buildstate_grow does it before the array grows.)
 */
extern void ribbon_buildresult_drop(BuildState *state);

/*
 * partial.c
 */

/* Throw: this is no state of the aggregate. */
pg_noreturn extern void ribbon_partial_refuse(RibbonAggregate aggregate);

#endif /* RIBBON_AGGREGATE_H */
