/*
 * test_work.c - what calls ask of their caller: memory, looks for interrupts,
 * a file
 *
 *	test_work
 *	test_work --write >test/unit/whole/work.txt
 *	test_work --each
 *
 * work.txt has a line for each piece of work: what it is, how many allocations,
 * looks for interrupts, calls of a file and tasks for threads it asks for, the
 * most bytes of memory at a time, and a digest of all of these in their order,
 * with sizes and places, and of the progress that is told.  How often is the
 * same on every machine, as it depends on what is done, not on who does it; the
 * last two are on all that have pointers of 64 bits.  What is tried once more
 * than it was, or looked for less often, memory that is larger, or given back
 * later, a file that is read elsewhere, and progress that is told wrongly, show
 * here, even where the bytes are the same.
 *
 * A change that means to ask for more or less changes these lines: --write
 * prints them anew.  Where only a digest has changed, --each prints all that is
 * digested, to be compared with what it was before.
 */
#include "exact.h"
#include "hostile.h"
#include "kernels.h"
#include "sets.h"
#include "records.h"

#include "format/icml.h"
#include "set/sort.h"
#include "values/texts.h"

#define LINE 200

static FILE *works; /* what has been read of work.txt; NULL: it is written */
static bool each;	/* print each thing that is asked for */

/* A world that notes what it is asked for. */
static RibbonDigest noted;

static void
begin_work(World *world, unsigned nthreads)
{
	world_init(world, nthreads);
	ribbon_digest_init(&noted);
	world->noted = &noted;
	world->told = each ? stdout : NULL;
}

/* The next line of work.txt, but for comments; empty behind the last one. */
static void
next_work(char line[LINE])
{
	do
		if (fgets(line, LINE, works) == NULL)
			*line = '\0';
	while (*line == '#');
	line[strcspn(line, "\n")] = '\0';
}

/* Has it asked for what work.txt says, and given all back? */
static void
check_work(const char *what, const World *world)
{
	char line[LINE], expected[LINE];
	int n = snprintf(line, LINE, "%s: %ld %ld %ld %ld ", what,
					 world->allocations, world->looks, world->calls,
					 world->tasks);

	snprintf(line + n, LINE - (size_t) n, "%zu %016" PRIx64, world->most,
			 ribbon_digest_end(&noted));
	CHECK(world->live == 0, "%s: %ld left", what, world->live);
	if (works == NULL)
	{
		printf("%s\n", line);
		return;
	}
	next_work(expected);
	/* with pointers of 32 bits memory is smaller */
	CHECK(strncmp(line, expected, sizeof(void *) == 8 ? LINE : (size_t) n) == 0,
		  "%s, not %s", line, expected);
}

static void
begin(const char *name)
{
	if (works == NULL)
		printf("# %s\n", name);
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

#define ANY	   (-1)
#define NESTED (-2)

static const char *const kind_names[] = {
	[RIBBON_HASHES] = "hashes",
	[RIBBON_MAP_RECORDS] = "map records",
	[RIBBON_EXACT_RECORDS] = "exact records",
};

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
		begin_work(&world, 1);
		CHECK(ribbon_sort(&world.env, ribbon_element_stride(elements.kind),
						  elements.words, n, NULL) == RIBBON_OK,
			  "sort");
		snprintf(what, sizeof(what), "sort %zu %s, %s", n, kind_names[kind],
				 aim == NESTED ? "nested" :
					 aim < 0   ? "random" :
								 aims[aim]);
		check_work(what, &world);
		free(elements.words);
	}
}

/* n elements, each of which comes so many times. */
static void
check_distinct(RibbonElementKind kind, size_t n, size_t times, bool sorted)
{
	Elements elements = elements_create(kind, n);
	RibbonRecord conflict[2];
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
	begin_work(&world, 1);
	CHECK(ribbon_distinct(&world.env, kind, elements.words, &elements.n,
						  conflict) == RIBBON_OK,
		  "distinct");
	snprintf(what, sizeof(what), "%zu %s, each %zu times%s", n,
			 kind_names[kind], times, sorted ? ", sorted" : "");
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
	static const char *const hows[] = {"added", "added sorted", "collected",
									   "grown"};

	begin_work(&world, nthreads);
	world_file_init(&file, &world, 65536);
	CHECK(sets_fill(&world, &file, &elements, how, 1 + n / 3, &set) ==
			  RIBBON_OK,
		  "fill");
	read = sets_elements(&set, kind);
	CHECK(read.n == set.n, "%zu of %zu", read.n, (size_t) set.n);
	free(read.words);
	ribbon_set_close(&set);
	world_file_close(&file);
	snprintf(what, sizeof(what), "%zu %s in a file, %s, %u threads", n,
			 kind_names[kind], hows[how], nthreads);
	check_work(what, &world);
	free(elements.words);
}

