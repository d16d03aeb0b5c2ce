/*
 * value.h - the values of maps: from SQL to codes, and back
 *
 * A map has a code of a few bits for each key.  values/values.h of the core
 * says what codes stand for: numbers, or texts in a dictionary.
 *
 *	 build	value -> word -> code			ask	  code -> what is found -> value
 *
 * A value's WORD has 64 bits and is the same in every process, so that states
 * of processes can be combined.  It is the value itself, if that is a number,
 * the hash of its text under the map's seed, or RIBBON_NULL_WORD.  When all
 * keys are there, words become codes.
 *
 *	 valuetype.h	valuetype.c		a call site's type; refusals
 *					valuetext.c		a value to text, and back
 *	 memo.h			memo.c			values and their texts, of a call site
 *	 buildvalues.h	buildvalues.c	the values of a group: a range, or texts
 *	 value.h		lookup.c		a code to what it stands for
 *					decode.c		what is found to a value of a type
 */
#ifndef RIBBON_VALUE_H
#define RIBBON_VALUE_H

#include "ribbon_pg.h"

#include "value/valuetype.h"
#include "values/dictionary.h"

/*
 * lookup.c: what the codes of a map stand for.  A map that was validated when
 * it was stored may have been damaged since.  So these functions read nothing
 * outside of its bytes, and throw bytes that make no sense as corruption.
 */

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

	StaticAssertStmt(RIBBON_VALUES_INT2 == 2 && RIBBON_VALUES_INT4 == 3 &&
						 RIBBON_VALUES_INT8 == 4,
					 "integers have 4 << class bits");
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

/*
 * The name of the values' type: for numbers that of SQL; for a dictionary with
 * its schema, unless that is pg_catalog.  If in_query, it has the quotes that a
 * query needs.
 */
extern const char *ribbon_lookup_type_name(const RibbonFilter *map,
										   bool in_query);

/* The number of values in the dictionary. */
extern uint32 ribbon_lookup_count(const RibbonFilter *map);

/*
 * decode.c: what is found, as a value of the type that is asked for
 */

/*
 * Throw an error if the values of a map are of another type than this one,
 * which may be a domain.
 */
extern void ribbon_decode_check(RibbonValueType *value_type,
								const RibbonFilter *map);

/* The value of what was found in such a map; of NULL, 0. */
extern Datum ribbon_decode_value(RibbonValueType *value_type,
								 const RibbonFound *found);

/* A number as text, terminated: as ribbon_values_write has it. */
extern const char *ribbon_decode_number(unsigned value_class, int64 number);

/* A number, or a text of a dictionary in the encoding of the database. */
extern text *ribbon_decode_text(const RibbonFound *found);

#endif /* RIBBON_VALUE_H */
