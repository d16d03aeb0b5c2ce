/*
 * opened.c - filters and maps in line whose headers have been decoded
 *
 * The bytes of a filter in line are probed where they lie.  Decoding the header
 * takes several times as long as a probe, so filters that have been decoded are
 * kept, in a table by address.  The header and the number of bytes determine
 * everything in a RibbonFilter, so if these and the address are those of an
 * earlier call, the work is done.  The address alone would not do: the executor
 * puts one tuple after another into the same buffer.
 *
 * The same holds for a map, whose headers are its own and those of its planes.
 *
 * Rows against an array of filters, or a nested loop over as many, come back to
 * each of them.  There are entries enough that few of a thousand filters
 * conflict, and they take no more memory than the filters in them.
 */
#include "probe/contains.h"

#include "type/type.h"
#include "utils/memutils.h"

#define LOG2_ENTRIES 10

/*
 * Header bytes worth remembering: real headers take some 20 to 60, and with so
 * many a small filter's RibbonOpened takes 512 bytes.
 */
#define CACHED_HEADER 104

/* A value that has been decoded. */
typedef struct RibbonOpened
{
	size_t room;		  /* bytes there are for value */
	const uint8_t *bytes; /* what value points into; NULL: nothing */
	size_t nbytes;
	uint8_t header[CACHED_HEADER]; /* its header, or headers in a row */
	union
	{
		RibbonFilter filter;
		RibbonMap map; /* and its planes */
	} value;		   /* the last member, as much as is used */
} RibbonOpened;

/* Bytes of a value: a header. */
typedef struct Piece
{
	size_t at;
	size_t size;
} Piece;

static bool is_same_map(const RibbonOpened *opened, const uint8_t *bytes);
static void remember(RibbonOpened *opened, RibbonSqlType type,
					 const uint8_t *bytes, size_t nbytes);
static int find_headers(const RibbonMap *map,
						Piece pieces[1 + RIBBON_MAP_PLANES]);
static RibbonOpened **entry_of(RibbonOpenedSet *set, MemoryContext context,
							   const uint8_t *bytes);
static RibbonOpened *make_room(RibbonOpened *opened, MemoryContext context,
							   size_t room);

const void *
ribbon_opened_find(RibbonOpenedSet *set, MemoryContext context,
				   struct varlena *value)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	RibbonOpened **entry = entry_of(set, context, bytes);
	RibbonOpened *opened = *entry;
	RibbonOpenValue fresh;

	if (opened != NULL && bytes == opened->bytes && nbytes == opened->nbytes &&
		(set->type == RIBBON_SQL_FILTER ?
			 memcmp(bytes, opened->header, opened->value.filter.header_bytes) ==
				 0 :
			 is_same_map(opened, bytes)))
		return &opened->value;

	ribbon_value_open(set->type, bytes, nbytes, &fresh);
	opened = make_room(opened, context, ribbon_value_size(&fresh));
	*entry = opened;
	ribbon_value_copy(&fresh, &opened->value);
	remember(opened, set->type, bytes, nbytes);
	return &opened->value;
}

static bool
is_same_map(const RibbonOpened *opened, const uint8_t *bytes)
{
	Piece pieces[1 + RIBBON_MAP_PLANES];
	int npieces = find_headers(&opened->value.map, pieces);
	const uint8_t *header = opened->header;

	for (int i = 0; i < npieces; header += pieces[i++].size)
		if (memcmp(bytes + pieces[i].at, header, pieces[i].size) != 0)
			return false;
	return true;
}

/* Remember what has been decoded, if it is not too long for that. */
static void
remember(RibbonOpened *opened, RibbonSqlType type, const uint8_t *bytes,
		 size_t nbytes)
{
	Piece pieces[1 + RIBBON_MAP_PLANES] = {
		{0, opened->value.filter.header_bytes}};
	int npieces = type == RIBBON_SQL_FILTER ?
		1 :
		find_headers(&opened->value.map, pieces);
	size_t used = 0;

	opened->bytes = NULL;
	for (int i = 0; i < npieces; used += pieces[i++].size)
	{
		if (pieces[i].size > CACHED_HEADER - used)
			return;
		memcpy(opened->header + used, bytes + pieces[i].at, pieces[i].size);
	}
	opened->bytes = bytes;
	opened->nbytes = nbytes;
}

/* A map's own header, and those of its planes; their number. */
static int
find_headers(const RibbonMap *map, Piece pieces[1 + RIBBON_MAP_PLANES])
{
	pieces[0].at = 0;
	pieces[0].size = map->dictionary != NULL ? map->dictionary_at :
											   map->plane_at[0];
	for (unsigned i = 0; i < map->nplanes; i++)
	{
		pieces[1 + i].at = map->plane_at[i];
		pieces[1 + i].size = map->planes[i]->header_bytes;
	}
	return 1 + (int) map->nplanes;
}

/* Where a value whose bytes are there is kept. */
static RibbonOpened **
entry_of(RibbonOpenedSet *set, MemoryContext context, const uint8_t *bytes)
{
	uint32 hash = (uint32) ((uintptr_t) bytes >> 2) * UINT32_C(0x9E3779B1);

	if (unlikely(set->by_address == NULL))
		set->by_address = MemoryContextAllocZero(context,
												 sizeof(RibbonOpened *)
													 << LOG2_ENTRIES);
	return &set->by_address[hash >> (32 - LOG2_ENTRIES)];
}

/*
 * An entry with so much room for a value: this one (or NULL), or a larger one.
 */
static RibbonOpened *
make_room(RibbonOpened *opened, MemoryContext context, size_t room)
{
	size_t size = offsetof(RibbonOpened, value) + room;

	if (opened != NULL && opened->room >= room)
		return opened;
	if (opened == NULL)
		opened = MemoryContextAlloc(context, size);
	else
		opened = repalloc(opened, size);
	opened->room = room;
	return opened;
}
