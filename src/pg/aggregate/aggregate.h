/*
 * aggregate.h - ribbon_build and ribbon_map, and what their files share
 *
 *	 aggregate.c	the transition, combine and final functions
 *	 partial.c		states as bytes, for parallel and partitionwise plans
 *	 buildparams.h	what is built of a group
 *	 buildsite.c	what a call site keeps; the arguments but keys
 *	 options.c		the last argument
 *	 buildstate.c	the state of a group: its hashes or records
 *	 buildvalues.c	what the state of a map has besides: its values
 *	 buildresult.c	from a state to a filter or a map
 *	 keysvalue.h	ribbonkeys, states that travel: their aggregates, their type
 *	 keysbytes.c	a ribbonkeys as bytes
 *
 * A filter is a map whose values have no bits, and one aggregate builds both:
 * ribbon_build and ribbon_map are entries of the same functions, which are told
 * by their argument map which of the two it is.
 *
 * The state of a group is the array of its key hashes so far, in the order they
 * came and with their duplicates, each with a value word behind it if it is a
 * map that is built (spill.h).  It grows by doubling, and is small enough at
 * first that many groups fit in memory.  If the memory of its node is used up,
 * it moves its hashes to a key store, and goes on with an empty array.
 *
 * After an error a state is of no use, but goes with its context as ever.
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

/* What is known of the values of a map's keys so far, but a dictionary. */
typedef struct BuildRange
{
	int64 least; /* of the numbers, if there are any */
	int64 greatest;
	uint8 value_class; /* a RibbonValueClass */
	uint8 flags;
} BuildRange;

/* The values of a map's keys so far. */
typedef struct BuildValues
{
	BuildRange range;
	RibbonDictionary *dictionary; /* NULL for numbers */
	uint64 id;					  /* no other in this process has it */
} BuildValues;

