/*
 * header.c - the header of a filter or map, field by field, as docs/format.md
 * has it
 *
 * One function walks over all the fields, reading them or writing them, so
 * that the two directions cannot differ.
 */
#include "header.h"

#include <string.h>

typedef struct Cursor
{
	const uint8_t *in; /* NULL: writing */
	uint8_t *out;
	size_t at;
	size_t end;
	bool bad;
} Cursor;

static unsigned
walk_byte(Cursor *cursor, unsigned value)
{
	if (cursor->at >= cursor->end)
	{
		cursor->bad = true;
		return 0;
	}
	if (cursor->in != NULL)
		return cursor->in[cursor->at++];
	cursor->out[cursor->at++] = (uint8_t) value;
	return value;
}

static uint64_t
walk_bytes(Cursor *cursor, uint64_t value, int n)
{
	uint64_t walked = 0;

	for (int i = 0; i < n; i++)
		walked |= (uint64_t) walk_byte(cursor, value >> 8 * i & 0xFF) << 8 * i;
	return walked;
}

static uint64_t
walk_varint(Cursor *cursor, uint64_t value)
{
	uint64_t walked = 0;

	for (int shift = 0; shift < 63 && !cursor->bad; shift += 7)
	{
		uint64_t rest = value >> shift;
		unsigned byte = walk_byte(cursor,
								  (rest & 0x7F) | (rest > 0x7F ? 0x80 : 0));

		walked |= (uint64_t) (byte & 0x7F) << shift;
		if (byte < 0x80)
		{
			if (byte == 0 && shift > 0)
				break;
			return walked;
		}
	}
	cursor->bad = true;
	return walked;
}

unsigned
header_split(const Header *header)
{
	return header->flags & HEADER_SHRUNK ? header->split : header->wide;
}

uint64_t
header_keys(const Header *header, unsigned layer)
{
	return layer == 0 ? header->nkeys : header->bumped[layer - 1];
}

void
header_count_zones(Header *header)
{
	uint64_t keys = header_keys(header, header->nlayers);
	uint64_t zone_keys = header->width_code == 2 ? 6144 : 1536;
	unsigned split = header_split(header);

	for (unsigned wide = 0; wide < 2; wide++)
	{
		uint64_t share = wide ? split : 2048 - split;
		uint64_t zones = 1 + keys * share / 2048 / zone_keys;

		header->nzones[wide] = share == 0 ? 0 :
			zones > 16					  ? 16 :
											(unsigned) zones;
	}
}

uint64_t
header_unfold(uint64_t folded)
{
	return folded % 2 == 0 ? folded / 2 : -(folded / 2) - 1;
}

uint64_t
header_fold(uint64_t difference)
{
	return difference >> 63 == 0 ? 2 * difference : 2 * ~difference + 1;
}

static void
walk_burr(Cursor *cursor, Header *h)
{
	unsigned nzones;

	if (h->layered)
	{
		unsigned byte = walk_byte(cursor, h->scheme | h->nlayers << 5);

		h->scheme = byte & 31;
		h->nlayers = byte >> 5;
	}
	else
		h->nlayers = 0;
	for (unsigned i = 0; i < h->nlayers; i++)
	{
		h->bumped[i] = walk_varint(cursor, h->bumped[i]);
		h->layer_slots[i] = walk_varint(cursor, h->layer_slots[i]);
	}
	h->spare = walk_varint(cursor, h->spare);

	/* no key count that matters overflows; and there are two nibbles a byte */
	if (header_keys(h, h->nlayers) >> 50 != 0 || header_split(h) > 2048)
	{
		cursor->bad = cursor->bad || cursor->in != NULL;
		return;
	}
	header_count_zones(h);
	nzones = h->nzones[0] + h->nzones[1];
	for (unsigned z = 0; z + 1 < nzones; z++)
		h->zone_slots[z] = walk_varint(cursor, h->zone_slots[z]);
	for (unsigned z = 0; z < nzones; z += 2)
		h->seeds[z / 2] = (uint8_t) walk_byte(cursor, h->seeds[z / 2]);
}

