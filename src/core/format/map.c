/*
 * map.c - the header of a map: encode, decode, validate
 */
#include "format/map.h"

#include "base/bits.h"
#include "format/coding.h"

#define BYTE0_UNCHECKED	 0x10
#define BYTE0_HAS_NULL	 0x20
#define BYTE0_SEED		 0x40
#define BYTE0_DICTIONARY 0x80

size_t
ribbon_map_format_encode(const RibbonMapParams *params, uint8_t *out)
{
	uint8_t *start = out;
	bool dictionary = params->dictionary != NULL;

	*out++ = (uint8_t) (RIBBON_MAP_VERSION |
						(params->fpr == 1 ? BYTE0_UNCHECKED : 0) |
						(params->has_null ? BYTE0_HAS_NULL : 0) |
						(params->seed != 0 ? BYTE0_SEED : 0) |
						(dictionary ? BYTE0_DICTIONARY : 0));
	*out++ = (uint8_t) params->value_class;
	*out++ = (uint8_t) params->value_bits;
	if (!dictionary)
		out = ribbon_write_varint(out, ribbon_fold((uint64_t) params->base));
	if (params->seed != 0)
	{
		ribbon_store32(out, params->seed);
		out += 4;
	}
	if (dictionary)
		out = ribbon_write_varint(out, params->ndictionary);
	return (size_t) (out - start);
}

/* Read all of the header; returns the size of the dictionary, or 0. */
static uint64_t
read_header(RibbonReader *reader, RibbonMap *map)
{
	unsigned byte0 = ribbon_read_byte(reader);
	uint64_t ndictionary = 0;

	map->checked = !(byte0 & BYTE0_UNCHECKED);
	map->has_null = byte0 & BYTE0_HAS_NULL;
	map->value_class = ribbon_read_byte(reader);
	map->value_bits = ribbon_read_byte(reader);
	if (map->value_bits > RIBBON_MAX_VALUE_BITS)
		reader->corrupt = true;
	if (!(byte0 & BYTE0_DICTIONARY))
		map->base = (int64_t) ribbon_unfold(ribbon_read_varint64(reader));
	if (byte0 & BYTE0_SEED)
	{
		map->seed = ribbon_read32(reader);
		if (map->seed == 0)
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
ribbon_map_format_decode(const uint8_t *bytes, size_t nheader, size_t nbytes,
						 RibbonMap *map)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};
	uint64_t at, ndictionary;

	memset(map, 0, sizeof(*map));
	if (nheader == 0)
		return RIBBON_TRUNCATED;
	if ((bytes[0] & 15) != RIBBON_MAP_VERSION)
		return RIBBON_BAD_VERSION;

	ndictionary = read_header(&reader, map);
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (reader.corrupt)
		return RIBBON_CORRUPT;

	at = (uint64_t) (reader.next - bytes);
	if (ndictionary > nbytes - at)
		return RIBBON_TRUNCATED;
	if (ndictionary > 0)
	{
		map->ndictionary = ndictionary;
		map->dictionary_at = at;
	}
	map->total_bytes = nbytes;
	map->plane_at[0] = at + ndictionary;
	return RIBBON_OK;
}
