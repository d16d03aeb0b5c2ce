/*
 * codes.c - codes by frequency: the more keys have a value, the fewer bits
 */
#include "format/codes.h"

#define LENGTH_MASK 0x3F
#define FRONT		0x80

/*
 * Add the level of the codes of this length, if there is one.  *next is the
 * least path that has not ended before, and becomes the one behind them.
 */
static void
add_level(RibbonCodes *codes, unsigned length, uint32_t count, uint64_t *next)
{
	RibbonLevel *level = &codes->levels[codes->nlevels];

	if (count == 0 && (!codes->front || length > 0))
		return;
	level->length = length;
	level->first = (uint32_t) *next;
	level->count = count;
	level->entry = codes->front + codes->ncodes;
	codes->ncodes += count;
	codes->nlevels++;
	*next += count;
}

void
ribbon_codes_set_levels(RibbonCodes *codes, const uint32_t *counts,
						unsigned longest)
{
	uint64_t next = 0;

	codes->nlevels = 0;
	codes->ncodes = 0;
	for (unsigned length = 0; length <= longest; length++, next <<= 1)
		add_level(codes, length, counts[length], &next);
}

/* How many of the longest codes there are follows from the others. */
uint8_t *
ribbon_codes_write(const RibbonCodes *codes, uint8_t *out)
{
	unsigned longest = codes->levels[codes->nlevels - 1].length;
	const RibbonLevel *level = codes->levels;

	*out++ = (uint8_t) (longest | (codes->front ? FRONT : 0));
	if (level->length == 0)
		level++;
	for (unsigned length = 1; length < longest; length++)
	{
		bool here = level->length == length;

		out = ribbon_write_varint(out, here ? level->count : 0);
		level += here;
	}
	return out;
}

/*
 * open counts the paths that are no code yet.  Each of them leads to one code
 * at least.  So if there are too many, there are too many codes.
 */
void
ribbon_codes_read(RibbonReader *reader, unsigned entry_bits, RibbonCodes *codes)
{
	unsigned byte = ribbon_read_byte(reader);
	unsigned longest = byte & LENGTH_MASK;
	uint32_t counts[RIBBON_LONGEST_CODE + 1] = {0};
	uint64_t open = 1;
	uint64_t ncodes = 0;

	codes->entry_bits = entry_bits;
	codes->front = byte & FRONT;
	reader->corrupt |= entry_bits == 0 || longest == 0 ||
		longest > RIBBON_LONGEST_CODE || (byte & ~(LENGTH_MASK | FRONT)) != 0;
	if (reader->corrupt)
		return;
	for (unsigned length = 1; length < longest; length++)
	{
		open *= 2;
		counts[length] = (uint32_t) ribbon_read_varint(reader, open - 1);
		open -= counts[length];
		ncodes += counts[length];
		reader->corrupt |= ncodes + open > RIBBON_MAX_CODES;
		if (reader->corrupt)
			return;
	}
	counts[longest] = (uint32_t) (2 * open);
	ribbon_codes_set_levels(codes, counts, longest);
	reader->corrupt |= codes->ncodes > RIBBON_MAX_CODES;
}

RibbonStatus
ribbon_codes_check(const RibbonCodes *codes)
{
	uint64_t nbits = (uint64_t) ribbon_codes_entries(codes) * codes->entry_bits;

	for (unsigned i = 0; i < codes->nlevels; i++)
	{
		const RibbonLevel *level = &codes->levels[i];

		for (uint32_t k = 1; k < level->count; k++)
			if (ribbon_codes_value(codes, level->entry + k - 1) >=
				ribbon_codes_value(codes, level->entry + k))
				return RIBBON_BAD_CODES;
	}
	return ribbon_is_padded(codes->table, nbits) ? RIBBON_OK :
												   RIBBON_BAD_PADDING;
}
