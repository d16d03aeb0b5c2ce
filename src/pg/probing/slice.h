/*
 * slice.h - reading slices of a stored datum, without the rest of it
 *
 * A stored datum is a pointer to chunks in a TOAST table
 * (VARATT_IS_EXTERNAL_ONDISK).
 */
#ifndef RIBBON_SLICE_H
#define RIBBON_SLICE_H

#include "ribbon_pg.h"

#include "access/genam.h"
#include "executor/tuptable.h"

/* A stored datum that is open for reading in slices. */
typedef struct RibbonSlices
{
	varatt_external pointer;
	int64 size; /* of its data */
	Relation toast;
	bool by_index; /* we read its chunks; else its access method does */

	/* by_index: a scan of the table's index, begun when it is needed */
	Relation *indexes; /* NULL: not open yet */
	int nindexes;
	int valid_index;	/* the one of them to use */
	IndexScanDesc scan; /* NULL: not begun yet */
	int64 at;			/* chunk that it is at, or -1 */
	int64 end;			/* chunk that it may get to, or -1 */

	int64 chunk; /* that data are the bytes of, or -1 */
	const uint8_t *data;
	TupleTableSlot *slot; /* its row, with its buffer pinned */
	union
	{
		struct varlena header;
		char bytes[VARHDRSZ + RIBBON_MAX_SLICE];
	} copy; /* slices that are in several chunks */
} RibbonSlices;

/*
 * Open a stored datum, which must not be compressed if it is to be read.  After
 * an error, the server releases what it holds.
 */
extern void ribbon_slice_open(RibbonSlices *slices,
							  const varatt_external *pointer);

/* A RibbonFetch, whose arg is RibbonSlices. */
extern const uint8_t *ribbon_slice_fetch(void *arg, uint64_t at, size_t length);

extern void ribbon_slice_close(RibbonSlices *slices);

/*
 * Does the active snapshot, an MVCC one, see the datum, which may be
 * compressed?  Sets *author to the transaction that inserted it.  If only the
 * TOAST table's access method can read its chunks, neither is known: true, and
 * an invalid author.
 */
extern bool ribbon_slice_sees(const varatt_external *pointer,
							  TransactionId *author);

#endif /* RIBBON_SLICE_H */
