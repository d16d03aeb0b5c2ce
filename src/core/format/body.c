/*
 * body.c - the headers of bodies: encode, decode, validate
 *
 * A body is a plane: a header that says what its layers and zones are, and
 * behind it their thresholds and slots.  Where the head (head.c) describes
 * the first body, nothing is said twice.
 */
#include "format/head.h"

#include "format/buckets.h"
#include "format/zones.h"

/*
 * of a body's own byte: bits 1-2 are the width; 4-7 the last zone's seed, if
 * the number of zones is odd, so that all seeds behind it fill whole bytes
 */
#define BODY_SALTED	 0x01
#define BODY_LAYERED 0x08

/*
 * The head of a filter without values, which ribbon_format_encode puts in
 * front: three bytes, check bits, keys, their parts.  Own byte, keys, result
 * bits, split and salt; of layers a byte, and keys and slots of each; spare
 * slots, and slots and a seed of each zone.
 */
_Static_assert(3 + 2 + 7 + 2 + 1 + 7 + 1 + 2 + 8 + 1 +
					   RIBBON_MAX_LAYERS * (7 + 8) + 8 +
					   2 * RIBBON_MAX_ZONES * (8 + 1) <=
				   RIBBON_MAX_HEADER,
			   "there is room for each header, and a head in front");

/*
 * Write what the header stores of the last layer; to *own, unless it is NULL,
 * the seed that belongs there.
 */
static uint8_t *
write_zones(const RibbonPlane *plane, uint8_t *own, uint8_t *out)
{
	unsigned nzones = ribbon_plane_nzones(plane);
	const RibbonSystem *zones = ribbon_plane_zones(plane);
	uint64_t nslots = ribbon_zones_slots(plane);
	uint64_t spare = nslots - plane->layer_keys[plane->nlayers];

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
		*out++ = (uint8_t) (plane->scheme | plane->nlayers << 5);
	for (unsigned i = 0; i < plane->nlayers; i++)
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

	if (ribbon_plane_is_bare(plane))
		return 0;
	if (role != RIBBON_ROLE_FIRST)
		*out++ = (uint8_t) (ribbon_width_index(plane->width) << 1 |
							(plane->salted ? BODY_SALTED : 0) |
							(plane->nlayers > 0 ? BODY_LAYERED : 0));
	if (role == RIBBON_ROLE_LEVEL || role == RIBBON_ROLE_FRONT)
		out = ribbon_write_varint(out, plane->nkeys);
	if (role == RIBBON_ROLE_FRONT)
		*out++ = (uint8_t) plane->check.bits;
	if (ribbon_head_is_shrunk(plane))
		out = ribbon_write_fixed(out, plane->split, 2);
	if (plane->salted)
		out = ribbon_write_fixed(out, plane->salt, 8);
	if (plane->kind == RIBBON_HOMOGENEOUS)
	{
		out = ribbon_write_varint(out, plane->systems[0].nslots - plane->nkeys);
		out = ribbon_write_fixed(out, plane->dependence, 2);
	}
	else
		out = write_zones(plane, role == RIBBON_ROLE_FIRST ? NULL : start,
						  write_layers(plane, out));
	return (size_t) (out - start);
}

size_t
ribbon_format_encode(const RibbonPlane *plane, int key_class, uint8_t *out)
{
	size_t head = ribbon_format_encode_head(plane, key_class, NULL, NULL, out);

	return head +
		ribbon_format_encode_body(plane, RIBBON_ROLE_FIRST, out + head);
}

/* Two seeds a byte; a last one without another is perhaps in the own byte. */
static void
read_seeds(RibbonReader *reader, const RibbonBodyStart *start,
		   RibbonSystem *zones, unsigned nzones)
{
	for (unsigned z = 0; z < nzones; z += 2)
	{
		bool two = z + 1 < nzones;
		unsigned seeds = two || start->role == RIBBON_ROLE_FIRST ?
			ribbon_read_byte(reader) :
			start->last_seed;

		zones[z].seed = seeds & 15;
		if (two)
			zones[z + 1].seed = (uint8_t) (seeds >> 4);
		else if (seeds > 15)
			reader->corrupt = true;
	}
	reader->corrupt |= nzones % 2 == 0 && start->last_seed != 0;
}

