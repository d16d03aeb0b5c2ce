/*
 * type.h - a ribbonfilter or a ribbonmap as a value of the server
 *
 *	 value.c	 to and from what the core takes and gives
 *	 io.c		 text, bytea, binary: validated on the way in
 *	 stats.c, mapstats.c, check.c, checktable.c, shrink.c
 *				 the SQL functions of these names
 *	 stored.c	 values of rows that may be damaged
 */
#ifndef RIBBON_TYPE_H
#define RIBBON_TYPE_H

#include "ribbon_pg.h"

#include "executor/tuptable.h"
#include "utils/array.h"
#include "utils/relcache.h"

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

/* The same for a map, whole or in slices; see ribbon_map_open. */
extern void ribbon_value_open_map(const uint8_t *bytes, size_t nbytes,
								  RibbonMap *map,
								  RibbonFilter planes[RIBBON_MAP_PLANES]);
extern void ribbon_value_open_map_sliced(size_t nbytes, RibbonFetch fetch,
										 void *arg, RibbonMap *map,
										 RibbonFilter
											 planes[RIBBON_MAP_PLANES]);

/*
 * A value of either type, opened.  planes[0] is the filter; or map refers to
 * planes.
 */
typedef struct RibbonOpenValue
{
	RibbonSqlType type;
	RibbonMap map;
	RibbonFilter planes[RIBBON_MAP_PLANES];
} RibbonOpenValue;

/* Open a stored value of this type. */
extern void ribbon_value_open_any(RibbonSqlType type, const uint8_t *bytes,
								  size_t nbytes, RibbonOpenValue *value);

/*
 * Copy what is used of it to kept: a RibbonFilter, or a RibbonMap and behind it
 * its planes.  ribbon_value_size is the bytes that takes.
 */
extern size_t ribbon_value_size(const RibbonOpenValue *value);
extern void ribbon_value_copy(const RibbonOpenValue *value, void *kept);

/*
 * Decode the header of any ribbonfilter datum, reading no more of a stored one
 * than its first slice.  The pointers in *filter are not to be followed.  Not
 * RIBBON_OK: it is corrupt.
 */
extern RibbonStatus ribbon_value_read_header(Datum datum, RibbonFilter *filter);

/*
 * A datum that is read in slices; ribbon_value_fetch is a RibbonFetch, whose
 * argument it is.  Set it up with the datum, and let go of it.
 */
typedef struct RibbonValueSlices
{
	struct varlena *value;
	struct varlena *slice; /* read last, or NULL */
} RibbonValueSlices;

extern const uint8_t *ribbon_value_fetch(void *arg, uint64_t at, size_t length);
extern void ribbon_value_release(RibbonValueSlices *slices);

/* What a header says that the planner wants to know. */
typedef struct RibbonSummary
{
	uint64_t nkeys;
	uint64_t nbytes;
	double fpr;
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

/* A fraction as ribbon_stats shows it: five digits. */
static inline double
ribbon_rounded(double x)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.5g", x);
	return strtod(digits, NULL);
}

/* errhint() for one of this type that is too large for a value. */
extern int ribbon_value_hint_too_large(RibbonSqlType type);

/*
 * stored.c
 */

/*
 * A column's value of a row in a slot.  False if the row is damaged: this value
 * is neither within it nor out of line in the table's TOAST table, or one of
 * those before it is not.
 */
extern bool ribbon_stored_get(Relation relation, TupleTableSlot *slot,
							  AttrNumber attribute, Datum *value,
							  bool *is_null);

/*
 * Throw unless an array, which has been read whole, has elements of this type,
 * one of ours or a domain over it, and all of them within it.
 */
extern void ribbon_stored_check_array(RibbonSqlType type, Oid element,
									  const ArrayType *array);

#endif /* RIBBON_TYPE_H */
