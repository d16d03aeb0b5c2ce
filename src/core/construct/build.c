/*
 * build.c - from any array of hashes or records to a filter of the kind asked
 * for, or a map
 *
 * A filter is one plane.  A map is one or two, which are built as filters are,
 * of records instead of hashes.  Plane 1, which is the smaller one as a rule,
 * is built first.  The buffer of plane 0 becomes that of the map, since it has
 * room for the rest.  Or it has a plane for each level of codes (levels.h).
 */
#include "base/keynumber.h"
#include "base/power.h"
#include "construct/burr.h"
#include "construct/homog.h"
#include "construct/levels.h"
#include "construct/output.h"
#include "construct/params.h"
#include "format/format.h"

/*
 * Elements with a supply are records (hashes.h).  Here is one until each plane
 * gets its own.
 */
static const RibbonSupply any_supply;

RibbonStatus
ribbon_params_check(const RibbonParams *params)
{
	const RibbonValues *values = params->values;

	if (params->kind != RIBBON_BURR && params->kind != RIBBON_HOMOGENEOUS &&
		params->kind != RIBBON_AUTO)
		return RIBBON_BAD_PARAMS;
	if (params->width != RIBBON_DEFAULT_WIDTH && params->width != 32 &&
		params->width != 64 && params->width != 128)
		return RIBBON_BAD_PARAMS;
	if (!ribbon_key_class_is_valid(params->key_class))
		return RIBBON_BAD_PARAMS;
	if (values != NULL &&
		(params->kind != RIBBON_BURR || values->bits > RIBBON_MAX_VALUE_BITS ||
		 values->value_class >= RIBBON_VALUE_CLASSES ||
		 values->coding > RIBBON_CODE_AUTO ||
		 (values->dictionary == NULL) != (values->ndictionary == 0)))
		return RIBBON_BAD_PARAMS;
	if (!(params->fpr >= RIBBON_MIN_FPR && params->fpr <= RIBBON_MAX_FPR) &&
		!(values != NULL && params->fpr == 1))
		return RIBBON_BAD_FPR;
	return RIBBON_OK;
}

double
ribbon_least_bytes(const RibbonParams *params, uint64_t nkeys)
{
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);

	if (params->values != NULL)
		columns.bits += params->values->bits;
	return (double) nkeys * ribbon_result_bits_mean(columns) / 8;
}

/* Build a filter of sorted, distinct hashes. */
static RibbonStatus
build_filter(const RibbonEnv *env, const RibbonParams *params,
			 RibbonHashes *hashes, size_t headroom, uint8_t **bytes,
			 size_t *nbytes)
{
	RibbonParams chosen = *params;

	if (hashes->n == 0)
	{
		RibbonPlane empty;

		ribbon_format_init_empty(&empty, params->key_class);
		return ribbon_output_head(env, &empty, NULL, headroom, bytes, nbytes);
	}
	ribbon_params_choose(&chosen, hashes->n);
	if (chosen.kind == RIBBON_HOMOGENEOUS)
		return ribbon_homog_build(env, &chosen, hashes, headroom, bytes,
								  nbytes);
	return ribbon_burr_build(env, &chosen, hashes,
							 &(RibbonRoom){.head = headroom}, bytes, nbytes);
}

/* Which bits of each value planes 0 and 1 store; plane 1 may have none. */
static void
divide_value(const RibbonParams *params,
			 RibbonSupply supplies[RIBBON_MAX_PLANES])
{
	const RibbonValues *values = params->values;
	RibbonResultBits check = ribbon_params_check_bits(params->fpr);
	unsigned low = ribbon_format_value_bits(values->bits, check.bits,
											check.wide);

	supplies[0] = (RibbonSupply){.check_bits = check.bits,
								 .value_bits = low,
								 .base = (uint64_t) values->base,
								 .code = values->code,
								 .code_arg = values->code_arg};
	supplies[1] = supplies[0];
	supplies[1].check_bits = 0;
	supplies[1].value_bits = values->bits - low;
	supplies[1].shift = low;
}

/*
 * Build plane 1 of a map, if supply has bits for it; else *nbytes is 0.  The
 * records stay as they are.
 */
