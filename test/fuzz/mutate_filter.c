/*
 * mutate_filter.c - spoil a filter with care
 *
 * Bytes changed at random are refused for their length nearly always, and what
 * comes after the first check is never tried.  So the header is taken apart,
 * some of its fields are changed, and it is put together again; and then the
 * filter is given as many bytes as its header calls for, or nearly.
 */
#include "mutate_filter.h"

#include "header.h"

/* Small differences, folded or not, and now and then any number. */
static uint64_t
small_number(Random *random)
{
	return random_below(random, 8) ? random_below(random, 70) :
									 fuzz_number(random);
}

/* Numbers of keys at which something about a filter changes. */
static uint64_t
some_keys(Random *random)
{
	uint64_t keys = (random_below(random, 2) ? 1536 : 6144) *
		random_below(random, 18);

	return random_below(random, 2) ? keys + random_below(random, 3) - 1 :
									 fuzz_number(random) % 60000;
}

/* 2048ths. */
static unsigned
some_shares(Random *random)
{
	static const unsigned shares[] = {0, 1, 2, 1023, 1024, 2046, 2047};

	return (unsigned) (random_below(random, 2) ?
						   shares[random_below(random, 7)] :
						   random_below(random, 2048));
}

/* Fill layers and zones that the header did not have with what may be. */
static void
renew_systems(Random *random, Header *h)
{
	unsigned width = 32u << h->width_code;

	for (unsigned i = 0; i < h->nlayers && i < HEADER_MAX_LAYERS; i++)
	{
		uint64_t keys = header_keys(h, i);
		uint64_t slots = width + random_below(random, 4 * width);

		h->bumped[i] = random_below(random, keys + 1);
		if (random_below(random, 4))
			slots = keys - h->bumped[i] + random_below(random, width);
		h->layer_slots[i] = header_fold(slots - (keys - h->bumped[i]));
	}
	for (unsigned z = 0; z < HEADER_MAX_ZONES; z++)
		h->zone_slots[z] = random_below(random, 10);
	for (unsigned i = 0; i < HEADER_MAX_ZONES / 2; i++)
		h->seeds[i] = (uint8_t) random_next(random);
	header_count_zones(h);
	if ((h->nzones[0] + h->nzones[1]) % 2 == 1)
		h->seeds[(h->nzones[0] + h->nzones[1]) / 2] &= 15;
}

static void
change_layers(Random *random, Header *h)
{
	unsigned layer = (unsigned) random_below(random, HEADER_MAX_LAYERS);

	switch (random_below(random, 4))
	{
		case 0:
			h->nlayers = (unsigned) random_below(random, 8);
			h->layered = h->nlayers > 0;
			renew_systems(random, h);
			break;
		case 1:
			h->scheme = (unsigned) random_below(random, 3);
			break;
		case 2:
			h->bumped[layer] = small_number(random);
			break;
		default:
			h->layer_slots[layer] += small_number(random) - 10;
			break;
	}
}

static void
change_zones(Random *random, Header *h)
{
	unsigned zone = (unsigned) random_below(random, HEADER_MAX_ZONES);

	switch (random_below(random, 3))
	{
		case 0:
			h->spare = small_number(random);
			break;
		case 1:
			h->zone_slots[zone] = small_number(random);
			break;
		default:
			h->seeds[zone / 2] ^= (uint8_t) (1 << random_below(random, 8));
			break;
	}
}

static void
change_flags(Random *random, Header *h)
{
	static const unsigned flags[] = {1,	   2,	 3,	   4,	 0x20, 0x21,
									 0x22, 0x0C, 0x10, 0x40, 0x80, 0};
	unsigned kept = h->flags & (HEADER_VALUES | HEADER_UNCHECKED);

	h->flagged = random_below(random, 8) != 0;
	h->flags = flags[random_below(random, random_below(random, 8) ? 3 : 12)];
	if (random_below(random, 8))
		h->flags = (h->flags & ~(HEADER_VALUES | HEADER_UNCHECKED)) | kept;
	h->flagged |= kept != 0;
	h->split = random_below(random, 16) ? some_shares(random) :
										  random_next(random) & 0xFFFF;
	h->salt = random_next(random);
	if (h->flags & HEADER_EXTRA && h->nextra == 0)
	{
		static const uint8_t zeros[8];

		h->extra = (unsigned) random_below(random, 256) & ~1u;
		if (random_below(random, 8) == 0)
			h->extra |= 1;
		if (h->ndictionary == 0)
			h->blob = zeros;
		h->nextra = h->ndictionary == 0 ? random_below(random, 9) : 0;
	}
}

/* Of a map: its values. */
static void
change_values(Random *random, Header *h)
{
	switch (random_below(random, 4))
	{
		case 0:
			h->values[0] ^= 1u << random_below(random, 7);
			break;
		case 1:
			h->values[1] = (unsigned) random_below(random, 66) |
				(h->values[1] & 0x80);
			break;
		case 2:
			h->base = fuzz_number(random) >> 2;
			break;
		default:
			h->seed = random_next(random) & 0xFFFFFFFF;
			break;
	}
}

