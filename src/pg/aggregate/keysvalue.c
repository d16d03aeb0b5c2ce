/*
 * keysvalue.c - a ribbonkeys in memory: growing, and flattening
 *
 * To flatten is to sort, and to write in order what is left without duplicates.
 * That is called in any context, some of which cannot free (those of tuples on
 * their way through a sort), so it works in the object's own.
 */
#include "aggregate/keysvalue.h"

#include "miscadmin.h"
#include "server/server.h"
#include "utils/memutils.h"

/* Hashes that are read or written at a time: 512 kB. */
#define PIECE_HASHES (64 * 1024)

/*
 * What its bytes have for a header, if it has been sorted.  Without duplicates,
 * all hashes are in the array or all in the store.
 */
static RibbonKeysHead
head_of(const RibbonKeys *keys)
{
	const BuildState *state = keys->state;
	RibbonKeysHead head = {0};

	head.n = state->store != NULL ? ribbon_keystore_nwords(state->store) :
									state->nwords;
	head.builds = keys->builds;
	head.params.key_class = state->params.key_class;
	if (keys->builds)
		head.params = state->params;
	return head;
}

/* The number of hashes is known when they are sorted. */
static Size
get_flat_size(ExpandedObjectHeader *header)
{
	RibbonKeys *keys = (RibbonKeys *) header;
	MemoryContext old_context = MemoryContextSwitchTo(header->eoh_context);
	RibbonKeysHead head;
	size_t size;

	(void) ribbon_buildstate_sort(keys->state);
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

/* In a sealed store lists, blocks and the hashes in these are in order. */
static void
write_store(RibbonKeysCursor *cursor, RibbonKeyStore *store)
{
	uint64 *hashes = palloc(RIBBON_BLOCK_WORDS * sizeof(uint64));

	for (uint32 i = 0; i < store->nlists; i++)
		for (uint32 b = 0; b < store->lists[i].nblocks; b++)
		{
			const RibbonBlock *block = &store->lists[i].blocks[b];

			ribbon_spill_read(store->spill, block, hashes);
			ribbon_keysbytes_write(cursor, hashes, block->nwords);
		}
	pfree(hashes);
}

/* What get_flat_size has sorted. */
static void
flatten_into(ExpandedObjectHeader *header, void *result, Size allocated)
{
	RibbonKeys *keys = (RibbonKeys *) header;
	MemoryContext old_context = MemoryContextSwitchTo(header->eoh_context);
	BuildState *state = keys->state;
	RibbonKeysHead head = head_of(keys);
	RibbonKeysCursor cursor;

	Assert(allocated == ribbon_keysbytes_size(&head) + VARHDRSZ);
	SET_VARSIZE(result, allocated);
	ribbon_keysbytes_begin(&cursor, &head, (uint8_t *) VARDATA(result));
	if (state->store != NULL)
		write_store(&cursor, state->store);
	for (size_t i = 0; i < state->nwords; i += PIECE_HASHES)
	{
		CHECK_FOR_INTERRUPTS();
		ribbon_keysbytes_write(&cursor, state->words + i,
							   Min(PIECE_HASHES, state->nwords - i));
	}
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
	BuildParams params = ribbon_buildparams_default(key_class, aggregate);
	MemoryContext own = AllocSetContextCreate(context, "ribbonkeys",
											  ALLOCSET_START_SMALL_SIZES);
	RibbonKeys *keys = MemoryContextAllocZero(own, sizeof(RibbonKeys));

	EOH_init_header(&keys->header, &methods, own);
	ribbon_buildstate_init_space(&keys->space, fcinfo);
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
ribbon_keys_build_by(RibbonKeys *keys, const BuildParams *params)
{
	keys->builds = true;
	if (keys->state->params.aggregate == RIBBON_AGGREGATE_KEYS)
		keys->state->params.aggregate = RIBBON_AGGREGATE_BUILD_HASHED;
	keys->state->params.fpr = params->fpr;
	keys->state->params.kind = params->kind;
	keys->state->params.width = params->width;
}

/* Add what a cursor reads. */
static void
read_all(RibbonKeys *keys, RibbonKeysCursor *cursor)
{
	MemoryContext own = keys->header.eoh_context;
	size_t room = Min(cursor->head.n, PIECE_HASHES);
	uint64 *hashes = MemoryContextAlloc(own, Max(room, 1) * sizeof(uint64));
	size_t n;

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (!ribbon_keysbytes_read(cursor, hashes, room, &n))
			ribbon_keys_corrupt();
		if (n == 0)
			break;
		ribbon_buildstate_add(keys->state, &keys->space, hashes, n);
	}
	pfree(hashes);
}

RibbonKeysHead
ribbon_keys_add_all(RibbonKeys *keys, Datum other)
{
	RibbonKeys *expanded = ribbon_keys_expanded(other);
	RibbonKeysHead head;
	RibbonKeysCursor cursor;
	struct varlena *value;

	if (expanded != NULL && expanded->state->store == NULL)
	{
		head = head_of(expanded);
		ribbon_keys_join_class(keys, head.params.key_class);
		ribbon_buildstate_add(keys->state, &keys->space, expanded->state->words,
							  expanded->state->nwords);
		return head;
	}

	value = expanded != NULL ?
		ribbon_keys_flatten(expanded) :
		ribbon_detoast((struct varlena *) DatumGetPointer(other));
	ribbon_keys_open(&cursor, value);
	ribbon_keys_join_class(keys, cursor.head.params.key_class);
	read_all(keys, &cursor);
	if ((Pointer) value != DatumGetPointer(other))
		pfree(value);
	return cursor.head;
}

void
ribbon_keys_join(RibbonKeys *keys, Datum other)
{
	RibbonKeysHead head = ribbon_keys_add_all(keys, other);

	if (head.builds && !keys->builds)
		ribbon_keys_build_by(keys, &head.params);
	else if (head.builds)
		ribbon_buildstate_check_same(&keys->state->params, &head.params);
}

RibbonKeys *
ribbon_keys_state(FunctionCallInfo fcinfo, RibbonAggregate aggregate,
				  int key_class)
{
	MemoryContext context = ribbon_buildstate_context(fcinfo, aggregate);
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
	ribbon_keys_join(keys, datum);
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

bool
ribbon_keys_try_open(RibbonKeysCursor *cursor, struct varlena *value)
{
	return ribbon_keysbytes_open(cursor, (const uint8_t *) VARDATA_ANY(value),
								 VARSIZE_ANY_EXHDR(value)) &&
		(cursor->head.params.key_class == 0 ||
		 ribbon_keyclass_objection(cursor->head.params.key_class) == NULL);
}

void
ribbon_keys_open(RibbonKeysCursor *cursor, struct varlena *value)
{
	if (!ribbon_keys_try_open(cursor, value))
		ribbon_keys_corrupt();
}

void
ribbon_keys_corrupt(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored %s is corrupt", "ribbonkeys"),
			 errdetail("The stored bytes are not a set of hashes in order.")));
	pg_unreachable();
}
