/*
 * keys.c - ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey)
 *
 *	 ribbon_keys(key), (ribbonkey)			keys in, a ribbonkeys out
 *	 ribbon_build_keys(ribbonkeys, ...)		such sets in, a filter out
 *	 ribbon_build(ribbonkey, ...)			hashed keys in, a filter out
 *
 * All three have a ribbonkeys as their state, with one combine function.  It
 * is a type that any engine can send from one node to another, other than the
 * states of ribbon_build, which are pointers (buildaggregate.c).  What is to be
 * built travels in it.
 *
 * While it grows, a ribbonkeys is an expanded object with a state of hashes
 * alone (buildstate.h), in memory or in files.  So a transition function adds a
 * hash without a copy.  Storing or sending it flattens it to bytes
 * (key/keysbytes.h): sorts, and writes in order what is left without
 * duplicates.  That is called in any context, some of which cannot free (those
 * of tuples on their way through a sort), so it works in the object's own.
 *
 * An engine may call a transition function with a call site of its own for
 * each row, and without an expression.  So those of ribbonkeys and ribbonkey
 * keep nothing at the call site: all is in the state.
 */
#include "aggregate/buildstate.h"

#include "key/key.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/expandeddatum.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(ribbon_keys_transfn);
PG_FUNCTION_INFO_V1(ribbon_keys_hashed_transfn);
PG_FUNCTION_INFO_V1(ribbon_keys_combinefn);
PG_FUNCTION_INFO_V1(ribbon_keys_finalfn);
PG_FUNCTION_INFO_V1(ribbon_build_hashed_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_keys_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_keys_finalfn);

/* Hashes that are read at a time: 512 kB. */
#define PIECE_HASHES (64 * 1024)

typedef struct RibbonKeys
{
	ExpandedObjectHeader header;
	RibbonBuildSpace space;
	bool builds;			 /* its state's params say what to build */
	struct varlena *options; /* those that were read last, or NULL */
	RibbonBuildState *state; /* in the object's context, as all of this */
} RibbonKeys;

/* What its bytes have for a header, if it has been sorted. */
static RibbonKeysHead
head_of(const RibbonKeys *keys)
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
	RibbonKeys *keys = (RibbonKeys *) header;
	MemoryContext old_context = MemoryContextSwitchTo(header->eoh_context);
	RibbonKeysHead head;
	RibbonSet array;
	size_t size;

	(void) ribbon_buildstate_seal(keys->state, &array);
	head = head_of(keys);
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

/* What get_flat_size has sorted. */
static void
flatten_into(ExpandedObjectHeader *header, void *result, Size allocated)
{
	RibbonKeys *keys = (RibbonKeys *) header;
	MemoryContext old_context = MemoryContextSwitchTo(header->eoh_context);
	RibbonKeysHead head = head_of(keys);
	RibbonSet array;
	const RibbonSet *set = ribbon_buildstate_set(keys->state, &array);
	RibbonSetPosition position = {0, 0};
	uint64 *hashes = palloc(RIBBON_BLOCK_WORDS * sizeof(uint64));
	RibbonKeysCursor cursor;
	size_t n;

	Assert(allocated == ribbon_keysbytes_size(&head) + VARHDRSZ);
	SET_VARSIZE(result, allocated);
	ribbon_keysbytes_begin(&cursor, &head, (uint8_t *) VARDATA(result));
	while ((n = ribbon_buildstate_next(set, &position, hashes)) > 0)
		ribbon_keysbytes_write(&cursor, hashes, n);
	pfree(hashes);
	ribbon_progress_end();
	MemoryContextSwitchTo(old_context);
}

static const ExpandedObjectMethods methods = {
	.get_flat_size = get_flat_size,
	.flatten_into = flatten_into,
};

