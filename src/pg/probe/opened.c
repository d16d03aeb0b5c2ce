/*
 * opened.c - filters in line whose headers have been decoded
 *
 * The bytes of a filter in line are probed where they lie.  Decoding the header
 * takes longer than a probe, so a few that have been decoded are kept, each in
 * the place that its address names.  The header and the number of bytes
 * determine everything in a RibbonFilter, so if these and the address are those
 * of an earlier call, the work is done.  The address alone would not do: the
 * executor puts one tuple after another into the same buffer.
 *
 * A few are enough for a constant, or for a table of filters that is read once.
 * Rows against an array of a hundred filters, or a nested loop over as many, come
 * back to each when it has just lost its place.  So addresses are remembered for
 * longer than filters; and if too many of those that come were here of late, there
 * get to be twice as many places.
 */
#include "probe/contains.h"

#include "miscadmin.h"
#include "type/type.h"
#include "utils/memutils.h"

#define LOG2_FIRST_PLACES 3
#define LOG2_MOST_PLACES  10
#define LOG2_SEEN		  12

/* Header bytes worth remembering; real headers take some 20 to 60. */
#define CACHED_HEADER 128

/* A filter that has been decoded. */
typedef struct RibbonOpened
{
	RibbonFilter filter;
	const uint8_t *bytes; /* what filter points into; NULL: nothing */
	size_t nbytes;
	uint8_t header[CACHED_HEADER]; /* its first bytes */
} RibbonOpened;

static RibbonOpened *place_for(RibbonOpenedSet *set, MemoryContext context,
							   uint32 address);
static void note_regret(RibbonOpenedSet *set, MemoryContext context,
						uint32 address);
static void make_places(RibbonOpenedSet *set, MemoryContext context,
						unsigned log2_places);
static uint32 hash_address(const uint8_t *bytes);

const RibbonFilter *
ribbon_opened_find(RibbonOpenedSet *set, MemoryContext context,
				   struct varlena *value)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	uint32 address = hash_address(bytes);
	RibbonOpened *opened = place_for(set, context, address);

	if (bytes == opened->bytes && nbytes == opened->nbytes &&
		memcmp(bytes, opened->header, opened->filter.header_bytes) == 0)
		return &opened->filter;

	if (opened->bytes != NULL && opened->bytes != bytes)
	{
		note_regret(set, context, address);
		opened = place_for(set, context, address);
	}
	opened->bytes = NULL;
	ribbon_value_open(bytes, nbytes, &opened->filter);

	if (opened->filter.header_bytes <= CACHED_HEADER)
	{
		memcpy(opened->header, bytes, opened->filter.header_bytes);
		opened->bytes = bytes;
		opened->nbytes = nbytes;
	}
	return &opened->filter;
}

static RibbonOpened *
place_for(RibbonOpenedSet *set, MemoryContext context, uint32 address)
{
	RibbonOpened **place;

	if (unlikely(set->places == NULL))
		make_places(set, context, LOG2_FIRST_PLACES);
	place = &set->places[address >> (32 - set->log2_places)];
	if (unlikely(*place == NULL))
		*place = MemoryContextAllocZero(context, sizeof(RibbonOpened));
	return *place;
}

/*
 * Something else is where this address has its place.  Was it here before, and
 * does that happen too often, so that there should be more places?
 */
static void
note_regret(RibbonOpenedSet *set, MemoryContext context, uint32 address)
{
	uint32 *seen;
	size_t size = sizeof(RibbonOpened) << (set->log2_places + 1);

	if (set->log2_places == LOG2_MOST_PLACES ||
		size > (size_t) work_mem * 1024 / 2)
		return;
	if (set->seen == NULL)
		set->seen = MemoryContextAllocZero(context,
										   sizeof(uint32) << LOG2_SEEN);
	seen = &set->seen[address >> (32 - LOG2_SEEN)];
	if (*seen == address && ++set->nregrets > 2u << set->log2_places)
		make_places(set, context, set->log2_places + 1);
	*seen = address;
}

/* So many places, and nothing in them. */
static void
make_places(RibbonOpenedSet *set, MemoryContext context, unsigned log2_places)
{
	RibbonOpened **places =
		MemoryContextAllocZero(context, sizeof(RibbonOpened *) << log2_places);

	for (unsigned i = 0; set->places != NULL && i < 1u << set->log2_places; i++)
		if (set->places[i] != NULL)
			pfree(set->places[i]);
	if (set->places != NULL)
		pfree(set->places);
	set->places = places;
	set->log2_places = log2_places;
	set->nregrets = 0;
}

static uint32
hash_address(const uint8_t *bytes)
{
	return (uint32) ((uintptr_t) bytes >> 2) * UINT32_C(0x9E3779B1);
}
