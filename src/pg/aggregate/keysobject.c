/*
 * keysobject.c - a ribbonkeys that grows: an expanded object
 */
#include "aggregate/keysobject.h"

#include "miscadmin.h"
#include "server/progress.h"
#include "server/server.h"
#include "utils/memutils.h"

/* Hashes that are read at a time: 512 kB. */
#define PIECE_HASHES (64 * 1024)

/* What its bytes have for a header, if it has been sorted. */
static RibbonKeysHead
keys_head(const RibbonKeys *keys)
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
	RibbonKeys *keys = (RibbonKeys *) header;
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

const ExpandedObjectMethods ribbon_keysobject_methods = {
	.get_flat_size = get_flat_size,
	.flatten_into = flatten_into,
};

RibbonKeys *
ribbon_keysobject_create(FunctionCallInfo fcinfo, RibbonAggregate aggregate,
						 MemoryContext context, int key_class)
{
	RibbonBuildParams params = ribbon_buildparams_default(key_class, aggregate);
	MemoryContext own = AllocSetContextCreate(context, "ribbonkeys",
											  ALLOCSET_START_SMALL_SIZES);
	RibbonKeys *keys = MemoryContextAllocZero(own, sizeof(RibbonKeys));

	EOH_init_header(&keys->header, &ribbon_keysobject_methods, own);
	ribbon_buildspace_init(&keys->space, fcinfo);
	keys->space.gives = false; /* it goes as its bytes */
	keys->given = (RibbonGiven){.params = params, .context = own};
	keys->state = ribbon_buildstate_create(own, &params);
	return keys;
}

void
ribbon_keysobject_build_by(RibbonKeys *keys, double fpr, int kind, int width)
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

/* A RibbonTakeElements. */
static RibbonStatus
add_hashes(void *object, const uint64_t *hashes, size_t n)
{
	RibbonKeys *keys = object;

	ribbon_buildstate_add(keys->state, &keys->space, hashes, n);
	return RIBBON_OK;
}

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
		(void) add_hashes(keys, hashes, n);
	}
	pfree(hashes);
}

RibbonKeysHead
ribbon_keysobject_add(RibbonKeys *keys, Datum other)
{
	RibbonKeys *object = ribbon_keysobject_get(other);
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
	add_bytes(keys, &cursor);
	if ((Pointer) value != DatumGetPointer(other))
		pfree(value);
	return cursor.head;
}

void
ribbon_keysobject_combine(RibbonKeys *keys, Datum other)
{
	RibbonKeysHead head = ribbon_keysobject_add(keys, other);

	if (head.builds)
		ribbon_keysobject_build_by(keys, head.params.fpr,
								   (int) head.params.kind, head.params.width);
}
