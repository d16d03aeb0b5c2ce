/*
 * valuecodes.c - the words of values to the codes that a map stores
 */
#include "value/valuecodes.h"

RibbonValueCodes
ribbon_valuecodes_of_numbers(bool any, int64 least, int64 greatest,
							 bool has_null)
{
	uint64 range = (uint64) greatest - (uint64) least;
	unsigned bits = ribbon_number_code_bits(any, range, has_null);

	if (bits > 64)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("values of ribbon_map are out of range"),
				 errdetail("Their range takes all 64 bits, which leaves no code for NULL."),
				 errhint("Cast the values to text, if at most %d of them are different.",
						 RIBBON_DICTIONARY_VALUES)));
	return (RibbonValueCodes){.value_bits = bits,
							  .base = any ? (uint64) least : 0,
							  .has_null = has_null};
}

RibbonValueCodes
ribbon_valuecodes_of_texts(RibbonTexts *texts, bool has_null)
{
	uint64 n = texts->ntexts;
	RibbonValueCodes codes = {.has_null = has_null, .texts = texts};

	codes.value_bits = ribbon_number_code_bits(n > 0, n - 1, has_null);
	codes.dictionary = ribbon_texts_write(texts, &codes.ndictionary);
	return codes;
}

/*
 * A word that was not announced, as a made-up partial state may have, must do
 * no harm: it gets any code.
 */
uint64_t
ribbon_valuecodes_get(const void *arg, uint64_t word)
{
	const RibbonValueCodes *codes = arg;
	uint64 all_bits = ribbon_number_null_code(codes->value_bits);
	const RibbonGroupText *text;

	if (codes->has_null && word == RIBBON_NULL_WORD)
		return all_bits;
	if (codes->texts == NULL)
		return (word - codes->base) & all_bits;
	text = ribbon_texts_find(codes->texts, word);
	return text != NULL ? text->code : 0;
}