/* Make an empty one, in a child of this context, for this call. */
static RibbonKeys *
create_keys(FunctionCallInfo fcinfo, RibbonAggregate aggregate,
			MemoryContext context, int key_class)
{
	RibbonBuildParams params = ribbon_buildparams_default(key_class, aggregate);
	MemoryContext own = AllocSetContextCreate(context, "ribbonkeys",
											  ALLOCSET_START_SMALL_SIZES);
	RibbonKeys *keys = MemoryContextAllocZero(own, sizeof(RibbonKeys));

	EOH_init_header(&keys->header, &methods, own);
	ribbon_buildspace_init(&keys->space, fcinfo);
	keys->state = ribbon_buildstate_create(own, &params);
	return keys;
}

/* The object, if the datum is one; NULL if it is bytes. */
static RibbonKeys *
get_object(Datum datum)
{
	ExpandedObjectHeader *header;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(datum)))
		return NULL;
	header = DatumGetEOHP(datum);
	return header->eoh_methods == &methods ? (RibbonKeys *) header : NULL;
}

/*
 * Build with this rate, kind and width, which the set's bytes then contain,
 * too.  Throws if it builds with others.
 */
static void
build_by(RibbonKeys *keys, double fpr, int kind, int width)
{
	RibbonBuildParams *now = &keys->state->params;
	RibbonBuildParams built = *now;

	built.fpr = fpr;
	built.kind = (uint8) kind;
	built.width = (uint8) width;
	if (keys->builds)
	{
		ribbon_buildparams_check_same(now, &built);
		return;
	}
	if (now->aggregate == RIBBON_AGGREGATE_KEYS)
		built.aggregate = RIBBON_AGGREGATE_BUILD_HASHED;
	*now = built;
	keys->builds = true;
}

/* Add the hashes of an object, which keeps them. */
static void
add_object(RibbonKeys *keys, RibbonKeys *other)
{
	RibbonSet array;
	const RibbonSet *set = ribbon_buildstate_set(other->state, &array);
	RibbonSetPosition position = {0, 0};
	uint64 *hashes = palloc(RIBBON_BLOCK_WORDS * sizeof(uint64));
	size_t n;

	while ((n = ribbon_buildstate_next(set, &position, hashes)) > 0)
		ribbon_buildstate_add(keys->state, &keys->space, hashes, n);
	pfree(hashes);
}

/* Add the hashes that a cursor reads. */
static void
add_bytes(RibbonKeys *keys, RibbonKeysCursor *cursor)
{
	MemoryContext own = keys->header.eoh_context;
	size_t room = Min(cursor->head.n, PIECE_HASHES);
	uint64 *hashes = MemoryContextAlloc(own, Max(room, 1) * sizeof(uint64));
	size_t n;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (!ribbon_keysbytes_read(cursor, hashes, room, &n))
			ribbon_error_corrupt(RIBBON_SQL_KEYS, RIBBONKEYS_OBJECTION);
		if (n == 0)
			break;
		ribbon_buildstate_add(keys->state, &keys->space, hashes, n);
	}
	pfree(hashes);
}

/*
 * Add all hashes of another ribbonkeys.  Throws unless one set can have both
 * (ribbon_buildstate_join_class).  Returns what its header says.
 */
static RibbonKeysHead
add_set(RibbonKeys *keys, Datum other)
{
	RibbonKeys *object = get_object(other);
	RibbonKeysCursor cursor = {0};
	struct varlena *value;

	if (object != NULL)
	{
		cursor.head = head_of(object);
		ribbon_buildstate_join_class(keys->state, cursor.head.params.key_class);
		if (object != keys)
			add_object(keys, object);
		return cursor.head;
	}

	value = ribbon_detoast((struct varlena *) DatumGetPointer(other));
	ribbonkeys_open(&cursor, value);
	ribbon_buildstate_join_class(keys->state, cursor.head.params.key_class);
	add_bytes(keys, &cursor);
	if ((Pointer) value != DatumGetPointer(other))
		pfree(value);
	return cursor.head;
}

