/*
 * test_check.c - check.c: nothing is said against what was built, and damage
 * has a name
 */
#include "construct/layer.h"
#include "built.h"

#include <string.h>

static void
check_is(const Built *built, RibbonStatus expected, const char *what)
{
	RibbonStatus status = ribbon_check(&ribbon_malloc_env, &built->filter);

	CHECK(status == expected, "%s: %s", what, ribbon_status_text(status));
}

/* A set that makes the builder salt its hashes: all in a few places. */
static uint64_t *
clustered_keys(Random *random, size_t n)
{
	uint64_t *keys = malloc((n + 1) * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
		keys[i] = random_below(random, 4) << 62 | random_next(random) >> 20;
	return keys;
}

static void
test_sound(void)
{
	static const double fprs[] = {0.5, 0.01, 1e-6};
	Random random = {1};

	test("nothing is wrong with a filter as it was built, or shrunk");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
			for (int f = 0; f < 3; f++)
				for (size_t n = 0; n < 60000; n = n * 3 + 1)
				{
					uint64_t *keys = n % 5 == 3 ? clustered_keys(&random, n) :
												  random_keys(&random, n);
					Built built = build(test_kinds[k], test_widths[w], fprs[f],
										keys, n);
					Built small = shrink(&built, 0.5);

					check_is(&built, RIBBON_OK, "built");
					check_is(&small, RIBBON_OK, "shrunk");
					free(small.bytes);
					free(built.bytes);
					free(keys);
				}
}

static Built
build_layers(Random *random, size_t n)
{
	uint64_t *keys = random_keys(random, n);
	Built built = build(RIBBON_BURR, 64, 0.125, keys, n);

	free(keys);
	return built;
}

static uint64_t
threshold_bytes(const RibbonFilter *filter, unsigned i)
{
	return ribbon_buckets_threshold_bytes(&ribbon_opened(filter)
											   ->plane.systems[i],
										  &ribbon_opened(filter)
											   ->plane.buckets);
}

/* Set all thresholds of each layer in turn to a value; put them back. */
static void
check_thresholds(Built *built, int value)
{
	for (unsigned i = 0; i < ribbon_opened(&built->filter)->plane.nlayers; i++)
	{
		uint64_t n = threshold_bytes(&built->filter, i);
		uint8_t *at = (uint8_t *) ribbon_opened(&built->filter)
						  ->plane.systems[i]
						  .thresholds;
		uint8_t *saved = malloc(n);

		memcpy(saved, at, n);
		memset(at, value, n);
		check_is(built, RIBBON_BAD_THRESHOLDS, "thresholds");
		memcpy(at, saved, n);
		free(saved);
	}
	check_is(built, RIBBON_OK, "put back");
}

/*
 * The same, of one layer, with other numbers in its header, and no slots set.
 */
static Built
rewrite(const Built *built, uint64_t nslots, uint64_t nbumped)
{
	RibbonPlane plane = ribbon_opened(&built->filter)->plane;

	plane.systems[0].nslots = nslots;
	plane.layer_keys[1] = nbumped;
	plane.nzones[0] = 1;
	plane.systems[1].nslots = nbumped;
	return built_of_plane(&plane);
}

static void
test_layers(void)
{
	Random random = {2};
	Built two = build_layers(&random, 300000);
	Built one = build_layers(&random, 30000);
	Built other;

	test("thresholds that bump nothing, or everything");
	CHECK(ribbon_opened(&two.filter)->plane.nlayers >= 2, "%u layers",
		  ribbon_opened(&two.filter)->plane.nlayers);
	check_thresholds(&two, 0);
	check_thresholds(&two, 0xFF);

	test("more buckets that bump than keys that are bumped");
	CHECK(ribbon_opened(&one.filter)->plane.nlayers == 1, "%u layers",
		  ribbon_opened(&one.filter)->plane.nlayers);
	other = rewrite(&one, ribbon_opened(&one.filter)->plane.systems[0].nslots,
					10);
	*(uint8_t *) ribbon_opened(&other.filter)->plane.systems[0].thresholds =
		0x55;
	check_is(&other, RIBBON_OK, "4 buckets");
	memset((uint8_t *) ribbon_opened(&other.filter)
			   ->plane.systems[0]
			   .thresholds,
		   0x55, 3);
	check_is(&other, RIBBON_BAD_THRESHOLDS, "12 buckets");
	free(other.bytes);

	test("as many slots as keys");
	other = rewrite(&one, one.filter.nkeys, 10);
	check_is(&other, RIBBON_BAD_LAYERS, "slots");
	free(other.bytes);
	free(one.bytes);
	free(two.bytes);
}

/* Set, one after the other, the bits from one on to the end of its byte. */
static int
check_bits_behind(Built *built, const uint8_t *byte, unsigned bit)
{
	int n = 0;

	for (; bit % 8 != 0; bit++, n++)
	{
		*(uint8_t *) byte ^= (uint8_t) (1 << bit % 8);
		check_is(built, RIBBON_BAD_PADDING, "padding");
		*(uint8_t *) byte ^= (uint8_t) (1 << bit % 8);
	}
	return n;
}

static void
test_padding(void)
{
	Random random = {3};
	int nthresholds = 0, nslots = 0;

	test("a bit behind the last bucket or the last slot");
	for (size_t n = 1; n < 200000; n = n * 4 + 3)
		for (int k = 0; k < 2; k++)
		{
			uint64_t *keys = random_keys(&random, n);
			Built built = build(test_kinds[k], 64, 0.125, keys, n);
			const RibbonFilter *filter = &built.filter;
			unsigned nzones =
				ribbon_plane_nzones(&ribbon_opened(filter)->plane);
			const RibbonSystem *zones = ribbon_opened(filter)->plane.systems +
				ribbon_opened(filter)->plane.nlayers;

			for (unsigned i = 0; i < ribbon_opened(filter)->plane.nlayers; i++)
			{
				uint64_t nbuckets =
					((ribbon_opened(filter)->plane.systems[i].nstarts - 1) >>
					 ribbon_opened(filter)->plane.buckets.log2_size) +
					1;

				nthresholds += check_bits_behind(&built,
												 ribbon_opened(filter)
														 ->plane.systems[i]
														 .thresholds +
													 nbuckets / 4,
												 2 * (nbuckets % 4));
			}
			/* without wide blocks each slot has as many bits as columns */
			for (unsigned z = 0;
				 z < nzones && ribbon_opened(filter)->plane.check.wide == 0;
				 z++)
				nslots += check_bits_behind(&built,
											zones[z].slots +
												zones[z].nslots *
													ribbon_opened(filter)
														->plane.check.bits /
													8,
											zones[z].nslots *
												ribbon_opened(filter)
													->plane.check.bits %
												8);
			check_is(&built, RIBBON_OK, "put back");
			free(built.bytes);
			free(keys);
		}
	CHECK(nthresholds > 5 && nslots > 20, "%d and %d bits", nthresholds,
		  nslots);
}

static void
test_rate(void)
{
	Random random = {4};
	uint64_t *keys = random_keys(&random, 100000);
	Built built = build(RIBBON_HOMOGENEOUS, 64, 0.01, keys, 100000);
	uint8_t *dependence = built.bytes + header_size(&built.filter) - 2;
	size_t middle = built.nbytes / 2;
	uint8_t saved[200];

	test("a homogeneous filter that states another rate than its slots have");
	memcpy(saved, dependence, 2);
	dependence[0] = 0x00;
	dependence[1] = 0x10; /* q = 4096: P = 1/16 */
	built_open(&built);
	check_is(&built, RIBBON_BAD_RATE, "stated");
	memcpy(dependence, saved, 2);
	built_open(&built);
	check_is(&built, RIBBON_OK, "put back");

	test("a homogeneous filter that has lost 200 bytes of 90,000");
	memcpy(saved, built.bytes + middle, 200);
	memset(built.bytes + middle, 0, 200);
	check_is(&built, RIBBON_BAD_RATE, "lost");
	memcpy(built.bytes + middle, saved, 200);
	check_is(&built, RIBBON_OK, "put back");
	free(built.bytes);
	free(keys);
}

/* What it cannot see, so that no caller relies on it. */
static void
test_blind(void)
{
	Random random = {5};
	uint64_t *keys = random_keys(&random, 1000);
	Built built = build(RIBBON_BURR, 64, 0.01, keys, 1000);

	test("to the slots of BuRR any value is as good as another");
	memset(built.bytes + built.nbytes / 2, 0, 10);
	CHECK(count_missing(&built, keys, 1000) > 0, "none missing");
	check_is(&built, RIBBON_OK, "BuRR");
	free(built.bytes);
	free(keys);
}

static bool
interrupted_once(void *arg)
{
	return ++*(int *) arg == 1;
}

static void
test_interrupt(void)
{
	int looks = 0;
	RibbonEnv env = {.interrupted = interrupted_once, .arg = &looks};
	Random random = {6};
	uint64_t *keys = random_keys(&random, 1000000);
	Built built = build(RIBBON_HOMOGENEOUS, 32, 0.3, keys, 1000000);

	test("a check can be interrupted, and takes no memory");
	CHECK(ribbon_check(&env, &built.filter) == RIBBON_INTERRUPTED, "goes on");
	CHECK(ribbon_check(&env, &built.filter) == RIBBON_OK, "later");
	CHECK(looks > 100, "%d looks", looks);
	free(built.bytes);
	free(keys);
}

/* A layer and a zone that no build made: all is zero behind the header. */
static Built
make_layer(int width, uint64_t nkeys, uint64_t nslots, uint64_t nbumped)
{
	RibbonPlane plane;

	memset(&plane, 0, sizeof(plane)); /* seeds, too */
	ribbon_plane_init_empty(&plane);
	plane.width = width;
	plane.nlayers = 1;
	plane.nkeys = plane.layer_keys[0] = nkeys;
	plane.layer_keys[1] = nbumped;
	plane.nzones[0] = 1;
	plane.systems[0].nslots = nslots;
	plane.systems[1].nslots = nbumped;
	return built_of_plane(&plane);
}

static void
test_all_bumped(void)
{
	test("all keys are bumped if all buckets bump all, and only then");
	for (uint64_t nbumped = 1399; nbumped <= 1400; nbumped++)
	{
		/* 1217 starts, so ten buckets of 128 */
		Built made = make_layer(64, 1400, 1280, nbumped);
		const RibbonPlane *plane = &ribbon_opened(&made.filter)->plane;
		uint8_t *thresholds = (uint8_t *) plane->systems[0].thresholds;

		check_is(&made, RIBBON_BAD_THRESHOLDS, "none");
		memcpy(thresholds, "\xFF\xFF\x0F", 3);
		check_is(&made, nbumped == 1400 ? RIBBON_OK : RIBBON_BAD_THRESHOLDS,
				 "all");
		thresholds[1] = 0xBF; /* one bumps fewer */
		check_is(&made, RIBBON_OK, "nine");
		free(made.bytes);
	}
}

/* A layer of so many buckets that their thresholds are counted in steps. */
static void
test_many_buckets(void)
{
	int looks = 0;
	RibbonEnv env = {.interrupted = interrupted_once, .arg = &looks};
	Built made = make_layer(32, 32 * 70000 + 100, 32 * 70000, 0);

	test("counting thresholds can be interrupted");
	CHECK(ribbon_check(&env, &made.filter) == RIBBON_INTERRUPTED, "goes on");
	check_is(&made, RIBBON_OK, "later");
	free(made.bytes);
}

int
main(void)
{
	test_sound();
	test_layers();
	test_padding();
	test_rate();
	test_blind();
	test_interrupt();
	test_all_bumped();
	test_many_buckets();
	return test_done();
}
