/*
 * get.c - what does this map have for this key?
 *
 *	 map -> key							as bigint	ribbon_get_bigint
 *	 map ->> key						as text		ribbon_get_text
 *	 ribbon_get(map, key, otherwise)	as a value of the type of otherwise
 *	 map @> key, key <@ map				anything?
 *
 * A map is found, opened and kept as a filter is, and a key likewise hashed
 * first (probe.c), with the seed of the map that came before; if this one has
 * another, it is hashed again.
 */
#include "probe/contains.h"

#include "key/keyhash.h"
#include "miscadmin.h"
#include "type/type.h"
#include "utils/builtins.h"
#include "value/lookup.h"

#define BATCH 256

PG_FUNCTION_INFO_V1(ribbon_get_bigint);
PG_FUNCTION_INFO_V1(ribbon_get_text);
PG_FUNCTION_INFO_V1(ribbon_get);
PG_FUNCTION_INFO_V1(ribbon_map_contains);
PG_FUNCTION_INFO_V1(ribbon_map_contained_by);

/* What the function of a call site asks for. */
typedef enum Wanted
{
	WANTED_ANY,
	WANTED_INTEGER,
	WANTED_TYPE /* the decoder's */
} Wanted;

/* A call site; in fn_extra. */
typedef struct GetSite
{
	RibbonKeyType key_type;
	RibbonProbeCache map;
	RibbonDecoder *decoder; /* WANTED_TYPE */
	uint8_t *dictionary;	/* room for a small one, or NULL */
} GetSite;

/* A look into a stored map. */
typedef struct SlicedGet
{
	GetSite *site;
	Wanted wanted;
	uint64_t hash;
	RibbonFound *found;
} SlicedGet;

static GetSite *site_of_call(FunctionCallInfo fcinfo, Wanted wanted);
static pg_attribute_always_inline void get(FunctionCallInfo fcinfo,
										   Wanted wanted, int map_arg,
										   int key_arg, RibbonFound *found);
static bool get_anywhere(GetSite *site, Wanted wanted, Datum datum,
						 uint64_t hash, RibbonFound *found);
static bool get_slices(void *arg, size_t size, RibbonFetch fetch,
					   void *fetch_arg);
static const uint8_t *take_dictionary(GetSite *site,
									  const RibbonMapSource *source);
static bool probe_slices(void *arg, size_t size, RibbonFetch fetch,
						 void *fetch_arg);
pg_noreturn static void report_no_integer(const RibbonMapSource *source);

Datum
ribbon_get_bigint(PG_FUNCTION_ARGS)
{
	RibbonFound found;

	get(fcinfo, WANTED_INTEGER, 0, 1, &found);
	if (found.kind != RIBBON_FOUND_NUMBER)
		PG_RETURN_NULL();
	PG_RETURN_INT64(found.number);
}

Datum
ribbon_get_text(PG_FUNCTION_ARGS)
{
	RibbonFound found;

	get(fcinfo, WANTED_ANY, 0, 1, &found);
	if (found.kind == RIBBON_FOUND_TEXT)
		PG_RETURN_TEXT_P(ribbon_decoder_text(&found));
	if (found.kind != RIBBON_FOUND_NUMBER)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(ribbon_number_text(found.value_class,
														found.number)));
}

/* Strict in the map and in the key, but not in otherwise. */
Datum
ribbon_get(PG_FUNCTION_ARGS)
{
	RibbonFound found;
	GetSite *site;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();

	get(fcinfo, WANTED_TYPE, 0, 1, &found);
	if (found.kind == RIBBON_FOUND_NOTHING)
	{
		fcinfo->isnull = PG_ARGISNULL(2);
		return PG_GETARG_DATUM(2);
	}
	site = fcinfo->flinfo->fn_extra;
	fcinfo->isnull = found.kind == RIBBON_FOUND_NULL;
	return ribbon_decoder_value(site->decoder, &found);
}

/* ribbon_contains(map, key) */
Datum
ribbon_map_contains(PG_FUNCTION_ARGS)
{
	RibbonFound found;

	get(fcinfo, WANTED_ANY, 0, 1, &found);
	PG_RETURN_BOOL(found.kind != RIBBON_FOUND_NOTHING);
}

