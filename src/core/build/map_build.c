/*
 * map_build.c - from any array of records to a map
 *
 * A map is its own header, a dictionary if there is one, and one or two planes.
 * A plane is built as a filter is (burr.c), of records instead of hashes.
 * Plane 1, which is the smaller one as a rule, is built first.  The buffer of
 * plane 0 becomes that of the map, since it has room for the rest.
 *
 *----------
 *	 |headroom| header, dictionary |plane 0| plane 1 |
 *	 <-- headroom of plane 0 ------>        <tailroom>
 *----------
 */
#include "base/sort.h"
#include "build/burr.h"
#include "build/output.h"
#include "build/params.h"
#include "format/format.h"
#include "format/map.h"

/* That there is one tells records from hashes; a plane's own replaces it. */
static const RibbonSupply any_supply;

RibbonStatus
ribbon_map_params_check(const RibbonMapParams *params)
{
	RibbonParams plane = {RIBBON_BURR, params->width, params->fpr,
						  params->key_class};

	if (params->value_bits > RIBBON_MAX_VALUE_BITS || params->value_class > 255)
		return RIBBON_BAD_PARAMS;
	if ((params->dictionary == NULL) != (params->ndictionary == 0))
		return RIBBON_BAD_PARAMS;
	if (params->fpr == 1)
		plane.fpr = RIBBON_MAX_FPR;
	return ribbon_params_check(&plane);
}

RibbonStatus
ribbon_map_distinct(const RibbonEnv *env, uint64_t *records, size_t *nrecords,
					uint64_t conflict[4])
{
	size_t ndistinct;
	RibbonStatus status = ribbon_sort_distinct_records(env, records, *nrecords,
													   &ndistinct);

	if (status != RIBBON_OK || ndistinct == *nrecords)
		return status;
	status = ribbon_sort_records(env, records, *nrecords);
	if (status == RIBBON_OK)
		status = ribbon_sort_unique_records(env, records, nrecords, conflict);
	return status;
}

double
ribbon_map_least_bytes(const RibbonMapParams *params, uint64_t nkeys)
{
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);

	columns.bits += params->value_bits;
	return (double) nkeys * ribbon_result_bits_mean(columns) / 8;
}

/* What planes 0 and 1 store of each value; plane 1 perhaps no bits. */
static void
divide_value(const RibbonMapParams *params,
			 RibbonSupply supplies[RIBBON_MAP_PLANES])
{
	RibbonResultBits check = ribbon_params_check_bits(params->fpr);
	unsigned low = ribbon_map_low_bits(params->value_bits, check.bits,
									   check.wide);

	supplies[0] = (RibbonSupply){.check_bits = check.bits,
								 .value_bits = low,
								 .base = (uint64_t) params->base,
								 .code = params->code,
								 .code_arg = params->code_arg};
	supplies[1] = supplies[0];
	supplies[1].check_bits = 0;
	supplies[1].value_bits = params->value_bits - low;
	supplies[1].shift = low;
}

/*
 * Build the plane that records, sorted and distinct, have a supply for.  If the
 * records are owned, they are freed.  headroom, tailroom, *bytes and *nbytes
 * are those of ribbon_burr_build.
 */
static RibbonStatus
build_plane(const RibbonEnv *env, const RibbonMapParams *params,
			RibbonHashes *records, size_t headroom, size_t tailroom,
			uint8_t **bytes, size_t *nbytes)
{
	bool checked = records->supply->check_bits > 0;
	RibbonParams plane = {RIBBON_BURR, params->width, checked ? params->fpr : 1,
						  params->key_class};
	RibbonResultBits columns = ribbon_params_check_bits(plane.fpr);

	columns.bits += records->supply->value_bits;
	if (records->n == 0 || columns.bits == 0)
	{
		RibbonFilter filter;

		ribbon_format_init_empty(&filter, params->key_class);
		filter.nkeys = records->n;
		if (records->n > 0)
			filter.result_bits = 0;
		ribbon_hashes_free(env, records);
		return ribbon_output_header(env, &filter, headroom, tailroom, bytes,
									nbytes);
	}
	if (plane.width == RIBBON_DEFAULT_WIDTH)
		plane.width = ribbon_params_map_width(columns, records->n);
	return ribbon_burr_build(env, &plane, records, headroom, tailroom, bytes,
							 nbytes);
}

