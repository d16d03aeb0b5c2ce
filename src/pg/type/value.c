/*
 * value.c - a datum of our types to and from what the core takes and gives
 */
#include "type/type.h"

#include "access/detoast.h"
#include "key/key.h"
#include "server/server.h"
#include "utils/memutils.h"
#include "value/lookup.h"

static void check_map(RibbonStatus status, const RibbonMap *map);

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
		ribbon_error_corrupt(RIBBON_SQL_FILTER, ribbon_status_text(status));
	objection = ribbon_keyclass_objection(filter->key_class);
	if (unlikely(objection != NULL))
		ribbon_error_corrupt(RIBBON_SQL_FILTER, objection);
}

void
ribbon_value_open_map(const uint8_t *bytes, size_t nbytes, RibbonMap *map,
					  RibbonFilter planes[RIBBON_MAP_PLANES])
{
	check_map(ribbon_map_open(bytes, nbytes, map, planes), map);
}

void
ribbon_value_open_map_sliced(size_t nbytes, RibbonFetch fetch, void *arg,
							 RibbonMap *map,
							 RibbonFilter planes[RIBBON_MAP_PLANES])
{
	check_map(ribbon_map_open_sliced(nbytes, fetch, arg, map, planes), map);
}

static void
check_map(RibbonStatus status, const RibbonMap *map)
{
	const char *objection;

	if (unlikely(status != RIBBON_OK))
		ribbon_error_corrupt(RIBBON_SQL_MAP, ribbon_status_text(status));
	objection = ribbon_keyclass_objection(map->key_class);
	if (likely(objection == NULL))
		objection = ribbon_lookup_objection(map);
	if (unlikely(objection != NULL))
		ribbon_error_corrupt(RIBBON_SQL_MAP, objection);
}

void
ribbon_value_open_any(RibbonSqlType type, const uint8_t *bytes, size_t nbytes,
					  RibbonOpenValue *value)
{
	value->type = type;
	if (type == RIBBON_SQL_FILTER)
		ribbon_value_open(bytes, nbytes, &value->planes[0]);
	else
		ribbon_value_open_map(bytes, nbytes, &value->map, value->planes);
}

size_t
ribbon_value_size(const RibbonOpenValue *value)
{
	size_t size = MAXALIGN(sizeof(RibbonMap));

	if (value->type == RIBBON_SQL_FILTER)
		return ribbon_filter_size(&value->planes[0]);
	for (unsigned i = 0; i < value->map.nplanes; i++)
		size += MAXALIGN(ribbon_filter_size(&value->planes[i]));
	return size;
}

void
ribbon_value_copy(const RibbonOpenValue *value, void *kept)
{
	RibbonMap *map = kept;
	char *at = (char *) kept + MAXALIGN(sizeof(RibbonMap));

	if (value->type == RIBBON_SQL_FILTER)
	{
		memcpy(kept, &value->planes[0], ribbon_filter_size(&value->planes[0]));
		return;
	}
	*map = value->map;
	for (unsigned i = 0; i < map->nplanes; i++)
	{
		size_t size = ribbon_filter_size(&value->planes[i]);

		map->planes[i] = memcpy(at, &value->planes[i], size);
		at += MAXALIGN(size);
	}
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

const uint8_t *
ribbon_value_fetch(void *arg, uint64_t at, size_t length)
{
	RibbonValueSlices *slices = arg;

	ribbon_value_release(slices);
	slices->slice = detoast_attr_slice(slices->value, (int32) at,
									   (int32) length);
	if (VARSIZE(slices->slice) - VARHDRSZ != length)
		ribbon_error_corrupt(RIBBON_SQL_MAP,
							 ribbon_status_text(RIBBON_TRUNCATED));
	return (const uint8_t *) VARDATA(slices->slice);
}

void
ribbon_value_release(RibbonValueSlices *slices)
{
	if (slices->slice != NULL)
		pfree(slices->slice);
	slices->slice = NULL;
}

bool
ribbon_value_summarize(Datum datum, RibbonSummary *summary)
{
	RibbonFilter planes[RIBBON_MAP_PLANES];
	RibbonValueSlices slices = {
		.value = (struct varlena *) DatumGetPointer(datum)};
	RibbonStatus status = ribbon_value_read_header(datum, &planes[0]);
	RibbonMap map;

	if (status == RIBBON_OK)
	{
		*summary = (RibbonSummary){planes[0].nkeys, planes[0].total_bytes,
								   ribbon_fpr(&planes[0])};
		return true;
	}
	if (status != RIBBON_BAD_VERSION)
		return false;

	status = ribbon_map_open_sliced(toast_raw_datum_size(datum) - VARHDRSZ,
									ribbon_value_fetch, &slices, &map, planes);
	ribbon_value_release(&slices);
	if (status == RIBBON_OK)
		*summary = (RibbonSummary){map.nkeys, map.total_bytes,
								   ribbon_map_fpr(&map)};
	return status == RIBBON_OK;
}

struct varlena *
ribbon_value_finish(RibbonSqlType type, RibbonStatus status, uint8_t *bytes,
					size_t nbytes)
{
	struct varlena *result = (struct varlena *) bytes;

	if (status != RIBBON_OK)
		ribbon_error_throw(type, status);
	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s of %zu bytes exceeds the maximum of 1 GB",
						ribbon_sqltype_name(type), nbytes),
				 ribbon_value_hint_too_large(type)));

	SET_VARSIZE(result, nbytes + VARHDRSZ);
	return result;
}

int
ribbon_value_hint_too_large(RibbonSqlType type)
{
	return errhint("Use a higher false-positive rate, or spread the keys over several %ss with ribbon_shard.",
				   ribbon_sqltype_noun(type));
}
