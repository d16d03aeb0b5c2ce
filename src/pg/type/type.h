/*
 * type.h - a ribbonfilter or a ribbonmap as a datum of the server
 *
 *	 datum.c	 to and from what the core takes and gives; ribbon_check,
 *				 ribbon_shrink
 *	 io.c		 text, bytea, binary: validated on the way in
 *	 stats.c	 ribbon_stats, ribbon_fpr, ribbon_cardinality
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
 * The core has opened bytes with this status.  Returns NULL if they are a
 * filter or map of this type, or the reason why not.  Does not look into
 * dictionaries.
 */
extern const char *ribbon_datum_objection(RibbonSqlType type,
										  RibbonStatus status,
										  const RibbonFilter *filter);

/*
 * The same of the bytes of a datum.  They were validated when they came in, so
 * if anything is wrong now, this throws corruption.
 */
extern void ribbon_datum_check(RibbonSqlType type, RibbonStatus status,
							   const RibbonFilter *filter);

/* Open a datum that is in line and not compressed, and check it. */
extern void ribbon_datum_open(RibbonSqlType type, struct varlena *datum,
							  RibbonFilter *filter);

/*
 * Open a datum that may be anywhere: reads only its headers, and later what is
 * asked of it, in slices.  Throws also if a stored datum lacks chunks, or the
 * server cannot decompress it.
 */
extern void ribbon_datum_open_header(RibbonSqlType type, Datum datum,
									 RibbonFilter *filter);

/* What ribbon_stats calls a filter or map of this kind. */
extern const char *ribbon_datum_kind(const RibbonFilter *filter);

/* What plans need of a header. */
typedef struct RibbonSummary
{
	const char *kind;
	double nkeys;
	double nbytes;
	double fpr; /* of an exact set without a rate: 0, as for its universe */
} RibbonSummary;

/*
 * Summarize a filter or map.  Returns false if the datum is neither, or its
 * header is corrupt.  Throws only if a stored datum lacks chunks, or the server
 * cannot decompress it; an error of ours calls it a ribbonfilter whatever it
 * is.
 */
extern bool ribbon_datum_summarize(Datum datum, RibbonSummary *summary);

/* The same in words; NULL for false. */
extern char *ribbon_datum_describe(Datum datum);

/*
 * Make a datum of this type, in place, from what the core returned with
 * VARHDRSZ bytes of headroom.  Throws if status is an error.
 */
extern struct varlena *ribbon_datum_finish(RibbonSqlType type,
										   RibbonStatus status, uint8_t *bytes,
										   size_t nbytes);

/* Call errhint() for a filter or map that is too large. */
extern int ribbon_datum_hint_too_large(RibbonSqlType type);

#endif /* RIBBON_TYPE_H */
