/*
 * datum.c - a datum of our types to and from what the core takes and gives; and
 * ribbon_check and ribbon_shrink, which the core does
 *
 * A "datum" is a filter or map as SQL has it; a "value" is what a map holds for
 * a key.
 */
#include "type/type.h"

#include "access/detoast.h"
#include "key/keyclass.h"
#include "server/server.h"
#include "utils/memutils.h"
#include "values/dictionary.h"
#include "values/values.h"

const char *
ribbon_datum_objection(RibbonSqlType type, RibbonStatus status,
					   const RibbonFilter *filter)
{
	const char *objection;

	if (unlikely(status != RIBBON_OK))
		return ribbon_status_text(status);
	if (unlikely(filter->has_values != (type == RIBBON_SQL_MAP)))
		return filter->has_values ? "it is a ribbonmap" :
									"it is a ribbonfilter";
	/* built of hashed keys, of which none came, it has no class */
	objection = filter->key_class == 0 && filter->nkeys == 0 ?
		NULL :
		ribbon_keyclass_objection(filter->key_class);
	if (objection == NULL && filter->has_values)
	{
		status = ribbon_values_check_class(filter);
		if (status != RIBBON_OK)
			objection = ribbon_status_text(status);
	}
	return objection;
}

void
ribbon_datum_check(RibbonSqlType type, RibbonStatus status,
				   const RibbonFilter *filter)
{
	const char *objection = ribbon_datum_objection(type, status, filter);

	if (unlikely(objection != NULL))
		ribbon_error_corrupt(type, objection);
}

void
ribbon_datum_open(RibbonSqlType type, struct varlena *datum,
				  RibbonFilter *filter)
{
	ribbon_datum_check(type,
					   ribbon_open((const uint8_t *) VARDATA_ANY(datum),
								   VARSIZE_ANY_EXHDR(datum), filter),
					   filter);
}

/* A datum that is read in slices.  Each is freed when the next one is read. */
typedef struct HeaderSlices
{
	RibbonSqlType type; /* for errors */
	struct varlena *datum;
	struct varlena *slice; /* read last, or NULL */
} HeaderSlices;

/* A RibbonFetch. */
static const uint8_t *
fetch_slice(void *arg, uint64_t at, size_t length)
{
	HeaderSlices *slices = arg;

	if (slices->slice != NULL)
		pfree(slices->slice);
	slices->slice = detoast_attr_slice(slices->datum, (int32) at,
									   (int32) length);
	if (VARSIZE(slices->slice) - VARHDRSZ != length)
		ribbon_error_corrupt(slices->type,
							 ribbon_status_text(RIBBON_TRUNCATED));
	return (const uint8_t *) VARDATA(slices->slice);
}

/* Open what these are slices of. */
static RibbonStatus
open_slices(HeaderSlices *slices, RibbonSqlType type, Datum datum,
			RibbonFilter *filter)
{
	*slices = (HeaderSlices){type, (struct varlena *) DatumGetPointer(datum),
							 NULL};
	return ribbon_open_sliced(toast_raw_datum_size(datum) - VARHDRSZ,
							  fetch_slice, slices, filter);
}

void
ribbon_datum_open_header(RibbonSqlType type, Datum datum, RibbonFilter *filter)
{
	HeaderSlices *slices = palloc(sizeof(HeaderSlices));

	ribbon_datum_check(type, open_slices(slices, type, datum, filter), filter);
}

const char *
ribbon_datum_kind(const RibbonFilter *filter)
{
	RibbonInfo info;

	ribbon_info(filter, &info);
	return filter->has_values			? "map" :
		info.kind == RIBBON_HOMOGENEOUS ? "homogeneous" :
		info.kind == RIBBON_EXACT		? "exact" :
										  "burr";
}

bool
ribbon_datum_summarize(Datum datum, RibbonSummary *summary)
{
	HeaderSlices slices;
	RibbonFilter filter;
	RibbonStatus status = open_slices(&slices, RIBBON_SQL_FILTER, datum,
									  &filter);

	if (status == RIBBON_OK)
		*summary = (RibbonSummary){ribbon_datum_kind(&filter),
								   (double) filter.nkeys,
								   (double) filter.total_bytes,
								   filter.is_exact && !filter.has_rate ?
									   0 :
									   ribbon_fpr(&filter)};
	if (slices.slice != NULL)
		pfree(slices.slice);
	return status == RIBBON_OK;
}

char *
ribbon_datum_describe(Datum datum)
{
	RibbonSummary summary;

	if (!ribbon_datum_summarize(datum, &summary))
		return NULL;
	return psprintf("%s, %.0f keys, fpr %.3g, %.0f bytes", summary.kind,
					summary.nkeys, summary.fpr, summary.nbytes);
}

struct varlena *
ribbon_datum_finish(RibbonSqlType type, RibbonStatus status, uint8_t *bytes,
					size_t nbytes)
{
	struct varlena *result = (struct varlena *) bytes;

	ribbon_error_check(type, status);
	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s of %zu bytes exceeds the maximum of 1 GB",
						ribbon_sqltype_name(type), nbytes),
				 ribbon_datum_hint_too_large(type)));
	if (nbytes > RIBBON_MAX_TEXT_BYTES)
		ereport(NOTICE,
				(errmsg("%s of %zu bytes is too large for text output, and so for pg_dump",
						ribbon_sqltype_name(type), nbytes),
				 errhint("Copy it by COPY ... WITH (FORMAT binary), or spread the keys over several %ss with ribbon_shard.",
						 ribbon_sqltype_noun(type))));

	SET_VARSIZE(result, nbytes + VARHDRSZ);
	return result;
}

int
ribbon_datum_hint_too_large(RibbonSqlType type)
{
	return errhint("Use a higher false-positive rate, or spread the keys over several %ss with ribbon_shard.",
				   ribbon_sqltype_noun(type));
}

/*
 * ribbon_check(filter), ribbon_check(map)
 *
 * Probes trust a datum after a look at its header.  This reads all of it.
 */
static Datum
check_datum(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	struct varlena *stored = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create(CurrentMemoryContext);
	RibbonFilter filter;

	ribbon_datum_open(type, stored, &filter);
	ribbon_error_check(type, ribbon_dictionary_check(&env, &filter));
	ribbon_error_check(type, ribbon_check(&env, &filter));

	PG_FREE_IF_COPY(stored, 0);
	PG_RETURN_BOOL(true);
}

RIBBON_SQL_PAIR(ribbon_pg_check, ribbon_pg_map_check, check_datum);

/* ribbon_shrink(filter, fpr) */
RIBBON_SQL_ENTRY(ribbon_pg_shrink)
{
	struct varlena *stored = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create(CurrentMemoryContext);
	struct varlena *result;
	RibbonFilter filter;
	RibbonStatus status;
	uint8_t *bytes = NULL;
	size_t nbytes = 0;

	ribbon_datum_open(RIBBON_SQL_FILTER, stored, &filter);
	ribbon_error_check_fpr(PG_GETARG_FLOAT8(1), false);
	status = ribbon_shrink(&env, &filter, PG_GETARG_FLOAT8(1), VARHDRSZ, &bytes,
						   &nbytes);
	result = ribbon_datum_finish(RIBBON_SQL_FILTER, status, bytes, nbytes);

	PG_FREE_IF_COPY(stored, 0);
	PG_RETURN_POINTER(result);
}
