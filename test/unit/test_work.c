/*
 * What calls ask of their caller: memory, looks for interrupts, a file
 *
 * How much of it is the same on every machine, as it depends on what is done,
 * not on who does it.  What is tried once more than it was, or looked for less
 * often, shows here, even where the bytes are the same.  A change that means to
 * ask for more or less changes these numbers: "test_work --write" prints them.
 */
#include "exact.h"
#include "families.h"
#include "kernels.h"
#include "sets.h"
#include "skewed.h"

#include "format/icml.h"
#include "set/sort.h"

/* Allocations, looks for interrupts, calls of a file, tasks for threads. */
typedef struct Work
{
	long allocations, looks, calls, tasks;
} Work;

/* In the order in which they are asked for. */
static const Work works[] = {
	/* sorting looks for interrupts every 65,536 elements of a pass */
	{0, 0, 0, 0},
	{0, 0, 0, 0},
	{1, 1, 0, 0},
	{1, 1, 0, 0},
	{1, 3, 0, 0},
	{1, 3, 0, 0},
	{1, 5, 0, 0},
	{1, 5, 0, 0},
	{1, 14, 0, 0},
	{1, 15, 0, 0},
	{1, 28, 0, 0},
	{1, 29, 0, 0},
	{1, 28, 0, 0},
	{1, 29, 0, 0},
	{1, 14, 0, 0},
	{1, 15, 0, 0},
	{1, 14, 0, 0},
	{1, 15, 0, 0},
	{1, 64, 0, 0},
	{1, 65, 0, 0},
	/* so does dropping duplicates */
	{0, 1, 0, 0},
	{0, 4, 0, 0},
	{1, 26, 0, 0},
	{1, 17, 0, 0},
	{1, 12, 0, 0},
	{0, 1, 0, 0},
	{0, 4, 0, 0},
	{1, 26, 0, 0},
	{1, 18, 0, 0},
	{1, 12, 0, 0},
	{0, 1, 0, 0},
	{0, 4, 0, 0},
	{1, 26, 0, 0},
	{1, 18, 0, 0},
	{2, 32, 0, 0},
	/* a set in a file is written and read in runs */
	{3, 5, 5, 0},
	{6, 14, 13, 0},
	{777, 1807, 1536, 0},
	{522, 1551, 1536, 21},
	{522, 1536, 1536, 8},
	{777, 1283, 1024, 0},
	/* filters */
	{1, 2, 0, 0},
	{5, 8, 0, 0},
	{21, 16, 0, 0},
	{43, 361, 0, 0},
	{1, 2, 0, 0},
	{5, 8, 0, 0},
	{21, 16, 0, 0},
	{78, 193, 0, 0},
	{1, 2, 0, 0},
	{5, 8, 0, 0},
	{15, 17, 0, 0},
	{26, 99, 0, 0},
	{1, 2, 0, 0},
	{7, 8, 0, 0},
	{7, 10, 0, 0},
	{7, 622, 0, 0},
	{1, 2, 0, 0},
	{6, 7, 0, 0},
	{7, 8, 0, 0},
	{7, 181, 0, 0},
	{1, 2, 0, 0},
	{6, 7, 0, 0},
	{7, 8, 0, 0},
	{7, 115, 0, 0},
	{44, 595, 256, 0},
	{58, 457, 256, 3},
	{8, 713, 256, 0},
	{13, 12, 0, 0},
	{7, 8, 0, 0},
	/* filters of keys that were chosen */
	{19, 18, 0, 0},
	{19, 27, 0, 0},
	{15, 16, 0, 0},
	{15, 18, 0, 0},
	{15, 16, 0, 0},
	{15, 14, 0, 0},
	{18, 19, 0, 0},
	{18, 18, 0, 0},
	{15, 13, 0, 0},
	{19, 16, 0, 0},
	{16, 22, 0, 0},
	{15, 13, 0, 0},
	{16, 17, 0, 0},
	{15, 22, 0, 0},
	{15, 13, 0, 0},
	{19, 17, 0, 0},
	{15, 15, 0, 0},
	{15, 12, 0, 0},
	{15, 12, 0, 0},
	{7, 8, 0, 0},
	{15, 12, 0, 0},
	{15, 12, 0, 0},
	{15, 12, 0, 0},
	{14, 11, 0, 0},
	{14, 11, 0, 0},
	{7, 8, 0, 0},
	{7, 8, 0, 0},
	{7, 8, 0, 0},
	{7, 8, 0, 0},
	{7, 8, 0, 0},
	{7, 8, 0, 0},
	{15, 12, 0, 0},
	{15, 12, 0, 0},
	{7, 8, 0, 0},
	/* filters that shrink */
	{1, 1, 0, 0},
	{1, 1, 0, 0},
	{1, 1, 0, 0},
	{1, 74, 0, 0},
	/* maps */
	{9, 8, 0, 0},
	{53, 72, 0, 0},
	{211, 182, 0, 0},
	{85, 40, 0, 0},
	{205, 189, 0, 0},
	{33, 14, 0, 0},
	{69, 290, 256, 0},
	/* exact sets */
	{3, 4, 0, 0},
	{45, 64, 0, 0},
	{10, 11, 0, 0},
	{54, 48, 0, 0},
	{10, 14, 0, 0},
	{7, 10, 0, 0},
	{39, 66, 0, 0},
	{40, 306, 256, 0},
};

