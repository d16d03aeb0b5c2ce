/*
 * stats.c - what a filter says of itself
 *
 * Everything here is read from the header; nothing is measured.  Fractions are
 * rounded, for people; ribbon_fpr has the rate as it is.
 */
#include "type/type.h"

#include "access/htup_details.h"
#include "base/power.h"
#include "funcapi.h"
#include "key/key.h"
#include "server/server.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(ribbon_cardinality);
PG_FUNCTION_INFO_V1(ribbon_pg_fpr);
PG_FUNCTION_INFO_V1(ribbon_stats);

/* The columns of ribbon_stats, in the order of its OUT parameters. */
enum
{
	STATS_KIND,
	STATS_KEY_TYPE,
	STATS_KEYS,
	STATS_FPR,
	STATS_BITS_PER_KEY,
	STATS_OVERHEAD,
	STATS_RIBBON_WIDTH,
	STATS_LAYERS,
	STATS_SLOTS,
	STATS_EMPTY_SLOTS,
	STATS_BUMPED_KEYS,
	STATS_BYTES,
	STATS_FORMAT_VERSION,
	STATS_NCOLUMNS
};

static void open_argument(FunctionCallInfo fcinfo, RibbonFilter *filter);
static const char *kind_name(RibbonKind kind);
static int count_layers(const RibbonFilter *filter);

Datum
ribbon_cardinality(PG_FUNCTION_ARGS)
{
	RibbonFilter filter;

	open_argument(fcinfo, &filter);
	PG_RETURN_INT64((int64) filter.nkeys);
}

/* ribbon_fpr(filter) */
Datum
ribbon_pg_fpr(PG_FUNCTION_ARGS)
{
	RibbonFilter filter;

	open_argument(fcinfo, &filter);
	PG_RETURN_FLOAT8(ribbon_fpr(&filter));
}

Datum
ribbon_stats(PG_FUNCTION_ARGS)
{
	RibbonFilter filter;
	TupleDesc columns;
	Datum values[STATS_NCOLUMNS];
	bool nulls[STATS_NCOLUMNS] = {0};
	double fpr;
	uint64_t nslots;

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	open_argument(fcinfo, &filter);
	fpr = ribbon_fpr(&filter);
	nslots = ribbon_nslots(&filter);

	values[STATS_KIND] = CStringGetTextDatum(kind_name(filter.kind));
	values[STATS_KEY_TYPE] =
		CStringGetTextDatum(ribbon_keyclass_name(filter.key_class));
	values[STATS_KEYS] = Int64GetDatum((int64) filter.nkeys);
	values[STATS_FPR] = Float8GetDatum(ribbon_rounded(fpr));
	values[STATS_RIBBON_WIDTH] = Int32GetDatum(filter.width);
	values[STATS_LAYERS] = Int32GetDatum(count_layers(&filter));
	values[STATS_SLOTS] = Int64GetDatum((int64) nslots);
	values[STATS_EMPTY_SLOTS] =
		Int64GetDatum(Max((int64) (nslots - filter.nkeys), 0));
	values[STATS_BUMPED_KEYS] =
		Int64GetDatum(filter.nlayers > 0 ? (int64) filter.layer_keys[1] : 0);
	values[STATS_BYTES] = Int64GetDatum((int64) filter.total_bytes);
	values[STATS_FORMAT_VERSION] = Int32GetDatum(filter.version);

	if (filter.nkeys > 0)
	{
		double bits = 8.0 * filter.total_bytes / filter.nkeys;

		values[STATS_BITS_PER_KEY] = Float8GetDatum(ribbon_rounded(bits));
		values[STATS_OVERHEAD] =
			Float8GetDatum(ribbon_rounded(bits / -ribbon_log2(fpr) - 1));
		nulls[STATS_OVERHEAD] = fpr <= 0 || fpr >= 1;
	}
	else
	{
		nulls[STATS_BITS_PER_KEY] = true;
		nulls[STATS_OVERHEAD] = true;
	}

	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(columns),
													  values, nulls)));
}

/*
 * Decode the header of the first argument.  The pointers in filter are not to
 * be followed: the bytes may have been a detoasted copy.
 */
static void
open_argument(FunctionCallInfo fcinfo, RibbonFilter *filter)
{
	RibbonStatus status = ribbon_value_read_header(PG_GETARG_DATUM(0), filter);
	const char *objection;

	if (status != RIBBON_OK)
		ribbon_error_throw(RIBBON_SQL_FILTER, status);
	objection = ribbon_keyclass_objection(filter->key_class);
	if (objection != NULL)
		ribbon_error_corrupt(RIBBON_SQL_FILTER, objection);
}

static const char *
kind_name(RibbonKind kind)
{
	return kind == RIBBON_HOMOGENEOUS ? "homogeneous" : "burr";
}

static int
count_layers(const RibbonFilter *filter)
{
	if (filter->nkeys == 0)
		return 0;
	return filter->nlayers + 1;
}
