/*
 * buildvalues.h - the values of a map's rows so far: a range of numbers, or a
 * dictionary
 *
 * A record of a map has a word for its value (value.h).  A value is added
 * before its word is, so all words of a state are known here.
 */
#ifndef RIBBON_BUILDVALUES_H
#define RIBBON_BUILDVALUES_H

#include "ribbon_pg.h"

#include "value/value.h"
#include "values/range.h"

typedef struct RibbonBuildValues
{
	RibbonRange range;
	RibbonTexts *texts; /* NULL for numbers */
	uint64 id;			/* no other in this process has it */
} RibbonBuildValues;

/*
 * Begin with no value, of this class.  If nhead is not 0, they are in a
 * dictionary that begins with this head, in context.
 */
extern void ribbon_buildvalues_init(RibbonBuildValues *values,
									MemoryContext context,
									RibbonValueClass value_class,
									const uint8 *head, uint32 nhead);

/* The same, for values of the type that others have. */
extern void ribbon_buildvalues_init_like(RibbonBuildValues *values,
										 MemoryContext context,
										 const RibbonBuildValues *others);

/*
 * Add a value of a type that has been renewed; returns its word under the map's
 * seed.
 */
static inline uint64
ribbon_buildvalues_add(RibbonBuildValues *values, RibbonValueType *value_type,
					   NullableDatum value, uint32 seed)
{
	if (unlikely(value.isnull))
	{
		values->range.has_null = true;
		return RIBBON_NULL_WORD;
	}
	if (values->texts != NULL)
		return ribbon_encode_value(value_type, value.value, values->texts,
								   values->id, seed);

	return ribbon_range_add(&values->range,
							ribbon_encode_number(value_type, value.value));
}

/* Add all other values; throws unless they are of the same type. */
extern void ribbon_buildvalues_join(RibbonBuildValues *values,
									const RibbonBuildValues *others,
									uint32 seed);

/* Throw the error for two records of one key, which a sentence describes. */
pg_noreturn extern void ribbon_buildvalues_report_two(const RibbonBuildValues
														  *values,
													  const uint64_t
														  *two_records,
													  uint32 seed,
													  const char *key);

/* Is this a word of a value that has been added? */
extern bool ribbon_buildvalues_has(const RibbonBuildValues *values,
								   uint64 word);

/*
 * Set what a map stores about all values, and their codes: all of core but seed
 * and coding.  Both must stay while the map is built.
 */
extern void ribbon_buildvalues_set_codes(const RibbonBuildValues *values,
										 RibbonValues *core);

#endif /* RIBBON_BUILDVALUES_H */
