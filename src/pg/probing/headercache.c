/*
 * headercache.c - filters and maps in line whose headers have been decoded
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
#include "probing/probing.h"

#include "type/type.h"
#include "utils/memutils.h"

#define LOG2_ENTRIES 10

/*
 * Header bytes worth remembering: real headers take some 20 to 60, those of a
 * map with codes by frequency a few hundred.
 */
#define CACHED_HEADER 1024

/* A value that has been decoded. */
typedef struct RibbonHeaderEntry
{
	size_t room;		  /* bytes there are for value */
	const uint8_t *bytes; /* what value points into; NULL: nothing */
	size_t nbytes;
	RibbonFilter value; /* the last member, as much as is used; behind it: its
						 * header, or headers in a row */
} RibbonHeaderEntry;

/* Where a value whose bytes are there is kept. */
static RibbonHeaderEntry **
entry_of(RibbonProbeSite *site, const uint8_t *bytes)
{
	uint32 hash = (uint32) ((uintptr_t) bytes >> 2) * UINT32_C(0x9E3779B1);

	if (unlikely(site->by_address == NULL))
		site->by_address = MemoryContextAllocZero(site->context,
												  sizeof(RibbonHeaderEntry *)
													  << LOG2_ENTRIES);
	return &site->by_address[hash >> (32 - LOG2_ENTRIES)];
}

/* Does the value that is there begin, and go on, as the one decoded does? */
static bool
has_same_headers(const RibbonHeaderEntry *opened, const uint8_t *bytes)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(&opened->value, pieces);
	const uint8_t *header = (const uint8_t *) &opened->value +
		ribbon_filter_size(&opened->value);

	for (unsigned i = 0; i < npieces; header += pieces[i++].size)
		if (memcmp(bytes + pieces[i].at, header, pieces[i].size) != 0)
			return false;
	return true;
}

/*
 * Make an entry, or NULL, one for a value that has been decoded; with what
 * there is of its headers, if that is not too long.
 */
static RibbonHeaderEntry *
fill_entry(RibbonHeaderEntry *opened, MemoryContext context,
		   const RibbonFilter *value, size_t nbytes)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(value, pieces);
	size_t size = ribbon_filter_size(value);
	size_t nheader = 0;
	uint8_t *header;

	for (unsigned i = 0; i < npieces; i++)
		nheader += pieces[i].size;
	if (nheader > CACHED_HEADER)
		npieces = 0;
	if (opened == NULL || opened->room < size + nheader)
	{
		if (opened != NULL)
			pfree(opened);
		opened = MemoryContextAlloc(context,
									offsetof(RibbonHeaderEntry, value) + size +
										nheader);
		opened->room = size + nheader;
	}
	memcpy(&opened->value, value, size);
	opened->bytes = npieces > 0 ? value->bytes : NULL;
	opened->nbytes = nbytes;
	header = (uint8_t *) &opened->value + size;
	for (unsigned i = 0; i < npieces; header += pieces[i++].size)
		memcpy(header, value->bytes + pieces[i].at, pieces[i].size);
	return opened;
}

const RibbonFilter *
ribbon_headercache_open(RibbonProbeSite *site, struct varlena *value)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(value);
	size_t nbytes = VARSIZE_ANY_EXHDR(value);
	RibbonHeaderEntry **entry = entry_of(site, bytes);
	RibbonHeaderEntry *opened = *entry;
	RibbonFilter fresh;

	if (opened != NULL && bytes == opened->bytes && nbytes == opened->nbytes &&
		has_same_headers(opened, bytes))
		return &opened->value;

	ribbon_datum_open(site->hasher.owner, bytes, nbytes, &fresh);
	*entry = NULL; /* should there be an error */
	*entry = fill_entry(opened, site->context, &fresh, nbytes);
	return &(*entry)->value;
}
