/*
 * test_sweep.c - sweep.h: a bucket in one sweep, against insertion key by key
 */
#include "bands.h"
#include "kernels.h"
#include "solve/sweep.h"
#include "set/sort.h"
#include "testing.h"

#define NSLOTS 2048

/* [BuRR 3.2]: from right to left, until one does not fit; then roll back. */
static unsigned
insert_backwards(const RibbonBand *band, const RibbonSystem *system,
				 const RibbonBuckets *buckets, const uint64_t *hashes, size_t n,
				 uint64_t first_slot, uint64_t slot_limit)
{
	uint64_t slots[2048];
	size_t nslots = 0;
	unsigned code = 0;
	size_t i = n;

	while (i > 0 && code == 0)
	{
		uint64_t hash = hashes[--i];
		uint64_t slot = band_insert(band, system, hash,
									ribbon_hash_fingerprint(hash));
		uint64_t position = ribbon_system_start(system, hashes[i]) - first_slot;

		slots[i] = slot;
		nslots = i;
		if (slot >= slot_limit && slot != BAND_REDUNDANT)
			while (buckets->threshold[code] <= position)
				code++;
	}
	for (i = nslots; i < n; i++)
		if (slots[i] < NSLOTS &&
			ribbon_system_start(system, hashes[i]) - first_slot <
				buckets->threshold[code])
			ribbon_band_undo(band, slots[i]);
	return code;
}

/* Random hashes that start in these slots, sorted. */
static uint64_t *
hashes_between(Random *random, const RibbonSystem *system, uint64_t begin,
			   uint64_t end, size_t n)
{
	uint64_t *hashes = malloc((n + 1) * sizeof(uint64_t));

	for (size_t i = 0; i < n;)
	{
		uint64_t start;

		hashes[i] = random_next(random);
		start = ribbon_system_start(system, hashes[i]);
		i += start >= begin && start < end;
	}
	CHECK(ribbon_sort(&ribbon_malloc_env, 1, hashes, n, NULL) == RIBBON_OK,
		  "sort");
	return hashes;
}

static void
check_same(const RibbonBand *a, const RibbonBand *b, uint64_t nslots,
		   const char *what)
{
	for (uint64_t slot = 0; slot < nslots; slot++)
	{
		size_t row = a->width / 8;

		CHECK(memcmp((uint8_t *) a->coeff + slot * row,
					 (uint8_t *) b->coeff + slot * row, row) == 0,
			  "%s w %u slot %" PRIu64, what, a->width, slot);
		if (!ribbon_band_is_empty(a, slot))
			CHECK(ribbon_band_result(a, slot) == ribbon_band_result(b, slot),
				  "%s w %u result of slot %" PRIu64, what, a->width, slot);
	}
}

/*
 * Two buckets after one another, small or as large as they may be: the second
 * meets what the first left.  Keys start in the first or the last nstarts slots
 * of a bucket.
 */
static void
check_sweep(Random *random, RibbonKernel kernel, unsigned width, unsigned nbits,
			size_t nkeys, unsigned nstarts, bool large)
{
	RibbonBuckets buckets = large ?
		(RibbonBuckets){9, {0, 84, 168, 512}, false} :
		(RibbonBuckets){7, {0, 21, 42, 128}, false};
	unsigned size = 1u << buckets.log2_size;
	RibbonResultBits result_bits = {nbits, 0};
	RibbonSweep *sweep = malloc(sizeof(RibbonSweep));
	RibbonSystem system;
	RibbonBand expected, got;

	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, NSLOTS, width, result_bits,
					   0);
	CHECK(band_create(&expected, NSLOTS, width, nbits) == RIBBON_OK &&
			  band_create(&got, NSLOTS, width, nbits) == RIBBON_OK,
		  "create");
	for (unsigned b = 0; b < 2; b++)
	{
		uint64_t first = 512 + size * b;
		/* of the last keys some fit, or none does */
		uint64_t near = first + size - 8 +
			width / (1 + random_next(random) % 2) + 8 * random_below(random, 3);
		uint64_t limit = b == 0 || random_next(random) % 2 ? UINT64_MAX : near;
		uint64_t begin = first + random_next(random) % 2 * (size - nstarts);
		uint64_t *hashes = hashes_between(random, &system, begin,
										  begin + nstarts, nkeys);
		unsigned code = insert_backwards(&expected, &system, &buckets, hashes,
										 nkeys, first, limit);

		ribbon_kernel_use(kernel);
		sweep->band = &got;
		sweep->buckets = &buckets;
		sweep->slot_limit = limit;
		if (nkeys > 0)
		{
			CHECK(ribbon_sweep_begin(sweep, &system, NULL, hashes, nkeys) ==
					  nkeys,
				  "begin");
			while (ribbon_sweep_advance(sweep))
				;
			ribbon_sweep_roll_back(sweep);
		}
		CHECK(nkeys == 0 || sweep->code == code,
			  "%s w %u r %u: code %u, not %u", ribbon_kernel_name(kernel),
			  width, nbits, sweep->code, code);
		free(hashes);
	}
	check_same(&expected, &got, NSLOTS, ribbon_kernel_name(kernel));
	ribbon_band_free(&ribbon_malloc_env, &expected);
	ribbon_band_free(&ribbon_malloc_env, &got);
	free(sweep);
}