#define NWORKS (sizeof(works) / sizeof(works[0]))

static size_t nworks;
static bool writing;

/* Has it asked for what comes next, and given all back? */
static void
check_work(const char *what, const World *world)
{
	Work work = {world->allocations, world->looks, world->calls, world->tasks};

	CHECK(world->live == 0, "%s: %ld left", what, world->live);
	if (writing)
		printf("\t{%ld, %ld, %ld, %ld},\n", work.allocations, work.looks,
			   work.calls, work.tasks);
	else
		CHECK(nworks < NWORKS &&
				  memcmp(&work, &works[nworks], sizeof(work)) == 0,
			  "%s: {%ld, %ld, %ld, %ld}", what, work.allocations, work.looks,
			  work.calls, work.tasks);
	nworks++;
}

static void
begin(const char *name)
{
	if (writing)
		printf("\t/* %s */\n", name);
	else
		test(name);
}

/* Memory is cleared, copied and touched, 4 MB at a time. */
static void
test_memory(void)
{
	static const size_t around[] = {0, 4, 8, 12};
	const size_t most = (size_t) 13 << 20;
	uint8_t *to = malloc(most), *from = malloc(most);

	begin("while memory is cleared or copied, a look every 4 MB");
	memset(from, 5, most);
	for (int i = 0; i < 4; i++)
		for (size_t size = (around[i] << 20) - (i > 0);
			 size <= (around[i] << 20) + 1; size++)
		{
			long parts = (long) ((size + (4 << 20) - 1) >> 22);
			World world;

			world_init(&world, 1);
			memset(to, 7, most);
			CHECK(ribbon_zero(&world.env, to, size) == RIBBON_OK &&
					  world.looks == parts,
				  "%zu bytes: %ld", size, world.looks);
			CHECK((size == 0 || (to[0] == 0 && to[size - 1] == 0)) &&
					  to[size] == 7,
				  "%zu bytes", size);
			CHECK(ribbon_copy(&world.env, to, from, size) == RIBBON_OK &&
					  world.looks == 2 * parts,
				  "%zu bytes: %ld", size, world.looks);
			CHECK((size == 0 || (to[0] == 5 && to[size - 1] == 5)) &&
					  to[size] == 7,
				  "%zu bytes", size);
			world.looks = 0;
			CHECK(ribbon_touch(&world.env, to, size) == RIBBON_OK &&
					  world.looks == parts,
				  "%zu bytes: %ld", size, world.looks);
			for (long part = 1; part <= parts; part++)
			{
				world_init(&world, 1);
				world.interrupt_at = part;
				CHECK(ribbon_zero(&world.env, to, size) == RIBBON_INTERRUPTED &&
						  world.looks == part,
					  "%zu bytes, look %ld", size, part);
				world_init(&world, 1);
				world.interrupt_at = part;
				CHECK(ribbon_copy(&world.env, to, from, size) ==
							  RIBBON_INTERRUPTED &&
						  world.looks == part,
					  "%zu bytes, look %ld", size, part);
			}
		}
	free(to);
	free(from);
}

