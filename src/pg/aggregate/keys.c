/*
 * keys.c - a ribbonkeys in memory: growing, and flattening
 *
 * To flatten is to sort, and to write in order what is left without duplicates.
 * That is called in any context, some of which cannot free (those of tuples on
 * their way through a sort), so it works in the object's own.
 */
#include "aggregate/keys.h"

#include "miscadmin.h"
#include "server/server.h"
#include "utils/memutils.h"

/* Hashes that are read at a time: 512 kB. */
#define PIECE_HASHES (64 * 1024)

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
	RibbonBuildReader reader = {0};
	RibbonKeysCursor cursor;
	const uint64 *hashes;
	size_t n;

	Assert(allocated == ribbon_keysbytes_size(&head) + VARHDRSZ);
	SET_VARSIZE(result, allocated);
	ribbon_keysbytes_begin(&cursor, &head, (uint8_t *) VARDATA(result));
	while ((n = ribbon_buildstate_read(keys->state, &reader, &hashes)) > 0)
		ribbon_keysbytes_write(&cursor, hashes, n);
	ribbon_progress_end();
	MemoryContextSwitchTo(old_context);
}

static const ExpandedObjectMethods methods = {
	.get_flat_size = get_flat_size,
	.flatten_into = flatten_into,
};

RibbonKeys *
ribbon_keys_create(FunctionCallInfo fcinfo, RibbonAggregate aggregate,
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

RibbonKeys *
ribbon_keys_expanded(Datum datum)
{
	ExpandedObjectHeader *header;

	if (!VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(datum)))
		return NULL;
	header = DatumGetEOHP(datum);
	return header->eoh_methods == &methods ? (RibbonKeys *) header : NULL;
}

void
ribbon_keys_build_by(RibbonKeys *keys, double fpr, int kind, int width)
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

/* Add the hashes of an object, which stays as it is. */
static void
add_object(RibbonKeys *keys, const RibbonKeys *other)
{
	RibbonBuildReader reader = {0};
	const uint64 *hashes;
	size_t n;

	while ((n = ribbon_buildstate_read(other->state, &reader, &hashes)) > 0)
		ribbon_buildstate_add(keys->state, &keys->space, hashes, n);
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

RibbonKeysHead
ribbon_keys_add_set(RibbonKeys *keys, Datum other)
{
	RibbonBuildParams *params = &keys->state->params;
	RibbonKeys *object = ribbon_keys_expanded(other);
	RibbonKeysCursor cursor = {0};
	struct varlena *value;

	if (object != NULL)
	{
		cursor.head = head_of(object);
		ribbon_buildparams_join_class(params, cursor.head.params.key_class);
		if (object != keys)
			add_object(keys, object);
		return cursor.head;
	}

	value = ribbon_detoast((struct varlena *) DatumGetPointer(other));
	ribbonkeys_open(&cursor, value);
	ribbon_buildparams_join_class(params, cursor.head.params.key_class);
	add_bytes(keys, &cursor);
	if ((Pointer) value != DatumGetPointer(other))
		pfree(value);
	return cursor.head;
}

void
ribbon_keys_combine(RibbonKeys *keys, Datum other)
{
	RibbonKeysHead head = ribbon_keys_add_set(keys, other);

	if (head.builds)
		ribbon_keys_build_by(keys, head.params.fpr, (int) head.params.kind,
							 head.params.width);
}

RibbonKeys *
ribbon_keys_state(FunctionCallInfo fcinfo, RibbonAggregate aggregate,
				  int key_class)
{
	MemoryContext context = ribbon_buildspace_context(fcinfo, aggregate);
	RibbonKeys *keys;
	Datum datum;

	if (PG_ARGISNULL(0))
		return ribbon_keys_create(fcinfo, aggregate, context, key_class);
	datum = PG_GETARG_DATUM(0);
	if (likely(VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(datum)) &&
			   (keys = ribbon_keys_expanded(datum)) != NULL))
		return keys;

	/* not ours to change: a copy */
	keys = ribbon_keys_create(fcinfo, aggregate, context, 0);
	ribbon_keys_combine(keys, datum);
	return keys;
}

struct varlena *
ribbon_keys_flatten(RibbonKeys *keys)
{
	Size size = get_flat_size(&keys->header);
	struct varlena *value = palloc(size);

	flatten_into(&keys->header, value, size);
	return value;
}