/* Build plane 1, of records that stay, if there is one; else *nbytes is 0. */
static RibbonStatus
build_plane_1(const RibbonEnv *env, const RibbonMapParams *params,
			  const RibbonHashes *records, const RibbonSupply *supply,
			  uint8_t **bytes, size_t *nbytes)
{
	RibbonHashes lent = *records;

	*bytes = NULL;
	*nbytes = 0;
	if (supply->value_bits == 0 || records->n == 0)
		return RIBBON_OK;
	lent.owned = false;
	lent.supply = supply;
	return build_plane(env, params, &lent, 0, 0, bytes, nbytes);
}

/* Put all that is not plane 0 before and behind it. */
static RibbonStatus
put_together(const RibbonEnv *env, const RibbonMapParams *params,
			 const uint8_t *header, size_t nheader, uint8_t *plane_0,
			 size_t nplane_0, const uint8_t *plane_1, size_t nplane_1)
{
	uint8_t *bytes = plane_0 - params->ndictionary - nheader;
	RibbonStatus status = RIBBON_OK;

	memcpy(bytes, header, nheader);
	if (params->ndictionary > 0)
		status = ribbon_copy(env, bytes + nheader, params->dictionary,
							 params->ndictionary);
	if (status == RIBBON_OK && nplane_1 > 0)
		status = ribbon_copy(env, plane_0 + nplane_0, plane_1, nplane_1);
	return status;
}

/* Build a map of sorted, distinct records, which are freed if owned. */
static RibbonStatus
build(const RibbonEnv *env, const RibbonMapParams *params,
	  RibbonHashes *records, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonSupply supplies[RIBBON_MAP_PLANES];
	uint8_t header[RIBBON_MAP_HEADER];
	size_t nheader = ribbon_map_format_encode(params, header);
	size_t front = nheader + params->ndictionary;
	uint8_t *plane_1;
	size_t nplane_1;
	RibbonStatus status;

	if (records->n > RIBBON_MAX_KEYS)
		return RIBBON_OUT_OF_MEMORY;
	divide_value(params, supplies);
	status = build_plane_1(env, params, records, &supplies[1], &plane_1,
						   &nplane_1);
	if (status != RIBBON_OK)
		return status;
	records->supply = &supplies[0];
	status = build_plane(env, params, records, headroom + front, nplane_1,
						 bytes, nbytes);
	if (status == RIBBON_OK)
	{
		status = put_together(env, params, header, nheader,
							  *bytes + headroom + front, *nbytes, plane_1,
							  nplane_1);
		*nbytes += front + nplane_1;
		if (status != RIBBON_OK)
			ribbon_free(env, *bytes);
	}
	ribbon_free(env, plane_1);
	return status;
}

RibbonStatus
ribbon_map_build(const RibbonEnv *env, const RibbonMapParams *params,
				 uint64_t *records, size_t nrecords, size_t headroom,
				 uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = ribbon_map_params_check(params);
	uint64_t conflict[4];
	RibbonHashes set;

	if (status == RIBBON_OK)
		status = ribbon_map_distinct(env, records, &nrecords, conflict);
	if (status != RIBBON_OK)
		return status;
	set = ribbon_hashes_of_array(records, nrecords, &any_supply);
	return build(env, params, &set, headroom, bytes, nbytes);
}

RibbonStatus
ribbon_map_build_stored(const RibbonEnv *env, const RibbonMapParams *params,
						RibbonStore *store, uint64_t nrecords, size_t headroom,
						uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = ribbon_map_params_check(params);
	RibbonHashes set = ribbon_hashes_of_store(store, nrecords, &any_supply);

	if (status != RIBBON_OK)
		return status;
	if (nrecords <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, &set);
	if (status == RIBBON_OK)
		status = build(env, params, &set, headroom, bytes, nbytes);
	ribbon_hashes_free(env, &set);
	return status;
}
