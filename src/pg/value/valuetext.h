/*
 * valuetext.h - values as text that is the same in every session
 *
 * Both are for a type that has been renewed.
 */
#ifndef RIBBON_VALUETEXT_H
#define RIBBON_VALUETEXT_H

#include "value/valuetype.h"

/*
 * The text of a value that goes into a dictionary, in UTF-8: palloc'd, or the
 * value's own bytes.
 */
extern RibbonValueBytes ribbon_valuetext_get(RibbonValueType *value_type,
											 Datum value);

/*
 * The value of a text, which is in the encoding of the database.  Elements are
 * not checked against their domain.
 */
extern Datum ribbon_valuetext_read(RibbonValueType *value_type, char *text);

#endif /* RIBBON_VALUETEXT_H */
