/*
 * headercache.c - filters and maps in line whose headers have been decoded
 *
 * The bytes of a datum in line are probed where they lie.  Decoding the header
 * takes several times as long as a probe, so a call site caches what it has
 * decoded, by the address of the bytes.  The header and the number of bytes
 * determine everything in a RibbonFilter, so if these and the address are those
 * of an earlier call, the work is done.  The address alone would not do: the
 * executor puts one tuple after another into the same buffer.
 *
 * The same holds for a map, whose headers are its own and those of its planes.
 *
 * Rows against an array of filters, or a nested loop over as many, come back to
 * each of them.  Each has one place, by its address.  Two that share one are
 * decoded for each probe, which then takes about twice as many instructions: of
 * a hundred filters 8 %, of a thousand 63 %.  With more places there would be
 * more to clear for each call site, most of which probe one filter.
 */
#include "probing/probesite.h"

#include "type/type.h"

#define LOG2_ENTRIES 10

/*
 * Header bytes worth comparing: real headers take some 20 to 60, those of a map
 * with codes by frequency a few hundred.
 */
#define MAX_HEADER 1024

/* A datum that has been decoded. */
typedef struct RibbonHeaderEntry
{
	size_t room;		  /* bytes that there are from filter on */
	const uint8_t *bytes; /* of the datum; NULL: do not use the entry again */
	size_t nbytes;
	RibbonFilter filter; /* the last member, as much of it as is used; behind
						  * it a copy of its header, or headers in a row */
} RibbonHeaderEntry;

/* The place of the entry for a datum whose bytes are there. */
static RibbonHeaderEntry **
place_of(RibbonProbeSite *site, const uint8_t *bytes)
{
	uint32 hash = (uint32) ((uintptr_t) bytes >> 2) * UINT32_C(0x9E3779B1);

	if (unlikely(site->headers == NULL))
		site->headers = MemoryContextAllocZero(site->context,
											   sizeof(RibbonHeaderEntry *)
												   << LOG2_ENTRIES);
	return &site->headers[hash >> (32 - LOG2_ENTRIES)];
}

/* Do these bytes have the headers of the datum that was decoded? */
static bool
has_same_headers(const RibbonHeaderEntry *entry, const uint8_t *bytes)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(&entry->filter, pieces);
	const uint8_t *header = (const uint8_t *) &entry->filter +
		ribbon_filter_size(&entry->filter);

	for (unsigned i = 0; i < npieces; header += pieces[i++].size)
		if (memcmp(bytes + pieces[i].at, header, pieces[i].size) != 0)
			return false;
	return true;
}

/*
 * Copy a filter or map that has been decoded, and its headers unless they are
 * too long, into an entry.  The result is that entry, or a new one if it is
 * NULL or too small; then it has been freed.
 */
static RibbonHeaderEntry *
fill_entry(RibbonHeaderEntry *entry, MemoryContext context,
		   const RibbonFilter *filter, size_t nbytes)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	unsigned npieces = ribbon_filter_pieces(filter, pieces);
	size_t size = ribbon_filter_size(filter);
	size_t nheader = 0;
	uint8_t *header;

	for (unsigned i = 0; i < npieces; i++)
		nheader += pieces[i].size;
	if (nheader > MAX_HEADER)
		npieces = 0;
	if (entry == NULL || entry->room < size + nheader)
	{
		if (entry != NULL)
			pfree(entry);
		entry = MemoryContextAlloc(context,
								   offsetof(RibbonHeaderEntry, filter) + size +
									   nheader);
		entry->room = size + nheader;
	}
	memcpy(&entry->filter, filter, size);
	entry->bytes = npieces > 0 ? filter->bytes : NULL;
	entry->nbytes = nbytes;
	header = (uint8_t *) &entry->filter + size;
	for (unsigned i = 0; i < npieces; header += pieces[i++].size)
		memcpy(header, filter->bytes + pieces[i].at, pieces[i].size);
	return entry;
}

const RibbonFilter *
ribbon_headercache_open(RibbonProbeSite *site, struct varlena *datum)
{
	const uint8_t *bytes = (const uint8_t *) VARDATA_ANY(datum);
	size_t nbytes = VARSIZE_ANY_EXHDR(datum);
	RibbonHeaderEntry **place = place_of(site, bytes);
	RibbonHeaderEntry *entry = *place;
	RibbonFilter fresh;

	if (entry != NULL && bytes == entry->bytes && nbytes == entry->nbytes &&
		has_same_headers(entry, bytes))
		return &entry->filter;

	ribbon_datum_open(site->hasher.owner, datum, &fresh);
	*place = NULL; /* should there be an error */
	*place = fill_entry(entry, site->context, &fresh, nbytes);
	return &(*place)->filter;
}
