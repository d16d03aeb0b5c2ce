/*
 * reader.c - a filter read slowly, bit by bit, by docs/format.md alone
 *
 * The second opinion that the library is held against, on bytes that no
 * builder wrote.  Section numbers are the document's.
 */
#include "reader.h"

#include "fuzz.h"

#define NO_BLOCK   UINT64_MAX
#define MANY_SLOTS (UINT64_C(1) << 50) /* more than any bytes hold */

/*
 * Thresholds 0 to 3 of two bits; or in groups, that of no exception and three.
 */
static const struct Buckets
{
	unsigned size;
	unsigned thresholds[4];
	bool grouped;
} buckets[3][2] = {
	{{32, {0, 8, 16, 32}, false}, {64, {0, 9, 21, 64}, false}},
	{{128, {0, 21, 42, 128}, false}, {256, {0, 20, 46, 256}, false}},
	{{512, {0, 50, 100, 512}, false}, {512, {56, 84, 200, 512}, true}},
};

/* Section 2. */

static uint64_t
mix(uint64_t z)
{
	z ^= z >> 33;
	z *= UINT64_C(0xFF51AFD7ED558CCD);
	z ^= z >> 33;
	z *= UINT64_C(0xC4CEB9FE1A85EC53);
	z ^= z >> 33;
	return z;
}

static uint64_t
coefficients(uint64_t x, unsigned k)
{
	uint64_t c = x *
		(k == 0 ? UINT64_C(0x9E3779B97F4A7C15) : UINT64_C(0xC2B2AE3D27D4EB4F));

	c ^= c >> 32;
	c *= UINT64_C(0xD6E8FEB86659FD93);
	return c ^ c >> 32;
}