static RibbonStatus
build_second(const RibbonEnv *env, const RibbonParams *params,
			 const RibbonHashes *records, const RibbonSupply *supply,
			 uint8_t **bytes, size_t *nbytes)
{
	RibbonResultBits columns = {supply->value_bits, 0};
	RibbonParams plane = *params;
	RibbonHashes lent = *records;
	RibbonRoom none = {.role = RIBBON_OWN_BYTE};

	*bytes = NULL;
	*nbytes = 0;
	if (supply->value_bits == 0 || records->n == 0)
		return RIBBON_OK;
	lent.owned = false;
	lent.supply = supply;
	plane.fpr = 1;
	if (plane.width == RIBBON_DEFAULT_WIDTH)
		plane.width = ribbon_params_map_width(columns, records->n);
	return ribbon_burr_build(env, &plane, &lent, &none, bytes, nbytes);
}

/*
 * Build head and plane 0 of a map.  The records, sorted and distinct, are freed
 * if they are owned.
 */
static RibbonStatus
build_first(const RibbonEnv *env, const RibbonParams *params,
			RibbonHashes *records, const RibbonRoom *room, uint8_t **bytes,
			size_t *nbytes)
{
	RibbonParams plane = *params;
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);
	bool checked = columns.bits > 0;

	columns.bits += records->supply->value_bits;
	if (records->n == 0 || columns.bits == 0)
	{
		RibbonPlane bare;

		ribbon_format_init_empty(&bare, params->key_class);
		bare.nkeys = records->n;
		if (!checked)
			bare.result_bits = 0;
		ribbon_hashes_free(env, records);
		return ribbon_output_head(env, &bare, params->values, room->head, bytes,
								  nbytes);
	}
	if (plane.width == RIBBON_DEFAULT_WIDTH)
		plane.width = ribbon_params_map_width(columns, records->n);
	return ribbon_burr_build(env, &plane, records, room, bytes, nbytes);
}

/* Build a map with plain codes. */
static RibbonStatus
build_plain(const RibbonEnv *env, const RibbonParams *params,
			RibbonHashes *records, size_t headroom, uint8_t **bytes,
			size_t *nbytes)
{
	RibbonSupply supplies[RIBBON_MAX_PLANES];
	RibbonRoom room = {.head = headroom};
	uint8_t *second;
	RibbonStatus status;

	divide_value(params, supplies);
	status = build_second(env, params, records, &supplies[1], &second,
						  &room.tail);
	if (status != RIBBON_OK)
		return status;
	records->supply = &supplies[0];
	status = build_first(env, params, records, &room, bytes, nbytes);
	if (status == RIBBON_OK && room.tail > 0)
	{
		status = ribbon_copy(env, *bytes + headroom + *nbytes, second,
							 room.tail);
		*nbytes += room.tail;
		if (status != RIBBON_OK)
			ribbon_free(env, *bytes);
	}
	ribbon_free(env, second);
	return status;
}

/*
 * Nothing that is built with plain codes takes less.  (The first header has
 * two bytes at least.  Wide keys may be fewer than on average, by what
 * RIBBON_NUDGE allows, and a few of their standard deviations by chance.)
 */
static uint64_t
least_plain_bytes(const RibbonParams *params, uint64_t nkeys)
{
	RibbonResultBits check = ribbon_params_check_bits(params->fpr);
	double n = (double) nkeys;
	double fewer = check.wide == 0 ?
		0 :
		n * RIBBON_NUDGE / RIBBON_SHARES + 2 * ribbon_exp2(ribbon_log2(n) / 2);
	RibbonPlane plane;
	uint8_t head[RIBBON_MAX_HEAD];

	ribbon_format_init_empty(&plane, params->key_class);
	plane.nkeys = nkeys;
	plane.result_bits = check.bits;
	return ribbon_format_encode_head(&plane, params->values, NULL, head) +
		params->values->ndictionary + 2 +
		(uint64_t) (ribbon_least_bytes(params, nkeys) - fewer / 8);
}

/* What the planes are expected to take if codes are plain. */
static uint64_t
expected_plain_bytes(const RibbonParams *params, uint64_t nkeys)
{
	RibbonSupply supplies[RIBBON_MAX_PLANES];
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);
	RibbonResultBits second = {0, 0};

	divide_value(params, supplies);
	columns.bits += supplies[0].value_bits;
	second.bits = supplies[1].value_bits;
	return ribbon_codebook_plane_bytes(params, columns, nkeys) +
		ribbon_codebook_plane_bytes(params, second, nkeys);
}

