/*
 * type.h - a ribbonfilter or a ribbonmap as a datum of the server
 *
 *	 datum.c	 to and from what the core takes and gives
 *	 io.c		 text, bytea, binary: validated on the way in
 *	 stats.c, check.c, shrink.c
 *				 the SQL functions of these names
 *
 * A filter is a map whose values have no bits.  The core opens both alike;
 * where SQL has two functions, they are two entries of one.
 */
#ifndef RIBBON_TYPE_H
#define RIBBON_TYPE_H

#include "ribbon_pg.h"

/*
 * datum.c
 */

/*
 * Open bytes[0..nbytes) as a value of this type.  Returns NULL, or the reason
 * why they are none.  Does not look into dictionaries.
 */
extern const char *ribbon_datum_try_open(RibbonSqlType type,
										 const uint8_t *bytes, size_t nbytes,
										 RibbonFilter *filter);

/*
 * Open a stored value.  It was validated when it was stored, so if anything is
 * wrong now, this throws corruption.
 */
extern void ribbon_datum_open(RibbonSqlType type, const uint8_t *bytes,
							  size_t nbytes, RibbonFilter *filter);

/*
 * The same for a value of nbytes bytes that is read in slices.  Reads only the
 * headers.  The filter's pointers into the bytes must not be used.
 */
extern void ribbon_datum_open_sliced(RibbonSqlType type, size_t nbytes,
									 RibbonFetch fetch, void *arg,
									 RibbonFilter *filter);

/*
 * A datum that is read in slices.  It is the arg of ribbon_datum_fetch, which
 * is a RibbonFetch.  Each slice is palloc'd, and freed when the next one is
 * read.
 */
typedef struct RibbonDatumSlices
{
	RibbonSqlType type;
	struct varlena *value;
	struct varlena *slice; /* read last, or NULL */
} RibbonDatumSlices;

extern const uint8_t *ribbon_datum_fetch(void *arg, uint64_t at, size_t length);

/* Set *slices to a datum, and open it.  Reads only its headers. */
extern void ribbon_datum_open_header(RibbonSqlType type, Datum datum,
									 RibbonDatumSlices *slices,
									 RibbonFilter *filter);

/* What the planner needs of a header. */
typedef struct RibbonSummary
{
	uint64_t nkeys;
	uint64_t nbytes;
	double fpr; /* of an exact set: 0, as for the keys of its universe */
} RibbonSummary;

/*
 * Summarize a filter or map.  Returns false if the datum is neither, or
 * corrupt.
 */
extern bool ribbon_datum_summarize(Datum datum, RibbonSummary *summary);

/*
 * Make a datum of this type, in place, from what the core returned with
 * VARHDRSZ bytes of headroom.  Throws if status is an error.
 */
extern struct varlena *ribbon_datum_finish(RibbonSqlType type,
										   RibbonStatus status, uint8_t *bytes,
										   size_t nbytes);

/* Call errhint() for a value of this type that is too large. */
extern int ribbon_datum_hint_too_large(RibbonSqlType type);

#endif /* RIBBON_TYPE_H */
