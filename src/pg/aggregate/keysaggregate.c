/*
 * keysaggregate.c - ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey)
 *
 *	 ribbon_keys(key), (ribbonkey)			keys in, a ribbonkeys out
 *	 ribbon_build_keys(ribbonkeys, ...)		such sets in, a filter out
 *	 ribbon_build(ribbonkey, ...)			hashed keys in, a filter out
 *
 * All three have a ribbonkeys as their state, with one combine function.  It is
 * a type that any engine can send from one node to another, unlike the states
 * of ribbon_build, which are pointers (buildaggregate.c).  What is to be built
 * travels in it.
 *
 * While it grows, a ribbonkeys is an expanded object with a state of hashes
 * alone (aggregate.h), in memory or in files.  So a transition function adds a
 * hash without a copy.  Storing or sending it flattens it to bytes
 * (keys/keysbytes.h): sorts, and writes in order what is left without
 * duplicates.  That is called in any context, some of which cannot free (those
 * of tuples on their way through a sort), so it works in the object's own.
 *
 * An engine may call a transition function with a call site of its own for
 * each row, and without an expression.  So those of ribbonkeys and ribbonkey
 * keep nothing at the call site: all is in the state.
 */
#include "aggregate/aggregate.h"

#include "key/key.h"
#include "nodes/primnodes.h"
#include "server/progress.h"
#include "server/server.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

typedef struct Keys
{
	ExpandedObjectHeader header;
	RibbonBuildSpace space;
	bool builds;			 /* its state's params say what to build */
	RibbonRowParams row;	 /* by the row before, if rows say it */
	RibbonBuildState *state; /* in the object's context, as all of this */
} Keys;

StaticAssertDecl(sizeof(Keys) <= 128,
				 "a ribbonkeys takes more memory than the server's 128 bytes");

/* What its bytes have for a header, if it has been sorted. */
static RibbonKeysHead
keys_head(const Keys *keys)
{
	const RibbonBuildParams *params = &keys->state->params;
	RibbonKeysHead head = {0};

	head.n = ribbon_buildstate_count(keys->state);
	head.builds = keys->builds;
	if (keys->builds)
		head.params = ribbon_buildparams_core(params);
	head.params.key_class = params->key_class;
	return head;
}

/* The number of hashes is known when they are sorted. */
static Size
get_flat_size(ExpandedObjectHeader *header)
{
	Keys *keys = (Keys *) header;
	MemoryContext old_context = MemoryContextSwitchTo(header->eoh_context);
	RibbonKeysHead head;
	RibbonSet array;
	size_t size;

	(void) ribbon_buildstate_seal(keys->state, &array);
	head = keys_head(keys);
	size = ribbon_keysbytes_size(&head);
	if (size > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonkeys of %llu keys would exceed the maximum of 1 GB",
						(unsigned long long) head.n),
				 keys->builds ?
					 errhint("Spread the keys over several filters with ribbon_shard, or set max_parallel_workers_per_gather to 0, since one process has no such limit.") :
					 errhint("Spread the keys over several sets with ribbon_shard.")));
	MemoryContextSwitchTo(old_context);
	return size + VARHDRSZ;
}

/* A RibbonTakeElements. */
static RibbonStatus
write_hashes(void *cursor, const uint64_t *hashes, size_t n)
{
	ribbon_keysbytes_write(cursor, hashes, n);
	return RIBBON_OK;
}

/* What get_flat_size has sorted. */
static void
flatten_into(ExpandedObjectHeader *header, void *result, Size allocated)
{
	Keys *keys = (Keys *) header;
	MemoryContext old_context = MemoryContextSwitchTo(header->eoh_context);
	RibbonEnv env = ribbon_env_create(header->eoh_context);
	RibbonKeysHead head = keys_head(keys);
	RibbonKeysCursor cursor;

	Assert(allocated == ribbon_keysbytes_size(&head) + VARHDRSZ);
	SET_VARSIZE(result, allocated);
	ribbon_error_check(RIBBON_SQL_KEYS,
					   ribbon_zero(&env, VARDATA(result),
								   allocated - VARHDRSZ));
	ribbon_keysbytes_begin(&cursor, &head, (uint8_t *) VARDATA(result));
	ribbon_buildstate_each(keys->state, write_hashes, &cursor);
	ribbon_progress_end();
	MemoryContextSwitchTo(old_context);
}

static const ExpandedObjectMethods keys_methods = {
	.get_flat_size = get_flat_size,
	.flatten_into = flatten_into,
};

/* The object, if the datum is one; NULL if it is bytes. */
static inline Keys *
keys_of(Datum datum)
{
	ExpandedObjectHeader *header;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(datum)))
		return NULL;
	header = DatumGetEOHP(datum);
	return header->eoh_methods == &keys_methods ? (Keys *) header : NULL;
}

