/*
 * detoast.c - reading a large stored value, ready to stop
 *
 * The server reads a value of 500 MB that is out of line in one go, a second in
 * which it does not look for interrupts.  So we read large ones 1,024 chunks at
 * a time, and look between them.  Compressed values cannot be read like that.
 */
#include "server/server.h"

#include "base/env.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/parallel.h"
#include "access/table.h"
#include "access/tableam.h"
#include "miscadmin.h"
#include "utils/rel.h"

/* 2 MB: bytes between two looks. */
#define STEP (1024 * (int32) TOAST_MAX_CHUNK_SIZE)

/* Values below 4 MB are the server's to read. */
#define LARGE (4 * 1024 * 1024)

/*
 * Read the bytes from this one on, a step of them, to their place in value.
 * The table's access method wants a varlena for them, with its length, as the
 * server's own callers make one.  That lies within value: its header is over
 * the four bytes before them, which are kept aside.
 */
static void
read_step(Relation toast, const varatt_external *pointer, int32 at,
		  struct varlena *value)
{
	int32 size = VARATT_EXTERNAL_GET_EXTSIZE(*pointer);
	int32 length = Min(STEP, size - at);
	struct varlena *slice = (struct varlena *) ((char *) value + at);
	char before[VARHDRSZ];

	memcpy(before, slice, VARHDRSZ);
	SET_VARSIZE(slice, length + VARHDRSZ);
	table_relation_fetch_toast_slice(toast, pointer->va_valueid, size, at,
									 length, slice);
	memcpy(slice, before, VARHDRSZ);
}

Relation
ribbon_toast_open(const varatt_external *pointer)
{
	Relation toast = table_open(pointer->va_toastrelid, AccessShareLock);

	if (IsParallelWorker() && RelationUsesLocalBuffers(toast))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TRANSACTION_STATE),
				 errmsg("cannot access temporary tables during a parallel operation"),
				 errhint("Keep the filter or map in a table that is not temporary, or SET max_parallel_workers = 0.")));
	return toast;
}

/*
 * The value of a TOAST pointer, which is not compressed.  It is probed at
 * random, so it is worth memory of huge pages, for which the server would not
 * ask; that is also sooner filled and freed.
 */
static struct varlena *
read_large(const varatt_external *pointer)
{
	int32 size = VARATT_EXTERNAL_GET_EXTSIZE(*pointer);
	size_t nbytes = (size_t) size + VARHDRSZ;
	RibbonEnv env = ribbon_env_memory(CurrentMemoryContext);
	struct varlena *value = ribbon_alloc(&env, nbytes);
	Relation toast;

	if (value == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
				 errdetail("A value of %zu bytes could not be read.", nbytes)));
	toast = ribbon_toast_open(pointer);
	for (int32 at = 0; at < size; at += STEP)
	{
		CHECK_FOR_INTERRUPTS();
		read_step(toast, pointer, at, value);
	}
	table_close(toast, AccessShareLock);
	SET_VARSIZE(value, nbytes);
	return value;
}

struct varlena *
ribbon_detoast(struct varlena *value)
{
	varatt_external pointer;

	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		VARATT_EXTERNAL_GET_POINTER(pointer, value);
		if (!VARATT_EXTERNAL_IS_COMPRESSED(pointer) &&
			VARATT_EXTERNAL_GET_EXTSIZE(pointer) >= LARGE)
			return read_large(&pointer);
	}
	return pg_detoast_datum_packed(value);
}
