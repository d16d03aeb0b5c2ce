/*
 * detoast.c - reading a large stored value, ready to stop
 *
 * The server reads a stored value of 500 MB in one go, a second in which it does
 * not look for interrupts.  So we read large ones in slices, and look between
 * them.  Compressed values cannot be: a slice costs all that is before it.
 */
#include "ribbon_pg.h"

#include "access/detoast.h"
#include "miscadmin.h"

#define SLICE_BYTES (8 * 1024 * 1024)

struct varlena *
ribbon_detoast(struct varlena *value)
{
	varatt_external pointer;
	struct varlena *result;
	int32 size;

	if (!VARATT_IS_EXTERNAL_ONDISK(value))
		return pg_detoast_datum_packed(value);

	VARATT_EXTERNAL_GET_POINTER(pointer, value);
	size = VARATT_EXTERNAL_GET_EXTSIZE(pointer);
	if (VARATT_EXTERNAL_IS_COMPRESSED(pointer) || size <= SLICE_BYTES)
		return detoast_attr(value);

	result = palloc((Size) size + VARHDRSZ);
	SET_VARSIZE(result, size + VARHDRSZ);
	for (int32 at = 0; at < size; at += SLICE_BYTES)
	{
		int32 length = Min(SLICE_BYTES, size - at);
		struct varlena *slice = detoast_attr_slice(value, at, length);

		if (VARSIZE_ANY_EXHDR(slice) != length)
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("stored value ends after %d of %d bytes",
							at + (int) VARSIZE_ANY_EXHDR(slice), size)));
		memcpy(VARDATA(result) + at, VARDATA_ANY(slice), length);
		pfree(slice);
		CHECK_FOR_INTERRUPTS();
	}
	return result;
}