/* Ranges of a set in a file, with room or without, and all of it. */
static void
check_ranges(RibbonElementKind kind, size_t n)
{
	static const uint64_t ends[][2] = {
		{0, UINT64_MAX},
		{UINT64_C(0x1111) << 48, UINT64_C(0x5111) << 48},
		{UINT64_C(0x1011) << 48, UINT64_C(0x1012) << 48},
		{UINT64_C(0xFE11) << 48, UINT64_MAX},
		{5, 4},
	};
	Random random = {n};
	Elements elements = elements_random(&random, kind, n, 0);
	World world;
	WorldFile file;
	RibbonSet set;
	Elements read;
	char what[100];

	begin_work(&world, 1);
	world_file_init(&file, &world, 65536);
	CHECK(sets_fill(&world, &file, &elements, ADD, 1 + n / 3, &set) ==
			  RIBBON_OK,
		  "fill");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
	{
		size_t wanted = 0;

		for (int with_room = 0; with_room < 2; with_room++)
		{
			RibbonSetRange range = {.buffer = NULL};
			bool too_many = with_room && wanted > n / 3;

			CHECK(ribbon_set_read(&world.env, &set, ends[i][0], ends[i][1],
								  with_room ? n / 3 : UINT64_MAX, &range) ==
					  (too_many ? RIBBON_TOO_MANY : RIBBON_OK),
				  "read %zu, %d", i, with_room);
			if (!with_room)
				wanted = range.n;
			CHECK(too_many || range.n == wanted, "%zu, not %zu", range.n,
				  wanted);
			ribbon_digest_add(&noted, wanted);
			ribbon_set_range_free(&world.env, &range);
		}
	}
	read = sets_elements(&set, kind);
	CHECK(read.n == set.n, "%zu of %zu", read.n, (size_t) set.n);
	free(read.words);
	ribbon_set_close(&set);
	world_file_close(&file);
	snprintf(what, sizeof(what), "ranges of %zu %s", n, kind_names[kind]);
	check_work(what, &world);
	free(elements.words);
}

/* A set of a elements absorbs one of b, which are of one file, or of two. */
static void
check_absorb(size_t a, size_t b, bool same)
{
	Random random = {a + b};
	Elements elements = elements_random(&random, RIBBON_HASHES, a + b, 0);
	Elements other = elements_copy(&elements, a, b);
	World world;
	WorldFile files[2];
	RibbonSet set, from;
	char what[100];

	elements.n = a;
	begin_work(&world, 1);
	world_file_init(&files[0], &world, 32768);
	world_file_init(&files[1], &world, 32768);
	CHECK(sets_fill(&world, &files[0], &elements, ADD, 9000, &set) ==
				  RIBBON_OK &&
			  sets_fill(&world, &files[same ? 0 : 1], &other, COLLECT, 9000,
						&from) == RIBBON_OK &&
			  ribbon_set_absorb(&set, &from) == RIBBON_OK &&
			  ribbon_set_seal(&set) == RIBBON_OK,
		  "absorb");
	ribbon_set_close(&from);
	ribbon_set_close(&set);
	world_file_close(&files[0]);
	world_file_close(&files[1]);
	snprintf(what, sizeof(what), "%zu elements absorb %zu", a, b);
	check_work(what, &world);
	free(elements.words);
	free(other.words);
}

