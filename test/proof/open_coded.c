/*
 * open_coded.c - prove that of a map whose codes are by frequency all planes
 * are opened, and the table, within its bytes (probe/open.c)
 */
#include "probe/open.c"

#include "heads.h"

#include <stdlib.h>

_Static_assert(offsetof(RibbonFilter, inside.opened) % _Alignof(RibbonOpened) ==
				   0,
			   "the first plane is not where the opened filter begins");

/*
 * An opened map, up to its codes.  These are behind as many systems as a plane
 * may have.  (Any other place will do as well: prove_codes_placed.)
 */
static struct
{
	uint8_t head[offsetof(RibbonFilter, inside.opened)];
	RibbonOpened first;
	RibbonCodes codes;
} map;

/* All other planes stand for the one that was begun last. */
static RibbonOpened other;
static unsigned nopened; /* planes, so far */
static unsigned weight;	 /* of those behind which one has been begun */

static RibbonFilter *
map_filter(void)
{
	return (RibbonFilter *) &map;
}

static RibbonOpened *
opened_last(void)
{
	return nopened == 1 ? &map.first : &other;
}

/* place_behind, as proved above */
void *
any_place_behind(const RibbonOpened *its)
{
	prove(its == &map.first && nopened == 1);
	return &map.codes;
}

/* open_header */
RibbonStatus
any_header(Input *input, const RibbonFilter *its, uint64_t *at,
		   RibbonBodyStart start, RibbonPlane *plane)
{
	uint64_t nbytes = nondet_uint64();

	(void) input;
	prove(its == map_filter() && *at <= map_filter()->total_bytes);
	prove(plane == (nopened == 0 ? &map.first.plane : &other.plane));
	prove((start.role == RIBBON_ROLE_LEVEL ||
		   start.role == RIBBON_ROLE_FRONT) == (nopened > 0));
	assume(nbytes <= map_filter()->total_bytes - *at);
	plane->nlayers = nondet_unsigned();
	plane->nzones[0] = nondet_unsigned();
	assume(plane->nlayers <= RIBBON_MAX_LAYERS &&
		   plane->nzones[0] <= RIBBON_MAX_ZONES);
	*at += nbytes;
	nopened++;
	return nondet_bool() ? RIBBON_OK : RIBBON_CORRUPT;
}

/* begin_next */
RibbonOpened *
any_begun_next(RibbonOpened *before, uint64_t nkeys, unsigned value_bits)
{
	(void) nkeys;
	weight += ribbon_codes_weight(&before->plane);
	prove(weight <= RIBBON_MAX_WEIGHT && before == opened_last());
	prove(value_bits <= RIBBON_LONGEST_CODE);
	prove(value_bits > 0 || (map.codes.front && nopened == 1));
	return &other;
}

/* Codes as ribbon_codes_read leaves them. */
static void
codes_of_head(RibbonCodes *its)
{
	RibbonCodes any;

	*its = any;
	its->front = nondet_bool();
	assume(codes_contract(its));
	for (unsigned i = 1; i < RIBBON_MAX_LEVELS; i++)
		assume(i >= its->nlevels ||
			   (its->levels[i].length > its->levels[i - 1].length &&
				its->levels[i].length <= RIBBON_LONGEST_CODE));
}

/*
 * PROVE	open_headers, open_next: a header is decoded for each plane, where
 *			the one before has ended, and each level's bits are those of a code
 * FOR		codes of up to 32 bits, all of their levels
 * UNWIND	34
 * REPLACE	open_header:any_header begin_next:any_begun_next
 *			place_behind:any_place_behind
 */
void
prove_open_headers(void)
{
	Input input;
	uint64_t at = nondet_uint64();
	static RibbonBodies bodies;

	map_filter()->total_bytes = nondet_uint64();
	assume(at <= map_filter()->total_bytes);
	codes_of_head(&bodies.codes);
	if (open_headers(&input, &at, &bodies, map_filter()) != RIBBON_OK)
		return;
	prove(at <= map_filter()->total_bytes);
	prove(nopened == bodies.codes.nlevels + bodies.codes.front);
	prove(map.codes.nlevels == bodies.codes.nlevels);
}

