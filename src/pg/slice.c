/*
 * slice.c - probing a stored filter without reading it
 *
 * A value out of line is stored as chunks of about 2 kB, rows of the TOAST
 * table, found through a unique index on (chunk_id, chunk_seq).  A probe needs
 * a few slices of a filter (sliced.c of the core), so of a filter of 50,000
 * chunks it needs three or four: the first, which holds the header and often
 * the thresholds too, and those with the thresholds and the slots.
 *
 * The server's own way to read a slice of a value would descend the index for
 * every slice.  Index entries of one value lie side by side, so here one scan
 * serves a whole probe.  It goes from entry to entry, most often within one leaf
 * page, and visits the table only for a chunk that is wanted; for one that is
 * far ahead it is started anew.
 *
 * Slices are looked at where they are, in the shared buffer that is pinned for
 * the chunk read last.  Only those that lie across a chunk's end are copied.
 *
 * Locks on the TOAST table and its index are not given back before the end of
 * the transaction, like a query's on the tables that it reads: taking them anew
 * for every value is a good part of a probe.
 */
#include "ribbon_pg.h"

#include "access/detoast.h"
#include "access/genam.h"
#include "access/heaptoast.h"
#include "access/relscan.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "catalog/pg_am_d.h"
#include "executor/tuptable.h"
#include "utils/fmgroids.h"
#include "utils/rel.h"

/* Entries that are stepped over sooner than descending the index again. */
#define MAX_STEPS 256

/* A stored value that is open for reading. */
typedef struct Slices
{
	varatt_external pointer;
	int64 size; /* of its data */
	Relation toast;
	Relation *indexes;
	int nindexes;
	IndexScanDesc scan; /* NULL if the table is not a heap */
	TupleTableSlot *slot;
	int64 scanned;		 /* chunk that the scan is at, or -1 */
	int64 chunk;		 /* chunk in the slot, or -1 */
	const uint8_t *data; /* its bytes */
	union
	{
		struct varlena header;
		char bytes[VARHDRSZ + RIBBON_MAX_SLICE];
	} copy; /* slices that are in several chunks */
} Slices;

static void open_value(Slices *slices, const varatt_external *pointer);
static void close_value(Slices *slices);
static const uint8_t *fetch(void *arg, uint64_t at, size_t length);
static const uint8_t *fetch_by_server(Slices *slices, uint64_t at,
									  size_t length);
static void read_chunk(Slices *slices, int64 chunk);
static bool step_to(Slices *slices, int64 chunk);
static void start_at(Slices *slices, int64 chunk);
static void use_tuple(Slices *slices, int64 chunk);

void
ribbon_slice_probe(struct varlena *value, const RibbonKeyType *key_type,
				   const uint64_t *hashes, size_t n, bool *answers)
{
	Slices slices;
	RibbonFilter filter;
	varatt_external pointer;
	size_t nheader;

	VARATT_EXTERNAL_GET_POINTER(pointer, value);
	open_value(&slices, &pointer);

	nheader = Min((size_t) slices.size, RIBBON_MAX_HEADER);
	ribbon_adapter_open_header(fetch(&slices, 0, nheader), nheader, slices.size,
							   &filter);
	ribbon_keyclass_check(&filter, key_type);
	for (size_t i = 0; i < n; i++)
		answers[i] = ribbon_contains_sliced(&filter, hashes[i], fetch, &slices);

	close_value(&slices);
}

void
ribbon_slice_read(struct varlena *value, size_t length, uint8_t *out)
{
	Slices slices;
	varatt_external pointer;

	VARATT_EXTERNAL_GET_POINTER(pointer, value);
	open_value(&slices, &pointer);
	memcpy(out, fetch(&slices, 0, length), length);
	close_value(&slices);
}

static void
open_value(Slices *slices, const varatt_external *pointer)
{
	int valid;

	slices->pointer = *pointer;
	slices->size = VARATT_EXTERNAL_GET_EXTSIZE(*pointer);
	slices->scanned = -1;
	slices->chunk = -1;
	slices->scan = NULL;
	slices->toast = table_open(pointer->va_toastrelid, AccessShareLock);
	if (slices->toast->rd_rel->relam != HEAP_TABLE_AM_OID)
		return;

	valid = toast_open_indexes(slices->toast, AccessShareLock, &slices->indexes,
							   &slices->nindexes);
	slices->scan = ribbon_index_beginscan(slices->toast, slices->indexes[valid],
										  ribbon_toast_snapshot(), 2);
	slices->scan->xs_want_itup = true;
	slices->slot = table_slot_create(slices->toast, NULL);
}

