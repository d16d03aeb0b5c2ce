/*
 * open.c - decode the headers of a filter, and prepare it to be probed
 *
 * A filter has a head and then its planes, of which each has a header
 * (format/format.h).  Bytes may be in memory, or come in slices.
 */
#include "base/bits.h"
#include "format/format.h"
#include "format/place.h"
#include "probe/opened.h"

/* Where a filter's bytes come from. */
typedef struct Input
{
	RibbonFetch fetch;
	void *arg;
	const uint8_t *first; /* the filter's first nfirst bytes */
	size_t nfirst;
	const uint8_t *whole; /* NULL if they are not all in memory */
} Input;

_Static_assert(RIBBON_MAX_HEAD + RIBBON_MAX_HEADER <= RIBBON_MAX_SLICE,
			   "a slice has room for a head and a header");

/* nbytes of the filter from byte at on; a fetch makes input->first invalid. */
static const uint8_t *
read_bytes(Input *input, uint64_t at, size_t nbytes)
{
	if (at + nbytes <= input->nfirst)
		return input->first + at;
	input->nfirst = 0;
	return input->fetch(input->arg, at, nbytes);
}

/*
 * Decode the header at byte *at, which moves behind it, of a plane of which all
 * else is known.
 */
static RibbonStatus
open_header(Input *input, const RibbonFilter *filter, uint64_t *at,
			RibbonBodyStart start, RibbonPlane *plane)
{
	size_t nheader = (size_t) ribbon_min64(filter->total_bytes - *at,
										   RIBBON_MAX_HEADER);
	const uint8_t *header = input->first;
	RibbonStatus status;

	if (nheader == 0 && !ribbon_plane_is_bare(plane))
		return RIBBON_TRUNCATED;
	if (nheader > 0)
		header = read_bytes(input, *at, nheader);
	status = ribbon_format_decode_body(header, nheader, start, plane);
	if (status == RIBBON_OK)
		*at += plane->header_bytes;
	return status;
}

/*
 * Place the bytes of a plane whose header has been decoded, and choose how to
 * probe it.  They begin at byte *at, which moves behind them.
 */
static RibbonStatus
open_bytes(const Input *input, const RibbonFilter *filter, uint64_t *at,
		   RibbonOpened *opened)
{
	RibbonPlane *plane = &opened->plane;

	ribbon_place_systems(plane);
	if (plane->total_bytes > filter->total_bytes - *at)
		return RIBBON_TRUNCATED;
	plane->at = *at;
	if (input->whole != NULL)
		ribbon_place_bytes(plane, input->whole + *at);
	opened->fetch = filter->fetch;
	opened->fetch_arg = filter->fetch_arg;
	opened->inverted = filter->is_inverted;
	opened->masked = filter->has_rate;
	ribbon_prepare(opened, filter->has_values || plane->value_bits > 0);
	*at += plane->total_bytes;
	return RIBBON_OK;
}

/* The place behind a plane whose header has been decoded, and its codes. */
static void *
place_behind(const RibbonOpened *opened)
{
	return (char *) &opened->plane + ribbon_plane_size(&opened->plane) +
		(opened->codes > 0 ? sizeof(RibbonCodes) : 0);
}

/*
 * Begin the plane behind another one, which has value_bits, and nkeys keys.
 * There must be room for it.
 */
static RibbonOpened *
begin_next(RibbonOpened *before, uint64_t nkeys, unsigned value_bits)
{
	RibbonOpened *opened = place_behind(before);

	ribbon_clear(opened, offsetof(RibbonOpened, plane));
	ribbon_plane_init_empty(&opened->plane);
	opened->plane.nkeys = nkeys;
	opened->plane.check.bits = 0;
	opened->plane.value_bits = value_bits;
	before->next = (uint32_t) ((char *) opened - (char *) before);
	return opened;
}