#define RANDOM -1
#define NESTED -2

/* Of these, half agree in a bit more, and so on: large pieces in large ones. */
static uint64_t
nested(Random *random)
{
	unsigned common = (unsigned) random_below(random, 64);

	return (random_next(random) | UINT64_C(1) << 63) >> common;
}

/* Sort n hashes of a family, or random ones; as records, too. */
static void
check_sort(int aim, size_t n)
{
	Random random = {n};

	for (int kind = RIBBON_HASHES; kind <= RIBBON_MAP_RECORDS; kind++)
	{
		Elements elements = elements_create((RibbonElementKind) kind, n);
		char what[100];
		World world;

		for (size_t i = 0; i < n; i++)
			elements_set(&elements, i,
						 aim == NESTED ? nested(&random) :
							 aim < 0   ? random_next(&random) :
										 hostile((Aim) aim, i, 0),
						 i);
		world_init(&world, 1);
		CHECK(ribbon_sort(&world.env, elements.kind, elements.words, n, NULL) ==
				  RIBBON_OK,
			  "sort");
		snprintf(what, sizeof(what), "%d, %zu %s", aim, n,
				 kind == RIBBON_HASHES ? "hashes" : "records");
		check_work(what, &world);
		free(elements.words);
	}
}

/* n elements, each of which comes so many times. */
static void
check_distinct(RibbonElementKind kind, size_t n, size_t times, bool sorted)
{
	Elements elements = elements_create(kind, n);
	uint64_t conflict[4];
	char what[100];
	World world;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t number = i / times + 1;

		elements_set(&elements, i,
					 sorted ? number << 40 : ribbon_mix(number % (n / times)),
					 2 * number);
	}
	if (kind == RIBBON_EXACT_RECORDS && sorted)
		for (size_t i = 0; i < n; i++)
			elements.words[2 * i + 1] = 2 * (i % times);
	world_init(&world, 1);
	CHECK(ribbon_distinct(&world.env, kind, elements.words, &elements.n,
						  conflict) == RIBBON_OK,
		  "distinct");
	snprintf(what, sizeof(what), "kind %d, %zu elements, each %zu times", kind,
			 n, times);
	check_work(what, &world);
	free(elements.words);
}

/* A set in a file: filled, sealed, read. */
static void
check_set(RibbonElementKind kind, size_t n, unsigned nthreads, Adding how)
{
	Random random = {n};
	Elements elements = elements_random(&random, kind, n, 0);
	Elements read;
	World world;
	WorldFile file;
	RibbonSet set;
	char what[100];

	world_init(&world, nthreads);
	world_file_init(&file, &world, 65536);
	CHECK(sets_fill(&world, &file, &elements, how, 1 + n / 3, &set) ==
			  RIBBON_OK,
		  "fill");
	read = sets_elements(&set, kind);
	CHECK(read.n == set.n, "%zu of %zu", read.n, (size_t) set.n);
	free(read.words);
	ribbon_set_close(&set);
	world_file_close(&file);
	snprintf(what, sizeof(what), "kind %d, %zu elements, %u threads, way %d",
			 kind, n, nthreads, how);
	check_work(what, &world);
	free(elements.words);
}