/* Make an empty one, in a child of this context, for this call. */
static Keys *
create_keys(FunctionCallInfo fcinfo, RibbonAggregate aggregate,
			MemoryContext context, int key_class)
{
	RibbonBuildParams params = ribbon_buildparams_default(key_class, aggregate);
	MemoryContext own = AllocSetContextCreate(context, "ribbonkeys",
											  ALLOCSET_START_SMALL_SIZES);
	Keys *keys = MemoryContextAllocZero(own, sizeof(Keys));

	EOH_init_header(&keys->header, &keys_methods, own);
	ribbon_buildspace_init(&keys->space, fcinfo);
	keys->space.gives = false; /* it goes as its bytes */
	keys->row = (RibbonRowParams){.params = params, .context = own};
	keys->state = ribbon_buildstate_create(own, &params);
	return keys;
}

/*
 * Build with this rate, kind and width, which the set's bytes then contain,
 * too.  Throws if it builds with others.
 */
static void
build_by(Keys *keys, double fpr, int kind, int width)
{
	RibbonBuildParams *now = &keys->state->params;
	RibbonBuildParams built = *now;

	built.fpr = fpr;
	built.kind = (uint8) kind;
	built.width = (uint8) width;
	if (keys->builds)
		ribbon_buildparams_check_same(now, &built);
	else if (now->aggregate == RIBBON_AGGREGATE_KEYS)
		built.aggregate = RIBBON_AGGREGATE_BUILD_HASHED;
	*now = built;
	keys->builds = true;
}

/* A RibbonTakeElements. */
static RibbonStatus
add_hashes(void *object, const uint64_t *hashes, size_t n)
{
	Keys *keys = object;

	ribbon_buildstate_add(keys->state, &keys->space, hashes, n);
	return RIBBON_OK;
}

/*
 * Add all hashes of another ribbonkeys.  Throws unless one set can have both
 * (ribbon_buildstate_join_class).  Returns what its header says.
 */
static RibbonKeysHead
add_keys(Keys *keys, Datum other)
{
	Keys *object = keys_of(other);
	RibbonKeysCursor cursor = {0};
	struct varlena *value;

	if (object != NULL)
	{
		cursor.head = keys_head(object);
		ribbon_buildstate_join_class(keys->state, cursor.head.params.key_class);
		if (object != keys)
			ribbon_buildstate_each(object->state, add_hashes, keys);
		return cursor.head;
	}

	value = ribbon_detoast((struct varlena *) DatumGetPointer(other));
	ribbonkeys_open(&cursor, value);
	ribbon_buildstate_join_class(keys->state, cursor.head.params.key_class);
	if (!ribbonkeys_each(&cursor, add_hashes, keys))
		ribbon_error_corrupt(RIBBON_SQL_KEYS, RIBBONKEYS_OBJECTION);
	if ((Pointer) value != DatumGetPointer(other))
		pfree(value);
	return cursor.head;
}

/* The same for two states: if other says what to build, keys does, too. */
static void
combine_keys(Keys *keys, Datum other)
{
	RibbonKeysHead head = add_keys(keys, other);

	if (head.builds)
		build_by(keys, head.params.fpr, (int) head.params.kind,
				 head.params.width);
}

/*
 * The state of a transition or combine function, which is argument 0; a new
 * one, of this class, if that is NULL.  Throws if no aggregate calls.
 */
static Keys *
open_state(FunctionCallInfo fcinfo, RibbonAggregate aggregate, int key_class)
{
	MemoryContext context = ribbon_buildspace_context(fcinfo, aggregate);
	Keys *keys;
	Datum datum;

	if (PG_ARGISNULL(0))
		return create_keys(fcinfo, aggregate, context, key_class);
	datum = PG_GETARG_DATUM(0);
	if (likely(VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(datum)) &&
			   (keys = keys_of(datum)) != NULL))
		return keys;

	/* not ours to change: a copy */
	keys = create_keys(fcinfo, aggregate, context, 0);
	combine_keys(keys, datum);
	return keys;
}

/* ribbon_keys_transfn(ribbonkeys, key) */
RIBBON_SQL_ENTRY(ribbon_keys_transfn)
{
	RibbonKeyHasher *hasher = ribbon_keyhash_of_argument(fcinfo, 1);
	Keys *keys;
	uint64_t hash;

	if (PG_ARGISNULL(0))
		ribbon_keyhash_forget(hasher); /* of another group's keys */
	keys = open_state(fcinfo, RIBBON_AGGREGATE_KEYS, hasher->last_class);
	if (!PG_ARGISNULL(1))
	{
		hash = ribbon_keyhash_row(hasher, PG_GETARG_DATUM(1));
		*ribbon_buildstate_append(keys->state, &keys->space, hasher->last_class,
								  1) = hash;
	}
	return EOHPGetRWDatum(&keys->header);
}