/* Texts of a map: collected, and put into a dictionary. */
static void
check_texts(uint32_t n, uint32_t size)
{
	static const uint8_t head[] = "\003abc\002de";
	Random random = {n};
	RibbonValues values = {.has_null = n % 2 == 0};
	RibbonTexts texts;
	char text[300], what[100];
	World world;

	begin_work(&world, 1);
	CHECK(ribbon_texts_init(&texts, &world.env, head, sizeof(head) - 1, 5) ==
			  RIBBON_OK,
		  "init");
	for (uint32_t i = 0; i < n; i++)
	{
		snprintf(text, sizeof(text), "%0*u", (int) size, i * 11 % n);
		CHECK(ribbon_texts_add(&texts, &world.env, random_next(&random), text,
							   size) == RIBBON_OK,
			  "add");
		ribbon_digest_add(&noted, texts.nslots);
	}
	CHECK(ribbon_texts_set_codes(&texts, &world.env, &values) == RIBBON_OK,
		  "codes");
	ribbon_digest_add(&noted, texts.nslots);
	for (size_t i = 0; i < values.ndictionary; i++)
		ribbon_digest_add(&noted, values.dictionary[i]);
	world_free(&world, (uint8_t *) values.dictionary);
	ribbon_texts_free(&texts, &world.env);
	snprintf(what, sizeof(what), "%u texts of %u bytes", n, size);
	check_work(what, &world);
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
	begin_work(&world, nthreads > 0 ? nthreads : 1);
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
	char what[100];

	for (size_t i = 0; i < n; i++)
		keys[i] = hostile(aim, i, 0);
	snprintf(what, sizeof(what), "%s, %zu keys, %s", kind_name(kind), n,
			 aims[aim]);
	check_build(&params, keys, n, 0, what);
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
	core = maps_params(&params, &values);
	snprintf(what, sizeof(what), "map: %s, rate %g, coding %d, %zu keys",
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

	begin_work(&world, 1);
	CHECK(ribbon_check(&world.env, &built.filter) == RIBBON_OK &&
			  world.allocations == 0,
		  "check");
	CHECK(ribbon_shrink(&world.env, &built.filter, fpr, 0, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "shrink");
	world_free(&world, bytes);
	snprintf(what, sizeof(what), "shrink %s, %zu keys, to %g", kind_name(kind),
			 n, fpr);
	check_work(what, &world);
	free(built.bytes);
	free(keys);
}

static void
test_sets(void)
{
	begin("sorting looks for interrupts every 65,536 elements of a pass");
	check_sort(ANY, 16);
	check_sort(ANY, 17);
	check_sort(ANY, 65536);
	check_sort(ANY, 65537);
	check_sort(ANY, 300000);
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
	check_ranges(RIBBON_HASHES, 40000);
	check_ranges(RIBBON_MAP_RECORDS, 90000);
	check_absorb(100, 3000, false);
	check_absorb(3000, 40000, true);
	check_absorb(40000, 3000, false);
	check_absorb(40000, 30000, true);

	begin("texts of a map");
	check_texts(0, 3);
	check_texts(1, 9);
	check_texts(5, 7);
	check_texts(49, 4);
	check_texts(3000, 21);
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
	check_map(SKEW_UNIFORM, 1, RIBBON_CODING_PLAIN, 400, 0);
	check_map(SKEW_FAR, 0.01, RIBBON_CODING_PLAIN, 20000, 0);
	check_map(SKEW_GEOMETRIC, 0.1, RIBBON_CODING_ENTROPY, 20000, 0);
	check_map(SKEW_MOSTLY, 1, RIBBON_CODING_ENTROPY, 20000, 0);
	check_map(SKEW_ZIPF, 0.01, RIBBON_CODING_AUTO, 20000, 0);
	check_map(SKEW_UNIFORM, 1, RIBBON_CODING_AUTO, 400, 0);
	check_map(SKEW_RARE, 1, RIBBON_CODING_AUTO, 300000, 2);

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
	char line[LINE];

	each = argc > 1 && strcmp(argv[1], "--each") == 0;
	if (argc == 1)
	{
		works = fopen("test/unit/whole/work.txt", "r");
		if (works == NULL)
		{
			perror("test/unit/whole/work.txt");
			return 1;
		}
	}
	if (works == NULL)
		printf("# what is done: allocations, looks, calls, tasks, most bytes, "
			   "digest (test_work.c)\n");
	/* other kernels solve other numbers of rows at a time */
	ribbon_kernel_use(RIBBON_KERNEL_PORTABLE);
	test_memory();
	test_sets();
	test_filters();
	test_maps();
	if (works == NULL)
		return 0;
	next_work(line);
	CHECK(*line == '\0', "no such work: %s", line);
	fclose(works);
	return test_done();
}
