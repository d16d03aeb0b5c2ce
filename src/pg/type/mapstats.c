/*
 * mapstats.c - what a map says of itself
 *
 * Everything here is read from the headers; nothing is measured.
 */
#include "type/type.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "base/power.h"
#include "funcapi.h"
#include "key/key.h"
#include "utils/builtins.h"
#include "value/lookup.h"

PG_FUNCTION_INFO_V1(ribbon_map_cardinality);
PG_FUNCTION_INFO_V1(ribbon_pg_map_fpr);
PG_FUNCTION_INFO_V1(ribbon_map_stats);

/* The columns of ribbon_stats, in the order of its OUT parameters. */
enum
{
	STATS_KIND,
	STATS_KEY_TYPE,
	STATS_KEYS,
	STATS_FPR,
	STATS_VALUE_TYPE,
	STATS_VALUE_BITS,
	STATS_DISTINCT_VALUES,
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

/*
 * A map whose headers have been decoded.  Pointers into its bytes are not to be
 * followed.
 */
typedef struct Argument
{
	RibbonValueSlices slices;
	RibbonFilter planes[RIBBON_MAP_PLANES];
	RibbonMap map;
	RibbonMapSource source;
} Argument;

static void open_argument(FunctionCallInfo fcinfo, Argument *argument);
static double least_bits(const RibbonMap *map);

/* ribbon_cardinality(map) */
Datum
ribbon_map_cardinality(PG_FUNCTION_ARGS)
{
	Argument argument;

	open_argument(fcinfo, &argument);
	PG_RETURN_INT64((int64) argument.map.nkeys);
}

/* ribbon_fpr(map) */
Datum
ribbon_pg_map_fpr(PG_FUNCTION_ARGS)
{
	Argument argument;

	open_argument(fcinfo, &argument);
	PG_RETURN_FLOAT8(ribbon_map_fpr(&argument.map));
}

/* ribbon_stats(map) */
Datum
ribbon_map_stats(PG_FUNCTION_ARGS)
{
	Argument argument;
	const RibbonMap *map = &argument.map;
	const RibbonFilter *plane;
	TupleDesc columns;
	Datum values[STATS_NCOLUMNS] = {0};
	bool nulls[STATS_NCOLUMNS] = {0};
	uint64_t nslots;

	if (get_call_result_type(fcinfo, NULL, &columns) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");

	open_argument(fcinfo, &argument);
	plane = map->planes[0];
	nslots = ribbon_map_nslots(map);

	values[STATS_KIND] = CStringGetTextDatum("map");
	values[STATS_KEY_TYPE] =
		CStringGetTextDatum(ribbon_keyclass_name(map->key_class));
	values[STATS_KEYS] = Int64GetDatum((int64) map->nkeys);
	values[STATS_FPR] = Float8GetDatum(ribbon_rounded(ribbon_map_fpr(map)));
	values[STATS_VALUE_TYPE] =
		CStringGetTextDatum(ribbon_lookup_type_name(&argument.source));
	values[STATS_VALUE_BITS] = Int32GetDatum((int32) map->value_bits);
	if (map->value_class == RIBBON_VALUE_DICTIONARY)
		values[STATS_DISTINCT_VALUES] =
			Int64GetDatum((int64) ribbon_lookup_count(&argument.source));
	else
		nulls[STATS_DISTINCT_VALUES] = true;
	values[STATS_RIBBON_WIDTH] = Int32GetDatum(plane->width);
	values[STATS_LAYERS] = Int32GetDatum(map->nkeys > 0 ? plane->nlayers + 1 :
														  0);
	values[STATS_SLOTS] = Int64GetDatum((int64) nslots);
	values[STATS_EMPTY_SLOTS] =
		Int64GetDatum(Max((int64) (nslots - map->nkeys * map->nplanes), 0));
	values[STATS_BUMPED_KEYS] =
		Int64GetDatum(plane->nlayers > 0 ? (int64) plane->layer_keys[1] : 0);
	values[STATS_BYTES] = Int64GetDatum((int64) map->total_bytes);
	values[STATS_FORMAT_VERSION] = Int32GetDatum(RIBBON_MAP_VERSION);

	nulls[STATS_BITS_PER_KEY] = map->nkeys == 0;
	nulls[STATS_OVERHEAD] = map->nkeys == 0 || least_bits(map) <= 0;
	if (!nulls[STATS_BITS_PER_KEY])
		values[STATS_BITS_PER_KEY] =
			Float8GetDatum(ribbon_rounded(8.0 * map->total_bytes / map->nkeys));
	if (!nulls[STATS_OVERHEAD])
		values[STATS_OVERHEAD] =
			Float8GetDatum(ribbon_rounded(8.0 *
											  (map->total_bytes -
											   map->ndictionary) /
											  map->nkeys / least_bits(map) -
										  1));

	ribbon_value_release(&argument.slices);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(columns),
													  values, nulls)));
}

/* Decode the headers of the first argument, reading no more of it. */
static void
open_argument(FunctionCallInfo fcinfo, Argument *argument)
{
	Datum datum = PG_GETARG_DATUM(0);

	argument->slices.value = (struct varlena *) DatumGetPointer(datum);
	argument->slices.slice = NULL;
	argument->source.map = &argument->map;
	argument->source.dictionary = NULL;
	argument->source.fetch = ribbon_value_fetch;
	argument->source.arg = &argument->slices;
	ribbon_value_open_map_sliced(toast_raw_datum_size(datum) - VARHDRSZ,
								 ribbon_value_fetch, &argument->slices,
								 &argument->map, argument->planes);
}

/* Bits that a key takes at least, besides what the dictionary does. */
static double
least_bits(const RibbonMap *map)
{
	return map->value_bits - ribbon_log2(ribbon_map_fpr(map));
}