/*
 * Build a map with codes by frequency, if its coding asks for it or it is
 * expected to be smaller so; else *bytes is NULL.
 */
static RibbonStatus
build_coded(const RibbonEnv *env, const RibbonParams *params,
			const RibbonHashes *records, size_t headroom, uint8_t **bytes,
			size_t *nbytes)
{
	const RibbonValues *values = params->values;
	bool decided = values->coding == RIBBON_CODE_ENTROPY;
	RibbonHistogram histogram;
	RibbonCodebook book = {0};
	uint64_t expected = 0;
	bool built;
	RibbonStatus status;

	*bytes = NULL;
	if (values->bits == 0 || records->n < 2)
		return RIBBON_OK;
	status = ribbon_histogram_create(env, &histogram, values, records);
	if (status == RIBBON_OK && !histogram.overflown && histogram.n > 1)
	{
		status = ribbon_codebook_create(env, &book, &histogram, records->n);
		if (status == RIBBON_OK)
			status = ribbon_codebook_choose(env, &book, params, &expected);
		if (status == RIBBON_OK &&
			(decided || expected < expected_plain_bytes(params, records->n)))
			status = ribbon_levels_build(env, params, &book, records, expected,
										 headroom, &built, bytes, nbytes);
	}
	ribbon_codebook_free(env, &book);
	ribbon_histogram_free(env, &histogram);
	return status;
}

/*
 * Build a map of sorted, distinct records, which are freed if owned.  Where it
 * is not certain that a map with codes by frequency is the smaller one, both
 * are built.
 */
static RibbonStatus
build_map(const RibbonEnv *env, const RibbonParams *params,
		  RibbonHashes *records, size_t headroom, uint8_t **bytes,
		  size_t *nbytes)
{
	const RibbonValues *values = params->values;
	uint8_t *coded = NULL;
	size_t ncoded = 0;
	RibbonStatus status = RIBBON_OK;

	if (values->coding != RIBBON_CODE_PLAIN)
		status = build_coded(env, params, records, headroom, &coded, &ncoded);
	if (status != RIBBON_OK)
		return status;
	if (coded != NULL &&
		(values->coding == RIBBON_CODE_ENTROPY ||
		 ncoded <= least_plain_bytes(params, records->n)))
	{
		*bytes = coded;
		*nbytes = ncoded;
		ribbon_hashes_free(env, records);
		return RIBBON_OK;
	}
	status = build_plain(env, params, records, headroom, bytes, nbytes);
	if (status == RIBBON_OK && coded != NULL && ncoded < *nbytes)
	{
		ribbon_free(env, *bytes);
		*bytes = coded;
		*nbytes = ncoded;
		coded = NULL;
	}
	ribbon_free(env, coded);
	return status;
}

static RibbonStatus
build(const RibbonEnv *env, const RibbonParams *params, RibbonHashes *keys,
	  size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	if (keys->n > RIBBON_MAX_KEYS)
		return RIBBON_OUT_OF_MEMORY;
	return (params->values == NULL ? build_filter : build_map)(env, params,
															   keys, headroom,
															   bytes, nbytes);
}

RibbonStatus
ribbon_build(const RibbonEnv *env, const RibbonParams *params, uint64_t *keys,
			 size_t nkeys, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = ribbon_params_check(params);
	uint64_t conflict[4];
	RibbonHashes set;

	if (status == RIBBON_OK)
		status = ribbon_distinct(env,
								 params->values == NULL ? RIBBON_HASHES :
														  RIBBON_MAP_RECORDS,
								 keys, &nkeys, conflict);
	if (status != RIBBON_OK)
		return status;
	set = ribbon_hashes_of_array(keys, nkeys,
								 params->values == NULL ? NULL : &any_supply);
	return build(env, params, &set, headroom, bytes, nbytes);
}

RibbonStatus
ribbon_build_stored(const RibbonEnv *env, const RibbonParams *params,
					RibbonStore *store, uint64_t nkeys, size_t headroom,
					uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = ribbon_params_check(params);
	RibbonHashes set =
		ribbon_hashes_of_store(store, nkeys,
							   params->values == NULL ? NULL : &any_supply);

	if (status != RIBBON_OK)
		return status;
	if (nkeys <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, &set);
	if (status == RIBBON_OK)
		status = build(env, params, &set, headroom, bytes, nbytes);
	ribbon_hashes_free(env, &set);
	return status;
}
