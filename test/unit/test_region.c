/* region.c, icml.h, backsubst.c: where slots are, and that they solve the band */
#include "solve/backsubst.h"
#include "format/icml.h"
#include "probe/probe.h"
#include "testing.h"

static void
test_starts(void)
{
	Random random = {1};
	RibbonColumns whole = {8, 0};

	test("starting positions grow with the word and stay inside");
	for (uint64_t nslots = 1; nslots < 3000; nslots += 1 + nslots / 9)
		for (int zone = 0; zone < 2; zone++)
		{
			RibbonRegion region;
			uint64_t previous = 0;

			if (zone)
				ribbon_region_init_zone(&region, nslots, 64, 0, whole);
			else
				ribbon_region_init(&region, nslots, 64, nslots >= 64, whole);
			CHECK(ribbon_region_start(&region, 0) == 0, "first");
			CHECK(ribbon_region_start(&region, UINT64_MAX) ==
					  region.nstarts - 1,
				  "last");
			CHECK(region.nstarts - 1 + region.row_bits == nslots, "reach");
			for (int i = 0; i < 200; i++)
			{
				uint64_t word = (uint64_t) i * (UINT64_MAX / 200) +
					random_below(&random, UINT64_MAX / 200);
				uint64_t start = ribbon_region_start(&region, word);

				CHECK(start >= previous && start < region.nstarts, "order");
				previous = start;
				word = ribbon_region_least_word(&region, start);
				CHECK(start == 0 ||
						  (ribbon_region_start(&region, word) == start &&
						   ribbon_region_start(&region, word - 1) < start),
					  "least word");
			}
		}
}

/* The sizes of the drawing in icml.h, but for w = 32. */
static void
test_addresses(void)
{
	RibbonColumns columns = {2, 1024};
	RibbonRegion region;

	test("ICML addresses: the worked example");
	ribbon_region_init(&region, 32 + 32 + 16, 32, true, columns);
	CHECK(region.wide_block == 0, "first wide block %" PRIu64,
		  region.wide_block);
	region.wide_block = 1;
	CHECK(ribbon_icml_block_bit(&region, 0) == 0, "block 0");
	CHECK(ribbon_icml_columns(&region, 0) == 2, "columns of block 0");
	CHECK(ribbon_icml_block_bit(&region, 1) == 32 * 2, "block 1");
	CHECK(ribbon_icml_columns(&region, 1) == 3, "columns of block 1");
	CHECK(ribbon_icml_block_bit(&region, 2) == 32 * (2 * 2 + 1), "block 2");
	CHECK(ribbon_icml_rows(&region, 2) == 16, "rows of block 2");
	CHECK(ribbon_icml_bytes(&region) == (32 * 5 + 16 * 3) / 8, "bytes");
}

/*
 * Band random equations into a region of this shape, solve, and look every
 * equation that was stored up again.
 */
static void
check_solution(Random *random, unsigned width, uint64_t nslots,
			   RibbonColumns columns)
{
	RibbonRegion region;
	RibbonBacksubst run;
	RibbonBand band;
	size_t nkeys = (size_t) (nslots * 9 / 10 + 1);
	size_t nbytes;
	uint8_t *slots;
	uint64_t *kept = malloc(nkeys * sizeof(uint64_t));
	size_t nkept = 0;

	ribbon_region_init(&region, nslots, width, nslots >= width, columns);
	CHECK(ribbon_band_create(&ribbon_malloc_env, &band, nslots, width,
							 columns.columns + (columns.wide > 0)) == RIBBON_OK,
		  "create");
	for (size_t i = 0; i < nkeys; i++)
	{
		uint64_t word = random_next(random);

		if (ribbon_band_insert_word(&band, &region, word) !=
			RIBBON_BAND_INCONSISTENT)
			kept[nkept++] = word;
	}

	/* exactly so many bytes, so that the sanitizer sees one too many */
	nbytes = (size_t) ribbon_icml_bytes(&region);
	slots = calloc(1, nbytes);
	run = ribbon_backsubst_all(&band, &region, RIBBON_FREE_ZERO, slots);
	CHECK(ribbon_backsubst(&ribbon_malloc_env, &run) == RIBBON_OK, "solve");
	region.slots = slots;
	for (size_t i = 0; i < nkept; i++)
		CHECK(ribbon_probe(&region, kept[i], ribbon_hash_fingerprint(kept[i])),
			  "w %u m %" PRIu64 " r %u + %u/2048", width, nslots,
			  columns.columns, columns.wide);
	ribbon_band_free(&ribbon_malloc_env, &band);
	free(slots);
	free(kept);
}

static void
test_solutions(void)
{
	Random random = {2};

	test("every banded equation holds in the slots, for every w and r");
	for (int w = 0; w < 3; w++)
		for (unsigned r = 1; r <= 32; r++)
			for (unsigned wide = 0; wide < RIBBON_SHARES; wide += 333)
			{
				RibbonColumns columns = {r, r == 32 ? 0 : wide};

				check_solution(&random, (unsigned) test_widths[w],
							   40 + random_below(&random, 700), columns);
			}

	test("every banded equation holds, for every number of slots");
	for (int w = 0; w < 3; w++)
		for (uint64_t nslots = 1; nslots < 400; nslots++)
		{
			RibbonColumns columns = {1 + (unsigned) random_below(&random, 9),
									 (unsigned) random_below(&random,
															 RIBBON_SHARES)};

			check_solution(&random, (unsigned) test_widths[w], nslots, columns);
		}
}

int
main(void)
{
	test_starts();
	test_addresses();
	test_solutions();
	return test_done();
}