/* The same for two states: if other says what to build, keys does, too. */
static void
combine(RibbonKeys *keys, Datum other)
{
	RibbonKeysHead head = add_set(keys, other);

	if (head.builds)
		build_by(keys, head.params.fpr, (int) head.params.kind,
				 head.params.width);
}

/*
 * The state of a transition or combine function, which is argument 0; a new
 * one, of this class, if that is NULL.  Throws if no aggregate calls.
 */
static RibbonKeys *
get_state(FunctionCallInfo fcinfo, RibbonAggregate aggregate, int key_class)
{
	MemoryContext context = ribbon_buildspace_context(fcinfo, aggregate);
	RibbonKeys *keys;
	Datum datum;

	if (PG_ARGISNULL(0))
		return create_keys(fcinfo, aggregate, context, key_class);
	datum = PG_GETARG_DATUM(0);
	if (likely(VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(datum)) &&
			   (keys = get_object(datum)) != NULL))
		return keys;

	/* not ours to change: a copy */
	keys = create_keys(fcinfo, aggregate, context, 0);
	combine(keys, datum);
	return keys;
}

/* Its bytes as a datum, in CurrentMemoryContext. */
static struct varlena *
flatten(RibbonKeys *keys)
{
	Size size = get_flat_size(&keys->header);
	struct varlena *value = palloc(size);

	flatten_into(&keys->header, value, size);
	return value;
}

static inline Datum
return_keys(RibbonKeys *keys)
{
	return EOHPGetRWDatum(&keys->header);
}

/* Add the hash of one key. */
static inline void
add_hash(RibbonKeys *keys, int key_class, uint64_t hash)
{
	*ribbon_buildstate_room(keys->state, &keys->space, key_class, 1) = hash;
}

/* ribbon_keys_transfn(ribbonkeys, key) */
Datum
ribbon_keys_transfn(PG_FUNCTION_ARGS)
{
	RibbonKeyHasher *hasher = ribbon_keyhash_of_argument(fcinfo, 1);
	RibbonKeys *keys;
	uint64_t hash;

	if (PG_ARGISNULL(0))
		ribbon_keyhash_forget(hasher); /* of another group's keys */
	keys = get_state(fcinfo, RIBBON_AGGREGATE_KEYS, hasher->key_class);
	if (!PG_ARGISNULL(1))
	{
		hash = ribbon_keyhash_row(hasher, PG_GETARG_DATUM(1));
		add_hash(keys, hasher->key_class, hash);
	}
	return return_keys(keys);
}

/* Add argument 1, a ribbonkey, if it is not NULL. */
static inline void
add_hashed(FunctionCallInfo fcinfo, RibbonKeys *keys)
{
	const uint8 *bytes;
	int key_class;

	if (PG_ARGISNULL(1))
		return;
	bytes = (const uint8 *) PG_GETARG_POINTER(1);
	key_class = ribbonkey_class(bytes);
	if (unlikely(key_class != keys->state->params.key_class))
		key_class = ribbonkey_check(bytes);
	add_hash(keys, key_class, ribbonkey_hashes(bytes).first);
}

/* ribbon_keys_transfn(ribbonkeys, ribbonkey) */
Datum
ribbon_keys_hashed_transfn(PG_FUNCTION_ARGS)
{
	RibbonKeys *keys = get_state(fcinfo, RIBBON_AGGREGATE_KEYS, 0);

	add_hashed(fcinfo, keys);
	return return_keys(keys);
}

/* Read the rate and the options, if there are any: they must not change. */
static inline void
read_params(FunctionCallInfo fcinfo, RibbonKeys *keys)
{
	const RibbonAggregateInfo *info =
		ribbon_aggregate_info(RIBBON_AGGREGATE_BUILD_KEYS);
	RibbonBuildParams params = keys->state->params;

	if (likely(keys->builds && PG_NARGS() == info->fpr_arg))
		return;
	if (PG_NARGS() > info->fpr_arg)
		ribbon_options_read_fpr(fcinfo, &params, info->fpr_arg);
	if (PG_NARGS() > info->options_arg)
		(void) ribbon_options_read(fcinfo, &params, info->options_arg,
								   &keys->options, keys->header.eoh_context);
	build_by(keys, params.fpr, params.kind, params.width);
}

