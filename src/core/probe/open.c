/*
 * open.c - decode a filter's header, and make it ready to be probed
 */
#include "base/bits.h"
#include "format/format.h"
#include "probe/filter.h"
#include "probe/query.h"

/* Where a filter's bytes come from, and those that were read first. */
typedef struct Source
{
	RibbonFetch fetch;
	void *arg;
	const uint8_t *first;
	size_t nfirst;
} Source;

/* nbytes of the filter from byte at on; those read first are gone then. */
static const uint8_t *
read_bytes(Source *source, uint64_t at, size_t nbytes)
{
	if (at + nbytes <= source->nfirst)
		return source->first + at;
	source->nfirst = 0;
	return source->fetch(source->arg, at, nbytes);
}

/*
 * Open the body at byte at of a plane of which all else is known; body is NULL
 * for one that begins with its own byte.
 */
static RibbonStatus
open_body(Source *source, const RibbonFilter *filter, uint64_t at,
		  const RibbonBody *body, RibbonPlane *plane)
{
	uint64_t nbytes = filter->total_bytes - at;
	size_t nheader = (size_t) ribbon_min64(nbytes, RIBBON_MAX_HEADER);
	const uint8_t *header = NULL;
	RibbonStatus status;

	if (nheader == 0 && !ribbon_format_is_bare(plane))
		return RIBBON_TRUNCATED;
	if (nheader > 0)
		header = read_bytes(source, at, nheader);
	status = ribbon_format_decode_body(header, nheader, nbytes, body, plane);
	if (status != RIBBON_OK)
		return status;
	plane->at = at;
	if (filter->has_values || plane->value_bits > 0)
		ribbon_query_prepare_plane(plane);
	else
		ribbon_query_prepare(plane);
	return RIBBON_OK;
}

/* Open the planes, of which the first one begins at byte at. */
static RibbonStatus
open_planes(Source *source, uint64_t at, const RibbonBody *body,
			RibbonFilter *filter)
{
	RibbonPlane *first = (RibbonPlane *) filter->opened;
	RibbonStatus status = open_body(source, filter, at,
									body->own_byte ? NULL : body, first);
	RibbonPlane *second;

	if (status != RIBBON_OK)
		return status;
	at += first->total_bytes;
	if (body->second_keys > 0)
	{
		size_t size = ribbon_plane_size(first);

		second = (RibbonPlane *) ((char *) first + size);
		ribbon_format_init_second(second, first, body);
		status = open_body(source, filter, at, NULL, second);
		if (status != RIBBON_OK)
			return status;
		at += second->total_bytes;
		first->second = size;
	}
	return at == filter->total_bytes ? RIBBON_OK : RIBBON_CORRUPT;
}

RibbonStatus
ribbon_open_sliced(size_t nbytes, RibbonFetch fetch, void *arg,
				   RibbonFilter *filter)
{
	Source source = {fetch, arg, NULL, 0};
	RibbonBody body;
	RibbonStatus status;
	uint64_t at;

	if (nbytes == 0)
		return RIBBON_TRUNCATED;
	source.nfirst = (size_t) ribbon_min64(nbytes, RIBBON_MAX_SLICE);
	source.first = fetch(arg, 0, source.nfirst);
	status = ribbon_format_decode_head(source.first, source.nfirst, nbytes,
									   filter, (RibbonPlane *) filter->opened,
									   &body, &at);
	if (status == RIBBON_OK)
		status = open_planes(&source, at, &body, filter);
	if (status == RIBBON_OK)
		ribbon_filter_prepare(filter);
	return status;
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
	RibbonStatus status = ribbon_open_sliced(nbytes, fetch_from_memory, &bytes,
											 filter);

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
	const RibbonPlane *first = ribbon_plane(filter);
	const RibbonPlane *second = ribbon_plane_second(first);

	return offsetof(RibbonFilter, opened) +
		(second == NULL ? ribbon_plane_size(first) :
						  first->second + ribbon_plane_size(second));
}

unsigned
ribbon_filter_pieces(const RibbonFilter *filter,
					 RibbonPiece pieces[RIBBON_MAX_PIECES])
{
	const RibbonPlane *first = ribbon_plane(filter);
	const RibbonPlane *second = ribbon_plane_second(first);
	unsigned n = 1;

	pieces[0] = (RibbonPiece){0, filter->head_bytes};
	if (first->at == filter->head_bytes)
		pieces[0].size += first->header_bytes;
	else
		pieces[n++] = (RibbonPiece){(size_t) first->at, first->header_bytes};
	if (second != NULL)
		pieces[n++] = (RibbonPiece){(size_t) second->at, second->header_bytes};
	return n;
}
