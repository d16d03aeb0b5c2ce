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
 * Header bytes worth remembering: real headers take some 20 to 60, those of a
 * map with codes by frequency a few hundred.
 */
#define CACHED_HEADER 1024

/* A value that has been decoded. */
typedef struct RibbonOpened
{
	size_t room;		  /* bytes there are for value */
	const uint8_t *bytes; /* what value points into; NULL: nothing */
	size_t nbytes;
	RibbonFilter value; /* the last member, as much as is used; behind it: its
						 * header, or headers in a row */
} RibbonOpened;

static uint8_t *header_of(RibbonOpened *opened);
static size_t header_bytes(const RibbonFilter *value);
static bool is_same(RibbonOpened *opened, const uint8_t *bytes);
static void remember(RibbonOpened *opened, const uint8_t *bytes, size_t nbytes);
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
	RibbonFilter fresh;
	size_t size;

	if (opened != NULL && bytes == opened->bytes && nbytes == opened->nbytes &&
		is_same(opened, bytes))
		return &opened->value;

	ribbon_value_open(set->type, bytes, nbytes, &fresh);
	size = ribbon_filter_size(&fresh);
	opened = make_room(opened, context, size + header_bytes(&fresh));
	*entry = opened;
	memcpy(&opened->value, &fresh, size);
	remember(opened, bytes, nbytes);
	return &opened->value;
}

/* Where its headers are remembered. */
static uint8_t *
header_of(RibbonOpened *opened)
{
	return (uint8_t *) &opened->value + ribbon_filter_size(&opened->value);
}

/* How many bytes they have, or 0 if they are too long for that. */
static size_t
header_bytes(const RibbonFilter *value)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(value, pieces);
	size_t n = 0;

	for (unsigned i = 0; i < npieces; i++)
		n += pieces[i].size;
	return n <= CACHED_HEADER ? n : 0;
}

static bool
is_same(RibbonOpened *opened, const uint8_t *bytes)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(&opened->value, pieces);
	const uint8_t *header = header_of(opened);

	for (unsigned i = 0; i < npieces; header += pieces[i++].size)
		if (memcmp(bytes + pieces[i].at, header, pieces[i].size) != 0)
			return false;
	return true;
}

/* Remember what has been decoded, if it is not too long for that. */
static void
remember(RibbonOpened *opened, const uint8_t *bytes, size_t nbytes)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(&opened->value, pieces);
	uint8_t *header = header_of(opened);

	opened->bytes = NULL;
	if (header_bytes(&opened->value) == 0)
		return;
	for (unsigned i = 0; i < npieces; header += pieces[i++].size)
		memcpy(header, bytes + pieces[i].at, pieces[i].size);
	opened->bytes = bytes;
	opened->nbytes = nbytes;
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
