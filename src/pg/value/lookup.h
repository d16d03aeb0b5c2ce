/*
 * lookup.h - what the codes of a map stand for
 *
 * A map that was validated when it was stored may have been damaged since.  So
 * these functions read nothing outside of its bytes, and throw bytes that make
 * no sense as corruption.
 */
#ifndef RIBBON_LOOKUP_H
#define RIBBON_LOOKUP_H

#include "ribbon_pg.h"

#include "values/dictionary.h"

typedef enum RibbonFoundKind
{
	RIBBON_FOUND_NOTHING, /* the key is surely not in the map */
	RIBBON_FOUND_NULL,
	RIBBON_FOUND_NUMBER,
	RIBBON_FOUND_TEXT
} RibbonFoundKind;

/* What a map has for a key. */
typedef struct RibbonFound
{
	RibbonFoundKind kind;
	unsigned value_class;
	int64 number; /* of a class of numbers */
	uint32 code;  /* of a dictionary, and */
	uint32 ntext;
	const char *text; /* its text in UTF-8, in the dictionary or, if that is
					   * not in memory, palloc'd */
} RibbonFound;

/* Set *found to what this code of value_bits stands for. */
extern void ribbon_lookup_code(const RibbonFilter *map, uint64_t code,
							   RibbonFound *found);

/* The same for most integers without a call. */
static inline void
ribbon_lookup_row(const RibbonFilter *map, uint64_t code, RibbonFound *found)
{
	int64 number = (int64) ((uint64) map->base + code);
	unsigned value_class = map->value_class;
	/* of an integer of this class: 15, 31, 63 */
	unsigned bits = (4u << (value_class & 7)) - 1;

	found->value_class = value_class;
	found->number = number;
	found->kind = RIBBON_FOUND_NUMBER;
	if (unlikely(map->has_null || value_class < RIBBON_VALUES_INT2 ||
				 value_class > RIBBON_VALUES_INT8 ||
				 code > (uint64) PG_INT64_MAX - (uint64) map->base ||
				 number >> bits != number >> 63))
		ribbon_lookup_code(map, code, found);
}

/*
 * Key i of n, if known[i], has codes[i].  Set known[i] to false if that code
 * means no value.
 */
extern void ribbon_lookup_sift(const RibbonFilter *map, const uint64_t *codes,
							   size_t n, bool *known);

/* Does the dictionary begin with this head, so its values are of that type? */
extern bool ribbon_lookup_is_type(const RibbonFilter *map, const uint8_t *head,
								  size_t nhead);

/*
 * The name of the values' type: for numbers that of SQL; for a dictionary with
 * its schema, unless that is pg_catalog.  If in_query, it has the quotes that a
 * query needs.
 */
extern const char *ribbon_lookup_type_name(const RibbonFilter *map,
										   bool in_query);

/* The number of values in the dictionary. */
extern uint32 ribbon_lookup_count(const RibbonFilter *map);

#endif /* RIBBON_LOOKUP_H */
