/*
 * format.c - the header of a filter or map: encode, decode, validate
 */
#include "format/format.h"

#include "base/power.h"
#include "format/buckets.h"
#include "format/exact_head.h"
#include "format/icml.h"
#include "format/place.h"
#include "format/zones.h"

#define BYTE0_HOMOGENEOUS 0x40
#define BYTE0_LAYERED	  0x80

/* of a body: the bits of byte 0 but these */
#define BODY_SALTED 0x01
#define BODY_ZERO	0x4E

#define VALUES_SEED		  0x40
#define VALUES_DICTIONARY 0x80
#define VALUES_NULL		  0x80

#define EXTRA_MUST_BE_KNOWN 0x01

static bool
is_shrunk(const RibbonPlane *plane)
{
	return plane->kind == RIBBON_BURR && plane->split != plane->wide;
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
ribbon_format_init_empty(RibbonPlane *plane, int key_class)
{
	memset(plane, 0, sizeof(*plane));
	plane->kind = RIBBON_BURR;
	plane->width = 64;
	plane->key_class = key_class;
	plane->result_bits = 1;
}

static unsigned
width_code(int width)
{
	return width == 32 ? 0 : width == 64 ? 1 : 2;
}

static uint8_t *
write_values(const RibbonValues *values, uint8_t *out)
{
	bool dictionary = values->dictionary != NULL;

	*out++ = (uint8_t) (values->value_class |
						(values->seed != 0 ? VALUES_SEED : 0) |
						(dictionary ? VALUES_DICTIONARY : 0));
	*out++ = (uint8_t) (values->bits | (values->has_null ? VALUES_NULL : 0));
	if (!dictionary)
		out = ribbon_write_varint(out, ribbon_fold((uint64_t) values->base));
	if (values->seed != 0)
	{
		ribbon_store32(out, values->seed);
		out += 4;
	}
	if (dictionary)
		out = ribbon_write_varint(out, values->ndictionary);
	return out;
}

size_t
ribbon_format_encode_head(const RibbonPlane *plane, const RibbonValues *values,
						  const RibbonCodes *codes, uint8_t *out)
{
	uint8_t *start = out;
	bool unchecked = plane->result_bits == 0;
	unsigned flags = (is_shrunk(plane) ? RIBBON_FLAG_SHRUNK : 0) |
		(plane->salted ? RIBBON_FLAG_SALTED : 0) |
		(values != NULL ? RIBBON_FLAG_VALUES : 0) |
		(unchecked ? RIBBON_FLAG_UNCHECKED : 0) |
		(codes != NULL ? RIBBON_FLAG_CODED : 0);

	*out++ = (uint8_t) (RIBBON_FORMAT_VERSION | width_code(plane->width) << 4 |
						(plane->kind == RIBBON_HOMOGENEOUS ? BYTE0_HOMOGENEOUS :
															 0) |
						(plane->nlayers > 0 ? BYTE0_LAYERED : 0));
	*out++ = (uint8_t) (ribbon_key_class_of(plane->key_class) |
						(flags != 0 ? RIBBON_BYTE1_FLAGS : 0));
	if (flags != 0)
		*out++ = (uint8_t) flags;
	if (!unchecked)
	{
		ribbon_store16(out,
					   (uint16_t) (plane->wide |
								   (plane->result_bits - 1) << 11));
		out += 2;
	}
	out = ribbon_write_varint(out, plane->nkeys);
	out = ribbon_head_write_parts(plane->key_class, plane->nkeys, out);
	if (values != NULL)
		out = write_values(values, out);
	if (codes != NULL)
		out = ribbon_codes_write(codes, out);
	return (size_t) (out - start);
}

/* Write what the header stores of the last layer. */
static uint8_t *
write_zones(const RibbonPlane *plane, uint8_t *out)
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
	for (unsigned z = 0; z < nzones; z += 2)
		*out++ = (uint8_t) (zones[z].seed |
							(z + 1 < nzones ? zones[z + 1].seed << 4 : 0));
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
		*out++ = (uint8_t) (width_code(plane->width) << 4 |
							(plane->salted ? BODY_SALTED : 0) |
							(plane->nlayers > 0 ? BYTE0_LAYERED : 0));
	if (role == RIBBON_LEVEL || role == RIBBON_FRONT)
		out = ribbon_write_varint(out, plane->nkeys);
	if (role == RIBBON_FRONT)
		*out++ = (uint8_t) plane->result_bits;
	if (is_shrunk(plane))
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
		out = write_zones(plane, write_layers(plane, out));
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

	/*
	 * the header's size does not depend on them, so slots begin where they did
	 */
	plane->result_bits = result_bits.bits;
	plane->wide = plane->split = result_bits.wide;
	ribbon_place_systems(plane);
	ribbon_place_bytes(plane, bytes);
	return ribbon_icml_keep_columns(env, &solved, &plane->systems[0]);
}

