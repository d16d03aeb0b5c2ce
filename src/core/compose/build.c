/*
 * build.c - from any array of hashes or records to a filter of the kind asked
 * for, an exact set, or a map
 *
 * A filter is one plane.  A map is one or two, which are built as filters are,
 * of records instead of hashes.  Plane 1, which is the smaller one as a rule,
 * is built first.  The buffer of plane 0 becomes that of the map, since it has
 * room for the rest.  Or it has a plane for each level of codes (levels.c).
 */
#include "compose/build.h"

#include "keys/classes.h"
#include "base/power.h"
#include "construct/params.h"
#include "construct/size.h"
#include "set/derive.h"

RibbonStatus
ribbon_params_check(const RibbonParams *params)
{
	const RibbonValues *values = params->values;
	bool exact = params->kind == RIBBON_EXACT;

	if ((unsigned) params->kind > RIBBON_EXACT ||
		(params->has_as_of && (!exact || !ribbon_is_as_of(params->as_of))))
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
	if (!ribbon_is_fpr(params->fpr) &&
		((values == NULL && !exact) || params->fpr != 1))
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

/* Which bits of each value planes 0 and 1 store; plane 1 may have none. */
static void
divide_value(const RibbonParams *params,
			 RibbonSupply supplies[RIBBON_MAX_PLANES])
{
	const RibbonValues *values = params->values;
	RibbonResultBits check = ribbon_params_check_bits(params->fpr);
	unsigned low = ribbon_format_value_bits(values->bits, check.bits,
											check.wide);

	supplies[0] = supplies[1] = ribbon_supply_of_map(values);
	supplies[0].check_bits = check.bits;
	supplies[0].value_bits = low;
	supplies[1].value_bits -= low;
	supplies[1].shift = low;
}

/* A filter of no keys, or the head of a map whose plane 0 has no columns. */
static RibbonStatus
build_bare(const RibbonEnv *env, const RibbonParams *params, uint64_t nkeys,
		   bool checked, size_t headroom, RibbonBytes *bytes)
{
	uint8_t head[RIBBON_MAX_HEAD];
	RibbonPrefix prefixes[2];
	RibbonPlane bare;
	RibbonStatus status;

	ribbon_plane_init_empty(&bare, params->key_class);
	bare.nkeys = nkeys;
	if (!checked)
		bare.check.bits = 0;
	ribbon_bytes_of_head(&bare, params->values, NULL, head, prefixes);
	status = ribbon_bytes_create(env, bytes,
								 headroom + prefixes[0].n + prefixes[1].n, 0);
	return status == RIBBON_OK ?
		ribbon_bytes_finish(env, bytes, headroom, prefixes, 2) :
		status;
}

/*
 * Build a filter, or head and plane 0 of a map, of sorted, distinct hashes or
 * records.
 */
static RibbonStatus
build_first(const RibbonEnv *env, const RibbonParams *params,
			const RibbonSet *hashes, const RibbonSupply *supply,
			const RibbonRoom *room, RibbonBytes *bytes)
{
	RibbonParams chosen = *params;
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);
	bool checked = columns.bits > 0;

	if (supply != NULL)
		columns.bits += supply->value_bits;
	if (hashes->n == 0 || columns.bits == 0)
		return build_bare(env, params, hashes->n, checked, room->head, bytes);
	if (supply != NULL)
		chosen.width = ribbon_params_width(params->width, RIBBON_IN_MAP,
										   columns, hashes->n);
	else
		ribbon_params_choose(&chosen, hashes->n);
	if (chosen.kind == RIBBON_HOMOGENEOUS)
		return ribbon_homog_build(env, &chosen, hashes, room->head, bytes);
	return ribbon_burr_build(env, &chosen, hashes, supply, room, bytes);
}

/* Build a filter, likewise. */
static RibbonStatus
build_filter(const RibbonEnv *env, const RibbonParams *params,
			 const RibbonSet *hashes, size_t headroom, RibbonBytes *bytes)
{
	RibbonRoom room = {.head = headroom, .has_head = true};

	return build_first(env, params, hashes, NULL, &room, bytes);
}