static void
close_value(Slices *slices)
{
	if (slices->scan != NULL)
	{
		ExecDropSingleTupleTableSlot(slices->slot);
		index_endscan(slices->scan);
		toast_close_indexes(slices->indexes, slices->nindexes, NoLock);
	}
	table_close(slices->toast, NoLock);
}

/* A RibbonFetch. */
static const uint8_t *
fetch(void *arg, uint64_t at, size_t length)
{
	Slices *slices = arg;
	uint8_t *copy = (uint8_t *) slices->copy.bytes;
	size_t done = 0;

	Assert(length <= RIBBON_MAX_SLICE);
	if (slices->scan == NULL)
		return fetch_by_server(slices, at, length);

	while (done < length)
	{
		int64 chunk = (int64) ((at + done) / TOAST_MAX_CHUNK_SIZE);
		size_t from = (at + done) % TOAST_MAX_CHUNK_SIZE;
		size_t step = Min(length - done, TOAST_MAX_CHUNK_SIZE - from);

		if (chunk != slices->chunk)
			read_chunk(slices, chunk);
		if (step == length)
			return slices->data + from;
		memcpy(copy + done, slices->data + from, step);
		done += step;
	}
	return copy;
}

/* From a table of another access method: it knows how. */
static const uint8_t *
fetch_by_server(Slices *slices, uint64_t at, size_t length)
{
	struct varlena *copy = &slices->copy.header;

	SET_VARSIZE(copy, length + VARHDRSZ);
	table_relation_fetch_toast_slice(slices->toast, slices->pointer.va_valueid,
									 (int32) slices->size, (int32) at,
									 (int32) length, copy);
	return (const uint8_t *) VARDATA(copy);
}

/* Make this chunk the one in the slot. */
static void
read_chunk(Slices *slices, int64 chunk)
{
	bool found = slices->scanned >= 0 && chunk > slices->scanned &&
		chunk - slices->scanned <= MAX_STEPS && step_to(slices, chunk);

	if (!found)
	{
		start_at(slices, chunk);
		found = step_to(slices, chunk);
	}
	if (!found)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("missing chunk number %d for toast value %u in %s",
						(int) chunk, slices->pointer.va_valueid,
						RelationGetRelationName(slices->toast))));
	use_tuple(slices, chunk);
}

/* Begin the scan with the entry of this chunk. */
static void
start_at(Slices *slices, int64 chunk)
{
	ScanKeyData keys[2];

	ScanKeyInit(&keys[0], (AttrNumber) 1, BTEqualStrategyNumber, F_OIDEQ,
				ObjectIdGetDatum(slices->pointer.va_valueid));
	ScanKeyInit(&keys[1], (AttrNumber) 2, BTGreaterEqualStrategyNumber,
				F_INT4GE, Int32GetDatum((int32) chunk));
	index_rescan(slices->scan, keys, 2, NULL, 0);
}

/*
 * Go on to the entry of this chunk and put its row into the slot.  (Entries of
 * rows that were never committed are passed by.)
 */
static bool
step_to(Slices *slices, int64 chunk)
{
	IndexScanDesc scan = slices->scan;

	while (index_getnext_tid(scan, ForwardScanDirection) != NULL)
	{
		bool isnull;
		Datum seq = index_getattr(scan->xs_itup, 2, scan->xs_itupdesc, &isnull);

		slices->scanned = DatumGetInt32(seq);
		if (slices->scanned > chunk)
			return false;
		if (slices->scanned == chunk && index_fetch_heap(scan, slices->slot))
			return true;
	}
	slices->scanned = -1;
	return false;
}

/* Point data to the bytes of the slot's row, if they are as many as stored. */
static void
use_tuple(Slices *slices, int64 chunk)
{
	int64 last = (slices->size - 1) / TOAST_MAX_CHUNK_SIZE;
	int64 expected = chunk < last ? TOAST_MAX_CHUNK_SIZE :
									slices->size - last * TOAST_MAX_CHUNK_SIZE;
	bool isnull;
	struct varlena *data;

	slices->chunk = -1;
	data = (struct varlena *) DatumGetPointer(slot_getattr(slices->slot, 3,
														   &isnull));
	if (isnull || VARATT_IS_EXTERNAL(data) || VARATT_IS_COMPRESSED(data) ||
		VARSIZE_ANY_EXHDR(data) != expected)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("unexpected size of chunk %d for toast value %u in %s",
						(int) chunk, slices->pointer.va_valueid,
						RelationGetRelationName(slices->toast))));
	slices->data = (const uint8_t *) VARDATA_ANY(data);
	slices->chunk = chunk;
}
