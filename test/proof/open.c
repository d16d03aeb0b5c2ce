/*
 * open.c - prove that what is opened of a value are bytes of it (probe/open.c)
 */
#include "probe/open.c"

#include "loads.h"

static RibbonFilter filter;
static RibbonPlan plan;

/* ribbon_format_decode_body, of any result */
RibbonStatus
any_body(const uint8_t *bytes, size_t nheader, RibbonBodyStart start,
		 RibbonPlane *plane)
{
	(void) start;
	prove(nheader <= RIBBON_MAX_HEADER);
	prove(nheader == 0 || __CPROVER_r_ok(bytes, nheader));
	plane->header_bytes = nondet_size();
	assume(plane->header_bytes <= nheader);
	return nondet_bool() ? RIBBON_OK : RIBBON_CORRUPT;
}

/* ribbon_place_systems, ribbon_place_bytes */
void
any_places(RibbonPlane *plane)
{
	plane->total_bytes = nondet_uint64();
}

void
any_bytes_placed(RibbonPlane *plane, const uint8_t *bytes)
{
	prove(plane->total_bytes == 0 || __CPROVER_r_ok(bytes, plane->total_bytes));
}

void
any_prepare(RibbonPlan *its, bool is_map)
{
	(void) is_map;
	prove(its->plane.at <= filter.total_bytes &&
		  its->plane.total_bytes <= filter.total_bytes - its->plane.at);
}

static const uint8_t *
fetch_of_value(void *arg, uint64_t at, size_t size)
{
	const uint8_t *bytes = malloc(size);

	(void) arg;
	prove(size >= 1 && size <= RIBBON_MAX_SLICE);
	prove(at <= filter.total_bytes && size <= filter.total_bytes - at);
	assume(bytes != NULL);
	return bytes;
}

/* The plane at any place of a value, whose first slice may be there still. */
static void
open_any(Input *input)
{
	uint64_t at = nondet_uint64();

	input->nfirst = nondet_bool() ?
		(size_t) ribbon_min64(filter.total_bytes, RIBBON_MAX_SLICE) :
		0;
	plan.plane.nkeys = nondet_uint64();
	plan.plane.check.bits = nondet_unsigned();
	assume(at <= filter.total_bytes);
	if (open_plane(input, &filter, &at, (RibbonBodyStart){.layered = false},
				   &plan) == RIBBON_OK)
		prove(at <= filter.total_bytes);
}

/*
 * PROVE	open_plane, open_header, open_bytes
 * FOR		values of up to 2^32 bytes
 * UNWIND	1
 * REPLACE	ribbon_format_decode_body:any_body ribbon_prepare:any_prepare
 *			ribbon_place_systems:any_places ribbon_place_bytes:any_bytes_placed
 */
void
prove_open_plane(void)
{
	uint64_t nbytes = nondet_uint64();
	const uint8_t *bytes = malloc(nbytes);
	Input input = {.fetch = fetch_from_memory,
				   .arg = &bytes,
				   .first = bytes,
				   .whole = bytes};

	assume(bytes != NULL && nbytes >= 1 && nbytes <= UINT32_MAX);
	filter.total_bytes = nbytes;
	open_any(&input);
}

/*
 * PROVE	open_plane, open_header, open_bytes, in slices
 * FOR		values of up to 2^63 bytes
 * UNWIND	1
 * REPLACE	ribbon_format_decode_body:any_body ribbon_prepare:any_prepare
 *			ribbon_place_systems:any_places ribbon_place_bytes:any_bytes_placed
 */
void
prove_open_slices(void)
{
	Input input = {.fetch = fetch_of_value};
	uint8_t first[RIBBON_MAX_SLICE];

	input.first = first;
	filter.total_bytes = nondet_uint64();
	assume(filter.total_bytes >= 1 && filter.total_bytes <= INT64_MAX);
	open_any(&input);
}
