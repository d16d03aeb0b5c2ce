/*
 * value.c - a datum of our types to and from what the core takes and gives
 */
#include "type/type.h"

#include "access/detoast.h"
#include "key/key.h"
#include "server/server.h"
#include "utils/memutils.h"
#include "value/lookup.h"

static RibbonStatus open_in_memory(RibbonSqlType type, const uint8_t *bytes,
								   size_t nbytes, RibbonOpenValue *value);
static RibbonStatus open_in_slices(RibbonSqlType type, size_t nbytes,
								   RibbonFetch fetch, void *arg,
								   RibbonOpenValue *value);
static void see_as_map(RibbonOpenValue *value);
static const char *find_objection(const RibbonOpenValue *value,
								  RibbonStatus status);

const char *
ribbon_value_try_open(RibbonSqlType type, const uint8_t *bytes, size_t nbytes,
					  RibbonOpenValue *value)
{
	return find_objection(value, open_in_memory(type, bytes, nbytes, value));
}

void
ribbon_value_open(RibbonSqlType type, const uint8_t *bytes, size_t nbytes,
				  RibbonOpenValue *value)
{
	const char *objection = ribbon_value_try_open(type, bytes, nbytes, value);

	if (unlikely(objection != NULL))
		ribbon_error_corrupt(type, objection);
}

void
ribbon_value_open_sliced(RibbonSqlType type, size_t nbytes, RibbonFetch fetch,
						 void *arg, RibbonOpenValue *value)
{
	RibbonStatus status = open_in_slices(type, nbytes, fetch, arg, value);
	const char *objection = find_objection(value, status);

	if (unlikely(objection != NULL))
		ribbon_error_corrupt(type, objection);
}

static RibbonStatus
open_in_memory(RibbonSqlType type, const uint8_t *bytes, size_t nbytes,
			   RibbonOpenValue *value)
{
	RibbonStatus status;

	value->type = type;
	if (type == RIBBON_SQL_MAP)
		return ribbon_map_open(bytes, nbytes, &value->map, value->planes);
	status = ribbon_open(bytes, nbytes, &value->planes[0]);
	if (likely(status == RIBBON_OK))
		see_as_map(value);
	return status;
}

static RibbonStatus
open_in_slices(RibbonSqlType type, size_t nbytes, RibbonFetch fetch, void *arg,
			   RibbonOpenValue *value)
{
	size_t nheader = Min(nbytes, RIBBON_MAX_HEADER);
	RibbonStatus status;

	value->type = type;
	if (type == RIBBON_SQL_MAP)
		return ribbon_map_open_sliced(nbytes, fetch, arg, &value->map,
									  value->planes);
	if (nheader == 0)
		return RIBBON_TRUNCATED;
	status = ribbon_open_header(fetch(arg, 0, nheader), nheader, nbytes,
								&value->planes[0]);
	if (likely(status == RIBBON_OK))
		see_as_map(value);
	return status;
}

/* A filter has been opened: a map whose only plane it is. */
static void
see_as_map(RibbonOpenValue *value)
{
	const RibbonFilter *filter = &value->planes[0];

	value->map = (RibbonMap){
		.checked = true,
		.key_class = filter->key_class,
		.nkeys = filter->nkeys,
		.bytes = filter->bytes,
		.total_bytes = filter->total_bytes,
		.nplanes = 1,
		.planes = {filter},
	};
}

/* What is wrong with headers that the core opened so; or NULL. */
static const char *
find_objection(const RibbonOpenValue *value, RibbonStatus status)
{
	const char *objection;

	if (unlikely(status != RIBBON_OK))
		return ribbon_status_text(status);
	objection = ribbon_keyclass_objection(value->map.key_class);
	if (objection == NULL && value->type == RIBBON_SQL_MAP)
		objection = ribbon_lookup_objection(&value->map);
	return objection;
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

const uint8_t *
ribbon_value_fetch(void *arg, uint64_t at, size_t length)
{
	RibbonValueSlices *slices = arg;

	if (slices->slice != NULL)
		pfree(slices->slice);
	slices->slice = detoast_attr_slice(slices->value, (int32) at,
									   (int32) length);
	if (VARSIZE(slices->slice) - VARHDRSZ != length)
		ribbon_error_corrupt(slices->type,
							 ribbon_status_text(RIBBON_TRUNCATED));
	return (const uint8_t *) VARDATA(slices->slice);
}

void
ribbon_value_open_datum(RibbonSqlType type, Datum datum,
						RibbonValueSlices *slices, RibbonOpenValue *value)
{
	slices->type = type;
	slices->value = (struct varlena *) DatumGetPointer(datum);
	slices->slice = NULL;
	ribbon_value_open_sliced(type, toast_raw_datum_size(datum) - VARHDRSZ,
							 ribbon_value_fetch, slices, value);
}

bool
ribbon_value_summarize(Datum datum, RibbonSummary *summary)
{
	static const RibbonSqlType types[] = {RIBBON_SQL_FILTER, RIBBON_SQL_MAP};
	size_t nbytes = toast_raw_datum_size(datum) - VARHDRSZ;
	RibbonStatus status = RIBBON_BAD_VERSION;
	RibbonOpenValue value;

	for (int i = 0; i < lengthof(types) && status == RIBBON_BAD_VERSION; i++)
	{
		RibbonValueSlices slices = {types[i],
									(struct varlena *) DatumGetPointer(datum),
									NULL};

		status = open_in_slices(types[i], nbytes, ribbon_value_fetch, &slices,
								&value);
		if (slices.slice != NULL)
			pfree(slices.slice);
	}
	if (status == RIBBON_OK)
		*summary = (RibbonSummary){value.map.nkeys, value.map.total_bytes,
								   ribbon_map_fpr(&value.map)};
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
