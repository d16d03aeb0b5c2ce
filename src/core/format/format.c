/*
 * format.c - the header of a filter: encode, decode, validate
 */
#include "format/format.h"

#include "base/keynumber.h"
#include "base/power.h"
#include "format/buckets.h"
#include "format/coding.h"
#include "format/icml.h"
#include "format/values.h"
#include "format/place.h"
#include "format/zones.h"

#define BYTE0_HOMOGENEOUS 0x40
#define BYTE0_EXTENDED	  0x80
#define EXT_SHRUNK		  0x01
#define EXT_SALTED		  0x02

/* A plane of a map without check bits? */
static bool
is_unchecked(const RibbonPlane *filter)
{
	return filter->result_bits == 0;
}

/* And without value bits either?  Then it has no systems. */
static bool
has_no_columns(const RibbonPlane *filter)
{
	return is_unchecked(filter) && filter->value_bits == 0;
}

static bool
is_shrunk(const RibbonPlane *filter)
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

void
ribbon_format_init_empty(RibbonPlane *filter, int key_class)
{
	memset(filter, 0, sizeof(*filter));
	filter->kind = RIBBON_BURR;
	filter->width = 64;
	filter->key_class = key_class;
	filter->result_bits = 1;
}

/* Write what the header stores of the last layer. */
static uint8_t *
write_zones(const RibbonPlane *filter, uint8_t *out)
{
	unsigned nzones = filter->nzones[0] + filter->nzones[1];
	const RibbonSystem *zones = filter->systems + filter->nlayers;
	uint64_t nslots = 0;
	uint64_t spare;

	for (unsigned z = 0; z < nzones; z++)
		nslots += zones[z].nslots;
	spare = nslots - filter->layer_keys[filter->nlayers];
	if (filter->split > 0)
		spare = spare * RIBBON_ROTATIONS + filter->rotation;
	out = ribbon_write_varint(out, spare);
	for (unsigned z = 0; z + 1 < nzones; z++)
	{
		uint64_t expected = ribbon_zones_expected_slots(filter, z, nslots);

		out = ribbon_write_varint(out, ribbon_fold(zones[z].nslots - expected));
	}
	for (unsigned z = 0; z < nzones; z += 2)
		*out++ = (uint8_t) (zones[z].seed |
							(z + 1 < nzones ? zones[z + 1].seed << 4 : 0));
	return out;
}

size_t
ribbon_format_encode(const RibbonPlane *filter, uint8_t *out)
{
	uint8_t *start = out;
	unsigned width_code = filter->width == 32 ? 0 : filter->width == 64 ? 1 : 2;
	bool shrunk = is_shrunk(filter);
	bool extended = shrunk || filter->salted;
	unsigned stored_bits = is_unchecked(filter) ? 0 : filter->result_bits - 1;

	*out++ = (uint8_t) (RIBBON_FORMAT_VERSION | width_code << 4 |
						(filter->kind == RIBBON_HOMOGENEOUS ?
							 BYTE0_HOMOGENEOUS :
							 0) |
						(extended ? BYTE0_EXTENDED : 0));
	*out++ = (uint8_t) (ribbon_key_class_of(filter->key_class) |
						filter->nlayers << 5);
	ribbon_store16(out, (uint16_t) (filter->wide | stored_bits << 11));
	out = ribbon_write_varint(out + 2, filter->nkeys);
	if (filter->nkeys == 0)
		return (size_t) (out - start);

	if (ribbon_key_class_has_parts(filter->key_class))
	{
		ribbon_store16(out, (uint16_t) ribbon_key_parts_of(filter->key_class));
		out += 2;
	}
	if (has_no_columns(filter))
		return (size_t) (out - start);
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
		out = ribbon_write_varint(out,
								  filter->systems[0].nslots - filter->nkeys);
		ribbon_store16(out, (uint16_t) filter->dependence);
		out += 2;
	}
	else
	{
		if (filter->nlayers > 0)
			*out++ = (uint8_t) filter->scheme;
		for (int i = 0; i < filter->nlayers; i++)
		{
			out = ribbon_write_varint(out, filter->layer_keys[i + 1]);
			out = ribbon_write_varint(out,
									  ribbon_fold(filter->systems[i].nslots +
												  filter->layer_keys[i + 1] -
												  filter->layer_keys[i]));
		}
		out = write_zones(filter, out);
	}
	return (size_t) (out - start);
}

RibbonStatus
ribbon_format_create(const RibbonEnv *env, RibbonPlane *filter, size_t headroom,
					 uint8_t **buffer)
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
ribbon_format_keep_bits(const RibbonEnv *env, RibbonPlane *filter,
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
read_zones(RibbonReader *reader, RibbonPlane *filter)
{
	uint64_t nkeys = filter->layer_keys[filter->nlayers];
	unsigned turns = filter->split > 0 ? RIBBON_ROTATIONS : 1;
	uint64_t spare = ribbon_read_varint(reader, RIBBON_MAX_KEYS * turns);
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
		uint64_t delta = ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS);
		uint64_t size = ribbon_zones_expected_slots(filter, z, nslots) +
			ribbon_unfold(delta);

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
		unsigned seeds = ribbon_read_byte(reader);

		zones[z].seed = seeds & 15;
		if (z + 1 < nzones)
			zones[z + 1].seed = (uint8_t) (seeds >> 4);
		else if (seeds > 15)
			reader->corrupt = true;
	}
}

