/*
 * build.h - from hashes to the bytes of a filter: read this first
 *
 * Filters, maps and exact sets are made of planes.  A plane has some columns:
 * check bits, value bits, or both.  construct/planes.h says how one is built,
 * assembly.h how their bytes are put together.
 *
 *----------
 *	 what is built			by			of which planes
 *	 filter					build.c		one
 *	 map, plain codes		build.c		one, or two if values are long
 *	 map, codes by			levels.c	one for each level of codes, and perhaps
 *	 frequency							a filter in front of them
 *	 exact set				exact.c		a filter of the members, and a column of
 *										bits for all keys that pass it
 *----------
 *
 * A map is built as a filter is, from records: each hash comes with a value
 * word, of which solve/supply.h makes value bits.  For codes by frequency
 * histogram.h counts the values, huffman.c makes lengths of codes, codebook.h
 * chooses among the ways to store them, and levels.c builds the planes.  What
 * planes will take is computed by construct/size.c; so exact_form.h chooses the
 * planes of an exact set.  The records that come to a plane behind another one
 * are copied (set/derive.c).
 *
 * Exact sets and codes by frequency ask the planes that they have built which
 * keys pass (passing.h): the way from here to probe/.
 */
#ifndef RIBBON_BUILD_H
#define RIBBON_BUILD_H

#include "compose/assembly.h"
#include "compose/codebook.h"

/*
 * Build an exact set of sorted, distinct records.  On RIBBON_OK *bytes is set;
 * after a failure there is still ribbon_bytes_discard to be called.  Errors:
 * those of ribbon_build.
 */
extern RibbonStatus ribbon_exact_build(const RibbonBuild *build,
									   const RibbonSet *records,
									   RibbonBytes *bytes);

/*
 * Build a map of records, sorted and distinct, with the book's choice of a
 * filter in front; behind it, codes are assigned anew.  Errors: those of
 * ribbon_build; RIBBON_TOO_MANY if the filter lets too many keys pass, or an
 * opened map has no room for as many planes.
 */
extern RibbonStatus ribbon_levels_build(const RibbonBuild *build,
										RibbonCodebook *book,
										const RibbonSet *records,
										RibbonBytes *bytes);

#endif /* RIBBON_BUILD_H */
