/*
 * probesite.c - what a call site keeps, and how it comes to a datum
 *
 * The way of a probe is drawn in probing.h, of a datum in line and of a stored
 * one.  One that is compressed in line, after ALTER TABLE ... SET STORAGE, has
 * few bytes: what they stand for is kept until other bytes come.  Others, such
 * as those in a form of their own in memory (expanded), are made plain for each
 * call.
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

#include "access/detoast.h"
#include "type/type.h"
#include "values/dictionary.h"

#define LOG2_ENTRIES 10

/*
 * Header bytes worth comparing: real headers take some 20 to 60, those of a map
 * with codes by frequency a few hundred.
 */
#define MAX_HEADER 1024

/* The filter or map that is open in slices: there is one at a time. */
static RibbonFilter sliced;

void
ribbon_probesite_init(RibbonProbeSite *site, RibbonSqlType type,
					  MemoryContext context)
{
	ribbon_keyhash_set_owner(&site->hasher, type);
	site->context = context;
}

void *
ribbon_probesite_make(FmgrInfo *function, RibbonSqlType type, size_t size)
{
	RibbonProbeSite *site = MemoryContextAllocZero(function->fn_mcxt, size);

	ribbon_probesite_init(site, type, function->fn_mcxt);
	function->fn_extra = site;
	return site;
}

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

/*
 * Open a datum that is in line and not compressed, or find it among those that
 * the site has opened.  The result belongs to the site.  It is valid until
 * other code is called that may open data, or until the datum goes away.
 */
static const RibbonFilter *
open_in_line(RibbonProbeSite *site, struct varlena *datum)
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

/* One that is compressed, or elsewhere in memory, as it would be in line. */
static struct varlena *
make_plain(RibbonProbeSite *site, struct varlena *datum)
{
	size_t size = VARSIZE_ANY(datum);
	struct varlena *compressed = site->compressed;
	MemoryContext old_context;

	if (compressed != NULL && VARSIZE_ANY(compressed) == size &&
		memcmp(compressed, datum, size) == 0)
		return site->plain;

	site->compressed = NULL; /* should there be an error */
	if (compressed != NULL)
		pfree(compressed);
	if (site->plain != NULL)
		pfree(site->plain);
	site->plain = NULL;

	old_context = MemoryContextSwitchTo(site->context);
	site->plain = detoast_attr(datum);
	if (!VARATT_IS_EXTERNAL(datum))
		site->compressed = memcpy(palloc(size), datum, size);
	MemoryContextSwitchTo(old_context);
	return site->plain;
}

static const RibbonFilter *
open_sliced(RibbonSqlType type, const varatt_external *pointer)
{
	static RibbonSlices slices;

	ribbon_slice_open(&slices, pointer);
	ribbon_datum_check(type,
					   ribbon_open_sliced(VARATT_EXTERNAL_GET_EXTSIZE(*pointer),
										  ribbon_slice_fetch, &slices, &sliced),
					   &sliced);
	return &sliced;
}

void
ribbon_probesite_take_dictionary(RibbonProbeSite *site)
{
	size_t size = sliced.ndictionary;

	if (size == 0 || size > RIBBON_MAX_SLICE)
		return;
	if (site->dictionary == NULL)
		site->dictionary = MemoryContextAlloc(site->context, RIBBON_MAX_SLICE);
	sliced.dictionary = memcpy(site->dictionary,
							   ribbon_dictionary_bytes(&sliced, 0, size), size);
}

static const RibbonFilter *
open_datum(RibbonProbeSite *site, struct varlena *datum, unsigned nprobes)
{
	RibbonSqlType type = site->hasher.owner;
	const RibbonFilter *cached;
	varatt_external pointer;

	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL_ONDISK(datum))
	{
		cached = ribbon_storedcache_find(type, datum, nprobes);
		if (likely(cached != NULL))
			return cached;
		VARATT_EXTERNAL_GET_POINTER(pointer, datum);
		if (!VARATT_EXTERNAL_IS_COMPRESSED(pointer))
			return open_sliced(type, &pointer);
	}
	if (VARATT_IS_EXTERNAL(datum) || VARATT_IS_COMPRESSED(datum))
		datum = make_plain(site, datum);
	return open_in_line(site, datum);
}

const RibbonFilter *
ribbon_probesite_open(RibbonProbeSite *site, Datum datum, unsigned nprobes)
{
	const RibbonFilter *filter =
		open_datum(site, (struct varlena *) DatumGetPointer(datum), nprobes);

	if (ribbon_keyhash_adapt(&site->hasher, filter))
		return filter;
	ribbon_probesite_close(filter);
	return NULL;
}