/* Build of n elements, in an array or in a file. */
static void
check_build(const RibbonParams *params, const uint64_t *words, size_t n,
			unsigned nthreads, const char *what)
{
	size_t stride = ribbon_element_stride(ribbon_params_elements(params));
	uint64_t *copy = malloc((n + 1) * stride * sizeof(uint64_t));
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	WorldSet stored;
	World world;

	memcpy(copy, words, n * stride * sizeof(uint64_t));
	world_init(&world, nthreads > 0 ? nthreads : 1);
	if (nthreads > 0)
		world_set_create(&stored, &world, ribbon_params_elements(params), words,
						 n);
	CHECK((nthreads > 0 ? ribbon_build(&world.env, params, &stored.set, 3,
									   &bytes, &nbytes) :
						  array_build(&world.env, params, copy, n, 3, &bytes,
									  &nbytes)) == RIBBON_OK,
		  "%s", what);
	world_free(&world, bytes);
	check_work(what, &world);
	if (nthreads > 0)
		world_set_close(&stored);
	free(copy);
}

static void
check_filter(RibbonKind kind, int width, double fpr, size_t n,
			 unsigned nthreads)
{
	Random random = {n};
	uint64_t *keys = random_keys(&random, n);
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = fpr,
						   .key_class = 1};
	char what[100];

	snprintf(what, sizeof(what), "%s, w = %d, rate %g, %zu keys, %u threads",
			 kind_name(kind), width, fpr, n, nthreads);
	check_build(&params, keys, n, nthreads, what);
	free(keys);
}

static void
check_hostile(RibbonKind kind, Aim aim)
{
	const size_t n = 1200;
	uint64_t keys[1200];
	RibbonParams params = {.kind = kind, .fpr = 0.02, .key_class = 1};

	for (size_t i = 0; i < n; i++)
		keys[i] = hostile(aim, i, 0);
	check_build(&params, keys, n, 0, aims[aim]);
}

static void
check_map(Skew skew, double fpr, RibbonCoding coding, size_t n,
		  unsigned nthreads)
{
	Random random = {n};
	uint64_t *records = skewed_records(&random, skew, n);
	MapParams params = map_params(0, fpr, skewed_bits(skew));
	RibbonValues values;
	RibbonParams core;
	char what[100];

	params.coding = coding;
	values = maps_values(&params);
	core = maps_params(&params, &values);
	snprintf(what, sizeof(what), "%s, rate %g, coding %d, %zu keys",
			 skewed_name(skew), fpr, coding, n);
	check_build(&core, records, n, nthreads, what);
	free(records);
}

static void
check_exact_set(size_t n, size_t nmembers, double fpr, unsigned nthreads)
{
	Random random = {n};
	uint64_t *records = exact_records(&random, n, nmembers);
	RibbonParams params = exact_params(0);
	char what[100];

	params.fpr = fpr;
	snprintf(what, sizeof(what), "%zu members of %zu, rate %g", nmembers, n,
			 fpr);
	check_build(&params, records, n, nthreads, what);
	free(records);
}