static uint32_t
fingerprint(uint64_t x)
{
	return (uint32_t) (x * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

/* Section 3. */

static uint64_t
multiply_high(uint64_t a, uint64_t b)
{
	uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
	uint64_t middle = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
	uint64_t other = (a & 0xFFFFFFFF) * (b >> 32) + (middle & 0xFFFFFFFF);

	return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

static uint64_t
start_of(const ReaderSystem *system, uint64_t x)
{
	uint64_t u = multiply_high(x, system->nstarts + 2 * system->smash);

	if (u < system->smash)
		return 0;
	u -= system->smash;
	return u < system->nstarts ? u : system->nstarts - 1;
}

/* Section 5. */

static unsigned
rows_of(const ReaderSystem *system, uint64_t block)
{
	uint64_t begin = block * system->width;

	return system->nslots - begin < system->width ?
		(unsigned) (system->nslots - begin) :
		system->width;
}

static uint64_t
block_begin(const ReaderSystem *system, uint64_t block)
{
	uint64_t wide = block > system->wide_block ? block - system->wide_block : 0;

	return system->width * (block * system->columns + wide);
}

static uint64_t
bits_of_system(const ReaderSystem *system)
{
	uint64_t last;

	if (system->nslots == 0)
		return 0;
	last = (system->nslots - 1) / system->width;
	return block_begin(system, last) +
		(uint64_t) rows_of(system, last) *
		(system->columns + (last >= system->wide_block));
}

static unsigned
bit_at(const Reader *reader, const uint8_t *bytes, uint64_t bit)
{
	CHECK(bytes + bit / 8 < reader->end, "the document reads past the end");
	return bytes[bit / 8] >> bit % 8 & 1;
}

static uint64_t
column_begin(const ReaderSystem *system, uint64_t block, unsigned i)
{
	return block_begin(system, block) + (uint64_t) i * rows_of(system, block);
}

static bool
matches(const Reader *reader, const ReaderSystem *system, uint64_t x)
{
	uint64_t coeff[2] = {coefficients(x, 0) | 1, coefficients(x, 1)};
	unsigned columns = system->columns + (x >> 53 >= 2048 - system->wide);
	uint64_t start;

	if (system->nslots == 0)
		return (fingerprint(x) & ((UINT64_C(1) << columns) - 1)) == 0;
	start = start_of(system, x);
	for (unsigned i = 0; i < columns; i++)
	{
		uint64_t block = start / system->width;
		uint64_t at = start % system->width; /* slot of the block */
		uint64_t column = column_begin(system, block, i);
		unsigned parity = 0;

		for (unsigned d = 0; d < system->row; d++, at++)
		{
			if (at == system->width)
			{
				at = 0;
				column = column_begin(system, ++block, i);
			}
			if (coeff[d / 64] >> d % 64 & 1)
				parity ^= bit_at(reader, system->slots, column + at);
		}
		if (parity !=
			(reader->header.homogeneous ? 0 : fingerprint(x) >> i & 1))
			return false;
	}
	return true;
}

/* Section 4. */

static unsigned
byte_at(const Reader *reader, const uint8_t *bytes, uint64_t at)
{
	CHECK(bytes + at < reader->end, "the document reads past the end");
	return bytes[at];
}

/* The threshold of bucket k, where buckets are in groups of 64. */
static unsigned
group_threshold(const Reader *reader, const ReaderSystem *layer,
				const unsigned *thresholds, uint64_t k)
{
	uint64_t group = k / 64 * 9;
	unsigned x = byte_at(reader, layer->thresholds, group);

	if (!bit_at(reader, layer->thresholds, 8 * (group + 1) + k % 64))
		return 0;
	if (x == 0)
		return thresholds[0];
	if (x < 63)
		return 8 * x;
	if (x == 63)
		return thresholds[3];
	return thresholds[k % 64 == x % 64 ? x / 64 : 0];
}

static bool
bumps(const Reader *reader, const ReaderSystem *layer, uint64_t x)
{
	const struct Buckets *b =
		&buckets[reader->header.width_code][reader->header.scheme];
	uint64_t s = start_of(layer, x);
	uint64_t k = s / b->size;
	unsigned code;

	if (b->grouped)
		return s % b->size < group_threshold(reader, layer, b->thresholds, k);
	code = bit_at(reader, layer->thresholds, 2 * k) |
		bit_at(reader, layer->thresholds, 2 * k + 1) << 1;
	return s % b->size < b->thresholds[code];
}

static const ReaderSystem *
zone_of(const Reader *reader, uint64_t y, unsigned *seed)
{
	uint64_t v = y >> 53;
	unsigned narrow = 2048 - reader->split;
	uint64_t zone = v < narrow ? v * reader->header.nzones[0] / narrow :
								 reader->header.nzones[0] +
			(v - narrow) * reader->header.nzones[1] / reader->split;

	*seed = reader->header.seeds[zone / 2] >> 4 * (zone % 2) & 15;
	return &reader->zones[zone];
}

bool
reader_contains(const Reader *reader, uint64_t hash)
{
	const Header *h = &reader->header;
	const ReaderSystem *zone;
	unsigned bits = 4 * reader->rotation, seed;
	uint64_t x = hash;

	if (h->nkeys == 0)
		return false;
	if (h->flags & HEADER_SALTED)
		x = mix(hash ^ h->salt);
	if (h->homogeneous)
		return matches(reader, &reader->zones[0], x);
	for (unsigned i = 0; i < h->nlayers; i++)
	{
		if (!bumps(reader, &reader->layers[i], x))
			return matches(reader, &reader->layers[i], x);
		x = mix(x + UINT64_C(0x9E3779B97F4A7C15));
	}
	if (bits > 0)
		x = x << bits | x >> (64 - bits);
	zone = zone_of(reader, x, &seed);
	return matches(reader, zone,
				   x * (mix((seed + 1) * UINT64_C(0xC2B2AE3D27D4EB4F)) | 1));
}

/* Opening: section 1. */

static bool
is_allowed(const Header *h, const uint8_t *bytes, size_t nbytes)
{
	const unsigned known = HEADER_SHRUNK | HEADER_SALTED | HEADER_EXTRA;

	if (h->version != 1 || h->width_code > 2 || h->key_class > 31 ||
		(h->columns == 32 && h->wide > 0) || (h->homogeneous && h->layered))
		return false;
	if (h->flagged && (h->flags == 0 || (h->flags & ~known) != 0))
		return false;
	if (h->flags & HEADER_EXTRA && h->extra & 1)
		return false;
	if (h->nkeys == 0)
		return nbytes == h->size && bytes[0] == 0x11 && h->columns == 1 &&
			h->wide == 0 && !(h->flags & (HEADER_SHRUNK | HEADER_SALTED));
	for (unsigned of = h->key_class, parts = h->key_parts; parts > 0;
		 of = parts % 32, parts /= 32)
		if (h->key_parts > 0x7FFF || of < 23 || of > 26)
			return false;
		else if (of == 26)
			break;
	if (h->flags & HEADER_SHRUNK &&
		(h->homogeneous || h->split > 2047 || h->split == h->wide))
		return false;
	return !h->layered || (h->nlayers > 0 && h->scheme < 2);
}

/* Set a system up; false if it is larger than any bytes. */
static bool
set_system(ReaderSystem *system, uint64_t nslots, unsigned width,
		   unsigned columns, unsigned wide)
{
	if (nslots > MANY_SLOTS)
		return false;
	system->nslots = nslots;
	system->width = width;
	system->row = nslots < width ? (unsigned) nslots : width;
	system->columns = columns;
	system->wide = wide;
	system->nstarts = nslots - system->row + 1;
	system->wide_block = NO_BLOCK;
	return true;
}

static void
set_smash(ReaderSystem *system, uint64_t smash)
{
	system->smash = smash;
	if (system->wide > 0 && system->nslots > 0)
		system->wide_block = start_of(system,
									  (uint64_t) (2048 - system->wide) << 53) /
			system->width;
}

static bool
set_layers(Reader *reader)
{
	const Header *h = &reader->header;
	unsigned width = 32u << h->width_code;

	for (unsigned i = 0; i < h->nlayers; i++)
	{
		uint64_t nslots = header_keys(h, i) - h->bumped[i] +
			header_unfold(h->layer_slots[i]);

		if (h->bumped[i] > header_keys(h, i) || nslots < width ||
			!set_system(&reader->layers[i], nslots, width, h->columns, h->wide))
			return false;
		set_smash(&reader->layers[i], width / 4);
	}
	return true;
}

/* The columns of a zone (section 5), from its class. */
static bool
set_zone(Reader *reader, unsigned zone, uint64_t nslots)
{
	const Header *h = &reader->header;
	ReaderSystem *system = &reader->zones[zone];
	bool in_wide = zone >= h->nzones[0];
	unsigned wide = h->wide, split = reader->split;
	unsigned columns = h->columns + (in_wide && wide >= split);
	unsigned wide_r = 0;

	if (in_wide && wide < split)
		wide_r = 2048 * wide / split;
	if (!in_wide && wide > split)
		wide_r = 2048 * (wide - split) / (2048 - split);
	if (!set_system(system, nslots, h->width_code == 2 ? 128 : 64, columns,
					wide_r))
		return false;
	set_smash(system, system->row >= 2 ? system->row / 2 - 1 : 0);
	return true;
}

static bool
set_zones(Reader *reader)
{
	const Header *h = &reader->header;
	unsigned nzones = h->nzones[0] + h->nzones[1];
	uint64_t left, nslots;

	reader->rotation = reader->split > 0 ? h->spare % 16 : 0;
	nslots = header_keys(h, h->nlayers) +
		(reader->split > 0 ? h->spare / 16 : h->spare);
	if (nslots > MANY_SLOTS)
		return false;
	left = nslots;
	for (unsigned z = 0; z < nzones; z++)
	{
		bool in_wide = z >= h->nzones[0];
		uint64_t share = in_wide ? reader->split : 2048 - reader->split;
		uint64_t expected = nslots * share / (2048 * h->nzones[in_wide]);
		uint64_t size = z + 1 < nzones ?
			expected + header_unfold(h->zone_slots[z]) :
			left;

		if (size > left || !set_zone(reader, z, size))
			return false;
		left -= size;
	}
	return nzones % 2 == 0 || h->seeds[nzones / 2] < 16;
}

/* Thresholds of a layer, in bytes. */
static uint64_t
threshold_bytes(const Reader *reader, const ReaderSystem *layer)
{
	const struct Buckets *b =
		&buckets[reader->header.width_code][reader->header.scheme];
	uint64_t nbuckets = (layer->nstarts + b->size - 1) / b->size;

	return b->grouped ? (nbuckets + 63) / 64 + (nbuckets + 7) / 8 :
						(nbuckets + 3) / 4;
}

/* Do the systems take exactly these bytes? */
static bool
place(Reader *reader, const uint8_t *bytes, size_t nbytes)
{
	const Header *h = &reader->header;
	unsigned nzones = h->nzones[0] + h->nzones[1];
	uint64_t at = h->size;

	for (unsigned i = 0; i < h->nlayers; i++)
	{
		reader->layers[i].thresholds = bytes + at;
		at += threshold_bytes(reader, &reader->layers[i]);
		if (at > nbytes)
			return false;
	}
	for (unsigned i = 0; i < h->nlayers + nzones; i++)
	{
		ReaderSystem *system = i < h->nlayers ? &reader->layers[i] :
												&reader->zones[i - h->nlayers];

		system->slots = bytes + at;
		at += (bits_of_system(system) + 7) / 8;
		if (at > nbytes)
			return false;
	}
	reader->end = bytes + nbytes;
	return at == nbytes;
}

bool
reader_open(Reader *reader, const uint8_t *bytes, size_t nbytes)
{
	Header *h = &reader->header;

	memset(reader, 0, sizeof(*reader));
	if (!header_read(h, bytes, nbytes) || !is_allowed(h, bytes, nbytes))
		return false;
	if (h->nkeys == 0)
		return true;
	reader->split = header_split(h);
	if (h->homogeneous)
	{
		h->nzones[0] = 1;
		if (!set_system(&reader->zones[0], h->nkeys + h->spare,
						32u << h->width_code, h->columns, h->wide))
			return false;
		set_smash(&reader->zones[0], 0);
	}
	else if (!set_layers(reader) || !set_zones(reader))
		return false;
	return place(reader, bytes, nbytes);
}
