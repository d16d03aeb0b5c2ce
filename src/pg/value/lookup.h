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
extern void ribbon_lookup_code(const RibbonSource *source, uint64_t code,
							   RibbonFound *found);

/* Does the dictionary begin with this head, so its values are of that type? */
extern bool ribbon_lookup_is_type(const RibbonSource *source,
								  const uint8_t *head, size_t nhead);

/*
 * The name of the values' type: for numbers that of SQL; for a dictionary with
 * its schema, unless that is pg_catalog.  If in_query, it has the quotes that a
 * query needs.
 */
extern const char *ribbon_lookup_type_name(const RibbonSource *source,
										   bool in_query);

/* The number of values in the dictionary. */
extern uint32 ribbon_lookup_count(const RibbonSource *source);

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
								const RibbonSource *source);

/* The value of what was found in such a map; of NULL, 0. */
extern Datum ribbon_decode_value(RibbonValueType *value_type,
								 const RibbonFound *found);

/* A text of a dictionary in the encoding of the database. */
extern text *ribbon_decode_text(const RibbonFound *found);

#endif /* RIBBON_LOOKUP_H */
