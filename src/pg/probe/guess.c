/*
 * guess.c - on which page of the TOAST table a chunk ought to be
 *
 * To ask the index where a chunk is takes two or three pages, and most of a
 * probe's time.  But chunks are appended to the table: the rows of a value lie
 * one behind another, and then come those of the value that was written next,
 * which often belongs to the next row.  So from where a value begins, and what
 * its page had left there, follows where its other chunks are, and where the
 * next value begins.  We look through that page, first where the row should be,
 * and if it is not there, the index is asked.
 *
 * When do we guess?  When the last two guesses of the kind were right, or would
 * have been: what the index gives is held against them.  So a table whose
 * values lie in another order than its rows is read by the index alone; and no
 * two guesses that fail come without others between them that were right.
 *
 * Whose chunk is it?  A row with the value's id and the chunk's number may be
 * left over from an earlier value of the same id, after the index has forgotten
 * the row, and before its page is cleaned.  Such rows are of transactions that
 * aborted, or deleted.  So only a row that is live now counts (SnapshotSelf).
 * Of live rows there is one with this id and number, for the index is unique;
 * and it is ours: an id goes to no other value as long as the index has rows of
 * that id, dead or not, and the snapshot that sees our value keeps its rows
 * there.  If ours was deleted meanwhile, it is not live, and the index has it.
 * Where snapshots may get too old to keep anything, we do not guess.
 *
 * What else the index would do is done: rows are looked at under a share lock
 * on the buffer and used under a pin.  A snapshot that is not of MVCC has no
 * predicate locks taken, as that of the server for TOAST tables.
 *
 * The lock on the table keeps pages from being cut off behind our back, but not
 * from one probe to the next, so each number of a page is held against the
 * table's size.
 */
#include "probe/contains.h"

#include "access/heapam.h"
#include "access/heaptoast.h"
#include "executor/tuptable.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

/* Of a chunk; what there is for rows on a page, and what a chunk's takes. */
#define CHUNK_SIZE ((int64) TOAST_MAX_CHUNK_SIZE)
#define PAGE_ROOM  (BLCKSZ - SizeOfPageHeaderData)
#define ROW_SIZE(chunk_size) \
	(MAXALIGN(MAXALIGN(SizeofHeapTupleHeader) + sizeof(Oid) + sizeof(int32) + \
			  VARHDRSZ + (chunk_size)) + \
	 sizeof(ItemIdData))
#define FULL_ROW  ROW_SIZE(CHUNK_SIZE)
#define FULL_ROWS ((int64) (PAGE_ROOM / FULL_ROW))

/* So many guesses in a row that were right, and we go by the next one. */
#define ENOUGH 2

static RibbonPlace place_of(const RibbonGuess *guess,
							const varatt_external *pointer, int64 chunk);
static bool is_trusted(const RibbonGuess *guess, const varatt_external *pointer,
					   int64 chunk);
static bool is_last(const RibbonGuess *guess, const varatt_external *pointer);
static void count(int *nright, bool right);
static void append(RibbonPlace *place, int64 size);
static void begin_page(RibbonPlace *place, int64 npages);
static bool find_row(Relation toast, Buffer buffer, int first, Oid value,
					 int32 chunk, HeapTuple row);
static bool has_numbers(HeapTuple row, TupleDesc desc, Oid value, int32 chunk);
static bool is_deleted(TupleTableSlot *slot);
static size_t room_behind(TupleTableSlot *slot);

bool
ribbon_guess_read(const RibbonGuess *guess, Relation toast,
				  const varatt_external *pointer, int64 chunk,
				  TupleTableSlot *slot)
{
	BufferHeapTupleTableSlot *row = (BufferHeapTupleTableSlot *) slot;
	RibbonPlace place;
	HeapTupleData found;
	Buffer buffer;

	if (!is_trusted(guess, pointer, chunk) || ribbon_snapshots_expire())
		return false;
	place = place_of(guess, pointer, chunk);
	if (!TTS_EMPTY(slot) && BufferGetBlockNumber(row->buffer) == place.page)
	{
		buffer = row->buffer;
		IncrBufferRefCount(buffer);
	}
	else if (place.page < RelationGetNumberOfBlocks(toast))
		buffer = ReadBuffer(toast, (BlockNumber) place.page);
	else
		return false;

	if (!find_row(toast, buffer, place.row, pointer->va_valueid, (int32) chunk,
				  &found))
	{
		ReleaseBuffer(buffer);
		return false;
	}
	row->base.tupdata = found;
	ExecStorePinnedBufferHeapTuple(&row->base.tupdata, slot, buffer);
	return true;
}

void
ribbon_guess_learn(RibbonGuess *guess, const varatt_external *pointer,
				   int64 chunk, TupleTableSlot *slot)
{
	BlockNumber page = ItemPointerGetBlockNumber(&slot->tts_tid);
	bool right = page == place_of(guess, pointer, chunk).page;

	if (chunk > 0)
	{
		count(&guess->chunks_right, right);
		return;
	}
	if (!is_last(guess, pointer))
		count(&guess->values_right, right);
	guess->last = *pointer;
	guess->first.page = is_deleted(slot) ? InvalidBlockNumber : page;
	guess->first.row = ItemPointerGetOffsetNumber(&slot->tts_tid);
	guess->first.room = room_behind(slot);
}