/* Shrink a filter, and check it. */
static void
check_shrink(RibbonKind kind, size_t n, double fpr)
{
	Random random = {n};
	uint64_t *keys = random_keys(&random, n);
	Built built = build(kind, 0, 0.001, keys, n);
	uint8_t *bytes = NULL;
	size_t nbytes;
	char what[100];
	World world;

	world_init(&world, 1);
	CHECK(ribbon_check(&world.env, &built.filter) == RIBBON_OK &&
			  world.allocations == 0,
		  "check");
	CHECK(ribbon_shrink(&world.env, &built.filter, fpr, 0, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "shrink");
	world_free(&world, bytes);
	snprintf(what, sizeof(what), "%s, %zu keys, to %g", kind_name(kind), n,
			 fpr);
	check_work(what, &world);
	free(built.bytes);
	free(keys);
}

static void
test_sets(void)
{
	begin("sorting looks for interrupts every 65,536 elements of a pass");
	check_sort(RANDOM, 16);
	check_sort(RANDOM, 17);
	check_sort(RANDOM, 65536);
	check_sort(RANDOM, 65537);
	check_sort(RANDOM, 300000);
	check_sort(AIM_ONE_START, 300000);
	check_sort(AIM_PARTITION_16, 300000);
	check_sort(AIM_PLACES, 300000);
	check_sort(AIM_PEELED, 300000);
	check_sort(NESTED, 300000);

	begin("so does dropping duplicates");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
	{
		RibbonElementKind of = (RibbonElementKind) kind;

		check_distinct(of, 65536, 1, true);
		check_distinct(of, 262144, 1, true);
		check_distinct(of, 262144, 4, true);
		check_distinct(of, 262145, 5, false);
		check_distinct(of, 140000, 140000, true);
	}

	begin("a set in a file is written and read in runs");
	check_set(RIBBON_HASHES, 3, 1, ADD);
	check_set(RIBBON_HASHES, 40000, 1, ADD);
	check_set(RIBBON_HASHES, 400000, 1, ADD);
	check_set(RIBBON_HASHES, 400000, 3, COLLECT);
	check_set(RIBBON_MAP_RECORDS, 100000, 2, GROW);
	check_set(RIBBON_EXACT_RECORDS, 100000, 1, COLLECT);
}

static void
test_filters(void)
{
	begin("filters");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			check_filter(test_kinds[k], test_widths[w], 0.01, 0, 0);
			check_filter(test_kinds[k], test_widths[w], 0.01, 50, 0);
			check_filter(test_kinds[k], test_widths[w], 0.01, 3000, 0);
			check_filter(test_kinds[k], test_widths[w], 0.01, 150000, 0);
		}
	check_filter(RIBBON_BURR, 64, 0.01, 400000, 1);
	check_filter(RIBBON_BURR, 64, 0.01, 400000, 3);
	check_filter(RIBBON_HOMOGENEOUS, 64, 0.01, 400000, 2);

	check_filter(RIBBON_HOMOGENEOUS, 32, 1.3 * RIBBON_MIN_FPR, 125, 0);
	check_filter(RIBBON_HOMOGENEOUS, 64, RIBBON_MIN_FPR, 700, 0);

	begin("filters of keys that were chosen");
	for (int k = 0; k < 2; k++)
		for (int aim = 0; aim < AIM_COUNT; aim++)
		{
			check_hostile(test_kinds[k], (Aim) aim);
		}

	begin("filters that shrink");
	check_shrink(RIBBON_BURR, 50, 0.01);
	check_shrink(RIBBON_BURR, 100000, 0.013);
	check_shrink(RIBBON_HOMOGENEOUS, 50, 0.01);
	check_shrink(RIBBON_HOMOGENEOUS, 100000, 0.013);
}

static void
test_maps(void)
{
	begin("maps");
	check_map(SKEW_UNIFORM, 1, RIBBON_CODE_PLAIN, 400, 0);
	check_map(SKEW_FAR, 0.01, RIBBON_CODE_PLAIN, 20000, 0);
	check_map(SKEW_GEOMETRIC, 0.1, RIBBON_CODE_ENTROPY, 20000, 0);
	check_map(SKEW_MOSTLY, 1, RIBBON_CODE_ENTROPY, 20000, 0);
	check_map(SKEW_ZIPF, 0.01, RIBBON_CODE_AUTO, 20000, 0);
	check_map(SKEW_UNIFORM, 1, RIBBON_CODE_AUTO, 400, 0);
	check_map(SKEW_RARE, 1, RIBBON_CODE_AUTO, 300000, 2);

	begin("exact sets");
	check_exact_set(300, 0, 1, 0);
	check_exact_set(300, 5, 1, 0);
	check_exact_set(3000, 1500, 1, 0);
	check_exact_set(3000, 2900, 1, 0);
	check_exact_set(3000, 30, 0.01, 0);
	check_exact_set(3000, 30, 1e-6, 0);
	check_exact_set(300000, 4000, 1, 0);
	check_exact_set(300000, 4000, 0.2, 2);
}

int
main(int argc, char **argv)
{
	writing = argc > 1 && strcmp(argv[1], "--write") == 0;
	/* other kernels solve other numbers of rows at a time */
	ribbon_kernel_use(RIBBON_KERNEL_PORTABLE);
	test_memory();
	test_sets();
	test_filters();
	test_maps();
	CHECK(writing || nworks == NWORKS, "%zu, not %zu", nworks, NWORKS);
	return test_done();
}
