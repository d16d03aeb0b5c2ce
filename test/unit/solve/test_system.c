/*
 * test_system.c - system.c, icml.h, backsubst.h: where slots are, and that
 * they solve the band
 */
#include "solve/solver.h"
#include "format/icml.h"
#include "probe/probes.h"
#include "bands.h"
#include "testing.h"

static void
test_starts(void)
{
	Random random = {1};
	RibbonResultBits whole = {8, 0};

	test("starting positions grow with the hash and stay inside");
	for (uint64_t nslots = 1; nslots < 3000; nslots += 1 + nslots / 9)
		for (int zone = 0; zone < 2; zone++)
		{
			RibbonSystem system;
			uint64_t previous = 0;

			ribbon_system_init(&system,
							   zone				? RIBBON_SYSTEM_ZONE :
								   nslots >= 64 ? RIBBON_SYSTEM_LAYER :
												  RIBBON_SYSTEM_HOMOGENEOUS,
							   nslots, 64, whole, 0);
			CHECK(ribbon_system_start(&system, 0) == 0, "first");
			CHECK(ribbon_system_start(&system, UINT64_MAX) ==
					  system.nstarts - 1,
				  "last");
			CHECK(system.nstarts - 1 + system.row_bits == nslots, "reach");
			for (int i = 0; i < 200; i++)
			{
				uint64_t hash = (uint64_t) i * (UINT64_MAX / 200) +
					random_below(&random, UINT64_MAX / 200);
				uint64_t start = ribbon_system_start(&system, hash);

				CHECK(start >= previous && start < system.nstarts, "order");
				previous = start;
				hash = ribbon_system_least_hash(&system, start);
				CHECK(start == 0 ||
						  (ribbon_system_start(&system, hash) == start &&
						   ribbon_system_start(&system, hash - 1) < start),
					  "least word");
			}
		}
}

/* Extra hashes at the ends of a zone: half a row's slots, but one. */
static void
test_smash(void)
{
	static const unsigned expected[] = {0, 0, 0, 0, 1, 1, 2, 2, 3};
	RibbonResultBits whole = {8, 0};
	RibbonSystem system;

	test("the ends of a zone get more keys, but not of three slots");
	for (unsigned nslots = 1; nslots < 200; nslots++)
	{
		unsigned smash = nslots < 9 ? expected[nslots] :
			nslots < 64				? nslots / 2 - 1 :
									  31;

		ribbon_system_init(&system, RIBBON_SYSTEM_ZONE, nslots, 64, whole, 0);
		CHECK(system.smash == smash &&
				  system.range == system.nstarts + 2 * smash,
			  "%u slots: %u", nslots, (unsigned) system.smash);
	}
}

/* The sizes of the drawing in icml.h, but for w = 32. */
static void
test_addresses(void)
{
	RibbonResultBits result_bits = {2, 1024};
	RibbonSystem system;

	test("ICML addresses: the worked example");
	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, 32 + 32 + 16, 32,
					   result_bits, 0);
	CHECK(system.wide_block == 0, "first wide block %" PRIu64,
		  system.wide_block);
	system.wide_block = 1;
	CHECK(ribbon_icml_block_bit(&system, 0) == 0, "block 0");
	CHECK(ribbon_icml_columns(&system, 0) == 2, "columns of block 0");
	CHECK(ribbon_icml_block_bit(&system, 1) == 32 * 2, "block 1");
	CHECK(ribbon_icml_columns(&system, 1) == 3, "columns of block 1");
	CHECK(ribbon_icml_block_bit(&system, 2) == 32 * (2 * 2 + 1), "block 2");
	CHECK(ribbon_icml_rows(&system, 2) == 16, "rows of block 2");
	CHECK(ribbon_icml_bytes(&system) == (32 * 5 + 16 * 3) / 8, "bytes");
}

/*
 * Band random equations into a system of this shape, solve, and look every
 * equation that was stored up again.
 */
static void
check_solution(Random *random, unsigned width, uint64_t nslots,
			   RibbonResultBits result_bits)
{
	RibbonSystem system;
	RibbonBacksubst run;
	RibbonBand band;
	size_t nkeys = (size_t) (nslots * 9 / 10 + 1);
	size_t nbytes;
	uint8_t *slots;
	uint64_t *kept = malloc(nkeys * sizeof(uint64_t));
	size_t nkept = 0;

	ribbon_system_init(&system,
					   nslots >= width ? RIBBON_SYSTEM_LAYER :
										 RIBBON_SYSTEM_HOMOGENEOUS,
					   nslots, width, result_bits, 0);
	CHECK(band_create(&band, nslots, width,
					  result_bits.bits + (result_bits.wide > 0)) == RIBBON_OK,
		  "create");
	for (size_t i = 0; i < nkeys; i++)
	{
		uint64_t hash = random_next(random);

		if (band_insert(&band, &system, hash, ribbon_hash_fingerprint(hash)) !=
			BAND_INCONSISTENT)
			kept[nkept++] = hash;
	}

	/* exactly so many bytes, so that the sanitizer sees one too many */
	nbytes = (size_t) ribbon_icml_bytes(&system);
	slots = calloc(1, nbytes);
	run = (RibbonBacksubst){.band = &band,
							.system = &system,
							.end = system.nslots,
							.slots = slots};
	CHECK(ribbon_backsubst(&ribbon_malloc_env, &run) == RIBBON_OK, "solve");
	system.slots = slots;
	for (size_t i = 0; i < nkept; i++)
	{
		uint64_t start = ribbon_system_start(&system, kept[i]);
		uint64_t code;

		CHECK(ribbon_probes(width)->at(&system, kept[i], start, &code),
			  "w %u m %" PRIu64 " r %u + %u/2048", width, nslots,
			  result_bits.bits, result_bits.wide);
	}
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
				RibbonResultBits result_bits = {r, r == 32 ? 0 : wide};

				check_solution(&random, (unsigned) test_widths[w],
							   40 + random_below(&random, 700), result_bits);
			}

	test("every banded equation holds, for every number of slots");
	for (int w = 0; w < 3; w++)
		for (uint64_t nslots = 1; nslots < 400; nslots++)
		{
			RibbonResultBits result_bits =
				{1 + (unsigned) random_below(&random, 9),
				 (unsigned) random_below(&random, RIBBON_SHARES)};

			check_solution(&random, (unsigned) test_widths[w], nslots,
						   result_bits);
		}
}

int
main(void)
{
	test_starts();
	test_smash();
	test_addresses();
	test_solutions();
	return test_done();
}
