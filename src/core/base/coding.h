/*
 * coding.h - the integers of headers: read from any bytes, and written
 *
 * docs/format.md has their forms: fixed sizes are little-endian, a varint is
 * LEB128 in the fewest bytes, "folded" is a signed number as an unsigned one.
 */
#ifndef RIBBON_CODING_H
#define RIBBON_CODING_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A header that is being read.  A read behind the end gives zeros and sets
 * truncated, so that a sequence of reads needs one check, at its end.
 */
typedef struct RibbonReader
{
	const uint8_t *next;
	const uint8_t *end;
	bool truncated;
	bool corrupt; /* a value was read that no builder writes */
} RibbonReader;

static inline unsigned
ribbon_read_byte(RibbonReader *reader)
{
	if (reader->next >= reader->end)
	{
		reader->truncated = true;
		return 0;
	}
	return *reader->next++;
}

/* A number of so many bytes, 8 at most. */
static inline uint64_t
ribbon_read_fixed(RibbonReader *reader, unsigned nbytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < nbytes; i++)
		value |= (uint64_t) ribbon_read_byte(reader) << 8 * i;
	return value;
}

/*
 * A varint up to limit.  If it is larger, or takes more bytes than it needs,
 * the header is corrupt, and the result 0.
 */
static inline uint64_t
ribbon_read_varint(RibbonReader *reader, uint64_t limit)
{
	int nbytes = limit >> 63 ? 10 : 9; /* at most: each has seven bits */
	uint64_t value = 0;

	for (int i = 0; i < nbytes; i++)
	{
		unsigned byte = ribbon_read_byte(reader);

		value |= (uint64_t) (byte & 0x7F) << 7 * i;
		if (byte < 0x80)
		{
			/* bytes 0 .. 8 have 63 bits, so byte 9 has one */
			if ((byte == 0 && i > 0) || (i == 9 && byte > 1) || value > limit)
				break;
			return value;
		}
	}
	reader->corrupt = true;
	return 0;
}

/* Write a number in so many bytes; returns where the next one goes. */
static inline uint8_t *
ribbon_write_fixed(uint8_t *out, uint64_t value, unsigned nbytes)
{
	for (; nbytes > 0; nbytes--, value >>= 8)
		*out++ = (uint8_t) value;
	return out;
}

static inline uint8_t *
ribbon_write_varint(uint8_t *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*out++ = (uint8_t) (value | 0x80);
	*out++ = (uint8_t) value;
	return out;
}

/* d >= 0 becomes 2d, d < 0 becomes -2d - 1; d is taken modulo 2^64. */
static inline uint64_t
ribbon_fold(uint64_t delta)
{
	return delta >> 63 ? ~(delta << 1) : delta << 1;
}

static inline uint64_t
ribbon_unfold(uint64_t folded)
{
	return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

#endif /* RIBBON_CODING_H */