static void
read_zones(RibbonReader *reader, const RibbonBodyStart *start,
		   RibbonPlane *plane)
{
	uint64_t nkeys = plane->layer_keys[plane->nlayers];
	unsigned nrotations = plane->split > 0 ? RIBBON_ROTATIONS : 1;
	uint64_t spare = ribbon_read_varint(reader, RIBBON_MAX_KEYS * nrotations);
	uint64_t nslots = nkeys + spare / nrotations;
	uint64_t left = nslots;
	RibbonSystem *zones = plane->systems + plane->nlayers;
	unsigned nzones;

	plane->rotation = (unsigned) (spare % nrotations);
	ribbon_zones_set(plane, nkeys);
	nzones = ribbon_plane_nzones(plane);
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
	read_seeds(reader, start, zones, nzones);
}

static void
read_layers(RibbonReader *reader, RibbonPlane *plane)
{
	unsigned byte = ribbon_read_byte(reader);

	plane->scheme = byte & 31;
	plane->nlayers = byte >> 5;
	reader->corrupt |= plane->scheme >= RIBBON_BUCKET_SCHEMES ||
		plane->nlayers == 0;
	for (unsigned i = 0; i < plane->nlayers; i++)
	{
		plane->layer_keys[i + 1] = ribbon_read_varint(reader,
													  plane->layer_keys[i]);
		plane->systems[i].nslots = plane->layer_keys[i] -
			plane->layer_keys[i + 1] +
			ribbon_unfold(ribbon_read_varint(reader, 2 * RIBBON_MAX_KEYS));
		/* fewer than width wrap around */
		reader->corrupt |= plane->systems[i].nslots - plane->width >
			2 * RIBBON_MAX_KEYS;
	}
}

/* Read a body's header behind its own byte; plane has what comes before. */
static void
read_body(RibbonReader *reader, const RibbonBodyStart *start,
		  RibbonPlane *plane)
{
	if (start->shrunk)
	{
		plane->split = (unsigned) ribbon_read_fixed(reader, 2);
		reader->corrupt |= plane->split >= RIBBON_SHARES ||
			!ribbon_head_is_shrunk(plane);
	}
	if (start->salted)
	{
		plane->salted = true;
		plane->salt = ribbon_read_fixed(reader, 8);
	}
	if (reader->corrupt)
		return;
	if (plane->kind == RIBBON_HOMOGENEOUS)
	{
		plane->nzones[0] = 1;
		plane->systems[0].nslots = plane->nkeys +
			ribbon_read_varint(reader, RIBBON_MAX_KEYS);
		plane->dependence = (unsigned) ribbon_read_fixed(reader, 2);
		return;
	}
	plane->layer_keys[0] = plane->nkeys;
	if (start->layered)
		read_layers(reader, plane);
	read_zones(reader, start, plane);
}

/* Read how a header begins with a byte of its own, into *start and plane. */
static void
read_own(RibbonReader *reader, RibbonBodyStart *start, RibbonPlane *plane)
{
	unsigned byte = ribbon_read_byte(reader);

	plane->width = 32u << (byte >> 1 & 3);
	start->layered = byte & BODY_LAYERED;
	start->shrunk = false;
	start->salted = byte & BODY_SALTED;
	start->last_seed = byte >> 4;
	reader->corrupt |= plane->width > 128;
	if (start->role != RIBBON_ROLE_OWN_BYTE)
	{
		plane->nkeys = ribbon_read_varint(reader, plane->nkeys);
		reader->corrupt |= plane->nkeys == 0;
	}
	if (start->role == RIBBON_ROLE_FRONT)
	{
		plane->check.bits = ribbon_read_byte(reader);
		reader->corrupt |= plane->check.bits == 0 ||
			plane->check.bits > RIBBON_MAX_RESULT_BITS;
	}
}

RibbonStatus
ribbon_format_decode_body(const uint8_t *bytes, size_t nheader,
						  RibbonBodyStart start, RibbonPlane *plane)
{
	RibbonReader reader = {bytes, bytes + nheader, false, false};

	if (start.role == RIBBON_ROLE_FRONT || !ribbon_plane_is_bare(plane))
	{
		if (start.role != RIBBON_ROLE_FIRST)
			read_own(&reader, &start, plane);
		if (!reader.corrupt) /* as what was cut short is, too */
			read_body(&reader, &start, plane);
	}
	if (reader.truncated)
		return RIBBON_TRUNCATED;
	if (reader.corrupt)
		return RIBBON_CORRUPT;
	plane->header_bytes = (size_t) (reader.next - bytes);
	return RIBBON_OK;
}
