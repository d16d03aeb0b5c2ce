/*
 * type.h - a ribbonfilter as a value of the server
 *
 *	 value.c	 to and from what the core takes and gives
 *	 io.c		 text, bytea, binary: validated on the way in
 *	 stats.c, check.c, shrink.c
 *				 the SQL functions of these names
 */
#ifndef RIBBON_TYPE_H
#define RIBBON_TYPE_H

#include "ribbon_pg.h"

/*
 * value.c
 */

/*
 * Open a stored filter of bytes[0..nbytes), which was validated on its way in:
 * whatever is wrong with it now is corruption, and thrown as such.  *filter
 * points into the bytes.
 */
extern void ribbon_value_open(const uint8_t *bytes, size_t nbytes,
							  RibbonFilter *filter);

/* The same of the first bytes alone, as ribbon_open_header of the core. */
extern void ribbon_value_open_header(const uint8_t *header, size_t nheader,
									 size_t nbytes, RibbonFilter *filter);

/*
 * Decode the header of any ribbonfilter datum, reading no more of a stored one
 * than its first slice.  The pointers in *filter are not to be followed.  Not
 * RIBBON_OK: it is corrupt.
 */
extern RibbonStatus ribbon_value_read_header(Datum datum, RibbonFilter *filter);

/*
 * Make a datum, in place, of what ribbon_build or ribbon_shrink of the core
 * returned with VARHDRSZ bytes of headroom; or throw what the status calls for.
 */
extern struct varlena *ribbon_value_finish(RibbonStatus status, uint8_t *bytes,
										   size_t nbytes);

/* errhint() for a filter that is too large for a value. */
extern int ribbon_value_hint_too_large(void);

#endif /* RIBBON_TYPE_H */
