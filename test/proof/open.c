/*
 * open.c - prove that what is opened of a value are bytes of it (probe/open.c)
 */
#include "probe/open.c"

#include "loads.h"

static RibbonFilter filter;
static RibbonOpened opened, second;

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
any_prepare(RibbonOpened *its, bool gives_values)
{
	(void) gives_values;
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
	opened.plane.nkeys = nondet_uint64();
	opened.plane.check.bits = nondet_unsigned();
	assume(at <= filter.total_bytes);
	if (open_plane(input, &filter, &at, (RibbonBodyStart){.layered = false},
				   &opened) == RIBBON_OK)
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

/* ribbon_format_decode_head, with codes by frequency or without */
RibbonStatus
any_head(const uint8_t *bytes, size_t nheader, uint64_t nbytes,
		 RibbonFilter *its, RibbonPlane *plane, RibbonBodies *bodies,
		 uint64_t *end)
{
	prove(nheader >= 1 && nheader <= nbytes && __CPROVER_r_ok(bytes, nheader));
	its->total_bytes = nbytes;
	its->ndictionary = nondet_uint64();
	its->dictionary_at = nondet_uint64();
	plane->check.bits = nondet_unsigned();
	plane->nkeys = nondet_uint64();
	bodies->second_keys = nondet_uint64();
	bodies->codes.nlevels = nondet_unsigned();
	bodies->codes.table_at = nondet_uint64();
	table_bytes = nondet_uint64();
	*end = nondet_uint64();
	assume(*end <= nbytes && its->dictionary_at <= *end &&
		   its->ndictionary <= *end - its->dictionary_at);
	assume(bodies->codes.nlevels == 0 ||
		   (bodies->codes.table_at <= *end &&
			table_bytes <= *end - bodies->codes.table_at));
	return nondet_bool() ? RIBBON_OK : RIBBON_CORRUPT;
}

/* open_coded: all that it needs is a place in the value, and a table */
RibbonStatus
any_open_coded(Input *input, uint64_t at, const RibbonBodies *bodies,
			   RibbonFilter *its)
{
	prove(its == &filter && at <= filter.total_bytes);
	prove(bodies->codes.nlevels > 0);
	prove(bodies->codes.table_at <= at &&
		  table_bytes <= at - bodies->codes.table_at);
	prove(input->whole == NULL ||
		  __CPROVER_r_ok(input->whole, filter.total_bytes));
	return nondet_bool() ? RIBBON_OK : RIBBON_CORRUPT;
}

/* begin_next, behind the first plane: there is room for two */
RibbonOpened *
any_next(RibbonOpened *before, uint64_t nkeys, unsigned value_bits)
{
	prove(before == (RibbonOpened *) filter.inside.opened);
	second.plane.nkeys = nkeys;
	second.plane.check.bits = 0;
	second.plane.value_bits = value_bits;
	return &second;
}

void
any_filter_prepared(RibbonFilter *its)
{
	prove(its == &filter);
}

/*
 * PROVE	ribbon_open, open_input, open_planes
 * FOR		values of up to 2^32 bytes
 * UNWIND	1
 * REPLACE	ribbon_format_decode_head:any_head
 *			ribbon_format_decode_body:any_body ribbon_prepare:any_prepare
 *			ribbon_place_systems:any_places ribbon_place_bytes:any_bytes_placed
 *			begin_next:any_next ribbon_filter_prepare:any_filter_prepared
 *			open_coded:any_open_coded
 */
void
prove_open(void)
{
	uint64_t nbytes = nondet_uint64();
	const uint8_t *bytes = malloc(nbytes);

	assume(bytes != NULL && nbytes <= UINT32_MAX);
	if (ribbon_open(bytes, nbytes, &filter) != RIBBON_OK)
		return;
	prove(filter.bytes == bytes);
	prove(filter.ndictionary == 0 ||
		  __CPROVER_r_ok(filter.dictionary, filter.ndictionary));
}

/* The first slice comes before filter.total_bytes is known. */
static uint64_t value_bytes;

static const uint8_t *
fetch_slice(void *arg, uint64_t at, size_t size)
{
	filter.total_bytes = value_bytes;
	return fetch_of_value(arg, at, size);
}

/*
 * PROVE	ribbon_open_sliced, open_input, open_planes
 * FOR		values of up to 2^63 bytes
 * UNWIND	1
 * REPLACE	ribbon_format_decode_head:any_head
 *			ribbon_format_decode_body:any_body ribbon_prepare:any_prepare
 *			ribbon_place_systems:any_places ribbon_place_bytes:any_bytes_placed
 *			begin_next:any_next ribbon_filter_prepare:any_filter_prepared
 *			open_coded:any_open_coded
 */
void
prove_open_sliced(void)
{
	value_bytes = nondet_uint64();
	assume(value_bytes <= INT64_MAX);
	if (ribbon_open_sliced(value_bytes, fetch_slice, NULL, &filter) ==
		RIBBON_OK)
		prove(filter.total_bytes == value_bytes && filter.fetch == fetch_slice);
}

/* ribbon_plane_init_empty */
void
any_begun(RibbonPlane *plane)
{
	prove(__CPROVER_w_ok(plane, sizeof(*plane)));
}

/* Where a plane begins, at most, behind others of this weight and the codes. */
static size_t
farthest(unsigned weight)
{
	return weight * RIBBON_WEIGHT_BYTES + sizeof(RibbonCodes);
}

/*
 * PROVE	begin_next: a plane begins where there is room, behind others of no
 *			more than the greatest weight, and no farther than they weigh
 * FOR		planes of any number of systems, and codes
 * UNWIND	1
 * REPLACE	ribbon_plane_init_empty:any_begun
 */
void
prove_begin_next(void)
{
	size_t at = nondet_size();
	unsigned weight = nondet_unsigned(); /* of planes before */
	RibbonOpened *before, *next;

	assume(weight <= RIBBON_MAX_WEIGHT && at <= farthest(weight) / 8);
	before = (RibbonOpened *) (filter.inside.opened + at);
	assume(before->plane.nlayers <= RIBBON_MAX_LAYERS &&
		   before->plane.nzones[0] <= RIBBON_MAX_ZONES &&
		   before->plane.nzones[1] <= RIBBON_MAX_ZONES);
	assume(before->codes == 0 || at == 0);
	weight += ribbon_codes_weight(&before->plane);
	assume(weight <= RIBBON_MAX_WEIGHT);
	next = begin_next(before, nondet_uint64(), nondet_unsigned());
	prove((size_t) ((char *) next - (char *) filter.inside.opened) <=
		  farthest(weight));
}

/*
 * PROVE	place_behind: there is room for codes behind the first plane
 * FOR		planes of any number of systems
 * UNWIND	1
 */
void
prove_codes_placed(void)
{
	RibbonOpened *opened = (RibbonOpened *) filter.inside.opened;
	RibbonPlane *first = &opened->plane;
	size_t nbytes;

	first->nlayers = nondet_unsigned();
	first->nzones[0] = nondet_unsigned();
	first->nzones[1] = nondet_unsigned();
	assume(first->nlayers <= RIBBON_MAX_LAYERS);
	assume(first->nzones[0] <= RIBBON_MAX_ZONES &&
		   first->nzones[1] <= RIBBON_MAX_ZONES);
	nbytes = (size_t) ((const char *) place_behind(opened) -
					   (const char *) filter.inside.opened);
	prove(nbytes % _Alignof(RibbonCodes) == 0);
	prove(nbytes <= sizeof(filter.inside.opened) - sizeof(RibbonCodes));
}
