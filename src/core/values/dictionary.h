/*
 * dictionary.h - the texts that a map has for its codes, as bytes
 *
 * docs/format.md, section 7:
 *
 *----------
 *	 SIZE	MEANING
 *	 1, n	length of the schema's name, and the name
 *	 1, n	length of the type's name, and the name
 *	 varint	number of values
 *	 1		size s of an end: 1, 2 or 4
 *	 s each	the ends of the values, counted from the first one's begin
 *	 		values, as text: sorted by bytes, all different
 *----------
 *
 * The two names are the head, which says of which type the values are.  Names
 * and texts are in UTF-8, without character 0.
 *
 * A map that was validated when it was stored may have been damaged since.  So
 * these functions read nothing outside of its bytes, and return a status for
 * bytes that make no sense.
 */
#ifndef RIBBON_DICTIONARY_H
#define RIBBON_DICTIONARY_H

#include "ribbon_core.h"
#include "values/values.h"

/* The head of a type in pg_catalog: \004text, its name's length first. */
#define RIBBON_CATALOG_HEAD(name) "\012pg_catalog" name

/* What comes before the texts.  Places are counted from its first byte. */
typedef struct RibbonDictionary
{
	const uint8_t *schema; /* names, their length first; where it is read in */
	const uint8_t *type;   /* slices, they stay there until the next one */
	uint32_t nvalues;
	unsigned end_size; /* 1, 2, 4 */
	uint32_t ends_at;
	uint32_t texts_at;
	uint64_t text_bytes; /* bytes of all texts */
} RibbonDictionary;

#define RIBBON_DICTIONARY_COUNT_BYTES 3 /* of the number of values, at most */

/*
 * Decode what comes before the texts of a map with a dictionary.  Errors:
 * RIBBON_BAD_DICTIONARY.
 */
extern RibbonStatus ribbon_dictionary_open(const RibbonFilter *map,
										   RibbonDictionary *dictionary);

/*
 * Set *at and *size to the place of the text of a code below nvalues.  Errors:
 * RIBBON_BAD_ORDER.
 */
extern RibbonStatus ribbon_dictionary_find(const RibbonFilter *map,
										   const RibbonDictionary *dictionary,
										   uint32_t code, uint64_t *at,
										   uint32_t *size);

/*
 * Check all of the dictionary of a map in memory, whose class and dictionary
 * agree.  RIBBON_OK if it has none.  env is used for interrupts only.  Errors:
 * RIBBON_BAD_DICTIONARY .. RIBBON_BAD_END, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_dictionary_check(const RibbonEnv *env,
											const RibbonFilter *map);

/* Is this a head: two names, not empty, in UTF-8, and nothing behind them? */
extern bool ribbon_dictionary_is_head(const uint8_t *head, size_t nhead);

/*
 * size bytes (1 .. RIBBON_MAX_SLICE) of the dictionary, which has so many
 * there; until the next ones are asked for.
 */
static inline const uint8_t *
ribbon_dictionary_bytes(const RibbonFilter *map, uint64_t at, size_t size)
{
	if (RIBBON_LIKELY(map->dictionary != NULL))
		return map->dictionary + at;
	return map->fetch(map->fetch_arg, map->dictionary_at + at, size);
}

/*
 * How texts are ordered: below 0 if the left one comes first.  By bytes; if one
 * is the beginning of the other, the shorter one is first.
 */
static inline int
ribbon_dictionary_compare(const char *left, uint32_t nleft, const char *right,
						  uint32_t nright)
{
	int order = memcmp(left, right, ribbon_min64(nleft, nright));

	return order != 0 ? order : (nleft > nright) - (nleft < nright);
}

#endif /* RIBBON_DICTIONARY_H */
