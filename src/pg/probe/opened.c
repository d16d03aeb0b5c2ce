/*
 * opened.c - filters in line whose headers have been decoded
 *
 * The bytes of a filter in line are probed where they lie.  Decoding the header
 * takes several times as long as a probe, so filters that have been decoded are
 * kept, each in the place that its address names.  The header and the number of
 * bytes determine everything in a RibbonFilter, so if these and the address are
 * those of an earlier call, the work is done.  The address alone would not do:
 * the executor puts one tuple after another into the same buffer.
 *
 * Rows against an array of filters, or a nested loop over as many, come back to
 * each of them.  There are places enough that few of a thousand filters
 * conflict, and they take no more memory than the filters in them.
 */
#include "probe/contains.h"

#include "type/type.h"
#include "utils/memutils.h"

#define LOG2_PLACES 10

/*
 * Header bytes worth remembering: real headers take some 20 to 60, and with so
 * many a small filter's RibbonOpened takes 512 bytes.
 */
#define CACHED_HEADER 104

/* A filter that has been decoded. */
typedef struct RibbonOpened
{
	size_t room;		  /* bytes there are for filter */
	const uint8_t *bytes; /* what filter points into; NULL: nothing */
	size_t nbytes;
	uint8_t header[CACHED_HEADER]; /* its first bytes */
	RibbonFilter filter;		   /* the last member, as much as is used */
} RibbonOpened;

static RibbonOpened **place_of(RibbonOpenedSet *set, MemoryContext context,
							   const uint8_t *bytes);
static RibbonOpened *make_room(RibbonOpened *opened, MemoryContext context,
							   size_t room);

const RibbonFilter *
ribbon_opened_find(RibbonOpenedSet *set, MemoryContext context,
				   struct varlena *value)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	RibbonOpened **place = place_of(set, context, bytes);
	RibbonOpened *opened = *place;
	RibbonFilter filter;

	if (opened != NULL && bytes == opened->bytes && nbytes == opened->nbytes &&
		memcmp(bytes, opened->header, opened->filter.header_bytes) == 0)
		return &opened->filter;

	ribbon_value_open(bytes, nbytes, &filter);
	opened = make_room(opened, context, ribbon_filter_size(&filter));
	*place = opened;
	memcpy(&opened->filter, &filter, ribbon_filter_size(&filter));
	opened->bytes = NULL;
	if (filter.header_bytes <= CACHED_HEADER)
	{
		memcpy(opened->header, bytes, filter.header_bytes);
		opened->bytes = bytes;
		opened->nbytes = nbytes;
	}
	return &opened->filter;
}

/* Where a filter whose bytes are there is kept. */
static RibbonOpened **
place_of(RibbonOpenedSet *set, MemoryContext context, const uint8_t *bytes)
{
	uint32 hash = (uint32) ((uintptr_t) bytes >> 2) * UINT32_C(0x9E3779B1);

	if (unlikely(set->places == NULL))
		set->places = MemoryContextAllocZero(context,
											 sizeof(RibbonOpened *)
												 << LOG2_PLACES);
	return &set->places[hash >> (32 - LOG2_PLACES)];
}

/*
 * A place with so much room for a filter: this one (or NULL), or a larger one.
 */
static RibbonOpened *
make_room(RibbonOpened *opened, MemoryContext context, size_t room)
{
	size_t size = offsetof(RibbonOpened, filter) + room;

	if (opened != NULL && opened->room >= room)
		return opened;
	if (opened == NULL)
		opened = MemoryContextAlloc(context, size);
	else
		opened = repalloc(opened, size);
	opened->room = room;
	return opened;
}