/* A homogeneous system of fewer slots than rows have bits: rows are short. */
static void
check_short(Random *random, RibbonKernel kernel, unsigned width,
			uint64_t nslots)
{
	RibbonResultBits result_bits = {8, 0};
	size_t nkeys = (size_t) random_below(random, nslots + 5);
	RibbonSweep *sweep = malloc(sizeof(RibbonSweep));
	RibbonSystem system;
	RibbonBand expected, got;
	uint64_t *hashes;

	ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, nslots, width,
					   result_bits, 0);
	hashes = hashes_between(random, &system, 0, 1, nkeys);
	CHECK(band_create(&expected, nslots, width, 0) == RIBBON_OK &&
			  band_create(&got, nslots, width, 0) == RIBBON_OK,
		  "create");
	for (size_t i = nkeys; i-- > 0;)
		band_insert(&expected, &system, hashes[i], 0);
	ribbon_kernel_use(kernel);
	sweep->band = &got;
	sweep->buckets = &ribbon_sweep_buckets;
	sweep->slot_limit = UINT64_MAX;
	if (nkeys > 0)
	{
		CHECK(ribbon_sweep_begin(sweep, &system, NULL, hashes, nkeys) == nkeys,
			  "begin");
		while (ribbon_sweep_advance(sweep))
			;
		CHECK(sweep->code == 0, "w %u, %" PRIu64 " slots", width, nslots);
	}
	check_same(&expected, &got, nslots + RIBBON_BAND_PADDING,
			   ribbon_kernel_name(kernel));
	ribbon_band_free(&ribbon_malloc_env, &expected);
	ribbon_band_free(&ribbon_malloc_env, &got);
	free(hashes);
	free(sweep);
}

int
main(void)
{
	static const unsigned widths[] = {32, 64, 128};
	static const unsigned bits[] = {0, 1, 8, 9, 17, 32, 33, 56};
	Random random = {5};

	FOR_EACH_KERNEL(k)
	{
		char name[100];

		snprintf(name, sizeof(name),
				 "sweeps fill the same slots as insertion (%s)",
				 ribbon_kernel_name(k));
		test(name);
		for (unsigned w = 0; w < 3; w++)
			for (unsigned r = 0; r < 8; r++)
				for (int round = 0; round < 17; round++)
				{
					/*
					 * few, as many as there are slots, too many, clustered,
					 * more in one slot than a kernel has lanes
					 */
					size_t n = random_below(&random,
											round < 6	   ? 160 :
												round < 12 ? 600 :
															 1025);

					if (round == 12 || round == 15)
						n = RIBBON_SWEEP_KEYS;
					check_sweep(&random, k, widths[w], bits[r], n,
								round % 3 == 2	? 9 :
									round == 13 ? 1 :
									round > 14	? 512 :
												  128,
								round > 14);
				}
		for (unsigned w = 0; w < 3; w++)
			for (uint64_t nslots = 1; nslots < widths[w]; nslots++)
				check_short(&random, k, widths[w], nslots);
	}
	return test_done();
}
