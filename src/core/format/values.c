/*
 * values.c - the header of a map: encode, decode, validate
 */
#include "format/values.h"

#include "base/bits.h"
#include "format/coding.h"

#define BYTE0_UNCHECKED	 0x10
#define BYTE0_HAS_NULL	 0x20
#define BYTE0_SEED		 0x40
#define BYTE0_DICTIONARY 0x80

size_t
ribbon_values_encode(const RibbonValues *values, bool checked, uint8_t *out)
{
	uint8_t *start = out;
	bool dictionary = values->dictionary != NULL;

	*out++ = (uint8_t) (RIBBON_MAP_VERSION | (checked ? 0 : BYTE0_UNCHECKED) |
						(values->has_null ? BYTE0_HAS_NULL : 0) |
						(values->seed != 0 ? BYTE0_SEED : 0) |
						(dictionary ? BYTE0_DICTIONARY : 0));
	*out++ = (uint8_t) values->value_class;
	*out++ = (uint8_t) values->bits;
	if (!dictionary)
		out = ribbon_write_varint(out, ribbon_fold((uint64_t) values->base));
	if (values->seed != 0)
	{
		ribbon_store32(out, values->seed);
		out += 4;
	}
	if (dictionary)
		out = ribbon_write_varint(out, values->ndictionary);
	return (size_t) (out - start);
}

/* Read all of the header; returns the size of the dictionary, or 0. */
static uint64_t
read_header(RibbonReader *reader, RibbonFilter *filter, bool *checked)
{
	unsigned byte0 = ribbon_read_byte(reader);
	uint64_t ndictionary = 0;

	*checked = !(byte0 & BYTE0_UNCHECKED);
	filter->has_values = true;
	filter->has_null = byte0 & BYTE0_HAS_NULL;
	filter->value_class = (uint8_t) ribbon_read_byte(reader);
	filter->value_bits = (uint8_t) ribbon_read_byte(reader);
	if (filter->value_bits > RIBBON_MAX_VALUE_BITS)
		reader->corrupt = true;
	if (!(byte0 & BYTE0_DICTIONARY))
		filter->base = (int64_t) ribbon_unfold(ribbon_read_varint64(reader));
	if (byte0 & BYTE0_SEED)
	{
		filter->seed = ribbon_read32(reader);
		if (filter->seed == 0)
			reader->corrupt = true;
	}
	if (byte0 & BYTE0_DICTIONARY)
	{
		ndictionary = ribbon_read_varint(reader, INT64_MAX);
		if (ndictionary == 0)
			reader->corrupt = true;
	}
	return ndictionary;
}

RibbonStatus
ribbon_values_decode(const uint8_t *bytes, size_t nheader, size_t nbytes,
					 RibbonFilter *filter, bool *checked, uint64_t *end)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};
	uint64_t ndictionary = read_header(&reader, filter, checked);
	uint64_t at = (uint64_t) (reader.next - bytes);

	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (reader.corrupt)
		return RIBBON_CORRUPT;
	if (ndictionary > nbytes - at)
		return RIBBON_TRUNCATED;
	if (ndictionary > 0)
	{
		filter->ndictionary = ndictionary;
		filter->dictionary_at = at;
	}
	*end = at + ndictionary;
	return RIBBON_OK;
}
