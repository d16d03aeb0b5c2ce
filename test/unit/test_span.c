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

static RibbonSpan *
must_create(const RibbonSystem *system)
{
	RibbonSpan *span;

	CHECK(ribbon_span_create(&ribbon_malloc_env, system, &span) == RIBBON_OK,
		  "create");
	return span;
}

/* P, or its part that these starts have (all: NULL); slots come at once. */
static double
count_at_once(const RibbonBand *band, const RibbonSystem *system,
			  const uint64_t *starts)
{
	RibbonSpan *span = must_create(system);
	double counted;

	CHECK(ribbon_span_count(&ribbon_malloc_env, span, band, 0, system->nslots,
							starts, 0) == RIBBON_OK,
		  "count");
	counted = ribbon_span_mean(span, 64);
	ribbon_span_free(&ribbon_malloc_env, span);
	return counted;
}

/* A band of so many random hashes. */
static RibbonBand
random_band(Random *random, const RibbonSystem *system, size_t nkeys)
{
	RibbonBand band;

	CHECK(ribbon_band_create(&ribbon_malloc_env, &band, system->nslots,
							 system->width, 0) == RIBBON_OK,
		  "create");
	for (size_t i = 0; i < nkeys; i++)
		ribbon_band_insert_hash(&band, system, random_next(random));
	return band;
}

static void
check_probability(Random *random, unsigned width, uint64_t nslots, size_t nkeys)
{
	RibbonResultBits whole = {8, 0};
	RibbonSystem system;
	RibbonBand band;
	double counted, tried;

	ribbon_system_init(&system, nslots, width, false, whole);
	band = random_band(random, &system, nkeys);
	counted = count_at_once(&band, &system, NULL);
	tried = try_rows(&band, &system, random, 40000);
	CHECK(fabs(counted - tried) < 6 * sqrt(counted / 40000) + 1e-3,
		  "w %u m %" PRIu64 " n %zu: counted %g, tried %g", width, nslots,
		  nkeys, counted, tried);
	ribbon_band_free(&ribbon_malloc_env, &band);
}

/* Count the same starts, of slots that come in parts of random size. */
static double
count_in_parts(Random *random, const RibbonBand *band,
			   const RibbonSystem *system, const uint64_t *starts)
{
	RibbonSpan *span = must_create(system);
	double counted;

	for (uint64_t begin = system->nslots, end = begin; end > 0; end = begin)
	{
		/* a band of the slots from begin on */
		RibbonBand part = *band;

		begin -= ribbon_min64(begin, random_next(random) % 20000);
		part.coeff = (uint8_t *) band->coeff + begin * (system->width / 8);
		part.first = begin;
		part.nslots = system->nslots - begin;
		CHECK(ribbon_span_count(&ribbon_malloc_env, span, &part, begin, end,
								starts, 0) == RIBBON_OK,
			  "count");
	}
	counted = ribbon_span_mean(span, 64);
	ribbon_span_free(&ribbon_malloc_env, span);
	return counted;
}

/*
 * However slots come in, the count is the same.  And what some starts have, few
 * and far between or nearly all, and what the others have add up to P.
 */
static void
check_parts(Random *random, unsigned width, uint64_t nslots, unsigned percent)
{
	RibbonResultBits whole = {8, 0};
	RibbonSystem system;
	RibbonBand band;
	uint64_t *some = calloc(nslots / 64 + 1, sizeof(uint64_t));
	uint64_t *others = calloc(nslots / 64 + 1, sizeof(uint64_t));
	double all, sum;

	ribbon_system_init(&system, nslots, width, false, whole);
	band = random_band(random, &system, nslots * percent / 100);
	all = count_at_once(&band, &system, NULL);
	CHECK((all > 0 || percent < 95) &&
			  count_in_parts(random, &band, &system, NULL) == all,
		  "w %u m %" PRIu64 ": %g at once", width, nslots, all);
	for (unsigned apart = 1; apart < 10000; apart *= 5)
	{
		for (uint64_t i = 0; i < nslots; i++)
		{
			uint64_t bit = UINT64_C(1) << i % 64;
			bool is_some = random_next(random) % apart == 0;

			some[i / 64] = (some[i / 64] & ~bit) | (is_some ? bit : 0);
			others[i / 64] = (others[i / 64] & ~bit) | (is_some ? 0 : bit);
		}
		sum = count_at_once(&band, &system, some);
		CHECK(count_in_parts(random, &band, &system, some) == sum,
			  "w %u m %" PRIu64 ": %g at once", width, nslots, sum);
		sum += count_at_once(&band, &system, others);
		CHECK(fabs(sum - all) <= 1e-12 * all,
			  "w %u m %" PRIu64 ": %g, and %g of parts", width, nslots, all,
			  sum);
	}
	free(some);
	free(others);
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
	test("the count does not depend on how many slots come at a time, and starts are counted by themselves");
	for (int w = 0; w < 3; w++)
		for (unsigned percent = 80; percent < 100; percent += 6)
		{
			check_parts(&random, (unsigned) test_widths[w], 7001, percent);
			check_parts(&random, (unsigned) test_widths[w], 90007, percent);
		}
	return test_done();
}