/* ribbon_contained_by(key, map) */
Datum
ribbon_map_contained_by(PG_FUNCTION_ARGS)
{
	RibbonFound found;

	get(fcinfo, WANTED_ANY, 1, 0, &found);
	PG_RETURN_BOOL(found.kind != RIBBON_FOUND_NOTHING);
}

static GetSite *
site_of_call(FunctionCallInfo fcinfo, Wanted wanted)
{
	MemoryContext context = fcinfo->flinfo->fn_mcxt;
	GetSite *site = fcinfo->flinfo->fn_extra;
	Oid type;

	if (likely(site != NULL))
		return site;

	site = MemoryContextAllocZero(context, sizeof(GetSite));
	site->key_type.of_map = true;
	site->map.context = context;
	site->map.opened.type = RIBBON_SQL_MAP;
	if (wanted == WANTED_TYPE)
	{
		type = get_fn_expr_argtype(fcinfo->flinfo, 2);
		if (!OidIsValid(type))
			ereport(ERROR,
					(errcode(ERRCODE_INDETERMINATE_DATATYPE),
					 errmsg("could not determine the type of the answer of ribbon_get")));
		site->decoder = ribbon_decoder_create(type, context);
	}
	fcinfo->flinfo->fn_extra = site;
	return site;
}

/* Are keys hashed as for this map?  If not, they must be hashed anew. */
static pg_attribute_always_inline bool
fits(RibbonKeyType *key_type, const RibbonMap *map)
{
	return ribbon_keyclass_fits_map(key_type, map) &&
		ribbon_keyhash_seed(key_type, map->seed);
}

/* Is the map one whose values the call site can take? */
static pg_attribute_always_inline void
check_type(GetSite *site, Wanted wanted, const RibbonMapSource *source)
{
	unsigned value_class = source->map->value_class;

	if (wanted == WANTED_TYPE)
		ribbon_decoder_check(site->decoder, source);
	else if (wanted == WANTED_INTEGER &&
			 unlikely(value_class < RIBBON_VALUE_BOOL ||
					  value_class > RIBBON_VALUE_INT8))
		report_no_integer(source);
}

/* Look the key up.  False if it is to be hashed anew first: it is adapted. */
static pg_attribute_always_inline bool
get_from(GetSite *site, Wanted wanted, const RibbonMapSource *source,
		 uint64_t hash, RibbonFound *found)
{
	const RibbonMap *map = source->map;
	uint64_t code = 0;
	bool known;

	if (unlikely(!fits(&site->key_type, map)))
		return false;
	check_type(site, wanted, source);

	if (source->fetch == NULL)
		known = ribbon_map_get(map, hash, &code);
	else
		known = ribbon_map_get_sliced(map, hash, source->fetch, source->arg,
									  &code);
	if (known)
		ribbon_lookup_row(source, code, found);
	else
		found->kind = RIBBON_FOUND_NOTHING;
	return true;
}

static pg_attribute_always_inline void
get(FunctionCallInfo fcinfo, Wanted wanted, int map_arg, int key_arg,
	RibbonFound *found)
{
	GetSite *site = site_of_call(fcinfo, wanted);
	Datum datum = PG_GETARG_DATUM(map_arg);
	bool done;

	if (unlikely(!site->key_type.decided))
		ribbon_keytype_decide_argument(&site->key_type, fcinfo, key_arg);

	do
	{
		uint64_t hash = ribbon_keyhash_row(&site->key_type,
										   PG_GETARG_DATUM(key_arg));
		const RibbonMap *map =
			ribbon_kept_map_again((struct varlena *) DatumGetPointer(datum));

		if (likely(map != NULL))
		{
			RibbonMapSource source = ribbon_map_source(map);

			done = get_from(site, wanted, &source, hash, found);
		}
		else
			done = get_anywhere(site, wanted, datum, hash, found);
	} while (unlikely(!done));
}