/* Add argument 1, a ribbonkey, if it is not NULL. */
static inline void
add_hashed(FunctionCallInfo fcinfo, Keys *keys)
{
	const uint8 *bytes;
	int key_class;

	if (PG_ARGISNULL(1))
		return;
	bytes = (const uint8 *) PG_GETARG_POINTER(1);
	key_class = ribbonkey_class(bytes);
	if (unlikely(key_class != keys->state->params.key_class))
		key_class = ribbonkey_check(bytes);
	*ribbon_buildstate_append(keys->state, &keys->space, key_class,
							  1) = ribbonkey_hashes(bytes).first;
}

/* ribbon_keys_transfn(ribbonkeys, ribbonkey) */
RIBBON_SQL_ENTRY(ribbon_keys_hashed_transfn)
{
	Keys *keys = open_state(fcinfo, RIBBON_AGGREGATE_KEYS, 0);

	add_hashed(fcinfo, keys);
	return EOHPGetRWDatum(&keys->header);
}

/* Read the rate and the options, if there are any: they must not change. */
static inline void
read_keys_params(FunctionCallInfo fcinfo, Keys *keys)
{
	const RibbonAggregateInfo *info =
		ribbon_aggregate_info(RIBBON_AGGREGATE_BUILD_KEYS);
	const RibbonBuildParams *params = &keys->row.params;

	if (likely(keys->builds && PG_NARGS() == info->fpr_arg))
		return;
	(void) ribbon_buildparams_read(fcinfo, info, &keys->row);
	build_by(keys, params->fpr, params->kind, params->width);
}

/* ribbon_build_transfn(ribbonkeys, ribbonkey [, fpr [, options]]) */
RIBBON_SQL_ENTRY(ribbon_build_hashed_transfn)
{
	Keys *keys = open_state(fcinfo, RIBBON_AGGREGATE_BUILD_HASHED, 0);

	/* a NULL key is no reason to overlook a bad parameter beside it */
	read_keys_params(fcinfo, keys);
	add_hashed(fcinfo, keys);
	return EOHPGetRWDatum(&keys->header);
}

/* ribbon_build_keys_transfn(ribbonkeys, ribbonkeys [, fpr [, options]]) */
RIBBON_SQL_ENTRY(ribbon_build_keys_transfn)
{
	Keys *keys = open_state(fcinfo, RIBBON_AGGREGATE_BUILD_KEYS, 0);

	read_keys_params(fcinfo, keys);
	if (!PG_ARGISNULL(1))
		(void) add_keys(keys, PG_GETARG_DATUM(1));
	return EOHPGetRWDatum(&keys->header);
}

/*
 * ribbon_keys_combinefn(ribbonkeys, ribbonkeys)
 *
 * Only ribbon_build_keys has an argument of the type of its state.  Which
 * aggregate it is matters to messages and ribbon_progress alone.
 */
RIBBON_SQL_ENTRY(ribbon_keys_combinefn)
{
	Aggref *aggref = AggGetAggref(fcinfo);
	bool of_sets = aggref != NULL &&
		list_member_oid(aggref->aggargtypes, aggref->aggtranstype);
	Keys *keys;

	if (PG_ARGISNULL(1) && PG_ARGISNULL(0))
		PG_RETURN_NULL();
	keys = open_state(fcinfo,
					  of_sets ? RIBBON_AGGREGATE_BUILD_KEYS :
								RIBBON_AGGREGATE_KEYS,
					  0);
	if (!PG_ARGISNULL(1))
		combine_keys(keys, PG_GETARG_DATUM(1));
	return EOHPGetRWDatum(&keys->header);
}

/* ribbon_keys_finalfn(ribbonkeys [, NULL]) returns ribbonkeys */
RIBBON_SQL_ENTRY(ribbon_keys_finalfn)
{
	Datum keys = PG_GETARG_DATUM(0);
	Keys *none;
	int key_class = 0;

	/* not one row came, but the type is known, unless keys are hashed */
	if (PG_ARGISNULL(0))
	{
		if (PG_NARGS() > 1)
			key_class = ribbon_keyhash_of_argument(fcinfo, 1)->last_class;
		none = create_keys(fcinfo, RIBBON_AGGREGATE_KEYS, CurrentMemoryContext,
						   key_class);
		keys = EOHPGetRODatum(&none->header);
	}
	PG_RETURN_POINTER(PG_DETOAST_DATUM_PACKED(keys));
}

/* ribbon_build_keys_finalfn(ribbonkeys) returns ribbonfilter */
RIBBON_SQL_ENTRY(ribbon_build_keys_finalfn)
{
	Keys *keys = NULL;

	if (!PG_ARGISNULL(0))
		keys = keys_of(PG_GETARG_DATUM(0));
	if (keys == NULL)
	{
		keys = create_keys(fcinfo, RIBBON_AGGREGATE_BUILD_HASHED,
						   CurrentMemoryContext, 0);
		if (!PG_ARGISNULL(0))
			combine_keys(keys, PG_GETARG_DATUM(0));
	}
	PG_RETURN_POINTER(ribbon_buildresult_build(keys->state, fcinfo));
}