static void
read_values(RibbonReader *reader, RibbonFilter *filter)
{
	unsigned first = ribbon_read_byte(reader);
	unsigned second = ribbon_read_byte(reader);

	filter->has_values = true;
	filter->value_class = first & (RIBBON_VALUE_CLASSES - 1);
	filter->value_bits = second & ~VALUES_NULL;
	filter->has_null = second & VALUES_NULL;
	if (filter->value_bits > RIBBON_MAX_VALUE_BITS)
		reader->corrupt = true;
	if (!(first & VALUES_DICTIONARY))
		filter->base = (int64_t) ribbon_unfold(ribbon_read_varint64(reader));
	if (first & VALUES_SEED)
	{
		filter->seed = ribbon_read32(reader);
		if (filter->seed == 0)
			reader->corrupt = true;
	}
	if (first & VALUES_DICTIONARY)
	{
		filter->ndictionary = ribbon_read_varint(reader, INT64_MAX);
		if (filter->ndictionary == 0)
			reader->corrupt = true;
	}
}

/*
 * Read all of the head behind byte 0; returns false if it is of a version that
 * is not known.  *nextra is the number of bytes that are to be skipped.
 */
static bool
read_head(RibbonReader *reader, unsigned byte0, RibbonFilter *filter,
		  RibbonPlane *plane, RibbonBody *body, uint64_t *nextra)
{
	unsigned byte1 = ribbon_read_byte(reader);
	unsigned flags = byte1 & RIBBON_BYTE1_FLAGS ? ribbon_read_byte(reader) : 0;
	unsigned key_class = byte1 & ~(unsigned) RIBBON_BYTE1_FLAGS;
	unsigned check = flags & RIBBON_FLAG_UNCHECKED ? 0 : ribbon_read16(reader);
	bool known = (flags & ~(unsigned) RIBBON_FLAGS_KNOWN) == 0 &&
		key_class < RIBBON_KEY_CLASSES;

	plane->kind = byte0 & BYTE0_HOMOGENEOUS ? RIBBON_HOMOGENEOUS : RIBBON_BURR;
	plane->width = 32 << (byte0 >> 4 & 3);
	plane->wide = plane->split = check & (RIBBON_SHARES - 1);
	plane->result_bits = flags & RIBBON_FLAG_UNCHECKED ? 0 : (check >> 11) + 1;
	plane->nkeys = ribbon_read_varint(reader, RIBBON_MAX_KEYS);
	plane->key_class = (int) key_class;
	body->layered = byte0 & BYTE0_LAYERED;
	body->shrunk = flags & RIBBON_FLAG_SHRUNK;
	body->salted = flags & RIBBON_FLAG_SALTED;
	filter->nkeys = plane->nkeys;
	if (plane->nkeys > 0 && ribbon_key_class_has_parts(plane->key_class))
	{
		plane->key_class |= (int) ribbon_read16(reader)
			<< RIBBON_KEY_CLASS_BITS;
		if (!ribbon_key_class_is_valid(plane->key_class))
			reader->corrupt = true;
	}
	if (flags & RIBBON_FLAG_VALUES)
		read_values(reader, filter);
	if (flags & RIBBON_FLAG_CODED)
	{
		ribbon_codes_read(reader, filter->value_bits, &body->codes);
		if (plane->nkeys == 0)
			reader->corrupt = true;
	}
	if (flags & RIBBON_FLAG_EXACT)
		ribbon_format_read_exact(reader, flags, filter, plane, body);
	*nextra = 0;
	if (flags & RIBBON_FLAG_EXTRA)
	{
		if (ribbon_read_byte(reader) & EXTRA_MUST_BE_KNOWN)
			known = false;
		*nextra = ribbon_read_varint(reader, INT64_MAX);
	}
	if (reader->corrupt)
		return known;

	if (flags & RIBBON_FLAG_CODED)
		plane->value_bits = ribbon_codes_level_bits(&body->codes, 0);
	else if (filter->has_values)
	{
		plane->value_bits = ribbon_format_value_bits(filter->value_bits,
													 plane->result_bits,
													 plane->wide);
		body->second_bits = filter->value_bits - plane->value_bits;
		if (body->second_bits > 0)
			body->second_keys = plane->nkeys;
	}
	if (plane->width > 128 || (plane->result_bits == 32 && plane->wide > 0) ||
		(byte1 & RIBBON_BYTE1_FLAGS && flags == 0) ||
		(flags & RIBBON_FLAG_UNCHECKED && !filter->has_values &&
		 !filter->is_exact) ||
		(filter->is_exact && byte0 != RIBBON_PLAIN_BYTE0) ||
		((body->shrunk || filter->has_values) &&
		 plane->kind == RIBBON_HOMOGENEOUS) ||
		(body->shrunk && filter->has_values) ||
		(body->layered && plane->kind == RIBBON_HOMOGENEOUS))
		reader->corrupt = true;
	/* what has no body has one form */
	if (ribbon_format_is_bare(plane) &&
		(byte0 != RIBBON_PLAIN_BYTE0 || check != 0 || body->shrunk ||
		 body->salted))
		reader->corrupt = true;
	return known;
}