/* The same, wherever the map is. */
static bool
get_anywhere(GetSite *site, Wanted wanted, Datum datum, uint64_t hash,
			 RibbonFound *found)
{
	struct varlena *value = ribbon_probecache_follow(datum);
	const RibbonMap *map = ribbon_probecache_open(&site->map, value, 1);
	SlicedGet sliced = {site, wanted, hash, found};

	if (map != NULL)
	{
		RibbonMapSource source = ribbon_map_source(map);

		return get_from(site, wanted, &source, hash, found);
	}
	return ribbon_slice_use(value, get_slices, &sliced);
}

/*
 * A RibbonSliceUse.  A small dictionary is taken along while the slice with the
 * header is at hand, so that no look for the text has to go back there.
 */
static bool
get_slices(void *arg, size_t size, RibbonFetch fetch, void *fetch_arg)
{
	SlicedGet *sliced = arg;
	RibbonFilter planes[RIBBON_MAP_PLANES];
	RibbonMap map;
	RibbonMapSource source = {&map, NULL, fetch, fetch_arg};

	ribbon_value_open_map_sliced(size, fetch, fetch_arg, &map, planes);
	if (map.ndictionary > 0 && map.ndictionary <= RIBBON_MAX_SLICE)
		source.dictionary = take_dictionary(sliced->site, &source);
	return get_from(sliced->site, sliced->wanted, &source, sliced->hash,
					sliced->found);
}

/* A copy, which is good until the next one. */
static const uint8_t *
take_dictionary(GetSite *site, const RibbonMapSource *source)
{
	size_t size = source->map->ndictionary;

	if (site->dictionary == NULL)
		site->dictionary = MemoryContextAlloc(site->map.context,
											  RIBBON_MAX_SLICE);
	return memcpy(site->dictionary,
				  source->fetch(source->arg, source->map->dictionary_at, size),
				  size);
}

void
ribbon_map_probe_init(RibbonProbeSite *site)
{
	site->key_type.of_map = true;
	site->filter.opened.type = RIBBON_SQL_MAP;
}

bool
ribbon_map_probe_hashes(RibbonProbeSite *site, Datum datum,
						const uint64_t *hashes, size_t n, bool *answers)
{
	struct varlena *value = ribbon_probecache_follow(datum);
	const RibbonMap *map = ribbon_probecache_open(&site->filter, value,
												  (unsigned) n);
	RibbonMapSource source;
	uint64_t codes[BATCH];

	if (map == NULL)
	{
		RibbonSlicedProbe sliced = {&site->key_type, hashes, n, answers};

		return ribbon_slice_use(value, probe_slices, &sliced);
	}
	if (!fits(&site->key_type, map))
		return false;
	source = ribbon_map_source(map);
	for (size_t i = 0; i < n; i += BATCH)
	{
		size_t nkeys = Min(n - i, BATCH);

		ribbon_map_get_batch(map, hashes + i, nkeys, answers + i, codes);
		ribbon_lookup_sift(&source, codes, nkeys, answers + i);
	}
	return true;
}

/* A RibbonSliceUse. */
static bool
probe_slices(void *arg, size_t size, RibbonFetch fetch, void *fetch_arg)
{
	const RibbonSlicedProbe *probe = arg;
	RibbonFilter planes[RIBBON_MAP_PLANES];
	RibbonMap map;
	RibbonMapSource source = {&map, NULL, fetch, fetch_arg};
	uint64_t code;

	ribbon_value_open_map_sliced(size, fetch, fetch_arg, &map, planes);
	if (!fits(probe->key_type, &map))
		return false;
	for (size_t i = 0; i < probe->n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		probe->answers[i] = ribbon_map_get_sliced(&map, probe->hashes[i], fetch,
												  fetch_arg, &code);
		if (probe->answers[i])
			ribbon_lookup_sift(&source, &code, 1, &probe->answers[i]);
	}
	return true;
}

static void
report_no_integer(const RibbonMapSource *source)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("ribbonmap has values of type %s, which -> cannot give as bigint",
					ribbon_lookup_type_name(source)),
			 errhint("Use map ->> key, or ribbon_get.")));
	pg_unreachable();
}