/* ribbon_opened_next: there is one for each header but the first */
static RibbonOpened behind[2];

const RibbonOpened *
any_plane_behind(const RibbonOpened *its)
{
	prove(its == &map.first || its == &behind[0]);
	nopened++;
	return nopened >= map.codes.nlevels + map.codes.front ? NULL :
		its == &map.first								  ? &behind[0] :
															&behind[1];
}

/*
 * PROVE	do_keys_agree: a filter in front has a level behind it
 * FOR		codes of up to 32 bits
 * UNWIND	34
 * REPLACE	ribbon_opened_next:any_plane_behind
 */
void
prove_keys_agree(void)
{
	codes_of_head(&map.codes);
	do_keys_agree(&map.codes, &map.first);
}

/* open_headers, as proved above */
RibbonStatus
any_headers(Input *input, uint64_t *at, const RibbonBodies *bodies,
			RibbonFilter *its)
{
	uint64_t nbytes = nondet_uint64();

	(void) input;
	prove(its == map_filter() && *at <= map_filter()->total_bytes);
	map.first.codes = 0; /* as decode_head has left it */
	if (nondet_bool())
		return RIBBON_CORRUPT;
	assume(nbytes <= map_filter()->total_bytes - *at);
	*at += nbytes;
	map.first.codes = sizeof(RibbonOpened);
	map.codes.table_at = bodies->codes.table_at;
	nopened = 0;
	return RIBBON_OK;
}

bool
any_agreement(const RibbonCodes *its, const RibbonOpened *first)
{
	prove(first == &map.first && its == &map.codes);
	return nondet_bool();
}

/* open_bytes: of each plane in turn */
RibbonStatus
any_bytes_opened(const Input *input, const RibbonFilter *its, uint64_t *at,
				 RibbonOpened *opened)
{
	uint64_t nbytes = nondet_uint64();

	(void) input;
	prove(its == map_filter() && *at <= map_filter()->total_bytes);
	prove(opened == (nopened == 0 ? &map.first : &other));
	prove(opened->plane.header_bytes == 0);
	assume(nbytes <= map_filter()->total_bytes - *at);
	*at += nbytes;
	nopened++;
	opened->next = nopened <= RIBBON_MAX_LEVELS ? nondet_unsigned() : 0;
	return nondet_bool() ? RIBBON_OK : RIBBON_CORRUPT;
}

/* ribbon_opened_next */
const RibbonOpened *
any_opened_behind(const RibbonOpened *its)
{
	prove(its == opened_last());
	return its->next == 0 ? NULL : &other;
}

/*
 * PROVE	open_coded: the bytes of all planes, and the table
 * FOR		values of up to 2^32 bytes, of up to 34 planes
 * UNWIND	36
 * REPLACE	open_headers:any_headers do_keys_agree:any_agreement
 *			open_bytes:any_bytes_opened ribbon_opened_next:any_opened_behind
 */
void
prove_open_coded(void)
{
	static RibbonBodies bodies;
	uint64_t nbytes = nondet_uint64();
	uint64_t at = nondet_uint64();
	const uint8_t *bytes = malloc(nbytes);
	Input input = {.whole = nondet_bool() ? bytes : NULL};

	assume(bytes != NULL && nbytes >= 1 && nbytes <= UINT32_MAX);
	map_filter()->total_bytes = nbytes;
	bodies.codes.table_at = nondet_uint64();
	table_bytes = nondet_uint64();
	assume(at <= nbytes && bodies.codes.table_at <= at &&
		   table_bytes <= at - bodies.codes.table_at);
	if (open_coded(&input, at, &bodies, map_filter()) != RIBBON_OK ||
		input.whole == NULL)
		return;
	prove(table_bytes == 0 || __CPROVER_r_ok(map.codes.table, table_bytes));
}
