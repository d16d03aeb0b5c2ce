/*
 * format.c - the header of a filter: encode, decode, validate
 */
#include "format/format.h"

#include "base/power.h"
#include "format/buckets.h"
#include "format/icml.h"
#include "format/place.h"
#include "format/zones.h"

#define BYTE0_HOMOGENEOUS 0x40
#define BYTE0_EXTENDED	  0x80
#define EXT_SHRUNK		  0x01
#define EXT_SALTED		  0x02

/*
 * A header that is being read.  A read behind the end gives zeros and sets
 * truncated, so that a sequence of reads needs one check, at its end.
 */
typedef struct Reader
{
	const uint8_t *next;
	const uint8_t *end;
	bool truncated;
	bool corrupt; /* a value was read that no builder writes */
} Reader;

static unsigned
read_byte(Reader *reader)
{
	if (reader->next >= reader->end)
	{
		reader->truncated = true;
		return 0;
	}
	return *reader->next++;
}

static unsigned
read_u16(Reader *reader)
{
	unsigned low = read_byte(reader);

	return low | read_byte(reader) << 8;
}

static uint64_t
read_u64(Reader *reader)
{
	uint64_t value = 0;

	for (int i = 0; i < 8; i++)
		value |= (uint64_t) read_byte(reader) << 8 * i;
	return value;
}

/* A varint up to limit, which is below 2^63; corrupt if it is larger. */
static uint64_t
read_varint(Reader *reader, uint64_t limit)
{
	uint64_t value = 0;

	for (int shift = 0; shift < 63; shift += 7)
	{
		unsigned byte = read_byte(reader);

		value |= (uint64_t) (byte & 0x7F) << shift;
		if (byte < 0x80)
		{
			if ((byte == 0 && shift > 0) || value > limit)
				break;
			return value;
		}
	}
	reader->corrupt = true;
	return 0;
}

/* Returns where the next byte goes. */
static uint8_t *
write_varint(uint8_t *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*out++ = (uint8_t) (value | 0x80);
	*out++ = (uint8_t) value;
	return out;
}

/* d >= 0 becomes 2d, d < 0 becomes -2d - 1; d is taken modulo 2^64. */
static uint64_t
fold_sign(uint64_t delta)
{
	return delta >> 63 ? ~(delta << 1) : delta << 1;
}

static uint64_t
unfold_sign(uint64_t folded)
{
	return folded & 1 ? ~(folded >> 1) : folded >> 1;
}

static bool
is_shrunk(const RibbonFilter *filter)
{
	return filter->kind == RIBBON_BURR && filter->split != filter->wide;
}

unsigned
ribbon_format_encode_dependence(double probability)
{
	double q = probability > 0 ? -1024 * ribbon_log2(probability) + 0.5 : 65535;

	return q >= 65535 ? RIBBON_NOT_DEPENDENT : q < 0 ? 0 : (unsigned) q;
}

double
ribbon_format_decode_dependence(unsigned dependence)
{
	return dependence == RIBBON_NOT_DEPENDENT ?
		0 :
		ribbon_exp2(-(double) dependence / 1024);
}

bool
ribbon_key_class_is_valid(int key_class)
{
	if (key_class < 0 ||
		key_class >> (RIBBON_KEY_CLASS_BITS + RIBBON_KEY_PARTS_BITS) != 0)
		return false;
	for (; key_class >= RIBBON_KEY_CLASSES; key_class >>= RIBBON_KEY_CLASS_BITS)
	{
		if (ribbon_key_class_of(key_class) == RIBBON_SIDE_BY_SIDE)
			return true;
		if (!ribbon_key_class_has_parts(key_class))
			return false;
	}
	return true;
}

void
ribbon_format_init_empty(RibbonFilter *filter, int key_class)
{
	memset(filter, 0, sizeof(*filter));
	filter->kind = RIBBON_BURR;
	filter->version = RIBBON_FORMAT_VERSION;
	filter->width = 64;
	filter->key_class = key_class;
	filter->result_bits = 1;
}

/* Write what the header stores of the last layer. */
static uint8_t *
write_zones(const RibbonFilter *filter, uint8_t *out)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];
	const RibbonSystem *zones = filter->systems + filter->nlayers;
	uint64_t nslots = 0;
	uint64_t spare;

	for (unsigned z = 0; z < nzones; z++)
		nslots += zones[z].nslots;
	spare = nslots - filter->layer_keys[filter->nlayers];
	out = write_varint(out,
					   filter->split > 0 ?
						   spare * RIBBON_ROTATIONS + filter->rotation :
						   spare);
	for (unsigned z = 0; z + 1 < nzones; z++)
		out = write_varint(out,
						   fold_sign(zones[z].nslots -
									 ribbon_zones_expected_slots(filter, z,
																 nslots)));
	for (unsigned z = 0; z < nzones; z += 2)
		*out++ = (uint8_t) (zones[z].seed |
							(z + 1 < nzones ? zones[z + 1].seed << 4 : 0));
	return out;
}

