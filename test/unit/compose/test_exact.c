/*
 * test_exact.c - exact.c: no wrong answer in a universe, and as few bytes as
 * promised
 */
#include "exact.h"

#include "set/sort.h"

static const int widths_tried[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};

static void
check_universe(const RibbonParams *params, const uint64_t *records, size_t n)
{
	Built built;

	built = built_from(params, records, n);
	exact_check(&built, records, n);
	free(built.bytes);
}

static void
test_small(void)
{
	Random random = {1};

	test("small universes of any number of members");
	for (size_t n = 0; n <= 40; n++)
		for (size_t nmembers = 0; nmembers <= n; nmembers++)
		{
			RibbonParams params =
				exact_params(widths_tried[(n + nmembers) % 4]);
			uint64_t *records = exact_records(&random, n, nmembers);

			check_universe(&params, records, n);
			free(records);
		}
}

static void
test_random(void)
{
	Random random = {2};

	test("random universes");
	for (int i = 0; i < 400; i++)
	{
		size_t n = (size_t) random_below(&random,
										 UINT64_C(4)
											 << random_below(&random, 14));
		size_t nmembers = (size_t)
			random_below(&random, (n >> random_below(&random, 10)) + 1);
		RibbonParams params = exact_params(widths_tried[i % 4]);
		uint64_t *records = exact_records(&random, n, nmembers);

		params.has_as_of = i % 3 == 0;
		params.as_of = params.has_as_of ?
			(int64_t) (random_next(&random) >> 2) - (INT64_C(1) << 57) :
			0;
		check_universe(&params, records, n);
		free(records);
	}
}

/* So few pass the member's filter that it may be one, or none. */
static void
test_one_member(void)
{
	Random random = {12};

	test("one member of some hundred keys");
	for (size_t n = 60; n < 600; n += 3)
	{
		RibbonParams params = exact_params(widths_tried[n % 4]);
		uint64_t *records = exact_records(&random, n, 1);

		check_universe(&params, records, n);
		free(records);
	}
}

/*
 * The least of the plans in theory, with K non-members per member: r columns of
 * the members and one of all that pass, or one of all.
 */
static double
least_bits(double k)
{
	double least = 1 + k;

	for (int r = 1; r < 32; r++)
		least = fmin(least, r + 1 + k * exp2(-r));
	return least;
}

static void
test_bytes(void)
{
	static const unsigned ratios[] = {1, 4, 16, 69, 500};
	Random random = {3};

	test("but for chance at most 1.004 times the least of the plans, and 32 "
		 "bytes; the same if all but these are members");
	for (size_t nmembers = 1000; nmembers <= 10000; nmembers *= 10)
		for (unsigned i = 0; i < 10; i++)
		{
			unsigned k = ratios[i / 2];
			size_t n = nmembers * (1 + k);
			RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
			uint64_t *records = exact_records(&random, n, nmembers);
			double most = 1.004 * (double) nmembers * least_bits(k) / 8 + 32;
			/* how many pass deviates by 1 to 1.4 sqrt(members) as a rule */
			double chance = 4 * sqrt((double) nmembers) / 8;
			Built built;

			for (size_t j = 0; i % 2 == 1 && j < n; j++)
				records[2 * j + 1] ^= RIBBON_MEMBER;
			built = built_from(&params, records, n);
			exact_check(&built, records, n);
			CHECK((double) built.nbytes <= most + chance,
				  "n %zu, K %u: %zu, not %.0f", nmembers, k, built.nbytes,
				  most + chance);
			CHECK(built.filter.is_inverted == (i % 2 == 1 && k > 1),
				  "n %zu, K %u: inverted %d", nmembers, k,
				  built.filter.is_inverted);
			free(built.bytes);
			free(records);
		}
}

static void
test_large(void)
{
	static const size_t sizes[][2] = {
		{300000, 150000},
		{400000, 20000},
		{1500000, 3000},
		{1300000, 1290000},
	};
	Random random = {4};

	test("large universes");
	for (int i = 0; i < 4; i++)
	{
		RibbonParams params = exact_params(widths_tried[i]);
		uint64_t *records = exact_records(&random, sizes[i][0], sizes[i][1]);

		check_universe(&params, records, sizes[i][0]);
		free(records);
	}
}