static void
walk_values(Cursor *cursor, Header *h)
{
	h->values[0] = walk_byte(cursor, h->values[0]);
	h->values[1] = walk_byte(cursor, h->values[1]);
	if (!(h->values[0] & 0x80))
		h->base = walk_varint(cursor, h->base);
	if (h->values[0] & 0x40)
		h->seed = walk_bytes(cursor, h->seed, 4);
	if (h->values[0] & 0x80)
		h->ndictionary = walk_varint(cursor, h->ndictionary);
}

/* Dictionary and extra. */
static void
walk_blob(Cursor *cursor, Header *h)
{
	uint64_t n = h->ndictionary + h->nextra;

	if (h->ndictionary > SIZE_MAX / 4 || h->nextra > SIZE_MAX / 4 ||
		n > cursor->end - cursor->at || (h->blob == NULL && cursor->in == NULL))
	{
		cursor->bad = true;
		return;
	}
	if (cursor->in != NULL)
		h->blob = cursor->in + cursor->at;
	else
		memcpy(cursor->out + cursor->at, h->blob, (size_t) n);
	cursor->at += (size_t) n;
}

static void
walk_head(Cursor *cursor, Header *h)
{
	unsigned byte0 = walk_byte(cursor,
							   h->version | h->width_code << 4 |
								   h->homogeneous << 6 | h->layered << 7);
	unsigned byte1 = walk_byte(cursor, h->key_class | h->flagged << 7);

	h->version = byte0 & 15;
	h->width_code = byte0 >> 4 & 3;
	h->homogeneous = byte0 >> 6 & 1;
	h->layered = byte0 >> 7;
	h->key_class = byte1 & 127;
	h->flagged = byte1 >> 7;
	h->flags = h->flagged ? walk_byte(cursor, h->flags) : 0;
	if (!(h->flags & HEADER_UNCHECKED))
	{
		unsigned columns =
			(unsigned) walk_bytes(cursor, h->wide | (h->columns - 1) << 11, 2);

		h->columns = (columns >> 11) + 1;
		h->wide = columns & 2047;
	}
	h->nkeys = walk_varint(cursor, h->nkeys);
	if (h->nkeys > 0 && h->key_class >= 23 && h->key_class <= 26)
		h->key_parts = (unsigned) walk_bytes(cursor, h->key_parts, 2);
	if (h->flags & HEADER_VALUES)
		walk_values(cursor, h);
	if (h->flags & HEADER_EXTRA)
	{
		h->extra = walk_byte(cursor, h->extra);
		h->nextra = walk_varint(cursor, h->nextra);
	}
	else
		h->nextra = 0;
	if (!(h->flags & HEADER_VALUES && h->values[0] & 0x80))
		h->ndictionary = 0;
	if (!cursor->bad && h->ndictionary + h->nextra > 0)
		walk_blob(cursor, h);
}

static void
walk(Cursor *cursor, Header *h)
{
	walk_head(cursor, h);
	if (h->nkeys == 0 ||
		(h->flags & HEADER_UNCHECKED && (h->values[1] & 127) == 0))
		return;
	if (h->flags & HEADER_SHRUNK)
		h->split = (unsigned) walk_bytes(cursor, h->split, 2);
	if (h->flags & HEADER_SALTED)
		h->salt = walk_bytes(cursor, h->salt, 8);
	if (h->homogeneous)
	{
		h->spare = walk_varint(cursor, h->spare);
		h->dependence = (unsigned) walk_bytes(cursor, h->dependence, 2);
	}
	else
		walk_burr(cursor, h);
}

bool
header_read(Header *header, const uint8_t *bytes, size_t nbytes)
{
	Cursor cursor = {bytes, NULL, 0, nbytes, false};

	memset(header, 0, sizeof(*header));
	walk(&cursor, header);
	header->size = cursor.at;
	return !cursor.bad;
}

void
header_write(Header *header, uint8_t *out)
{
	Cursor cursor = {NULL, out, 0, HEADER_MAX_SIZE, false};

	walk(&cursor, header);
	header->size = cursor.at;
}
