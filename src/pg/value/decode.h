/*
 * decode.h - what is found in a map, as a value of the type that is asked for
 */
#ifndef RIBBON_DECODE_H
#define RIBBON_DECODE_H

#include "value/lookup.h"
#include "value/valuetype.h"

/*
 * Throw an error if the values of a map are of another type than this one,
 * which may be a domain.
 */
extern void ribbon_decode_check(RibbonValueType *value_type,
								const RibbonFilter *map);

/* The value of what was found in such a map; of NULL, 0. */
extern Datum ribbon_decode_value(RibbonValueType *value_type,
								 const RibbonFound *found);

/* A number as text, terminated: as ribbon_number_write has it. */
extern const char *ribbon_decode_number(unsigned value_class, int64 number);

/* A number, or a text of a dictionary in the encoding of the database. */
extern text *ribbon_decode_text(const RibbonFound *found);

#endif /* RIBBON_DECODE_H */
