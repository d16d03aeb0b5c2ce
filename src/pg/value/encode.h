/*
 * encode.h - a value, which is not NULL, to its word
 */
#ifndef RIBBON_ENCODE_H
#define RIBBON_ENCODE_H

#include "value/grouptexts.h"
#include "value/valuetype.h"

/* The word of a number. */
static inline uint64
ribbon_encode_number(const RibbonValueType *value_type, Datum value)
{
	switch (value_type->value_class)
	{
		case RIBBON_VALUES_INT8:
		case RIBBON_VALUES_TIMESTAMP:
		case RIBBON_VALUES_TIMESTAMPTZ:
			return (uint64) DatumGetInt64(value);
		case RIBBON_VALUES_INT4:
		case RIBBON_VALUES_DATE:
			return (uint64) (int64) DatumGetInt32(value);
		case RIBBON_VALUES_INT2:
			return (uint64) (int64) DatumGetInt16(value);
		case RIBBON_VALUES_BOOL:
			return DatumGetBool(value) ? 1 : 0;
		case RIBBON_VALUES_DICTIONARY:
			break;
	}
	pg_unreachable();
}

/*
 * The word of any other value, whose text is added to the texts of its group.
 * These must be of the value's type as it is now.  group is not 0, and differs
 * between all groups of a call site.
 */
extern uint64 ribbon_encode_value(RibbonValueType *value_type, Datum value,
								  RibbonTexts *texts, uint64 group,
								  uint32 seed);

#endif /* RIBBON_ENCODE_H */