/* Open the plane at byte *at, which moves behind it. */
static RibbonStatus
open_plane(Input *input, const RibbonFilter *filter, uint64_t *at,
		   RibbonBodyStart start, RibbonOpened *opened)
{
	uint64_t behind = *at; /* its header, which is the first of its bytes */
	RibbonStatus status = open_header(input, filter, &behind, start,
									  &opened->plane);

	return status == RIBBON_OK ? open_bytes(input, filter, at, opened) : status;
}

/* Open the one or two planes, of which the first begins at byte at. */
static RibbonStatus
open_planes(Input *input, uint64_t at, const RibbonBodies *bodies,
			RibbonFilter *filter)
{
	RibbonOpened *first = (RibbonOpened *) filter->inside.opened;
	RibbonStatus status = open_plane(input, filter, &at, bodies->first, first);

	if (status == RIBBON_OK && bodies->second_keys > 0)
		status = open_plane(input, filter, &at,
							(RibbonBodyStart){.role = RIBBON_ROLE_OWN_BYTE},
							begin_next(first, bodies->second_keys,
									   bodies->second_bits));
	if (status == RIBBON_OK && at != filter->total_bytes)
		status = RIBBON_CORRUPT;
	return status;
}

/*
 * Decode the header of the plane behind *last, which becomes that plane: a
 * level of codes, or the filter in front.
 */
static RibbonStatus
open_next(Input *input, RibbonFilter *filter, uint64_t *at, RibbonRole role,
		  unsigned value_bits, RibbonOpened **last)
{
	const RibbonPlane *before = &(*last)->plane;

	*last = begin_next(*last,
					   before->check.bits > 0 ? filter->nkeys : before->nkeys,
					   value_bits);
	return open_header(input, filter, at, (RibbonBodyStart){.role = role},
					   &(*last)->plane);
}

/*
 * Does the first level behind a filter have no fewer keys than that?  No level
 * has more than the one before, or it could not be read.
 */
static bool
do_keys_agree(const RibbonCodes *codes, const RibbonOpened *first)
{
	const RibbonOpened *front = ribbon_opened_next(first);

	return !codes->front ||
		ribbon_opened_next(front)->plane.nkeys >= front->plane.nkeys;
}

/* Decode all headers; *at moves from the first one to behind the last one. */
static RibbonStatus
open_headers(Input *input, uint64_t *at, const RibbonBodies *bodies,
			 RibbonFilter *filter)
{
	RibbonOpened *opened = (RibbonOpened *) filter->inside.opened;
	RibbonStatus status = open_header(input, filter, at, bodies->first,
									  &opened->plane);
	RibbonCodes *codes;
	unsigned weight = 0;

	if (status != RIBBON_OK)
		return status;
	codes = place_behind(opened);
	*codes = bodies->codes;
	opened->codes = (uint32_t) ((char *) codes - (char *) opened);
	/* the filter in front is where level 0 has no plane */
	for (unsigned i = codes->front ? 0 : 1;
		 i < codes->nlevels && status == RIBBON_OK; i++)
	{
		weight += ribbon_codes_weight(&opened->plane);
		status = weight > RIBBON_MAX_WEIGHT ?
			RIBBON_CORRUPT :
			open_next(input, filter, at,
					  i == 0 ? RIBBON_ROLE_FRONT : RIBBON_ROLE_LEVEL,
					  i == 0 ? 0 : ribbon_codes_level_bits(codes, i), &opened);
	}
	return status;
}

/*
 * Open the planes of codes.  All headers, the first one at byte at, are in
 * front of the other bytes of all planes.
 */
