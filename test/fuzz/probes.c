/*
 * probes.c - what to probe a filter with, and how to probe slices of it
 */
#include "probes.h"

#include "format/format.h"
#include "guard.h"
#include "hostile.h"

/* A hash on one side of a border that some system has. */
static uint64_t
border_hash(Random *random, const RibbonFilter *filter)
{
	uint64_t share = random_below(random, 2) ? filter->wide : filter->split;
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
probes_fill(Random *random, const RibbonFilter *filter, uint64_t *hashes,
			size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		int layer = (int) random_below(random, (uint64_t) filter->nlayers + 1);
		uint64_t hash;

		hashes[i] = random_next(random);
		if (i % 2 == 0)
			continue;
		hash = border_hash(random, filter);
		if (layer == filter->nlayers && filter->rotation > 0)
			hash = ribbon_hash_rotated(hash,
									   RIBBON_ROTATIONS - filter->rotation);
		hashes[i] = hostile_at_layer(hash, layer);
		if (filter->salted)
			hashes[i] = ribbon_unmix(hashes[i]) ^ filter->salt;
	}
}

RibbonStatus
probes_open_header(const uint8_t *bytes, size_t nheader, size_t size,
				   RibbonFilter *sliced)
{
	static Guard guard;

	if (guard.bytes == NULL)
		guard_create(&guard, RIBBON_MAX_HEADER);
	return ribbon_open_header(guard_place(&guard, bytes, nheader, true),
							  nheader, size, sliced);
}

static void
compare_regions(const RibbonSystem *a, const RibbonSystem *b, int n)
{
	for (int i = 0; i < n; i++)
		MUST(a[i].nslots == b[i].nslots && a[i].nstarts == b[i].nstarts &&
				 a[i].result_bits == b[i].result_bits &&
				 a[i].wide == b[i].wide && a[i].seed == b[i].seed &&
				 a[i].wide_block == b[i].wide_block,
			 "region %d of %d", i, n);
}

void
probes_compare(const RibbonFilter *filter, const RibbonFilter *sliced)
{
	MUST(filter->nkeys == sliced->nkeys && filter->kind == sliced->kind &&
			 filter->version == sliced->version &&
			 filter->width == sliced->width &&
			 filter->key_class == sliced->key_class &&
			 filter->header_bytes == sliced->header_bytes &&
			 filter->total_bytes == sliced->total_bytes &&
			 filter->nlayers == sliced->nlayers,
		 "fields");
	MUST(memcmp(filter->layer_keys, sliced->layer_keys,
				sizeof(filter->layer_keys)) == 0,
		 "keys of layers");
	MUST(ribbon_fpr(filter) == ribbon_fpr(sliced), "FPR");
	MUST(ribbon_nslots(filter) == ribbon_nslots(sliced), "slots");
	compare_regions(filter->systems, sliced->systems,
					(int) ribbon_filter_nsystems(filter));
}

/* The bytes to cut slices from. */
typedef struct Slices
{
	const RibbonFilter *filter;
	const uint8_t *bytes;
	int nfetched;
} Slices;

static const uint8_t *
fetch(void *arg, uint64_t at, size_t length)
{
	static Guard guard;
	Slices *slices = arg;

	MUST(length > 0 && length <= RIBBON_MAX_SLICE, "%zu bytes", length);
	MUST(at >= slices->filter->header_bytes &&
			 at + length <= slices->filter->total_bytes,
		 "%zu bytes from %" PRIu64, length, at);
	MUST(++slices->nfetched <= RIBBON_MAX_LAYERS + 2, "slice after slice");
	if (guard.bytes == NULL)
		guard_create(&guard, RIBBON_MAX_SLICE);
	return guard_place(&guard, slices->bytes + at, length, at % 4 != 0);
}

bool
probes_contains(const RibbonFilter *sliced, const uint8_t *bytes, uint64_t hash)
{
	Slices slices = {sliced, bytes, 0};

	return ribbon_contains_sliced(sliced, hash, fetch, &slices);
}