/* Where this chunk should be, or InvalidBlockNumber and above: unknown. */
static RibbonPlace
place_of(const RibbonGuess *guess, const varatt_external *pointer, int64 chunk)
{
	int64 last_size = VARATT_EXTERNAL_GET_EXTSIZE(guess->last);
	int64 size = VARATT_EXTERNAL_GET_EXTSIZE(*pointer);
	RibbonPlace place = guess->first;

	if (is_last(guess, pointer))
		append(&place, Min(size, (chunk + 1) * CHUNK_SIZE) - CHUNK_SIZE);
	else if (guess->last.va_toastrelid == pointer->va_toastrelid)
	{
		append(&place, last_size - CHUNK_SIZE);
		append(&place, Min(size, CHUNK_SIZE));
	}
	else
		place.page = InvalidBlockNumber;
	return place;
}

/* Is it worth a page to look there? */
static bool
is_trusted(const RibbonGuess *guess, const varatt_external *pointer,
		   int64 chunk)
{
	if (chunk > 0)
		return guess->chunks_right >= ENOUGH;
	return guess->values_right >= ENOUGH || is_last(guess, pointer);
}

static void
count(int *nright, bool right)
{
	*nright = right ? Min(*nright + 1, ENOUGH) : 0;
}

/* Is it the value found last? */
static bool
is_last(const RibbonGuess *guess, const varatt_external *pointer)
{
	return guess->last.va_valueid == pointer->va_valueid &&
		guess->last.va_toastrelid == pointer->va_toastrelid;
}

/*
 * Append the chunks of so many bytes, if any, as the server does.  The place is
 * that of the last one then.
 */
static void
append(RibbonPlace *place, int64 size)
{
	int64 nfull = Max(size, 0) / CHUNK_SIZE;
	int64 rest = Max(size, 0) % CHUNK_SIZE;
	int64 nfit = (int64) (place->room / FULL_ROW);

	if (nfull > nfit)
	{
		nfull -= nfit + 1;
		begin_page(place, 1 + nfull / FULL_ROWS);
		nfull = nfull % FULL_ROWS + 1;
	}
	place->room -= (size_t) nfull * FULL_ROW;
	place->row += (int) nfull;
	if (rest > 0)
	{
		if (place->room < ROW_SIZE(rest))
			begin_page(place, 1);
		place->room -= ROW_SIZE(rest);
		place->row++;
	}
}

/* Go on to an empty page. */
static void
begin_page(RibbonPlace *place, int64 npages)
{
	place->page += (uint64) npages;
	place->room = PAGE_ROOM;
	place->row = 0;
}

/*
 * Find the row of this chunk on the buffer's page, where it should have this
 * line pointer.
 */
static bool
find_row(Relation toast, Buffer buffer, int first, Oid value, int32 chunk,
		 HeapTuple row)
{
	Page page = BufferGetPage(buffer);
	bool found = false;
	int nrows;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	nrows = (int) PageGetMaxOffsetNumber(page);
	for (int i = 0; i < nrows && !found; i++)
	{
		OffsetNumber at = (OffsetNumber) ((first - 1 + i) % nrows + 1);
		ItemId item = PageGetItemId(page, at);

		if (!ItemIdIsNormal(item) ||
			ItemIdGetOffset(item) + ItemIdGetLength(item) > BLCKSZ)
			continue;
		ItemPointerSet(&row->t_self, BufferGetBlockNumber(buffer), at);
		row->t_tableOid = RelationGetRelid(toast);
		row->t_data = (HeapTupleHeader) PageGetItem(page, item);
		row->t_len = ItemIdGetLength(item);
		found = has_numbers(row, RelationGetDescr(toast), value, chunk) &&
			HeapTupleSatisfiesVisibility(row, SnapshotSelf, buffer);
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return found;
}

static bool
has_numbers(HeapTuple row, TupleDesc desc, Oid value, int32 chunk)
{
	bool no_id;
	bool no_chunk;
	Datum id = heap_getattr(row, 1, desc, &no_id);
	Datum number = heap_getattr(row, 2, desc, &no_chunk);

	return !no_id && !no_chunk && DatumGetObjectId(id) == value &&
		DatumGetInt32(number) == chunk;
}

/* Has the row been deleted, perhaps?  Then the index alone leads to it. */
static bool
is_deleted(TupleTableSlot *slot)
{
	BufferHeapTupleTableSlot *row = (BufferHeapTupleTableSlot *) slot;

	return (row->base.tuple->t_data->t_infomask & HEAP_XMAX_INVALID) == 0;
}

/*
 * The room that the row's page had left when the row was put there: rows fill
 * a page from its end, and pointers to them from its beginning.
 */
static size_t
room_behind(TupleTableSlot *slot)
{
	BufferHeapTupleTableSlot *row = (BufferHeapTupleTableSlot *) slot;
	size_t before = SizeOfPageHeaderData +
		ItemPointerGetOffsetNumber(&slot->tts_tid) * sizeof(ItemIdData);
	size_t at = (size_t) ((char *) row->base.tuple->t_data -
						  (char *) BufferGetPage(row->buffer));

	return at > before ? at - before : 0;
}