/* Build a map with plain codes: plane 1, if there is one, then the rest. */
static RibbonStatus
build_plain(const RibbonEnv *env, const RibbonParams *params,
			const RibbonSet *records, size_t headroom, RibbonBytes *bytes)
{
	RibbonSupply supplies[RIBBON_MAX_PLANES];
	RibbonRoom room = {.head = headroom, .has_head = true};
	RibbonBytes second = {.buffer = NULL};
	RibbonStatus status = RIBBON_OK;

	divide_value(params, supplies);
	if (supplies[1].value_bits > 0 && records->n > 0)
	{
		RibbonResultBits columns = {supplies[1].value_bits, 0};
		RibbonRoom none = {.head = 0};
		RibbonParams plane = *params;

		plane.fpr = 1;
		plane.width = ribbon_params_width(params->width, RIBBON_IN_MAP, columns,
										  records->n);
		status = ribbon_burr_build(env, &plane, records, &supplies[1], &none,
								   &second);
		room.tail = second.end - second.begin;
	}
	if (status == RIBBON_OK)
		status = build_first(env, params, records, &supplies[0], &room, bytes);
	if (status == RIBBON_OK && second.buffer != NULL)
		return ribbon_bytes_add(env, bytes, &second);
	ribbon_free(env, second.buffer);
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

	ribbon_plane_init_empty(&plane, params->key_class);
	plane.nkeys = nkeys;
	plane.check.bits = check.bits;
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
	return ribbon_size_of_plane(params->width, RIBBON_IN_MAP, columns, nkeys) +
		ribbon_size_of_plane(params->width, RIBBON_IN_MAP, second, nkeys);
}

/*
 * Build a map with codes by frequency, if its coding asks for it or it is
 * expected to be smaller so; else *bytes stays empty.
 */
static RibbonStatus
build_coded(const RibbonEnv *env, const RibbonParams *params,
			const RibbonSet *records, size_t headroom, RibbonBytes *bytes)
{
	const RibbonValues *values = params->values;
	bool decided = values->coding == RIBBON_CODE_ENTROPY;
	RibbonHistogram histogram;
	RibbonCodebook book = {0};
	uint64_t expected = 0;
	RibbonStatus status;

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
										 headroom, bytes);
	}
	ribbon_codebook_free(env, &book);
	ribbon_histogram_free(env, &histogram);
	return status;
}

/*
 * Build a map of sorted, distinct records.  Where it is not certain that a map
 * with codes by frequency is the smaller one, both are built.
 */
static RibbonStatus
build_map(const RibbonEnv *env, const RibbonParams *params,
		  const RibbonSet *records, size_t headroom, RibbonBytes *bytes)
{
	RibbonCoding coding = params->values->coding;
	RibbonBytes coded = {.buffer = NULL};
	RibbonStatus status = RIBBON_OK;

	if (coding != RIBBON_CODE_PLAIN)
		status = build_coded(env, params, records, headroom, &coded);
	if (status != RIBBON_OK)
		return status;
	if (coded.buffer != NULL &&
		(coding == RIBBON_CODE_ENTROPY ||
		 coded.end - headroom <= least_plain_bytes(params, records->n)))
	{
		*bytes = coded;
		return RIBBON_OK;
	}
	status = build_plain(env, params, records, headroom, bytes);
	if (coded.buffer != NULL && coded.end < bytes->end)
	{
		ribbon_free(env, bytes->buffer);
		*bytes = coded;
	}
	else
		ribbon_free(env, coded.buffer);
	return status;
}

RibbonStatus
ribbon_build(const RibbonEnv *env, const RibbonParams *params, RibbonSet *set,
			 size_t headroom, uint8_t **buffer, size_t *nbytes)
{
	RibbonStatus status = ribbon_params_check(params);
	RibbonBytes bytes = {.buffer = NULL};
	RibbonSet loaded = {.n = 0};
	const RibbonSet *keys = set;

	if (status == RIBBON_OK && set->kind != ribbon_params_elements(params))
		status = RIBBON_BAD_PARAMS;
	if (status == RIBBON_OK)
		status = ribbon_set_seal(set);
	if (status == RIBBON_OK && set->n > RIBBON_MAX_KEYS)
		status = RIBBON_OUT_OF_MEMORY;
	if (status == RIBBON_OK && set->file != NULL &&
		set->n <= RIBBON_SET_IN_MEMORY)
	{
		status = ribbon_set_load(env, set, &loaded);
		keys = &loaded;
	}
	if (status == RIBBON_OK)
		status = (params->kind == RIBBON_EXACT ? ribbon_exact_build :
					  params->values == NULL   ? build_filter :
												 build_map)(env, params, keys,
														  headroom, &bytes);
	ribbon_set_close(&loaded);
	if (status == RIBBON_OK)
	{
		*buffer = bytes.buffer;
		*nbytes = bytes.end - bytes.begin;
	}
	else
		ribbon_bytes_discard(env, &bytes);
	return status;
}