RibbonStatus
ribbon_format_decode_head(const uint8_t *bytes, size_t nheader, uint64_t nbytes,
						  RibbonFilter *filter, RibbonPlane *plane,
						  RibbonBody *body, uint64_t *end)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};
	unsigned byte0 = ribbon_read_byte(&reader);
	uint64_t left, nextra, ntable;
	bool known;

	memset(filter, 0, offsetof(RibbonFilter, opened));
	memset(plane, 0, offsetof(RibbonPlane, systems));
	memset(body, 0, offsetof(RibbonBody, codes));
	body->codes.nlevels = 0;
	if (nheader == 0)
		return RIBBON_TRUNCATED;
	if ((byte0 & 15) != RIBBON_FORMAT_VERSION)
		return RIBBON_BAD_VERSION;

	known = read_head(&reader, byte0, filter, plane, body, &nextra);
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (!known)
		return RIBBON_BAD_VERSION;
	if (reader.corrupt)
		return RIBBON_CORRUPT;

	*end = (uint64_t) (reader.next - bytes);
	filter->head_bytes = (uint32_t) *end;
	left = nbytes - *end;
	if (filter->ndictionary > left)
		return RIBBON_TRUNCATED;
	left -= filter->ndictionary;
	if (filter->ndictionary > 0)
		filter->dictionary_at = *end;
	*end += filter->ndictionary;
	ntable = 0;
	if (body->codes.nlevels > 0)
	{
		ntable = ribbon_codes_table_bytes(&body->codes);
		body->codes.table = NULL;
		body->codes.table_at = *end;
	}
	if (ntable > left || nextra > left - ntable)
		return RIBBON_TRUNCATED;
	*end += ntable + nextra;
	filter->key_class = plane->key_class;
	filter->total_bytes = nbytes;
	return RIBBON_OK;
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
read_zones(RibbonReader *reader, RibbonPlane *plane)
{
	uint64_t nkeys = plane->layer_keys[plane->nlayers];
	unsigned turns = plane->split > 0 ? RIBBON_ROTATIONS : 1;
	uint64_t spare = ribbon_read_varint(reader, RIBBON_MAX_KEYS * turns);
	uint64_t nslots = nkeys + spare / turns;
	uint64_t left = nslots;
	RibbonSystem *zones = plane->systems + plane->nlayers;
	unsigned nzones;

	plane->rotation = (unsigned) (spare % turns);
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
		unsigned seeds = ribbon_read_byte(reader);

		zones[z].seed = seeds & 15;
		if (z + 1 < nzones)
			zones[z + 1].seed = (uint8_t) (seeds >> 4);
		else if (seeds > 15)
			reader->corrupt = true;
	}
}

static void
read_layers(RibbonReader *reader, RibbonPlane *plane)
{
	unsigned byte = ribbon_read_byte(reader);

	plane->scheme = byte & 31;
	plane->nlayers = (int) (byte >> 5);
	if (plane->scheme >= ribbon_buckets_nschemes(plane->width) ||
		plane->nlayers == 0)
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

/* Read a body's header, of a plane that says the rest. */
static void
read_body(RibbonReader *reader, const RibbonBody *body, RibbonPlane *plane)
{
	if (body->shrunk)
	{
		plane->split = ribbon_read16(reader);
		if (plane->split >= RIBBON_SHARES || !is_shrunk(plane))
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
	read_zones(reader, plane);
}

/* Read how the header of a body begins that the head does not describe. */
static void
read_own(RibbonReader *reader, RibbonRole role, RibbonBody *body,
		 RibbonPlane *plane)
{
	unsigned byte = ribbon_read_byte(reader);

	plane->width = 32 << (byte >> 4 & 3);
	body->layered = byte & BYTE0_LAYERED;
	body->shrunk = false;
	body->salted = byte & BODY_SALTED;
	if (plane->width > 128 || (byte & BODY_ZERO) != 0)
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

RibbonStatus
ribbon_format_decode_body(const uint8_t *bytes, size_t nheader, uint64_t nbytes,
						  RibbonRole role, const RibbonBody *body,
						  RibbonPlane *plane)
{
	RibbonStatus status = ribbon_format_decode_header(bytes, nheader, role,
													  body, plane);

	if (status != RIBBON_OK)
		return status;
	ribbon_place_systems(plane);
	if (nbytes < plane->total_bytes)
		return RIBBON_TRUNCATED;
	ribbon_place_bytes(plane, bytes);
	return RIBBON_OK;
}