size_t
ribbon_format_encode(const RibbonFilter *filter, uint8_t *out)
{
	uint8_t *start = out;
	unsigned width_code = filter->width == 32 ? 0 : filter->width == 64 ? 1 : 2;
	bool shrunk = is_shrunk(filter);
	bool extended = shrunk || filter->salted;

	*out++ = (uint8_t) (RIBBON_FORMAT_VERSION | width_code << 4 |
						(filter->kind == RIBBON_HOMOGENEOUS ?
							 BYTE0_HOMOGENEOUS :
							 0) |
						(extended ? BYTE0_EXTENDED : 0));
	*out++ = (uint8_t) (ribbon_key_class_of(filter->key_class) |
						filter->nlayers << 5);
	ribbon_store16(out,
				   (uint16_t) (filter->wide | (filter->result_bits - 1) << 11));
	out = write_varint(out + 2, filter->nkeys);
	if (filter->nkeys == 0)
		return (size_t) (out - start);

	if (ribbon_key_class_has_parts(filter->key_class))
	{
		ribbon_store16(out, (uint16_t) ribbon_key_parts_of(filter->key_class));
		out += 2;
	}
	if (extended)
	{
		*out++ = (uint8_t) ((shrunk ? EXT_SHRUNK : 0) |
							(filter->salted ? EXT_SALTED : 0));
		if (shrunk)
		{
			ribbon_store16(out, (uint16_t) filter->split);
			out += 2;
		}
		if (filter->salted)
		{
			ribbon_store64(out, filter->salt);
			out += 8;
		}
	}
	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		out = write_varint(out, filter->systems[0].nslots - filter->nkeys);
		ribbon_store16(out, (uint16_t) filter->dependence);
		out += 2;
	}
	else
	{
		if (filter->nlayers > 0)
			*out++ = (uint8_t) filter->scheme;
		for (int i = 0; i < filter->nlayers; i++)
		{
			out = write_varint(out, filter->layer_keys[i + 1]);
			out = write_varint(out,
							   fold_sign(filter->systems[i].nslots +
										 filter->layer_keys[i + 1] -
										 filter->layer_keys[i]));
		}
		out = write_zones(filter, out);
	}
	return (size_t) (out - start);
}