/* The share of random keys outside that are taken for members is the rate. */
static void
test_outside(void)
{
	Random random = {5};

	test("keys outside are taken for members at the set's rate");
	for (size_t n = 3000; n <= 300001; n = n % 2 == 0 ? n + 1 : 10 * (n - 1))
		for (size_t part = 2; part <= 200; part *= 10)
		{
			RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
			uint64_t *records =
				exact_records(&random, n, n % 2 == 0 ? n / part : n - n / part);
			size_t yes = 0, probes = 40000;
			Built built;

			built = built_from(&params, records, n);
			for (size_t i = 0; i < probes; i++)
				yes += ribbon_contains(&built.filter, random_next(&random));
			CHECK(is_plausible(yes,
							   ribbon_fpr(&built.filter) * (double) probes),
				  "rate %g, n %zu: %zu", ribbon_fpr(&built.filter), n, yes);
			free(built.bytes);
			free(records);
		}
}

/* Equal keys count once; a key on both sides is found. */
static void
test_distinct(void)
{
	size_t n = 20000;
	Random random = {6};
	uint64_t *records = exact_records(&random, 2 * n, 2 * n / 9);
	RibbonParams params = exact_params(64);
	RibbonRecord conflict[2] = {{0, 0}};
	size_t left = 2 * n;
	uint64_t *again = malloc(4 * n * 2 * sizeof(uint64_t));
	Built built, twice;

	test("records count once; a key that is a member and is not is found");
	memcpy(again, records, 4 * n * sizeof(uint64_t));
	memcpy(again + 4 * n, records, 4 * n * sizeof(uint64_t));
	built = built_from(&params, records, 2 * n);
	twice = built_from(&params, again, 4 * n);
	CHECK(built_same(&built, &twice), "other bytes");
	free(built.bytes);
	free(twice.bytes);

	again[2 * 99 + 1] ^= RIBBON_MEMBER;
	built = built_from(&params, again, 4 * n);
	CHECK(built.status == RIBBON_CONFLICT, "%s",
		  ribbon_status_text(built.status));
	left = 4 * n;
	CHECK(ribbon_distinct(&ribbon_malloc_env, RIBBON_EXACT_RECORDS, again,
						  &left, conflict) == RIBBON_CONFLICT,
		  "no conflict");
	CHECK(conflict[0].hash == records[2 * 99] &&
			  conflict[1].hash == conflict[0].hash &&
			  (conflict[0].word ^ conflict[1].word) == RIBBON_MEMBER,
		  "of another key");
	free(again);
	free(records);
}

/* Keys of one hash, whose second hashes differ, are right after a reseed. */
static void
test_collisions(void)
{
	static const size_t groups[] = {2, 3, 100, 70000};
	Random random = {7};

	test("keys of one hash are told apart");
	for (int g = 0; g < 4; g++)
		for (size_t n = 2; n <= 200000; n *= 10)
		{
			size_t size = groups[g] < n ? groups[g] : n;
			RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
			uint64_t *records = exact_records(&random, n, n / 3);
			Built built, other;

			for (size_t i = 1; i < size; i++)
				records[2 * (i * (n / size))] = records[0];
			built = built_from(&params, records, n);
			exact_check(&built, records, n);
			CHECK(built.filter.seed != 0 || n / 3 == 0, "no seed");
			map_shuffle(&random, records, n);
			other = built_from(&params, records, n);
			CHECK(built_same(&built, &other), "in another order other bytes");
			free(built.bytes);
			free(other.bytes);
			free(records);
		}

	test("and so is one of them on both sides");
	{
		RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
		uint64_t *records = exact_records(&random, 1000, 300);
		Built built;

		for (size_t i = 1; i < 5; i++)
			records[2 * i] = records[0];
		records[2 * 7] = records[0];
		records[2 * 7 + 1] = records[1] ^ RIBBON_MEMBER;
		built = built_from(&params, records, 1000);
		CHECK(built.status == RIBBON_CONFLICT, "%s",
			  ribbon_status_text(built.status));
		free(records);
	}
}

/*
 * Whoever knows the members knows their filter, and can choose other keys that
 * pass it: many more than are expected.
 */
