/* span.c: counted against tried */
#include "solve/span.h"
#include "testing.h"

/* How many of ntries random rows reduce to zero? */
static double
try_rows(const RibbonBand *band, const RibbonSystem *system, Random *random,
		 unsigned ntries)
{
	unsigned inside = 0;

	for (unsigned i = 0; i < ntries; i++)
	{
		uint64_t hash = random_next(random);
		uint64_t slot = ribbon_band_insert_hash(band, system, hash);

		if (slot == RIBBON_BAND_REDUNDANT)
			inside++;
		else
			ribbon_band_undo(band, slot);
	}
	return (double) inside / ntries;
}

static void
check_probability(Random *random, unsigned width, uint64_t nslots, size_t nkeys)
{
	RibbonResultBits whole = {8, 0};
	RibbonSystem system;
	RibbonBand band;
	double counted, tried;

	ribbon_system_init(&system, nslots, width, false, whole);
	CHECK(ribbon_band_create(&ribbon_malloc_env, &band, nslots, width, 0) ==
			  RIBBON_OK,
		  "create");
	for (size_t i = 0; i < nkeys; i++)
	{
		uint64_t hash = random_next(random);

		ribbon_band_insert_hash(&band, &system, hash);
	}
	CHECK(ribbon_span_probability(&ribbon_malloc_env, &band, &system, 64,
								  &counted) == RIBBON_OK,
		  "count");
	tried = try_rows(&band, &system, random, 40000);
	CHECK(fabs(counted - tried) < 6 * sqrt(counted / 40000) + 1e-3,
		  "w %u m %" PRIu64 " n %zu: counted %g, tried %g", width, nslots,
		  nkeys, counted, tried);
	ribbon_band_free(&ribbon_malloc_env, &band);
}

/* However slots come in, the count is the same. */
static void
check_parts(Random *random, unsigned width, uint64_t nslots)
{
	RibbonResultBits whole = {8, 0};
	RibbonSystem system;
	RibbonBand band;
	RibbonSpan *span;
	double at_once;

	ribbon_system_init(&system, nslots, width, false, whole);
	CHECK(ribbon_band_create(&ribbon_malloc_env, &band, nslots, width, 0) ==
			  RIBBON_OK,
		  "create");
	for (size_t i = 0; i < nslots * 49 / 50; i++)
		ribbon_band_insert_hash(&band, &system, random_next(random));
	CHECK(ribbon_span_probability(&ribbon_malloc_env, &band, &system, 64,
								  &at_once) == RIBBON_OK,
		  "count");
	CHECK(ribbon_span_create(&ribbon_malloc_env, &system, &span) == RIBBON_OK,
		  "create");
	for (uint64_t begin = nslots; begin > 0;)
	{
		begin -= ribbon_min64(begin, random_next(random) % 20000);
		if (begin < nslots)
		{
			/* a band of the slots from begin on */
			RibbonBand part = band;

			part.coeff = (uint8_t *) band.coeff + begin * (width / 8);
			part.first = begin;
			part.nslots = nslots - begin;
			CHECK(ribbon_span_count(&ribbon_malloc_env, span, &part, begin) ==
					  RIBBON_OK,
				  "count");
		}
	}
	CHECK(at_once > 0 && ribbon_span_mean(span, 64) == at_once,
		  "w %u m %" PRIu64 ": %g, at once %g", width, nslots,
		  ribbon_span_mean(span, 64), at_once);
	ribbon_span_free(&ribbon_malloc_env, span);
	ribbon_band_free(&ribbon_malloc_env, &band);
}

int
main(void)
{
	Random random = {1};

	test("the probability of dependence is what trying random rows gives");
	for (int w = 0; w < 3; w++)
	{
		unsigned width = (unsigned) test_widths[w];

		for (uint64_t nslots = 5; nslots < 5000; nslots = nslots * 7 / 4)
		{
			check_probability(&random, width, nslots, (size_t) nslots);
			check_probability(&random, width, nslots, (size_t) nslots - 3);
			check_probability(&random, width, nslots,
							  (size_t) nslots * 97 / 100);
		}
		check_probability(&random, width, 40000, 39500);
	}
	test("the count does not depend on how many slots come at a time");
	for (int w = 0; w < 3; w++)
	{
		check_parts(&random, (unsigned) test_widths[w], 7001);
		check_parts(&random, (unsigned) test_widths[w], 90007);
	}
	return test_done();
}