/* Read the part of a BuRR header that follows the extension. */
static void
read_burr(RibbonReader *reader, const RibbonPlaneLeft *plane,
		  RibbonPlane *filter)
{
	if (filter->nlayers > 0)
	{
		filter->scheme = ribbon_read_byte(reader);
		if (filter->scheme >=
			ribbon_buckets_nschemes(filter->width, plane != NULL))
			reader->corrupt = true;
	}
	filter->layer_keys[0] = filter->nkeys;
	for (int i = 0; i < filter->nlayers; i++)
	{
		filter->layer_keys[i + 1] = ribbon_read_varint(reader,
													   filter->layer_keys[i]);
		filter->systems[i].nslots = filter->layer_keys[i] -
			filter->layer_keys[i + 1] +
			ribbon_unfold(ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS));
		if (filter->systems[i].nslots - (unsigned) filter->width >
			2 * RIBBON_MAX_KEYS)
			reader->corrupt = true;
	}
	read_zones(reader, filter);
}

/* Read what follows the class of the keys, if the filter has systems. */
static void
read_systems(RibbonReader *reader, unsigned byte0, const RibbonPlaneLeft *plane,
			 RibbonPlane *filter)
{
	if (byte0 & BYTE0_EXTENDED)
	{
		unsigned flags = ribbon_read_byte(reader);

		if (flags == 0 || flags > (EXT_SHRUNK | EXT_SALTED))
			reader->corrupt = true;
		if (flags & EXT_SHRUNK)
		{
			filter->split = ribbon_read16(reader);
			if (filter->split >= RIBBON_SHARES || !is_shrunk(filter))
				reader->corrupt = true;
		}
		if (flags & EXT_SALTED)
		{
			filter->salted = true;
			filter->salt = ribbon_read64(reader);
		}
	}
	if (filter->kind == RIBBON_HOMOGENEOUS)
	{
		filter->nzones[0] = 1;
		filter->systems[0].nslots = filter->nkeys +
			ribbon_read_varint(reader, RIBBON_MAX_KEYS);
		filter->dependence = ribbon_read16(reader);
	}
	else
		read_burr(reader, plane, filter);
}

/*
 * Set the bits of the fingerprint from the two bytes that stand for them, and
 * those of the value.
 */
static void
set_bits(RibbonReader *reader, unsigned stored_bits,
		 const RibbonPlaneLeft *plane, RibbonPlane *filter)
{
	filter->wide = filter->split = stored_bits & (RIBBON_SHARES - 1);
	filter->result_bits = (stored_bits >> 11) + 1;
	if (filter->result_bits == 32 && filter->wide > 0)
		reader->corrupt = true;
	if (plane == NULL)
		return;
	if (plane->unchecked)
	{
		filter->result_bits = 0;
		if (stored_bits != 0)
			reader->corrupt = true;
	}
	filter->value_bits = ribbon_values_low_bits(plane->value_bits,
												filter->result_bits,
												filter->wide);
}

/* Read all of the header behind byte 0. */
static void
read_header(RibbonReader *reader, unsigned byte0, const RibbonPlaneLeft *plane,
			RibbonPlane *filter)
{
	unsigned byte1 = ribbon_read_byte(reader),
			 stored_bits = ribbon_read16(reader), width_code = byte0 >> 4 & 3;

	filter->kind = byte0 & BYTE0_HOMOGENEOUS ? RIBBON_HOMOGENEOUS : RIBBON_BURR;
	filter->width = 32 << width_code;
	filter->key_class = byte1 & 31;
	filter->nlayers = (int) (byte1 >> 5);
	set_bits(reader, stored_bits, plane, filter);
	filter->nkeys = ribbon_read_varint(reader, RIBBON_MAX_KEYS);

	if (width_code > 2 ||
		(filter->kind == RIBBON_HOMOGENEOUS &&
		 (filter->nlayers > 0 || plane != NULL)))
		reader->corrupt = true;
	if (reader->corrupt)
		return;
	if (filter->nkeys == 0 || has_no_columns(filter))
	{
		if (byte0 != (RIBBON_FORMAT_VERSION | 1 << 4) || byte1 > 31 ||
			stored_bits != 0)
			reader->corrupt = true;
		if (filter->nkeys == 0)
			return;
	}

	if (ribbon_key_class_has_parts(filter->key_class))
	{
		filter->key_class |= (int) ribbon_read16(reader)
			<< RIBBON_KEY_CLASS_BITS;
		if (!ribbon_key_class_is_valid(filter->key_class))
			reader->corrupt = true;
	}
	if (!has_no_columns(filter))
		read_systems(reader, byte0, plane, filter);
	if (plane != NULL && is_shrunk(filter))
		reader->corrupt = true;
}

RibbonStatus
ribbon_format_decode(const uint8_t *bytes, size_t nheader, size_t nbytes,
					 const RibbonPlaneLeft *plane, RibbonPlane *filter)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};
	unsigned byte0 = ribbon_read_byte(&reader);

	memset(filter, 0, offsetof(RibbonPlane, systems));
	if (nheader == 0)
		return RIBBON_TRUNCATED;
	if ((byte0 & 15) != RIBBON_FORMAT_VERSION)
		return RIBBON_BAD_VERSION;

	read_header(&reader, byte0, plane, filter);
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (reader.corrupt)
		return RIBBON_CORRUPT;

	filter->header_bytes = (size_t) (reader.next - bytes);
	ribbon_place_systems(filter);
	if (nbytes < filter->total_bytes)
		return RIBBON_TRUNCATED;
	ribbon_place_bytes(filter, bytes);
	return RIBBON_OK;
}
