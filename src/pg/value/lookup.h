/*
 * lookup.h - from the codes of a map to its values
 *
 *	 lookup.c	from a code to a number, or a text of a dictionary
 *	 number.c	from a number to a text, or a value of its type
 *	 decode.c	from either to a value of the type that is asked for
 */
#ifndef RIBBON_LOOKUP_H
#define RIBBON_LOOKUP_H

#include "value/value.h"

/*
 * lookup.c: what the codes of a map stand for
 *
 * A map that was validated when it was stored may have been damaged since.  So
 * these functions read nothing outside of its bytes, and throw bytes that make
 * no sense as corruption.
 */

/* A map in memory (fetch is NULL), or one that is read in slices. */
typedef struct RibbonMapSource
{
	const RibbonFilter *map;
	const uint8_t *dictionary; /* if it is in memory, or NULL */
	RibbonFetch fetch;
	void *arg;
} RibbonMapSource;

/* A map that is in memory as a whole. */
static inline RibbonMapSource
ribbon_map_source(const RibbonFilter *map)
{
	return (RibbonMapSource){map, map->dictionary, NULL, NULL};
}

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
extern void ribbon_lookup_code(const RibbonMapSource *source, uint64_t code,
							   RibbonFound *found);

/* The same for most integers without a call. */
static inline void
ribbon_lookup_row(const RibbonMapSource *source, uint64_t code,
				  RibbonFound *found)
{
	const RibbonFilter *map = source->map;
	int64 number = (int64) ((uint64) map->base + code);
	unsigned value_class = map->value_class;
	/* of an integer of this class: 15, 31, 63 */
	unsigned bits = (4u << (value_class & 7)) - 1;

	found->value_class = value_class;
	found->number = number;
	found->kind = RIBBON_FOUND_NUMBER;
	if (unlikely(map->has_null || value_class < RIBBON_VALUE_INT2 ||
				 value_class > RIBBON_VALUE_INT8 ||
				 code > (uint64) PG_INT64_MAX - (uint64) map->base ||
				 number >> bits != number >> 63))
		ribbon_lookup_code(source, code, found);
}

/*
 * Key i of n, if known[i], has codes[i].  Set known[i] to false if that code
 * means no value.
 */
extern void ribbon_lookup_sift(const RibbonMapSource *source,
							   const uint64_t *codes, size_t n, bool *known);

/* Does the dictionary begin with this head, so its values are of that type? */
extern bool ribbon_lookup_is_type(const RibbonMapSource *source,
								  const uint8_t *head, size_t nhead);

/*
 * The name of the values' type: for numbers that of SQL; for a dictionary with
 * its schema, unless that is pg_catalog.  If in_query, it has the quotes that a
 * query needs.
 */
extern const char *ribbon_lookup_type_name(const RibbonMapSource *source,
										   bool in_query);

/* The number of values in the dictionary. */
extern uint32 ribbon_lookup_count(const RibbonMapSource *source);

/*
 * Why no map can have this value class with, or without, a dictionary; NULL if
 * it can.  Looks at the header only.
 */
extern const char *ribbon_lookup_objection(const RibbonFilter *map);

/* What is wrong with the dictionary, if any, of a map in memory; or NULL. */
extern const char *ribbon_lookup_check(const RibbonFilter *map);

/*
 * number.c: numbers, by their value class
 */

/* The class of a type that is no domain. */
extern RibbonValueClass ribbon_number_class(Oid type);

/* Is it a number of this class, which is not the dictionary's? */
extern bool ribbon_number_is_valid(unsigned value_class, int64 number);

/* As a value of the type. */
extern Datum ribbon_number_datum(unsigned value_class, int64 number);

/*
 * As text, whatever the settings: dates and times as ISO 8601 has it, with a
 * blank between the two, and times with a zone in UTC.
 */
extern const char *ribbon_number_text(unsigned value_class, int64 number);

/* What SQL calls the type. */
extern const char *ribbon_number_type_name(unsigned value_class);

/*
 * decode.c: values of a type that is asked for, which may be a domain
 */

/* Throw an error if the values of a map are of another type. */
extern void ribbon_decode_check(RibbonValueType *value_type,
								const RibbonMapSource *source);

/* The value of what was found in such a map; of NULL, 0. */
extern Datum ribbon_decode_value(RibbonValueType *value_type,
								 const RibbonFound *found);

/* A text of a dictionary in the encoding of the database. */
extern text *ribbon_decode_text(const RibbonFound *found);

#endif /* RIBBON_LOOKUP_H */
