/*
 * build.c - from a set of hashes or records to a filter of the kind asked for,
 * an exact set, or a map
 *
 * A filter is one plane.  A map is one or two, which are built as filters are,
 * of records instead of hashes; or it has a plane for each level of codes
 * (levels.c).
 */
#include "compose/build.h"

#include "base/power.h"
#include "keys/classes.h"
#include "set/derive.h"
#include "values/civil.h"

RibbonStatus
ribbon_params_check(const RibbonParams *params)
{
	const RibbonValues *values = params->values;
	bool exact = params->kind == RIBBON_EXACT;

	if ((unsigned) params->kind > RIBBON_EXACT ||
		(params->has_as_of &&
		 (!exact || !ribbon_civil_is_timestamp(params->as_of))))
		return RIBBON_BAD_PARAMS;
	if (params->width != RIBBON_DEFAULT_WIDTH && params->width != 32 &&
		params->width != 64 && params->width != 128)
		return RIBBON_BAD_PARAMS;
	if (!ribbon_key_class_is_valid(params->key_class))
		return RIBBON_BAD_PARAMS;
	if (values != NULL &&
		(params->kind != RIBBON_BURR || values->bits > RIBBON_MAX_VALUE_BITS ||
		 values->value_class > RIBBON_MAX_VALUE_CLASS ||
		 values->coding > RIBBON_CODING_AUTO ||
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
	RibbonResultBits columns = ribbon_result_bits_for(params->fpr);

	if (params->values != NULL)
		columns.bits += params->values->bits;
	return (double) nkeys * ribbon_result_bits_mean(columns) / 8;
}

/* Which bits of each value planes 0 and 1 store; plane 1 may have none. */
static void
divide_value(const RibbonBuild *build,
			 RibbonSupply supplies[RIBBON_PLAIN_PLANES])
{
	const RibbonValues *values = build->params->values;
	unsigned low = ribbon_format_value_bits(values->bits, build->check);

	supplies[0] = supplies[1] = ribbon_supply_of_map(values);
	supplies[0].check_bits = build->check.bits;
	supplies[0].value_bits = low;
	supplies[1].value_bits -= low;
	supplies[1].shift = low;
}

/* What plane 0 or 1 of a map is expected to take if codes are plain. */
static uint64_t
expected_plane(const RibbonBuild *build, uint64_t nkeys, unsigned which)
{
	RibbonSupply supplies[RIBBON_PLAIN_PLANES];
	RibbonPlaneParams plane = {.width = build->params->width,
							   .check = which == 0 ? build->check :
													 ribbon_no_check,
							   .in_map = true};

	divide_value(build, supplies);
	plane.value_bits = supplies[which].value_bits;
	return ribbon_size_of_plane(&plane, nkeys);
}

/* Build a filter, or a map with plain codes. */
static RibbonStatus
build_plain(const RibbonBuild *build, const RibbonSet *keys, RibbonBytes *bytes)
{
	RibbonSupply supplies[RIBBON_PLAIN_PLANES];
	const RibbonSupply *first = NULL;
	RibbonRoom room = {0, 0};
	bool two = false;
	RibbonAssembly assembly;
	RibbonStatus status;

	if (build->params->values != NULL)
	{
		divide_value(build, supplies);
		first = &supplies[0];
		two = supplies[1].value_bits > 0 && keys->n > 0;
	}
	if (two)
		room.behind = (size_t) expected_plane(build, keys->n, 1);
	ribbon_assembly_begin(&assembly, build, room);
	status = ribbon_assembly_add(&assembly, keys, first, build->check,
								 RIBBON_ROLE_FIRST);
	if (status == RIBBON_OK && two)
		status = ribbon_assembly_add(&assembly, keys, &supplies[1],
									 ribbon_no_check, RIBBON_ROLE_OWN_BYTE);
	if (status == RIBBON_OK)
		status = ribbon_assembly_finish(&assembly, NULL, NULL, bytes);
	ribbon_assembly_free(&assembly);
	return status;
}

/*
 * What is built with plain codes hardly ever takes less.  (The first header has
 * two bytes at least.  Wide keys may be fewer than on average, by what
 * RIBBON_NUDGE allows, and by four of their standard deviations.)
 */
static uint64_t
least_plain_bytes(const RibbonBuild *build, uint64_t nkeys)
{
	const RibbonParams *params = build->params;
	double n = (double) nkeys;
	double fewer = build->check.wide == 0 ?
		0 :
		n * RIBBON_NUDGE / RIBBON_SHARES + 2 * ribbon_exp2(ribbon_log2(n) / 2);
	RibbonPlane plane;
	uint8_t head[RIBBON_MAX_HEAD];

	ribbon_plane_init_empty(&plane);
	plane.nkeys = nkeys;
	plane.check.bits = build->check.bits;
	return ribbon_format_encode_head(&plane, params->key_class, params->values,
									 NULL, head) +
		params->values->ndictionary + 2 +
		(uint64_t) (ribbon_least_bytes(params, nkeys) - fewer / 8);
}

/*
 * Build a map with codes by frequency, if its coding asks for it or it is
 * expected to be smaller so; else *bytes stays empty.
 */
static RibbonStatus
build_coded(const RibbonBuild *build, const RibbonSet *records,
			RibbonBytes *bytes)
{
	const RibbonEnv *env = build->env;
	const RibbonValues *values = build->params->values;
	bool decided = values->coding == RIBBON_CODING_ENTROPY;
	RibbonHistogram histogram;
	RibbonCodebook book = {0};
	RibbonStatus status;

	if (values->bits == 0 || records->n < 2)
		return RIBBON_OK;
	status = ribbon_histogram_create(env, &histogram, values, records);
	if (status == RIBBON_OK && histogram.n > 1)
	{
		status = ribbon_codebook_create(env, &book, &histogram, records->n);
		if (status == RIBBON_OK)
			status = ribbon_codebook_choose(env, &book, build->params->width,
											build->check);
		if (status == RIBBON_OK &&
			(decided ||
			 book.expected.nbytes < expected_plane(build, records->n, 0) +
					 expected_plane(build, records->n, 1)))
			status = ribbon_levels_build(build, &book, records, bytes);
	}
	ribbon_codebook_free(env, &book);
	ribbon_histogram_free(env, &histogram);
	return status == RIBBON_TOO_MANY ? RIBBON_OK : status;
}

/*
 * Build a map of sorted, distinct records.  Where it is not certain that a map
 * with codes by frequency is the smaller one, both are built.
 */
static RibbonStatus
build_map(const RibbonBuild *build, const RibbonSet *records,
		  RibbonBytes *bytes)
{
	RibbonCoding coding = build->params->values->coding;
	RibbonBytes coded = {.buffer = NULL};
	RibbonStatus status = RIBBON_OK;

	if (coding != RIBBON_CODING_PLAIN)
		status = build_coded(build, records, &coded);
	if (status != RIBBON_OK)
		return status;
	if (coded.buffer != NULL &&
		(coding == RIBBON_CODING_ENTROPY ||
		 ribbon_bytes_size(&coded) <= least_plain_bytes(build, records->n)))
	{
		*bytes = coded;
		return RIBBON_OK;
	}
	status = build_plain(build, records, bytes);
	ribbon_bytes_keep_smaller(build->env, bytes, &coded);
	return status;
}

RibbonStatus
ribbon_build(const RibbonEnv *env, const RibbonParams *params, RibbonSet *set,
			 size_t headroom, uint8_t **buffer, size_t *nbytes)
{
	RibbonStatus status = ribbon_params_check(params);
	RibbonBuild build = {.env = env, .params = params, .headroom = headroom};
	RibbonBytes bytes = {.buffer = NULL};
	RibbonSet loaded = {.n = 0};
	const RibbonSet *keys = set;

	if (status == RIBBON_OK && set->kind != ribbon_params_elements(params))
		status = RIBBON_BAD_PARAMS;
	if (status == RIBBON_OK)
		status = ribbon_set_seal(set);
	if (status == RIBBON_OK && set->n > RIBBON_MAX_KEYS)
		status = RIBBON_OUT_OF_MEMORY;
	if (status == RIBBON_OK)
		build.check = ribbon_result_bits_for(params->fpr);
	if (status == RIBBON_OK && set->in_file && set->n <= RIBBON_SET_IN_MEMORY)
	{
		status = ribbon_set_load(env, set, &loaded);
		keys = &loaded;
	}
	if (status == RIBBON_OK)
		status = set->kind == RIBBON_HASHES ?
			build_plain(&build, keys, &bytes) :
			set->kind == RIBBON_MAP_RECORDS ?
			build_map(&build, keys, &bytes) :
			ribbon_exact_build(&build, keys, &bytes);
	ribbon_set_close(&loaded);
	if (status == RIBBON_OK)
	{
		*buffer = bytes.buffer;
		*nbytes = ribbon_bytes_size(&bytes);
	}
	else
		ribbon_bytes_discard(env, &bytes);
	return status;
}
