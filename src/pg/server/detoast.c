/*
 * detoast.c - reading a large stored value, ready to stop
 *
 * The server reads a stored value of 500 MB in one go, a second in which it does
 * not look for interrupts.  So we read large ones a few hundred chunks at a time,
 * and look between them.  Compressed values cannot be read like that.
 */
#include "ribbon_pg.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/table.h"
#include "access/tableam.h"
#include "catalog/pg_am.h"
#include "miscadmin.h"
#include "utils/rel.h"

#define CHUNKS_AT_ONCE 1024

/* Values below 4 MB are the server's to read. */
#define LARGE (4 * 1024 * 1024)

struct varlena *
ribbon_detoast(struct varlena *value)
{
	varatt_external pointer;

	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		VARATT_EXTERNAL_GET_POINTER(pointer, value);
		if (!VARATT_EXTERNAL_IS_COMPRESSED(pointer) &&
			VARATT_EXTERNAL_GET_EXTSIZE(pointer) >= LARGE)
			return ribbon_detoast_pointer(&pointer, CurrentMemoryContext);
	}
	return pg_detoast_datum_packed(value);
}

/*
 * A large filter is probed at random, so it is worth memory of huge pages, for
 * which the server would not ask; it is also sooner filled and freed.
 */
struct varlena *
ribbon_detoast_pointer(const varatt_external *pointer, MemoryContext context)
{
	int32 size = VARATT_EXTERNAL_GET_EXTSIZE(*pointer);
	struct varlena *value = ribbon_adapter_alloc(context,
												 (size_t) size + VARHDRSZ);
	Relation toast = table_open(pointer->va_toastrelid, AccessShareLock);
	int32 step = CHUNKS_AT_ONCE * TOAST_MAX_CHUNK_SIZE;

	/* another access method may do as it likes with the header it is given */
	if (toast->rd_rel->relam != HEAP_TABLE_AM_OID)
		step = size;

	for (int32 at = 0; at < size; at += Min(step, size - at))
	{
		/* a heap puts what it reads behind the header it is given */
		struct varlena *place = (struct varlena *) ((char *) value + at);

		CHECK_FOR_INTERRUPTS();
		table_relation_fetch_toast_slice(toast, pointer->va_valueid, size, at,
										 Min(step, size - at), place);
	}
	table_close(toast, AccessShareLock);
	SET_VARSIZE(value, size + VARHDRSZ);
	return value;
}
