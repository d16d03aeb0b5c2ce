/*
 * valuecodes.h - what a map stores about its values, and the codes of words
 */
#ifndef RIBBON_VALUECODES_H
#define RIBBON_VALUECODES_H

#include "value/texts.h"
#include "values/number.h"

typedef struct RibbonValueCodes
{
	unsigned value_bits;
	uint64 base; /* of numbers */
	bool has_null;
	const RibbonTexts *texts; /* of words of texts, or NULL */
	uint8 *dictionary;		  /* its bytes, or NULL */
	size_t ndictionary;
} RibbonValueCodes;

/*
 * Codes for all numbers from least to greatest, if any; or for texts, which
 * must stay.  If has_null, NULL has a code, too.  Throws if 64 bits are not
 * enough.
 */
extern RibbonValueCodes ribbon_valuecodes_of_numbers(bool any, int64 least,
													 int64 greatest,
													 bool has_null);
extern RibbonValueCodes ribbon_valuecodes_of_texts(RibbonTexts *texts,
												   bool has_null);

/* The code of a word.  This is a RibbonCode; arg is a RibbonValueCodes. */
extern uint64_t ribbon_valuecodes_get(const void *arg, uint64_t word);

#endif /* RIBBON_VALUECODES_H */
