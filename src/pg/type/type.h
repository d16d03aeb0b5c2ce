/*
 * type.h - a ribbonfilter or a ribbonmap as a value of the server
 *
 *	 value.c	 to and from what the core takes and gives
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
 * value.c
 */

/*
 * Open bytes[0..nbytes) as a value of this type, if that is what they are:
 * NULL, or the reason why not.  Dictionaries are not looked into.
 */
extern const char *ribbon_value_try_open(RibbonSqlType type,
										 const uint8_t *bytes, size_t nbytes,
										 RibbonFilter *filter);

/*
 * Open a stored value, which was validated on its way in: whatever is wrong
 * with it now is corruption, and thrown as such.
 */
extern void ribbon_value_open(RibbonSqlType type, const uint8_t *bytes,
							  size_t nbytes, RibbonFilter *filter);

/*
 * The same for a value of nbytes bytes that are read in slices, of which its
 * headers are read.  Pointers into the bytes are not to be followed.
 */
extern void ribbon_value_open_sliced(RibbonSqlType type, size_t nbytes,
									 RibbonFetch fetch, void *arg,
									 RibbonFilter *filter);

/*
 * A datum of a type that is read in slices, each palloc'd and freed when the
 * next one is read; ribbon_value_fetch is a RibbonFetch, whose argument it is.
 */
typedef struct RibbonValueSlices
{
	RibbonSqlType type;
	struct varlena *value;
	struct varlena *slice; /* read last, or NULL */
} RibbonValueSlices;

extern const uint8_t *ribbon_value_fetch(void *arg, uint64_t at, size_t length);

/* Set slices to a datum, and open it, reading its headers alone. */
extern void ribbon_value_open_datum(RibbonSqlType type, Datum datum,
									RibbonValueSlices *slices,
									RibbonFilter *filter);

/* What a header says that the planner wants to know. */
typedef struct RibbonSummary
{
	uint64_t nkeys;
	uint64_t nbytes;
	double fpr; /* of an exact set: 0, as for the keys of its universe */
} RibbonSummary;

/* Of any datum of one of the types.  False: it is corrupt, or of another. */
extern bool ribbon_value_summarize(Datum datum, RibbonSummary *summary);

/*
 * Make a datum, in place, of this type, of what the core built or shrank with
 * VARHDRSZ bytes of headroom; or throw what the status calls for.
 */
extern struct varlena *ribbon_value_finish(RibbonSqlType type,
										   RibbonStatus status, uint8_t *bytes,
										   size_t nbytes);

/* errhint() for one of this type that is too large for a value. */
extern int ribbon_value_hint_too_large(RibbonSqlType type);

#endif /* RIBBON_TYPE_H */
