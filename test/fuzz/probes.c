/*
 * probes.c - what to probe a filter with, and how to probe slices of it
 */
#include "probes.h"

#include "format/format.h"
#include "guard.h"
#include "hostile.h"

#define MAX_PLANES (RIBBON_MAX_LEVELS + 2)

/* A hash on one side of a border that some system has. */
static uint64_t
border_hash(Random *random, const RibbonPlane *plane)
{
	uint64_t share = random_below(random, 2) ? plane->check.wide : plane->split;
	uint64_t hash = (RIBBON_SHARES - share) << 53;

	switch (random_below(random, 4))
	{
		case 0:
			return -random_below(random, 2); /* the first, the last */
		case 1:
			return hash - random_below(random, 2);
		case 2: /* around the start of a 2048th */
			return (random_next(random) >> 53 << 53) - random_below(random, 2);
		default:
			return random_next(random) >> random_below(random, 64);
	}
}

void
probes_fill(Random *random, const RibbonPlane *plane, uint64_t *hashes,
			size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		unsigned layer = (unsigned) random_below(random, plane->nlayers + 1);
		uint64_t hash;

		hashes[i] = random_next(random);
		if (i % 2 == 0)
			continue;
		hash = border_hash(random, plane);
		if (layer == plane->nlayers && plane->rotation > 0)
			hash = ribbon_hash_rotated(hash,
									   RIBBON_ROTATIONS - plane->rotation);
		hashes[i] = hostile_at_layer(hash, layer);
		if (plane->salted)
			hashes[i] = unmix(hashes[i]) ^ plane->salt;
	}
}

/* The bytes to cut slices from. */
typedef struct Opened
{
	const uint8_t *bytes;
	size_t size;
	size_t least; /* no slice begins before this byte */
	int nfetched;
	int most;
} Opened;

static Opened slices; /* of the filter that was opened last */

static const uint8_t *
fetch(void *arg, uint64_t at, size_t length)
{
	static Guard guard;

	(void) arg;
	CHECK(length > 0 && length <= RIBBON_MAX_SLICE, "%zu bytes", length);
	CHECK(at >= slices.least && at <= slices.size && length <= slices.size - at,
		  "%zu bytes from %" PRIu64, length, at);
	CHECK(++slices.nfetched <= slices.most, "slice after slice");
	if (guard.bytes == NULL)
		guard_create(&guard, RIBBON_MAX_SLICE);
	return guard_place(&guard, slices.bytes + at, length, at % 4 != 0);
}

RibbonStatus
probes_open_sliced(const uint8_t *bytes, size_t size, RibbonFilter *sliced)
{
	slices = (Opened){bytes, size, 0, 0, 1 + MAX_PLANES};
	return ribbon_open_sliced(size, fetch, NULL, sliced);
}

static void
compare_systems(const RibbonSystem *a, const RibbonSystem *b, int n)
{
	for (int i = 0; i < n; i++)
		CHECK(a[i].nslots == b[i].nslots && a[i].nstarts == b[i].nstarts &&
				  a[i].ncolumns == b[i].ncolumns && a[i].wide == b[i].wide &&
				  a[i].seed == b[i].seed && a[i].wide_block == b[i].wide_block,
			  "system %d of %d", i, n);
}

void
probes_compare(const RibbonFilter *filter, const RibbonFilter *sliced)
{
	const RibbonOpened *opened[2] = {ribbon_opened(filter),
									 ribbon_opened(sliced)};

	CHECK(filter->nkeys == sliced->nkeys &&
			  filter->key_class == sliced->key_class &&
			  filter->total_bytes == sliced->total_bytes &&
			  filter->has_values == sliced->has_values &&
			  filter->has_null == sliced->has_null &&
			  filter->value_class == sliced->value_class &&
			  filter->value_bits == sliced->value_bits &&
			  filter->is_exact == sliced->is_exact &&
			  filter->universe == sliced->universe &&
			  filter->has_as_of == sliced->has_as_of &&
			  filter->as_of == sliced->as_of && filter->seed == sliced->seed &&
			  filter->base == sliced->base &&
			  filter->dictionary_at == sliced->dictionary_at &&
			  filter->ndictionary == sliced->ndictionary,
		  "facts");
	CHECK(sliced->bytes == NULL && sliced->dictionary == NULL, "in memory");
	CHECK(ribbon_fpr(filter) == ribbon_fpr(sliced), "FPR");
	CHECK(count_slots(filter) == count_slots(sliced), "slots");
	for (; opened[0] != NULL && opened[1] != NULL;
		 opened[0] = ribbon_opened_next(opened[0]),
		 opened[1] = ribbon_opened_next(opened[1]))
	{
		const RibbonPlane *a = &opened[0]->plane;
		const RibbonPlane *b = &opened[1]->plane;

		CHECK(a->kind == b->kind && a->width == b->width && a->at == b->at &&
				  a->header_bytes == b->header_bytes &&
				  a->total_bytes == b->total_bytes && a->nlayers == b->nlayers,
			  "fields");
		CHECK(memcmp(a->layer_keys, b->layer_keys, sizeof(a->layer_keys)) == 0,
			  "keys of layers");
		compare_systems(a->systems, b->systems, (int) ribbon_plane_nsystems(a));
	}
	CHECK(opened[0] == opened[1], "planes");
}

/* Slices from byte least on are to be read now, of so many planes at most. */
static void
begin_probe(size_t least, int nplanes)
{
	slices.least = least;
	slices.nfetched = 0;
	slices.most = nplanes * (RIBBON_MAX_LAYERS + 2);
}

bool
probes_contains(const RibbonFilter *sliced, uint64_t hash)
{
	begin_probe(header_size(sliced), RIBBON_PLAIN_PLANES);
	return ribbon_contains(sliced, hash);
}

bool
probes_get(const RibbonFilter *sliced, uint64_t hash, uint64_t *code)
{
	begin_probe(0, MAX_PLANES);
	return ribbon_get(sliced, hash, code);
}

size_t
probes_number(Random *random, size_t most)
{
	return (size_t) random_below(random,
								 (random_below(random, 16) ? 24 : most) + 1);
}

void
probes_check_statistics(const RibbonFilter *filter, const uint8_t *bytes)
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t nheader = ribbon_format_encode(&ribbon_opened(filter)->plane,
										  filter->key_class, header);
	double fpr = ribbon_fpr(filter);

	CHECK(fpr >= 0 && fpr <= 1, "FPR %g", fpr);
	CHECK(count_slots(filter) * ribbon_opened(filter)->plane.check.bits / 8 <=
			  filter->total_bytes,
		  "%" PRIu64 " slots", count_slots(filter));
	/* (what is extra is not written) */
	CHECK((bytes[1] & 0x80 && bytes[2] & 0x20) ||
			  (nheader == header_size(filter) &&
			   memcmp(header, bytes, nheader) == 0),
		  "a header is not what it is written back to");
}
