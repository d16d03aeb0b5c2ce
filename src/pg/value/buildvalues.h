/*
 * buildvalues.h - the values of a map's rows so far: a range of numbers, or the
 * texts of a dictionary
 *
 * A record of a map has a word for its value (value.h).  A value is added
 * before its word is, so all words of a state are known here.
 */
#ifndef RIBBON_BUILDVALUES_H
#define RIBBON_BUILDVALUES_H

#include "ribbon_pg.h"

#include "lib/stringinfo.h"
#include "set/element.h"
#include "value/valuetype.h"
#include "values/range.h"
#include "values/texts.h"

typedef struct RibbonBuildValues
{
	RibbonRange range;
	RibbonTexts *texts; /* NULL for numbers */
	uint64 id;			/* no other in this process has it; not 0 */
	uint32 seed;		/* the map's, with which texts have their words */
	uint8 value_class;	/* a RibbonValueClass */
} RibbonBuildValues;

/* Begin with no value, of the class and the type of a call site's values. */
extern void ribbon_buildvalues_begin(RibbonBuildValues *values,
									 MemoryContext context, uint32 seed,
									 RibbonValueType *value_type);

/* Add a value that is no number, and not NULL; returns its word. */
extern uint64 ribbon_buildvalues_add_other(RibbonBuildValues *values,
										   RibbonValueType *value_type,
										   Datum value);

/* The word of a number, which has the length of an integer, or of a boolean. */
static inline uint64
ribbon_buildvalues_number(const RibbonValueType *value_type, Datum value)
{
	switch (value_type->length)
	{
		case sizeof(int64):
			return (uint64) DatumGetInt64(value);
		case sizeof(int32):
			return (uint64) (int64) DatumGetInt32(value);
		case sizeof(int16):
			return (uint64) (int64) DatumGetInt16(value);
		default:
			return DatumGetBool(value) ? 1 : 0;
	}
}

/* Add a value; returns its word. */
static inline uint64
ribbon_buildvalues_add(RibbonBuildValues *values, RibbonValueType *value_type,
					   NullableDatum value)
{
	if (unlikely(value.isnull))
	{
		values->range.has_null = true;
		return RIBBON_NULL_WORD;
	}
	if (values->texts != NULL)
		return ribbon_buildvalues_add_other(values, value_type, value.value);
	return ribbon_range_add(&values->range,
							ribbon_buildvalues_number(value_type, value.value));
}

/*
 * Add all other values of the same seed; throws unless they are of the same
 * type.  Zeroed values begin with that, in context.
 */
extern void ribbon_buildvalues_join(RibbonBuildValues *values,
									MemoryContext context,
									const RibbonBuildValues *others);

/* Append them to a message. */
extern void ribbon_buildvalues_put(StringInfo out,
								   const RibbonBuildValues *values);

/*
 * Begin with those that are next in a message, in context.  Returns false if
 * what is there is none.
 */
extern bool ribbon_buildvalues_get(StringInfo in, RibbonBuildValues *values,
								   MemoryContext context, uint32 seed);

/* Throw the error for two records of one key, which a sentence describes. */
pg_noreturn extern void ribbon_buildvalues_report_two(const RibbonBuildValues
														  *values,
													  const RibbonRecord
														  *two_records,
													  const char *key);

/* Is this a word of a value that has been added? */
extern bool ribbon_buildvalues_has(const RibbonBuildValues *values,
								   uint64 word);

/*
 * Set what a map stores about all values, and their codes: all of core but
 * coding.  Both must stay while the map is built; the caller frees the
 * dictionary.
 */
extern void ribbon_buildvalues_set_codes(const RibbonBuildValues *values,
										 RibbonValues *core);

#endif /* RIBBON_BUILDVALUES_H */