/* ribbon_build_transfn(ribbonkeys, ribbonkey [, fpr [, options]]) */
Datum
ribbon_build_hashed_transfn(PG_FUNCTION_ARGS)
{
	RibbonKeys *keys = get_state(fcinfo, RIBBON_AGGREGATE_BUILD_HASHED, 0);

	/* a NULL key is no reason to overlook a bad parameter beside it */
	read_params(fcinfo, keys);
	add_hashed(fcinfo, keys);
	return return_keys(keys);
}

/* ribbon_build_keys_transfn(ribbonkeys, ribbonkeys [, fpr [, options]]) */
Datum
ribbon_build_keys_transfn(PG_FUNCTION_ARGS)
{
	RibbonKeys *keys = get_state(fcinfo, RIBBON_AGGREGATE_BUILD_KEYS, 0);

	read_params(fcinfo, keys);
	if (!PG_ARGISNULL(1))
		(void) add_set(keys, PG_GETARG_DATUM(1));
	return return_keys(keys);
}

/*
 * ribbon_keys_combinefn(ribbonkeys, ribbonkeys)
 *
 * Only ribbon_build_keys has an argument of the type of its state.  Which
 * aggregate it is matters to messages and ribbon_progress alone.
 */
Datum
ribbon_keys_combinefn(PG_FUNCTION_ARGS)
{
	Aggref *aggref = AggGetAggref(fcinfo);
	bool of_sets = aggref != NULL &&
		list_member_oid(aggref->aggargtypes, aggref->aggtranstype);
	RibbonKeys *keys;

	if (PG_ARGISNULL(1) && PG_ARGISNULL(0))
		PG_RETURN_NULL();
	keys = get_state(fcinfo,
					 of_sets ? RIBBON_AGGREGATE_BUILD_KEYS :
							   RIBBON_AGGREGATE_KEYS,
					 0);
	if (!PG_ARGISNULL(1))
		combine(keys, PG_GETARG_DATUM(1));
	return return_keys(keys);
}

/* ribbon_keys_finalfn(ribbonkeys [, NULL]) returns ribbonkeys */
Datum
ribbon_keys_finalfn(PG_FUNCTION_ARGS)
{
	RibbonKeyHasher hasher = {0};
	RibbonKeys *keys;

	if (!PG_ARGISNULL(0))
	{
		keys = get_object(PG_GETARG_DATUM(0));
		if (keys != NULL)
			PG_RETURN_POINTER(flatten(keys));
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}

	/* not one row came, but the type is known, unless keys are hashed */
	if (PG_NARGS() > 1)
		ribbon_keyhash_set_argument(&hasher, fcinfo, 1);
	keys = create_keys(fcinfo, RIBBON_AGGREGATE_KEYS, CurrentMemoryContext,
					   hasher.key_class);
	PG_RETURN_POINTER(flatten(keys));
}

/* ribbon_build_keys_finalfn(ribbonkeys) returns ribbonfilter */
Datum
ribbon_build_keys_finalfn(PG_FUNCTION_ARGS)
{
	RibbonKeys *keys = NULL;

	if (!PG_ARGISNULL(0))
		keys = get_object(PG_GETARG_DATUM(0));
	if (keys == NULL)
	{
		keys = create_keys(fcinfo, RIBBON_AGGREGATE_BUILD_HASHED,
						   CurrentMemoryContext, 0);
		if (!PG_ARGISNULL(0))
			combine(keys, PG_GETARG_DATUM(0));
	}
	PG_RETURN_POINTER(ribbon_buildresult_get(keys->state, fcinfo));
}