static RibbonStatus
open_coded(Input *input, uint64_t at, const RibbonBodies *bodies,
		   RibbonFilter *filter)
{
	RibbonOpened *opened = (RibbonOpened *) filter->inside.opened;
	uint64_t end = at;
	RibbonStatus status = open_headers(input, &end, bodies, filter);
	RibbonCodes *codes = (RibbonCodes *) ribbon_opened_codes(opened);

	if (status != RIBBON_OK)
		return status;
	codes->headers_at = at;
	codes->nheaders = (uint32_t) (end - at);
	if (!do_keys_agree(codes, opened))
		return RIBBON_CORRUPT;
	for (; opened != NULL && status == RIBBON_OK;
		 opened = (RibbonOpened *) ribbon_opened_next(opened))
	{
		opened->plane.header_bytes = 0; /* it is not among these bytes */
		status = open_bytes(input, filter, &end, opened);
	}
	if (status == RIBBON_OK && end != filter->total_bytes)
		status = RIBBON_CORRUPT;
	if (input->whole != NULL)
		codes->table = input->whole + codes->table_at;
	return status;
}

static RibbonStatus
open_input(Input *input, uint64_t nbytes, RibbonFilter *filter)
{
	RibbonOpened *opened = (RibbonOpened *) filter->inside.opened;
	RibbonBodies bodies;
	RibbonStatus status;
	uint64_t at;

	if (nbytes == 0)
		return RIBBON_TRUNCATED;
	input->nfirst = (size_t) ribbon_min64(nbytes, RIBBON_MAX_SLICE);
	input->first = input->fetch(input->arg, 0, input->nfirst);
	status = ribbon_format_decode_head(input->first, input->nfirst, nbytes,
									   filter, &opened->plane, &bodies, &at);
	ribbon_clear(opened, offsetof(RibbonOpened, plane));
	if (input->whole == NULL)
	{
		filter->fetch = input->fetch;
		filter->fetch_arg = input->arg;
	}
	if (status == RIBBON_OK)
		status = bodies.codes.nlevels > 0 ?
			open_coded(input, at, &bodies, filter) :
			open_planes(input, at, &bodies, filter);
	if (status == RIBBON_OK)
		ribbon_filter_prepare(filter);
	return status;
}

RibbonStatus
ribbon_open_sliced(uint64_t nbytes, RibbonFetch fetch, void *arg,
				   RibbonFilter *filter)
{
	Input input = {.fetch = fetch, .arg = arg};

	return open_input(&input, nbytes, filter);
}

static const uint8_t *
fetch_from_memory(void *arg, uint64_t at, size_t length)
{
	(void) length;
	return *(const uint8_t **) arg + at;
}

RibbonStatus
ribbon_open(const uint8_t *bytes, size_t nbytes, RibbonFilter *filter)
{
	Input input = {.fetch = fetch_from_memory, .arg = &bytes, .whole = bytes};
	RibbonStatus status = open_input(&input, nbytes, filter);

	if (status == RIBBON_OK)
	{
		filter->bytes = bytes;
		if (filter->ndictionary > 0)
			filter->dictionary = bytes + filter->dictionary_at;
	}
	return status;
}

size_t
ribbon_filter_size(const RibbonFilter *filter)
{
	const RibbonOpened *last = ribbon_opened(filter);

	while (last->next != 0)
		last = ribbon_opened_next(last);
	return (size_t) ((const char *) place_behind(last) - (const char *) filter);
}

unsigned
ribbon_filter_pieces(const RibbonFilter *filter,
					 RibbonPiece pieces[RIBBON_MAX_PIECES])
{
	const RibbonOpened *opened = ribbon_opened(filter);
	const RibbonOpened *second = ribbon_opened_next(opened);
	const RibbonCodes *codes = ribbon_opened_codes(opened);
	const RibbonPlane *first = &opened->plane;
	unsigned n = 1;

	pieces[0] = (RibbonPiece){0, filter->inside.head_bytes};
	if (codes != NULL)
	{
		pieces[n++] = (RibbonPiece){(size_t) codes->headers_at,
									codes->nheaders};
		return n;
	}
	if (first->at == filter->inside.head_bytes)
		pieces[0].size += first->header_bytes;
	else
		pieces[n++] = (RibbonPiece){(size_t) first->at, first->header_bytes};
	if (second != NULL)
		pieces[n++] = (RibbonPiece){(size_t) second->plane.at,
									second->plane.header_bytes};
	return n;
}
