/*
 * open.c - decode a filter's header, and make it ready to be probed
 */
#include "base/bits.h"
#include "format/format.h"
#include "format/values.h"
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
get(Source *source, uint64_t at, size_t nbytes)
{
	if (at + nbytes <= source->nfirst)
		return source->first + at;
	source->nfirst = 0;
	return source->fetch(source->arg, at, nbytes);
}

/*
 * Open the plane that begins at byte at; left is NULL for that of a filter.
 */
static RibbonStatus
open_plane(Source *source, const RibbonFilter *filter, uint64_t at,
		   const RibbonPlaneLeft *left, RibbonPlane *plane)
{
	uint64_t nbytes = filter->total_bytes - at;
	size_t nheader = (size_t) ribbon_min64(nbytes, RIBBON_MAX_HEADER);
	RibbonStatus status;

	if (nheader == 0)
		return RIBBON_TRUNCATED;
	status = ribbon_format_decode(get(source, at, nheader), nheader,
								  (size_t) nbytes, left, plane);
	if (status != RIBBON_OK)
		return status;
	plane->at = at;
	if (left == NULL)
		ribbon_query_prepare(plane);
	else
		ribbon_query_prepare_plane(plane);
	return RIBBON_OK;
}

/* Open the first plane and, if value bits are left, the second one. */
static RibbonStatus
open_planes(Source *source, uint64_t at, RibbonPlaneLeft *left,
			RibbonFilter *filter)
{
	RibbonPlane *first = (RibbonPlane *) filter->opened;
	RibbonPlane *last = first;
	RibbonStatus status = open_plane(source, filter, at, left, first);

	if (status != RIBBON_OK)
		return status;
	filter->nkeys = first->nkeys;
	filter->key_class = first->key_class;
	if (left != NULL)
		left->value_bits -= first->value_bits;
	if (left != NULL && left->value_bits > 0 && first->nkeys > 0)
	{
		size_t size = ribbon_plane_size(first);

		last = (RibbonPlane *) ((char *) first + size);
		left->unchecked = true;
		status = open_plane(source, filter, at + first->total_bytes, left,
							last);
		if (status != RIBBON_OK)
			return status;
		if (last->nkeys != first->nkeys || last->key_class != first->key_class)
			return RIBBON_CORRUPT;
		first->second = size;
	}
	return last->at + last->total_bytes == filter->total_bytes ? RIBBON_OK :
																 RIBBON_CORRUPT;
}

RibbonStatus
ribbon_open_sliced(size_t nbytes, RibbonFetch fetch, void *arg,
				   RibbonFilter *filter)
{
	Source source = {fetch, arg, NULL, 0};
	RibbonPlaneLeft left = {0, false};
	RibbonStatus status = RIBBON_OK;
	uint64_t at = 0;
	bool checked = true;

	if (nbytes == 0)
		return RIBBON_TRUNCATED;
	memset(filter, 0, offsetof(RibbonFilter, opened));
	filter->total_bytes = nbytes;
	source.nfirst = (size_t) ribbon_min64(nbytes, RIBBON_MAX_SLICE);
	source.first = fetch(arg, 0, source.nfirst);
	if ((source.first[0] & 15) == RIBBON_MAP_VERSION)
	{
		status = ribbon_values_decode(source.first, source.nfirst, nbytes,
									  filter, &checked, &at);
		left = (RibbonPlaneLeft){filter->value_bits, !checked};
	}
	if (status == RIBBON_OK)
		status = open_planes(&source, at, filter->has_values ? &left : NULL,
							 filter);
	if (status == RIBBON_OK)
		ribbon_query_prepare_filter(filter);
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
	unsigned n = 0;
	size_t begin = 0;

	if (filter->ndictionary > 0)
	{
		pieces[n++] = (RibbonPiece){0, (size_t) filter->dictionary_at};
		begin = (size_t) (filter->dictionary_at + filter->ndictionary);
	}
	for (const RibbonPlane *plane = ribbon_plane(filter); plane != NULL;
		 plane = ribbon_plane_second(plane))
	{
		size_t end = (size_t) plane->at + plane->header_bytes;

		pieces[n++] = (RibbonPiece){begin, end - begin};
		if (plane->second > 0)
			begin = (size_t) (plane->at + plane->total_bytes);
	}
	return n;
}
