/*
 * stats.c - what a filter or a map says of itself
 *
 * Everything here is read from the headers; nothing is measured.  Fractions are
 * rounded, for people; ribbon_fpr has the rate as it is.
 */
#include "type/type.h"

#include "access/htup_details.h"
#include "base/power.h"
#include "funcapi.h"
#include "key/keyclass.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "value/value.h"

/* The columns of ribbon_stats: those of maps, at most. */
#define MAX_COLUMNS 17

/* A row of ribbon_stats, filled from the left. */
typedef struct StatsRow
{
	Datum values[MAX_COLUMNS];
	bool nulls[MAX_COLUMNS];
	int ncolumns;
} StatsRow;

static void
add_column(StatsRow *row, Datum value, bool isnull)
{
	Assert(row->ncolumns < MAX_COLUMNS);
	row->values[row->ncolumns] = value;
	row->nulls[row->ncolumns++] = isnull;
}

static void
add_null(StatsRow *row)
{
	add_column(row, (Datum) 0, true);
}

static void
add_text(StatsRow *row, const char *text)
{
	add_column(row, CStringGetTextDatum(text), false);
}

static void
add_integer(StatsRow *row, int value)
{
	add_column(row, Int32GetDatum(value), false);
}

static void
add_number(StatsRow *row, uint64_t value)
{
	add_column(row, Int64GetDatum((int64) value), false);
}

/* Five digits. */
static void
add_fraction(StatsRow *row, double value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.5g", value);
	add_column(row, Float8GetDatum(strtod(digits, NULL)), false);
}

/* ribbon_cardinality(filter), ribbon_cardinality(map) */
static Datum
count_keys(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	PG_RETURN_INT64((int64) filter.nkeys);
}

/* ribbon_fpr(filter), ribbon_fpr(map) */
static Datum
find_fpr(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	PG_RETURN_FLOAT8(ribbon_fpr(&filter));
}

static const char *
kind_name(RibbonSqlType type, RibbonKind kind)
{
	if (type == RIBBON_SQL_MAP)
		return "map";
	return kind == RIBBON_HOMOGENEOUS ? "homogeneous" :
		kind == RIBBON_EXACT		  ? "exact" :
										"burr";
}

/*
 * What is said of a map's values: their type, bits, how many there are, and
 * which codes they have.
 */
static void
add_values(StatsRow *row, const RibbonFilter *map, const RibbonInfo *info,
		   RibbonDatumSlices *slices)
{
	RibbonMapSource source = {map, NULL, ribbon_datum_fetch, slices};

	add_text(row, ribbon_lookup_type_name(&source, false));
	add_integer(row, (int) map->value_bits);
	if (map->value_class == RIBBON_VALUES_DICTIONARY)
		add_number(row, ribbon_lookup_count(&source));
	else if (info->coding == RIBBON_CODE_ENTROPY)
		add_number(row, info->nvalues);
	else
		add_null(row);
	add_text(row, info->coding == RIBBON_CODE_ENTROPY ? "entropy" : "plain");
}

/*
 * The bits per key that no structure can do without: log2(1/fpr) and those of
 * all codes.  Of an exact set, those that say of each key of the universe
 * whether it is a member, for a random set of so many.
 */
static double
least_bits(const RibbonFilter *map, const RibbonInfo *info)
{
	double fpr = ribbon_fpr(map);
	double members = (double) map->nkeys;
	double universe = (double) map->universe;
	double others = universe - members;

	if (!map->is_exact)
		return fpr > 0 ? (double) info->code_bits / members - ribbon_log2(fpr) :
						 0;
	if (members == 0 || others == 0)
		return 0;
	return ribbon_log2(universe / members) +
		others / members * ribbon_log2(universe / others);
}

/*
 * Bits per key, and the overhead of all but the dictionary and the table of
 * codes.
 */
static void
add_size_per_key(StatsRow *row, const RibbonFilter *map, const RibbonInfo *info)
{
	double least = least_bits(map, info);
	uint64_t nbytes = map->total_bytes - map->ndictionary - info->table_bytes;

	if (map->nkeys > 0)
		add_fraction(row, 8.0 * map->total_bytes / map->nkeys);
	else
		add_null(row);
	if (map->nkeys > 0 && least > 0)
		add_fraction(row, 8.0 * nbytes / map->nkeys / least - 1);
	else
		add_null(row);
}

/* What an exact set is right about, and as of when. */
static void
add_universe(StatsRow *row, const RibbonFilter *filter)
{
	if (filter->is_exact)
		add_number(row, filter->universe);
	else
		add_null(row);
	if (filter->has_as_of)
		add_column(row, TimestampTzGetDatum(filter->as_of), false);
	else
		add_null(row);
}

/* ribbon_stats(filter), ribbon_stats(map) */
static Datum
make_stats(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	RibbonDatumSlices slices;
	RibbonFilter filter;
	const RibbonFilter *map = &filter;
	RibbonInfo info;
	StatsRow row = {.ncolumns = 0};
	TupleDesc columns;

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	ribbon_datum_open_header(type, PG_GETARG_DATUM(0), &slices, &filter);
	ribbon_info(map, &info);

	/* in the order of the OUT parameters */
	add_text(&row, kind_name(type, info.kind));
	if (map->key_class != 0)
		add_text(&row, ribbon_keyclass_name(map->key_class));
	else
		add_null(&row); /* no ribbonkey came */
	add_number(&row, map->nkeys);
	add_fraction(&row, ribbon_fpr(map));
	if (type == RIBBON_SQL_MAP)
		add_values(&row, map, &info, &slices);
	add_size_per_key(&row, map, &info);
	add_integer(&row, info.width);
	add_integer(&row, info.nlayers);
	add_number(&row, info.nslots);
	add_number(&row, info.empty_slots);
	add_number(&row, info.bumped_keys);
	add_number(&row, map->total_bytes);
	add_integer(&row, RIBBON_FORMAT_VERSION);
	if (type == RIBBON_SQL_FILTER)
		add_universe(&row, map);

	if (row.ncolumns != columns->natts)
		elog(ERROR, "ribbon_stats has %d columns, not %d", row.ncolumns,
			 columns->natts);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(columns),
											 row.values, row.nulls));
}

RIBBON_SQL_PAIR(ribbon_cardinality, ribbon_map_cardinality, count_keys);
RIBBON_SQL_PAIR(ribbon_pg_fpr, ribbon_pg_map_fpr, find_fpr);
RIBBON_SQL_PAIR(ribbon_stats, ribbon_map_stats, make_stats);
