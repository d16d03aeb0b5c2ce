/* layer.c: what a layer keeps is in its slots, all else is handed on */
#include "build/layer.h"

#include "format/icml.h"
#include "probe/kernel.h"
#include "base/sort.h"
#include "solve/sweep.h"
#include "testing.h"

#define NSLOTS 20000
#define NKEYS  15000
#define CROWD  (3 * RIBBON_SWEEP_KEYS)

static const RibbonColumns columns = {8, 0};
static const RibbonBuckets buckets = {7, {0, 30, 60, 128}};

/* Random words, of which the first ncrowd start in one of nplaces buckets. */
static uint64_t *
crowded_words(Random *random, const RibbonRegion *region, size_t n,
			  size_t ncrowd, uint64_t nplaces)
{
	uint64_t *words = random_keys(random, n);

	for (size_t i = 0; i < ncrowd; i++)
	{
		uint64_t bucket = 50 + i % nplaces;
		uint64_t start = (bucket << buckets.log2_size) +
			random_below(random, UINT64_C(1) << buckets.log2_size);

		words[i] = ribbon_region_least_word(region, start) +
			(random_next(random) >> 24);
	}
	CHECK(ribbon_sort(&ribbon_malloc_env, words, n) == RIBBON_OK, "sort");
	return words;
}

/* Does the layer say of every word whether it has it, and have it? */
static void
check_words(const RibbonRegion *region, const uint64_t *words, size_t n,
			const RibbonWords *bumped)
{
	RibbonProbeLoop probe =
		ribbon_kernel()->probes[ribbon_kernel_index(region->width)]->region;
	size_t nbumped = 0;
	size_t missing = 0;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t start = ribbon_region_start(region, words[i]);

		if (ribbon_layer_bumps(region, &buckets, start))
			nbumped++;
		else
			missing += !probe(region, words[i], start,
							  ribbon_hash_fingerprint(words[i]));
	}
	CHECK(missing == 0, "w %u: %zu of %zu are missing", region->width, missing,
		  n);
	CHECK(nbumped == bumped->n, "w %u: %zu are bumped, %zu handed on",
		  region->width, nbumped, (size_t) bumped->n);
}

/* Build a layer of crowded words, and see whether it is what it ought to be. */
static void
check_layer(unsigned width, size_t n, size_t ncrowd, uint64_t nplaces,
			bool crowds)
{
	Random random = {width + ncrowd};
	RibbonRegion region;
	RibbonLayer layer = {.region = &region,
						 .buckets = &buckets,
						 .crowds = crowds};
	RibbonWords words, bumped;
	bool aimed = false;
	RibbonStatus status;

	ribbon_region_init(&region, NSLOTS, width, true, columns);
	words = ribbon_words_of_array(crowded_words(&random, &region, n, ncrowd,
												nplaces),
								  n);
	layer.slots = calloc(1, ribbon_icml_bytes(&region));
	layer.thresholds = calloc(1,
							  ribbon_layer_threshold_bytes(&region, &buckets));
	status = ribbon_words_create(&ribbon_malloc_env, &bumped, n);
	if (status == RIBBON_OK)
		status = ribbon_layer_build(&ribbon_malloc_env, &layer, &words, &bumped,
									&aimed);
	CHECK(status == RIBBON_OK, "%s", ribbon_status_text(status));
	CHECK(aimed == (!crowds && ncrowd > 0), "w %u: aimed at?", width);
	region.slots = layer.slots;
	region.thresholds = layer.thresholds;
	if (status == RIBBON_OK && !aimed)
		check_words(&region, words.array, n, &bumped);
	ribbon_words_free(&ribbon_malloc_env, &bumped);
	free(words.array);
	free(layer.slots);
	free(layer.thresholds);
}

int
main(void)
{
	test("random words are kept or bumped");
	for (int w = 0; w < 3; w++)
	{
		check_layer((unsigned) test_widths[w], NKEYS, 0, 1, false);
		check_layer((unsigned) test_widths[w], NSLOTS, 0, 1, false);
	}

	test("a crowd is aimed at the layer");
	for (int w = 0; w < 3; w++)
		check_layer((unsigned) test_widths[w], NKEYS, CROWD, 1, false);

	test("more words in a bucket than a sweep takes, if crowds are expected");
	for (int w = 0; w < 3; w++)
	{
		check_layer((unsigned) test_widths[w], NKEYS, CROWD, 1, true);
		check_layer((unsigned) test_widths[w], NKEYS, 4 * CROWD, 3, true);
		check_layer((unsigned) test_widths[w], CROWD, CROWD, 1, true);
	}
	return test_done();
}