/* There may be a million of them: 64 bytes, in the context of the group. */
typedef struct BuildState
{
	BuildParams params; /* the same for every row of the group */
	size_t nwords;		/* of hashes or records */
	size_t capacity;
	uint64_t *words;		/* NULL as long as capacity is 0 */
	RibbonKeyStore *store;	/* more of them, or NULL */
	struct varlena *result; /* that is kept; see ribbon_buildstate_result */
	BuildValues values[];	/* of a map one, of a filter none */
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

/* What a call site of a transition function keeps in fn_extra. */
typedef struct BuildSite
{
	BuildSpace space; /* of all groups */
	RibbonKeyType key_type;
	BuildParams params;			/* of the row before, and valid */
	struct varlena *options;	/* their text, or NULL */
	RibbonValueType value_type; /* of a map */
} BuildSite;

/* The aggregate, and its name for messages. */
static inline RibbonAggregate
ribbon_buildparams_aggregate(const BuildParams *params)
{
	return params->keys != 0 ? (RibbonAggregate) params->keys :
		params->exact		 ? RIBBON_AGGREGATE_EXACT :
							   (RibbonAggregate) params->map;
}

static inline const char *
ribbon_buildparams_name(const BuildParams *params)
{
	return ribbon_aggregate_name(ribbon_buildparams_aggregate(params));
}

/*
 * buildsite.c
 */

/* What is built if only keys, and values, are given. */
extern BuildParams ribbon_buildparams_default(int key_class,
											  RibbonAggregate aggregate);

extern BuildSite *ribbon_buildsite_create(FunctionCallInfo fcinfo,
										  RibbonAggregate aggregate);

/* What is known of this call site, or can be found out, for all signatures. */
static inline BuildSite *
ribbon_buildsite_open(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	BuildSite *site = fcinfo->flinfo->fn_extra;

	return likely(site != NULL) ? site :
								  ribbon_buildsite_create(fcinfo, aggregate);
}

/*
 * Read the rate, or the options, which are argument arg.  Options are parsed
 * unless they are the text that was parsed last: the result is their text, or
 * NULL.  After an error params are as they were, for a caller that catches it
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

/* Read, and keep, the options of a call site. */
extern void ribbon_buildsite_read_options(FunctionCallInfo fcinfo,
										  BuildSite *site, int arg);

/* The state of a new group. */
extern BuildState *ribbon_buildsite_new_state(BuildSite *site,
											  MemoryContext context);

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
extern MemoryContext ribbon_buildstate_context(FunctionCallInfo fcinfo,
											   RibbonAggregate aggregate);

/* Find out what there is to know of a call site. */
extern void ribbon_buildstate_init_space(BuildSpace *space,
										 FunctionCallInfo fcinfo);

/* The same of one that keeps nothing else in fn_extra. */
extern BuildSpace *ribbon_buildstate_open_space(FunctionCallInfo fcinfo);

/*
 * An empty state, which goes with its context.  A map's values are for the
 * caller to begin with (ribbon_buildvalues_init).
 */
extern BuildState *ribbon_buildstate_create(MemoryContext context,
											const BuildParams *params);

/* What its array and store are made of. */
extern RibbonRecords ribbon_buildstate_records(const BuildState *state);

/* Throw unless two parts of a group have the same parameters and key class. */
extern void ribbon_buildstate_check_same(const BuildParams *a,
										 const BuildParams *b);

/*
 * A key has come of another class: in its parts, or in all if it was hashed
 * elsewhere.  Throws if it was, and cannot be in a set with those before.
 */
extern void ribbon_buildparams_join_class(BuildParams *params, int key_class,
										  bool hashed);

/*
 * Make room for at least one hash or record: with more memory, or by emptying
 * the array.
 */
extern void ribbon_buildstate_grow(BuildState *state, BuildSpace *space);

/*
 * Where the hash or record of a row goes, that was hashed with the site's key
 * type.  The caller adds to state->nwords.
 */
static inline uint64_t *
ribbon_buildstate_next(BuildState *state, BuildSite *site)
{
	if (unlikely(state->params.key_class != site->key_type.key_class))
		ribbon_buildparams_join_class(&state->params, site->key_type.key_class,
									  site->key_type.form == RIBBON_KEY_HASHED);
	if (state->nwords == state->capacity)
		ribbon_buildstate_grow(state, &site->space);
	return state->words + state->nwords;
}

/* Add words[0..n). */
extern void ribbon_buildstate_add(BuildState *state, BuildSpace *space,
								  const uint64_t *words, size_t n);

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

/*
 * Give a state that has none a store, of a spill that lives as long as the
 * state: the plan's, or one of its own.
 */
extern void ribbon_buildstate_open_store(BuildState *state, BuildSpace *space);

/* Something is going to be added to the store (grow sees to the array). */
extern void ribbon_buildstate_changes(BuildState *state);

/*
 * What a final function returns: the filter or map of the keys so far, newly
 * built or a copy of what has been kept.
 */
extern struct varlena *ribbon_buildstate_result(BuildState *state,
												FunctionCallInfo fcinfo);

/*
 * buildvalues.c
 */

/*
 * The values of a new state: none yet, of a class; with a dictionary if it has
 * a head.
 */
extern void ribbon_buildvalues_init(BuildState *state,
									RibbonValueClass value_class,
									const uint8 *head, uint32 nhead);

/* Add all values of another state; throws unless they are of one type. */
extern void ribbon_buildvalues_join(BuildState *state, const BuildState *other);

/*
 * Throw: these two records have one hash, and two values; or of an exact set,
 * one key is a member and is not.  arg is the BuildState.
 */
pg_noreturn extern void ribbon_buildvalues_conflict(const void *arg,
													const uint64_t
														*two_records);

/* Is this a word of a value that has been added? */
extern bool ribbon_buildvalues_has(const BuildValues *values, uint64 word);

/* The codes of all values. */
extern RibbonValueCodes ribbon_buildvalues_codes(const BuildValues *values);

/* Have a range include a number. */
static inline void
ribbon_buildvalues_widen(BuildRange *range, int64 number)
{
	if (unlikely((range->flags & BUILD_HAS_NUMBERS) == 0))
	{
		range->flags |= BUILD_HAS_NUMBERS;
		range->least = range->greatest = number;
	}
	range->least = Min(range->least, number);
	range->greatest = Max(range->greatest, number);
}

/* Add a value, which may be NULL, to those of a state; its word. */
static inline uint64
ribbon_buildvalues_add(BuildState *state, BuildSite *site, NullableDatum value)
{
	BuildValues *values = state->values;
	uint64 word;

	if (unlikely(value.isnull))
	{
		values->range.flags |= BUILD_HAS_NULL;
		return RIBBON_VALUE_NULL;
	}
	if (values->dictionary != NULL)
		return ribbon_encode_value(&site->value_type, value.value,
								   values->dictionary, values->id,
								   state->params.seed);

	word = ribbon_valuetype_word(&site->value_type, value.value);
	if (unlikely(word == RIBBON_VALUE_NULL))
		values->range.flags |= BUILD_HAS_NUMBER_LIKE_NULL;
	ribbon_buildvalues_widen(&values->range, (int64) word);
	return word;
}

/*
 * buildresult.c: the filter or map of the keys so far.  The array is sorted,
 * and the store sealed; the state stays the same set, to which more may be
 * added.
 */
extern struct varlena *ribbon_buildresult_create(BuildState *state);

/*
 * options.c: set what is mentioned in a text of so many bytes; errors list what
 * is valid.
 */
extern void ribbon_options_parse(const char *options, int length,
								 BuildParams *params);

/*
 * partial.c
 */

/* Throw: this is no state of the aggregate. */
pg_noreturn extern void ribbon_partial_refuse(RibbonAggregate aggregate);

#endif /* RIBBON_AGGREGATE_H */