static void
test_passing(void)
{
	size_t n = 40000;
	RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	Random random = {12};
	uint64_t *records = exact_records(&random, n, n / 5);
	Built usual, built;
	const RibbonPlane *filter;
	uint64_t code;

	test("other keys that all pass the filter");
	usual = built_from(&params, records, n);
	filter = map_plane(&usual.filter, 0);
	CHECK(filter->value_bits == 0 && map_nplanes(&usual.filter) > 1,
		  "no filter");
	for (size_t i = 0; i < n; i++)
		while (!(records[2 * i + 1] & RIBBON_MEMBER) &&
			   !map_get_from_plane(filter, records[2 * i], &code))
			records[2 * i] = random_next(&random);
	built = built_from(&params, records, n);
	exact_check(&built, records, n);
	CHECK(built.nbytes > usual.nbytes + usual.nbytes / 20,
		  "%zu bytes instead of %zu", built.nbytes, usual.nbytes);
	free(built.bytes);
	free(usual.bytes);
	free(records);
}

/* No key of a set without planes is looked up. */
static void
test_seed_of_none(void)
{
	test("a set of no members, or of nothing else, has no seed");
	for (uint64_t nmembers = 0; nmembers <= 9; nmembers += 9)
		for (uint32_t seed = 0; seed <= 1; seed++)
		{
			RibbonExactHead head = {.key_class = 1,
									.nmembers = nmembers,
									.nothers = 9 - nmembers,
									.seed = seed};
			uint8_t bytes[RIBBON_MAX_HEAD];
			RibbonFilter set;
			size_t size = ribbon_format_encode_exact(&head, bytes);

			CHECK(ribbon_open(bytes, size, &set) ==
					  (seed == 0 ? RIBBON_OK : RIBBON_CORRUPT),
				  "%d members, seed %d", (int) nmembers, (int) seed);
		}
}

/* A seed that is stated is not 0, which stands for none. */
static void
test_seed_zero(void)
{
	RibbonExactHead head = {.key_class = 1,
							.nmembers = 3,
							.nothers = 5,
							.seed = UINT32_C(0x12345678)};
	uint8_t bytes[RIBBON_MAX_HEAD];
	size_t size = ribbon_format_encode_exact(&head, bytes);
	RibbonFilter set;

	test("a seed that is stated is not 0");
	CHECK(ribbon_open(bytes, size, &set) == RIBBON_TRUNCATED, "no body");
	ribbon_store32(bytes + size - 4, 0);
	CHECK(ribbon_open(bytes, size, &set) == RIBBON_CORRUPT, "a seed of 0");
}

static void
test_params(void)
{
	RibbonParams params = exact_params(63);
	Random random = {8};
	uint64_t *records = exact_records(&random, 100, 30);
	uint8_t *bytes;
	size_t nbytes;
	Built built;
	RibbonInfo info;

	test("parameters that are refused; shrink; what is told");
	built = built_from(&params, records, 100);
	CHECK(built.status == RIBBON_BAD_PARAMS, "width 63");
	params = exact_params(64);
	params.key_class = 23 << 20;
	built = built_from(&params, records, 100);
	CHECK(built.status == RIBBON_BAD_PARAMS, "key class");
	params = exact_params(64);
	params.has_as_of = true;
	params.as_of = INT64_MIN + 1;
	built = built_from(&params, records, 100);
	CHECK(built.status == RIBBON_BAD_PARAMS, "as_of");
	params = exact_params(64);
	built = built_from(&params, records, 100);
	CHECK(ribbon_shrink(&ribbon_malloc_env, &built.filter, 0.5, 0, &bytes,
						&nbytes) == RIBBON_IS_EXACT,
		  "shrunk");
	ribbon_info(&built.filter, &info);
	CHECK(info.kind == RIBBON_EXACT, "kind %d", (int) info.kind);
	CHECK(built.filter.universe == 100 && built.filter.nkeys == 30, "%d of %d",
		  (int) built.filter.nkeys, (int) built.filter.universe);
	free(built.bytes);
	free(records);
}

int
main(void)
{
	test_small();
	test_random();
	test_one_member();
	test_bytes();
	test_large();
	test_outside();
	test_distinct();
	test_collisions();
	test_passing();
	test_seed_of_none();
	test_seed_zero();
	test_params();
	return test_done();
}
