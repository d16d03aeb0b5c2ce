/*
 * map_open.c - decode the headers of a map, and make its planes ready for
 * probes
 */
#include "base/bits.h"
#include "format/format.h"
#include "format/map.h"
#include "probe/query.h"

/* Where a map's bytes come from, and those that were read first. */
typedef struct Source
{
	RibbonFetch fetch;
	void *arg;
	const uint8_t *first;
	size_t nfirst;
} Source;

/* nbytes of the map from byte at on; those that were first are gone then. */
static const uint8_t *
get(Source *source, uint64_t at, size_t nbytes)
{
	if (at + nbytes <= source->nfirst)
		return source->first + at;
	source->nfirst = 0;
	return source->fetch(source->arg, at, nbytes);
}

/* Open all planes: first one, and as long as value bits are left the next. */
static RibbonStatus
open_planes(Source *source, RibbonMap *map, RibbonFilter *planes)
{
	RibbonPlane left = {map->value_bits, !map->checked};
	uint64_t at = map->plane_at[0];

	do
	{
		RibbonFilter *plane = &planes[map->nplanes];
		uint64_t nbytes = map->total_bytes - at;
		size_t nheader = (size_t) ribbon_min64(nbytes, RIBBON_MAX_HEADER);
		RibbonStatus status;

		if (nheader == 0)
			return RIBBON_TRUNCATED;
		status = ribbon_format_decode_plane(get(source, at, nheader), nheader,
											(size_t) nbytes, &left, plane);
		if (status != RIBBON_OK)
			return status;
		if (map->nplanes > 0 &&
			(plane->nkeys != map->nkeys || plane->key_class != map->key_class))
			return RIBBON_CORRUPT;
		ribbon_query_prepare_plane(plane);

		map->nkeys = plane->nkeys;
		map->key_class = plane->key_class;
		map->plane_at[map->nplanes] = at;
		map->planes[map->nplanes++] = plane;
		left.value_bits -= plane->value_bits;
		left.unchecked = true;
		at += plane->total_bytes;
	} while (map->nkeys > 0 && left.value_bits > 0);
	map->low_bits = planes[0].value_bits;
	return at == map->total_bytes ? RIBBON_OK : RIBBON_CORRUPT;
}

RibbonStatus
ribbon_map_open_sliced(size_t nbytes, RibbonFetch fetch, void *arg,
					   RibbonMap *map, RibbonFilter planes[RIBBON_MAP_PLANES])
{
	Source source = {fetch, arg, NULL, 0};
	RibbonStatus status;

	if (nbytes == 0)
		return RIBBON_TRUNCATED;
	source.nfirst = (size_t) ribbon_min64(nbytes, RIBBON_MAX_SLICE);
	source.first = fetch(arg, 0, source.nfirst);
	status = ribbon_map_format_decode(source.first, source.nfirst, nbytes, map);
	if (status == RIBBON_OK)
		status = open_planes(&source, map, planes);
	return status;
}

static const uint8_t *
fetch_from_memory(void *arg, uint64_t at, size_t length)
{
	(void) length;
	return *(const uint8_t **) arg + at;
}

RibbonStatus
ribbon_map_open(const uint8_t *bytes, size_t nbytes, RibbonMap *map,
				RibbonFilter planes[RIBBON_MAP_PLANES])
{
	RibbonStatus status = ribbon_map_open_sliced(nbytes, fetch_from_memory,
												 &bytes, map, planes);

	if (status == RIBBON_OK)
	{
		map->bytes = bytes;
		if (map->ndictionary > 0)
			map->dictionary = bytes + map->dictionary_at;
	}
	return status;
}
