/*
 * body.c - the headers of bodies: encode, decode, validate
 *
 * A body is a plane: a header that says what its layers and zones are, and
 * behind it their thresholds and slots.  Where the head (format.c) describes
 * the first body, nothing is said twice.
 */
#include "format/format.h"

#include "base/power.h"
#include "format/buckets.h"
#include "format/icml.h"
#include "format/place.h"
#include "format/zones.h"

/*
 * of a body's own byte: bits 1-2 are the width; 4-7 the last zone's seed, if
 * the number of zones is odd, so that all seeds behind it fill whole bytes
 */
#define BODY_SALTED	 0x01
#define BODY_LAYERED 0x08

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
ribbon_format_init_empty(RibbonPlane *plane, int key_class)
{
	memset(plane, 0, sizeof(*plane));
	plane->kind = RIBBON_BURR;
	plane->width = 64;
	plane->key_class = key_class;
	plane->result_bits = 1;
}

/*
 * Write what the header stores of the last layer; to *own, unless it is NULL,
 * the seed that belongs there.
 */
static uint8_t *
write_zones(const RibbonPlane *plane, uint8_t *own, uint8_t *out)
{
	unsigned nzones = plane->nzones[0] + plane->nzones[1];
	const RibbonSystem *zones = plane->systems + plane->nlayers;
	uint64_t nslots = 0;
	uint64_t spare;

	for (unsigned z = 0; z < nzones; z++)
		nslots += zones[z].nslots;
	spare = nslots - plane->layer_keys[plane->nlayers];
	if (plane->split > 0)
		spare = spare * RIBBON_ROTATIONS + plane->rotation;
	out = ribbon_write_varint(out, spare);
	for (unsigned z = 0; z + 1 < nzones; z++)
	{
		uint64_t expected = ribbon_zones_expected_slots(plane, z, nslots);

		out = ribbon_write_varint(out, ribbon_fold(zones[z].nslots - expected));
	}
	for (unsigned z = 0; z + 1 < nzones; z += 2)
		*out++ = (uint8_t) (zones[z].seed | zones[z + 1].seed << 4);
	if (nzones % 2 != 0 && own != NULL)
		*own |= (uint8_t) (zones[nzones - 1].seed << 4);
	else if (nzones % 2 != 0)
		*out++ = zones[nzones - 1].seed;
	return out;
}

static uint8_t *
write_layers(const RibbonPlane *plane, uint8_t *out)
{
	if (plane->nlayers > 0)
		*out++ = (uint8_t) (plane->scheme | (unsigned) plane->nlayers << 5);
	for (int i = 0; i < plane->nlayers; i++)
	{
		uint64_t bumped = plane->layer_keys[i + 1];

		out = ribbon_write_varint(out, bumped);
		out = ribbon_write_varint(out,
								  ribbon_fold(plane->systems[i].nslots +
											  bumped - plane->layer_keys[i]));
	}
	return out;
}

size_t
ribbon_format_encode_body(const RibbonPlane *plane, RibbonRole role,
						  uint8_t *out)
{
	uint8_t *start = out;

	if (ribbon_format_is_bare(plane))
		return 0;
	if (role != RIBBON_FIRST)
		*out++ = (uint8_t) (ribbon_head_width_code(plane->width) << 1 |
							(plane->salted ? BODY_SALTED : 0) |
							(plane->nlayers > 0 ? BODY_LAYERED : 0));
	if (role == RIBBON_LEVEL || role == RIBBON_FRONT)
		out = ribbon_write_varint(out, plane->nkeys);
	if (role == RIBBON_FRONT)
		*out++ = (uint8_t) plane->result_bits;
	if (ribbon_head_is_shrunk(plane))
	{
		ribbon_store16(out, (uint16_t) plane->split);
		out += 2;
	}
	if (plane->salted)
	{
		ribbon_store64(out, plane->salt);
		out += 8;
	}
	if (plane->kind == RIBBON_HOMOGENEOUS)
	{
		out = ribbon_write_varint(out, plane->systems[0].nslots - plane->nkeys);
		ribbon_store16(out, (uint16_t) plane->dependence);
		out += 2;
	}
	else
		out = write_zones(plane, role == RIBBON_FIRST ? NULL : start,
						  write_layers(plane, out));
	return (size_t) (out - start);
}

size_t
ribbon_format_encode(const RibbonPlane *plane, uint8_t *out)
{
	size_t head = ribbon_format_encode_head(plane, NULL, NULL, out);

	return head + ribbon_format_encode_body(plane, RIBBON_FIRST, out + head);
}

RibbonStatus
ribbon_format_create(const RibbonEnv *env, RibbonPlane *plane, size_t headroom,
					 uint8_t **buffer)
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t size = ribbon_format_encode(plane, header);
	RibbonStatus status;

	plane->at = ribbon_format_encode_head(plane, NULL, NULL, header);
	plane->header_bytes = size - (size_t) plane->at;
	ribbon_place_systems(plane);

	*buffer = ribbon_alloc(env, headroom + plane->at + plane->total_bytes);
	if (*buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(*buffer + headroom, header, size);
	ribbon_place_bytes(plane, *buffer + headroom + plane->at);
	status = ribbon_zero(env, *buffer + headroom + size,
						 plane->total_bytes - plane->header_bytes);
	if (status != RIBBON_OK)
		ribbon_free(env, *buffer);
	return status;
}

RibbonStatus
ribbon_format_keep_bits(const RibbonEnv *env, RibbonPlane *plane,
						RibbonResultBits result_bits)
{
	RibbonSystem solved = plane->systems[0];
	const uint8_t *bytes = plane->bytes;

	/* the header's size stays, so slots begin where they did */
	plane->result_bits = result_bits.bits;
	plane->wide = plane->split = result_bits.wide;
	ribbon_place_systems(plane);
	ribbon_place_bytes(plane, bytes);
	return ribbon_icml_keep_columns(env, &solved, &plane->systems[0]);
}