RibbonStatus
ribbon_format_create(const RibbonEnv *env, RibbonFilter *filter,
					 size_t headroom, uint8_t **buffer)
{
	uint8_t header[RIBBON_MAX_HEADER];
	RibbonStatus status;

	filter->header_bytes = ribbon_format_encode(filter, header);
	ribbon_place_systems(filter);

	*buffer = ribbon_alloc(env, headroom + filter->total_bytes);
	if (*buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(*buffer + headroom, header, filter->header_bytes);
	ribbon_place_bytes(filter, *buffer + headroom);
	status = ribbon_zero(env, *buffer + headroom + filter->header_bytes,
						 filter->total_bytes - filter->header_bytes);
	if (status != RIBBON_OK)
		ribbon_free(env, *buffer);
	return status;
}

RibbonStatus
ribbon_format_keep_bits(const RibbonEnv *env, RibbonFilter *filter,
						RibbonResultBits result_bits)
{
	RibbonSystem solved = filter->systems[0];
	const uint8_t *bytes = filter->bytes;

	/*
	 * the header's size does not depend on them, so slots begin where they did
	 */
	filter->result_bits = result_bits.bits;
	filter->wide = filter->split = result_bits.wide;
	ribbon_place_systems(filter);
	ribbon_place_bytes(filter, bytes);
	return ribbon_icml_keep_columns(env, &solved, &filter->systems[0]);
}

static void
read_zones(Reader *reader, RibbonFilter *filter)
{
	uint64_t nkeys = filter->layer_keys[filter->nlayers];
	unsigned turns = filter->split > 0 ? RIBBON_ROTATIONS : 1;
	uint64_t spare = read_varint(reader, RIBBON_MAX_KEYS * turns);
	uint64_t nslots = nkeys + spare / turns;
	uint64_t left = nslots;
	RibbonSystem *zones = filter->systems + filter->nlayers;
	unsigned nzones;

	filter->rotation = (unsigned) (spare % turns);
	filter->nzones[0] = ribbon_zones_count(filter->width, nkeys,
										   RIBBON_SHARES - filter->split);
	filter->nzones[1] = ribbon_zones_count(filter->width, nkeys, filter->split);
	nzones = filter->nzones[0] + filter->nzones[1];
	for (unsigned z = 0; z + 1 < nzones; z++)
	{
		uint64_t delta = read_varint(reader, 2 * RIBBON_MAX_KEYS);
		uint64_t size = ribbon_zones_expected_slots(filter, z, nslots) +
			unfold_sign(delta);

		if (size > left)
		{
			reader->corrupt = true;
			size = 0;
		}
		zones[z].nslots = size;
		left -= size;
	}
	zones[nzones - 1].nslots = left;

	for (unsigned z = 0; z < nzones; z += 2)
	{
		unsigned seeds = read_byte(reader);

		zones[z].seed = seeds & 15;
		if (z + 1 < nzones)
			zones[z + 1].seed = (uint8_t) (seeds >> 4);
		else if (seeds > 15)
			reader->corrupt = true;
	}
}

/* Read the part of a BuRR header that follows the extension. */
static void
read_burr(Reader *reader, RibbonFilter *filter)
{
	if (filter->nlayers > 0)
	{
		filter->scheme = read_byte(reader);
		if (filter->scheme >= ribbon_buckets_nschemes(filter->width))
			reader->corrupt = true;
	}
	filter->layer_keys[0] = filter->nkeys;
	for (int i = 0; i < filter->nlayers; i++)
	{
		filter->layer_keys[i + 1] = read_varint(reader, filter->layer_keys[i]);
		filter->systems[i].nslots = filter->layer_keys[i] -
			filter->layer_keys[i + 1] +
			unfold_sign(read_varint(reader, 2 * RIBBON_MAX_KEYS));
		if (filter->systems[i].nslots - (unsigned) filter->width >
			2 * RIBBON_MAX_KEYS)
			reader->corrupt = true;
	}
	read_zones(reader, filter);
}

/* Read all of the header behind byte 0. */
static void
read_header(Reader *reader, unsigned byte0, RibbonFilter *filter)
{
	unsigned byte1 = read_byte(reader), result_bits = read_u16(reader),
			 width_code = byte0 >> 4 & 3;

	filter->kind = byte0 & BYTE0_HOMOGENEOUS ? RIBBON_HOMOGENEOUS : RIBBON_BURR;
	filter->width = 32 << width_code;
	filter->key_class = byte1 & 31;
	filter->nlayers = (int) (byte1 >> 5);
	filter->result_bits = (result_bits >> 11) + 1;
	filter->wide = filter->split = result_bits & (RIBBON_SHARES - 1);
	filter->nkeys = read_varint(reader, RIBBON_MAX_KEYS);

	if (width_code > 2 || (filter->result_bits == 32 && filter->wide > 0) ||
		(filter->kind == RIBBON_HOMOGENEOUS && filter->nlayers > 0))
	{
		reader->corrupt = true;
		return;
	}
	if (filter->nkeys == 0)
	{
		if (byte0 != (RIBBON_FORMAT_VERSION | 1 << 4) || byte1 > 31 ||
			result_bits != 0)
			reader->corrupt = true;
		return;
	}

	if (ribbon_key_class_has_parts(filter->key_class))
	{
		filter->key_class |= (int) read_u16(reader) << RIBBON_KEY_CLASS_BITS;
		if (!ribbon_key_class_is_valid(filter->key_class))
			reader->corrupt = true;
	}
	if (byte0 & BYTE0_EXTENDED)
	{
		unsigned flags = read_byte(reader);

		if (flags == 0 || flags > (EXT_SHRUNK | EXT_SALTED))
			reader->corrupt = true;
		if (flags & EXT_SHRUNK)
		{
			filter->split = read_u16(reader);
			if (filter->split >= RIBBON_SHARES || !is_shrunk(filter))
				reader->corrupt = true;
		}
		if (flags & EXT_SALTED)
		{
			filter->salted = true;
			filter->salt = read_u64(reader);
		}
	}
	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		filter->nzones[0] = 1;
		filter->systems[0].nslots = filter->nkeys +
			read_varint(reader, RIBBON_MAX_KEYS);
		filter->dependence = read_u16(reader);
	}
	else
		read_burr(reader, filter);
}

RibbonStatus
ribbon_format_decode(const uint8_t *bytes, size_t nheader, size_t nbytes,
					 RibbonFilter *filter)
{
	Reader reader = {bytes, bytes + nheader, false, false};
	unsigned byte0 = read_byte(&reader);

	memset(filter, 0, offsetof(RibbonFilter, systems));
	if (nheader == 0)
		return RIBBON_TRUNCATED;
	filter->version = (int) (byte0 & 15);
	if (filter->version != RIBBON_FORMAT_VERSION)
		return RIBBON_BAD_VERSION;

	read_header(&reader, byte0, filter);
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (reader.corrupt)
		return RIBBON_CORRUPT;

	filter->header_bytes = (size_t) (reader.next - bytes);
	ribbon_place_systems(filter);
	if (nbytes < filter->total_bytes)
		return RIBBON_TRUNCATED;
	if (nbytes > filter->total_bytes)
		return RIBBON_CORRUPT;
	ribbon_place_bytes(filter, bytes);
	return RIBBON_OK;
}