static void
change_header(Random *random, Header *h)
{
	if (h->flags & HEADER_VALUES && random_below(random, 4) == 0)
	{
		change_values(random, h);
		return;
	}
	switch (random_below(random, 10))
	{
		case 0:
			h->width_code = (unsigned) random_below(random, 4);
			break;
		case 1:
			h->homogeneous = !h->homogeneous;
			h->layered &= !h->homogeneous;
			h->dependence = (unsigned) fuzz_number(random) & 0xFFFF;
			break;
		case 2:
			h->columns = 1 + (unsigned) random_below(random, 32);
			break;
		case 3:
			h->wide = some_shares(random);
			break;
		case 4:
			h->nkeys = some_keys(random);
			renew_systems(random, h);
			break;
		case 5:
			h->key_class = (unsigned)
				random_below(random, random_below(random, 8) ? 32 : 128);
			h->key_parts = (unsigned) random_below(random, 2) == 0 ?
				(unsigned) random_below(random, 32) :
				(unsigned) random_below(random, 1 << 16);
			break;
		case 6:
			change_flags(random, h);
			break;
		case 7:
		case 8:
			change_layers(random, h);
			break;
		default:
			change_zones(random, h);
			break;
	}
}

/*
 * How long a filter with this header is, 0 if there is no telling.
 */
static size_t
wanted_size(const uint8_t *header, size_t size)
{
	uint64_t wanted = bytes_called_for(header, size);

	return wanted > FUZZ_MAX_INPUT ? 0 : (size_t) wanted;
}

/* Put a header in place of the one that takes old bytes. */
static size_t
replace_header(Random *random, uint8_t *input, size_t size, size_t max,
			   size_t old, Header *h)
{
	uint8_t header[HEADER_MAX_SIZE];
	size_t wanted;

	header_write(h, header);
	if (h->size + (size - old) > max)
		size = old + max - h->size;
	memmove(input + h->size, input + old, size - old);
	memcpy(input, header, h->size);
	size = size - old + h->size;

	wanted = wanted_size(header, h->size);
	if (random_below(random, 16) == 0)
		wanted += random_below(random, 3) - 1;
	if (wanted < h->size || wanted > max)
		return size;
	for (; size < wanted; size++)
		input[size] = (uint8_t) random_next(random);
	return wanted;
}

/* Change what follows the header. */
static void
change_payload(Random *random, uint8_t *payload, size_t size)
{
	size_t begin = (size_t) random_below(random, size);
	size_t end = begin + 1 + (size_t) random_below(random, size - begin);
	unsigned how = (unsigned) random_below(random, 3);

	for (size_t i = begin; i < end; i++)
		payload[i] = how == 0 ? 0 :
			how == 1		  ? 0xFF :
								(uint8_t) random_next(random);
}

size_t
mutate_filter(Random *random, uint8_t *input, size_t size, size_t max)
{
	Header h;
	size_t old;

	if (max < HEADER_MAX_SIZE || random_below(random, 8) == 0 ||
		!header_read(&h, input, size))
		return fuzz_mutate_bytes(random, input, size, max);
	old = h.size;
	if (random_below(random, 6) == 0 && size > old)
	{
		change_payload(random, input + old, size - old);
		return size;
	}
	for (uint64_t n = 1 + random_below(random, 4); n > 0; n--)
		change_header(random, &h);
	return replace_header(random, input, size, max, old, &h);
}

/*
 * Good filters: every kind, width and many sizes and rates; of each, one with
 * hostile keys, which are salted, and two shrunk ones.
 */
static const size_t seed_sizes[] = {0,	  1,	2,	  3,	10,	  63,	64,
									65,	  100,	300,  1000, 1535, 1537, 2048,
									3000, 5000, 7000, 9000, 20000};
static const double seed_fprs[] = {0.5,	   0.3,	 0.01,
								   0.0039, 1e-6, 1.0 / 4294967296.0};

#define NSIZES	  (sizeof(seed_sizes) / sizeof(seed_sizes[0]))
#define NVARIANTS 4

/* Keys of a seed; hostile ones cluster in a few places of every layer. */
static uint64_t *
seed_keys(Random *random, size_t n, bool hostile)
{
	uint64_t *keys = random_keys(random, n);

	for (size_t i = 0; hostile && i < n; i++)
		keys[i] >>= 12;
	return keys;
}

size_t
seed_filter(unsigned i, uint8_t *input, size_t max)
{
	unsigned variant = i % NVARIANTS, kind = i / NVARIANTS % 2,
			 width = i / (NVARIANTS * 2) % 3;
	unsigned size = i / (NVARIANTS * 6) % NSIZES;
	unsigned rate = (i + size) % 6;
	Random random = {i};
	uint64_t *keys;
	size_t nbytes;
	Built built;

	if (i >= NVARIANTS * 6 * NSIZES)
		return 0;
	/* to be shorter than max */
	if (seed_fprs[rate] < 0.001 &&
		(seed_sizes[size] > 9000 || (kind == 1 && width == 0)))
		rate = 2;
	keys = seed_keys(&random, seed_sizes[size], variant == 1);
	built = build(test_kinds[kind], test_widths[width], seed_fprs[rate], keys,
				  seed_sizes[size]);
	CHECK(built.status == RIBBON_OK, "seed %u", i);
	if (variant >= 2)
	{
		double fpr = fmin(0.5, seed_fprs[rate] * (variant == 2 ? 1.4 : 20));
		Built shrunk = shrink(&built, fpr);

		CHECK(shrunk.status == RIBBON_OK, "seed %u, shrunk", i);
		free(built.bytes);
		built = shrunk;
	}
	nbytes = built.nbytes < max ? built.nbytes : max;
	memcpy(input, built.bytes, nbytes);
	free(built.bytes);
	free(keys);
	return nbytes;
}