void
ribbon_format_init_next(RibbonPlane *plane, int key_class, uint64_t nkeys,
						unsigned value_bits)
{
	ribbon_format_init_empty(plane, key_class);
	plane->nkeys = nkeys;
	plane->result_bits = 0;
	plane->value_bits = value_bits;
}

static void
read_zones(RibbonReader *reader, const RibbonBody *body, RibbonPlane *plane)
{
	uint64_t nkeys = plane->layer_keys[plane->nlayers];
	unsigned nrotations = plane->split > 0 ? RIBBON_ROTATIONS : 1;
	uint64_t spare = ribbon_read_varint(reader, RIBBON_MAX_KEYS * nrotations);
	uint64_t nslots = nkeys + spare / nrotations;
	uint64_t left = nslots;
	RibbonSystem *zones = plane->systems + plane->nlayers;
	unsigned nzones;

	plane->rotation = (unsigned) (spare % nrotations);
	plane->nzones[0] = ribbon_zones_count(plane->width, nkeys,
										  RIBBON_SHARES - plane->split);
	plane->nzones[1] = ribbon_zones_count(plane->width, nkeys, plane->split);
	nzones = plane->nzones[0] + plane->nzones[1];
	for (unsigned z = 0; z + 1 < nzones; z++)
	{
		uint64_t delta = ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS);
		uint64_t size = ribbon_zones_expected_slots(plane, z, nslots) +
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
		bool two = z + 1 < nzones;
		unsigned seeds = two || !body->own_byte ? ribbon_read_byte(reader) :
												  body->last_seed;

		zones[z].seed = seeds & 15;
		if (two)
			zones[z + 1].seed = (uint8_t) (seeds >> 4);
		else if (seeds > 15)
			reader->corrupt = true;
	}
	if (nzones % 2 == 0 && body->last_seed != 0)
		reader->corrupt = true;
}

static void
read_layers(RibbonReader *reader, RibbonPlane *plane)
{
	unsigned byte = ribbon_read_byte(reader);

	plane->scheme = byte & 31;
	plane->nlayers = (int) (byte >> 5);
	if (plane->scheme >= RIBBON_BUCKET_SCHEMES || plane->nlayers == 0)
		reader->corrupt = true;
	for (int i = 0; i < plane->nlayers; i++)
	{
		plane->layer_keys[i + 1] = ribbon_read_varint(reader,
													  plane->layer_keys[i]);
		plane->systems[i].nslots = plane->layer_keys[i] -
			plane->layer_keys[i + 1] +
			ribbon_unfold(ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS));
		if (plane->systems[i].nslots - (unsigned) plane->width >
			2 * RIBBON_MAX_KEYS)
			reader->corrupt = true;
	}
}

/* Read a body's header behind its own byte; plane has what comes before. */
static void
read_body(RibbonReader *reader, const RibbonBody *body, RibbonPlane *plane)
{
	if (body->shrunk)
	{
		plane->split = ribbon_read16(reader);
		if (plane->split >= RIBBON_SHARES || !ribbon_head_is_shrunk(plane))
			reader->corrupt = true;
	}
	if (body->salted)
	{
		plane->salted = true;
		plane->salt = ribbon_read64(reader);
	}
	if (reader->corrupt)
		return;
	if (plane->kind == RIBBON_HOMOGENEOUS)
	{
		plane->nzones[0] = 1;
		plane->systems[0].nslots = plane->nkeys +
			ribbon_read_varint(reader, RIBBON_MAX_KEYS);
		plane->dependence = ribbon_read16(reader);
		return;
	}
	plane->layer_keys[0] = plane->nkeys;
	if (body->layered)
		read_layers(reader, plane);
	read_zones(reader, body, plane);
}

/* Read how a header begins that is not RIBBON_FIRST; sets body and plane. */
static void
read_own(RibbonReader *reader, RibbonRole role, RibbonBody *body,
		 RibbonPlane *plane)
{
	unsigned byte = ribbon_read_byte(reader);

	plane->width = 32 << (byte >> 1 & 3);
	body->layered = byte & BODY_LAYERED;
	body->shrunk = false;
	body->salted = byte & BODY_SALTED;
	body->own_byte = true;
	body->last_seed = byte >> 4;
	if (plane->width > 128)
		reader->corrupt = true;
	if (role != RIBBON_OWN_BYTE)
	{
		plane->nkeys = ribbon_read_varint(reader, plane->nkeys);
		if (plane->nkeys == 0)
			reader->corrupt = true;
	}
	if (role == RIBBON_FRONT)
	{
		plane->result_bits = ribbon_read_byte(reader);
		if (plane->result_bits == 0 ||
			plane->result_bits > RIBBON_MAX_RESULT_BITS)
			reader->corrupt = true;
	}
}

RibbonStatus
ribbon_format_decode_header(const uint8_t *bytes, size_t nheader,
							RibbonRole role, const RibbonBody *body,
							RibbonPlane *plane)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};
	RibbonBody own;

	if (role == RIBBON_FRONT || !ribbon_format_is_bare(plane))
	{
		if (role != RIBBON_FIRST)
			read_own(&reader, role, &own, plane);
		if (!reader.corrupt && !reader.truncated)
			read_body(&reader, role == RIBBON_FIRST ? body : &own, plane);
	}
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (reader.corrupt)
		return RIBBON_CORRUPT;
	plane->header_bytes = (size_t) (reader.next - bytes);
	return RIBBON_OK;
}
