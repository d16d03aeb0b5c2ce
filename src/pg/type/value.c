/*
 * value.c - a ribbonfilter datum to and from what the core takes and gives
 */
#include "type/type.h"

#include "access/detoast.h"
#include "key/key.h"
#include "server/server.h"
#include "utils/memutils.h"

void
ribbon_value_open(const uint8_t *bytes, size_t nbytes, RibbonFilter *filter)
{
	ribbon_value_open_header(bytes, nbytes, nbytes, filter);
}

void
ribbon_value_open_header(const uint8_t *header, size_t nheader, size_t nbytes,
						 RibbonFilter *filter)
{
	RibbonStatus status = ribbon_open_header(header, nheader, nbytes, filter);
	const char *objection;

	if (unlikely(status != RIBBON_OK))
		ribbon_error_corrupt(ribbon_status_text(status));
	objection = ribbon_keyclass_objection(filter->key_class);
	if (unlikely(objection != NULL))
		ribbon_error_corrupt(objection);
}

RibbonStatus
ribbon_value_read_header(Datum datum, RibbonFilter *filter)
{
	size_t nbytes = toast_raw_datum_size(datum) - VARHDRSZ;
	struct varlena *header =
		detoast_attr_slice((struct varlena *) DatumGetPointer(datum), 0,
						   RIBBON_MAX_HEADER);
	RibbonStatus status = ribbon_open_header((const uint8_t *) VARDATA(header),
											 VARSIZE(header) - VARHDRSZ, nbytes,
											 filter);

	pfree(header);
	return status;
}

struct varlena *
ribbon_value_finish(RibbonStatus status, uint8_t *bytes, size_t nbytes)
{
	struct varlena *result = (struct varlena *) bytes;

	if (status != RIBBON_OK)
		ribbon_error_throw(status);
	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonfilter of %zu bytes exceeds the maximum of 1 GB",
						nbytes),
				 ribbon_value_hint_too_large()));

	SET_VARSIZE(result, nbytes + VARHDRSZ);
	return result;
}

int
ribbon_value_hint_too_large(void)
{
	return errhint("Use a higher false-positive rate, or spread the keys over several filters with ribbon_shard.");
}
