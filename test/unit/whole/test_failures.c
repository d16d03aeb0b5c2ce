/*
 * test_failures.c - whatever fails, once, in each public function
 *
 * A piece of work is done in a world (world.h) until each of its allocations,
 * each look for an interrupt, and each call of a file has failed once.  The
 * work must end with that failure, and nothing may be left.
 */
#include "sets.h"
#include "records.h"
#include "trouble.h"

#include "construct/fill.h"
#include "exact.h"
#include "values/texts.h"

#define N	 3000
#define MANY 140000 /* as many that sorting looks for interrupts */

/* Returns the first status that is not RIBBON_OK, with nothing left. */
typedef RibbonStatus Work(World *world, const void *arg);

typedef enum Failing
{
	ALLOCATIONS,
	LOOKS,
	CALLS
} Failing;

static void
fail_at(World *world, Failing what, long at)
{
	*(what == ALLOCATIONS ? &world->refuse_at :
		  what == LOOKS	  ? &world->interrupt_at :
							&world->fail_at) = at;
	world->failure = RIBBON_BAD_FILE;
}

/* Of each kind of failure at most ntries, spread over the work. */
static void
fail_each(const char *name, Work *work, const void *arg, long ntries)
{
	static const RibbonStatus expected[] = {RIBBON_OUT_OF_MEMORY,
											RIBBON_INTERRUPTED,
											RIBBON_BAD_FILE};
	World usual;
	long most[3];
	RibbonStatus status;

	world_init(&usual, 1);
	status = work(&usual, arg);
	CHECK(status == RIBBON_OK && usual.live == 0, "%s: %s, %ld left", name,
		  ribbon_status_text(status), usual.live);
	most[ALLOCATIONS] = usual.allocations;
	most[LOOKS] = usual.looks;
	most[CALLS] = usual.calls;
	for (Failing what = ALLOCATIONS; what <= CALLS; what++)
		for (long at = 1; at <= most[what]; at += 1 + most[what] / ntries)
		{
			World world;

			world_init(&world, 1);
			fail_at(&world, what, at);
			status = work(&world, arg);
			CHECK(status == expected[what] && world.live == 0,
				  "%s, kind %d, %ld of %ld: %s, %ld left", name, what, at,
				  most[what], ribbon_status_text(status), world.live);
		}
}

typedef enum Order
{
	ANY,
	SORTED,
	PEELED /* the highest bit is any: few part with each pass of a sort */
} Order;

/* Elements, of which some have the hash of others. */
typedef struct Sorting
{
	RibbonElementKind kind;
	size_t n;
	uint64_t nhashes; /* hashes are below this: 0: any */
	Order order;
} Sorting;

static RibbonStatus
sort(World *world, const void *arg)
{
	const Sorting *sorting = arg;
	Random random = {sorting->n};
	Elements elements = elements_create(sorting->kind, sorting->n);
	RibbonRecord conflict[2];
	RibbonStatus status;

	for (size_t i = 0; i < sorting->n; i++)
	{
		/* one in the middle comes twice */
		uint64_t hash = sorting->order == SORTED ? i - (i > sorting->n / 2) :
			sorting->order == PEELED ? UINT64_C(1) << (63 - i % 64) | i :
			sorting->nhashes > 0	 ? random_below(&random, sorting->nhashes) :
									   random_next(&random);

		elements_set(&elements, i, hash,
					 sorting->kind == RIBBON_EXACT_RECORDS ?
						 2 * random_below(&random, 50) :
						 ribbon_mix(hash));
	}
	status = ribbon_distinct(&world->env, elements.kind, elements.words,
							 &elements.n, conflict);
	free(elements.words);
	return status;
}

static void
test_distinct(void)
{
	test("whatever fails ends sorting");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
	{
		Sorting any = {(RibbonElementKind) kind, MANY, 0, ANY};
		Sorting few = {(RibbonElementKind) kind, MANY, 2, ANY};
		Sorting sorted = {(RibbonElementKind) kind, 2 * MANY, 0, SORTED};
		Sorting peeled = {(RibbonElementKind) kind, MANY, 0, PEELED};

		fail_each("any hashes", sort, &any, 12);
		fail_each("two hashes", sort, &few,
				  kind == RIBBON_EXACT_RECORDS ? 100 : 12);
		fail_each("sorted hashes", sort, &sorted, 12);
		fail_each("peeled hashes", sort, &peeled,
				  kind == RIBBON_HASHES ? 100 : 12);
	}
}

/* A set of such elements in a file in memory, read in ranges. */
static RibbonStatus
work_on_set(World *world, const void *arg)
{
	const Sorting *sorting = arg;
	Random random = {5};
	Elements elements = elements_create(sorting->kind, sorting->n);
	WorldFile file;
	RibbonSet set;
	RibbonSetRange range = {.buffer = NULL};
	RibbonStatus status;

	for (size_t i = 0; i < sorting->n; i++)
		elements_set(&elements, i,
					 sorting->nhashes > 0 ?
						 random_below(&random, sorting->nhashes) :
						 random_next(&random),
					 8 * random_below(&random, 5000));
	world_file_init(&file, world, 8192);
	set = set_in_file(&world->env, &file.file, elements.kind);
	status = ribbon_set_collect(&set, elements.words, sorting->n);
	if (status == RIBBON_OK)
		status = ribbon_set_seal(&set);
	for (uint64_t i = 0; i < 3 && status == RIBBON_OK; i++)
		status = ribbon_set_read(&world->env, &set, i << 61,
								 UINT64_MAX - (i << 62), UINT64_MAX, &range);
	ribbon_set_range_free(&world->env, &range);
	ribbon_set_close(&set);
	world_file_close(&file);
	free(elements.words);
	return status;
}

static void
test_sets(void)
{
	test("whatever fails ends what is done with a set");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind += 2)
	{
		Sorting any = {(RibbonElementKind) kind, 2 * MANY, 0, ANY};
		Sorting one = {(RibbonElementKind) kind, MANY / 5, 1, ANY};

		fail_each("any hashes", work_on_set, &any, 12);
		fail_each("one hash", work_on_set, &one, 1000);
	}
}

/* What is built of records or hashes, in which way. */
typedef struct Making
{
	RibbonParams params;
	const uint64_t *words;
	size_t n;
	bool stored;
} Making;

static RibbonStatus
make_in(World *world, const Making *making, uint8_t **bytes, size_t *nbytes)
{
	RibbonElementKind kind = ribbon_params_elements(&making->params);
	size_t stride = ribbon_element_stride(kind);
	uint64_t *copy = malloc((making->n * stride + 1) * sizeof(uint64_t));
	WorldSet stored;
	RibbonStatus status;

	memcpy(copy, making->words, making->n * stride * sizeof(uint64_t));
	if (!making->stored)
		status = array_build(&world->env, &making->params, copy, making->n, 0,
							 bytes, nbytes);
	else
	{
		world_set_create(&stored, world, kind, copy, making->n);
		status = ribbon_build(&world->env, &making->params, &stored.set, 0,
							  bytes, nbytes);
		world_set_close(&stored);
	}
	free(copy);
	return status;
}

/* Build, check what has been built, and shrink filters. */
static RibbonStatus
make(World *world, const void *arg)
{
	const Making *making = arg;
	RibbonFilter filter;
	uint8_t *bytes, *smaller;
	size_t nbytes;
	RibbonStatus status = make_in(world, making, &bytes, &nbytes);

	if (status != RIBBON_OK)
		return status;
	CHECK(ribbon_open(bytes, nbytes, &filter) == RIBBON_OK, "open");
	status = ribbon_check(&world->env, &filter);
	if (status == RIBBON_OK && making->params.kind < RIBBON_EXACT &&
		making->params.values == NULL)
	{
		status = ribbon_shrink(&world->env, &filter, 2 * ribbon_fpr(&filter), 0,
							   &smaller, &nbytes);
		if (status == RIBBON_OK)
			world_free(world, smaller);
	}
	world_free(world, bytes);
	return status;
}

static void
test_filters(void)
{
	Random random = {2};
	uint64_t *keys = random_keys(&random, MANY);

	test("whatever fails ends the build of a filter, its check and shrinking");
	for (int kind = RIBBON_BURR; kind <= RIBBON_AUTO; kind++)
		for (int stored = 0; stored < 2; stored++)
		{
			Making making = {{.kind = (RibbonKind) kind,
							  .fpr = 0.01,
							  .key_class = 1},
							 keys,
							 N,
							 stored == 1};

			fail_each("few keys", make, &making, 1000);
			making.n = MANY;
			making.params.width = 32;
			if (stored == 0 || kind == RIBBON_HOMOGENEOUS)
				fail_each("many keys", make, &making, 8);
		}
	free(keys);
}

static void
test_maps(void)
{
	Random random = {3};

	test("whatever fails ends the build of a map, and its check");
	for (int skew = 0; skew < NSKEWS; skew++)
	{
		uint64_t *records = skewed_records(&random, (Skew) skew, N);

		for (int way = 0; way < 4; way++)
		{
			RibbonValues values = {.value_class = 4,
								   .bits = skewed_bits((Skew) skew),
								   .coding = way % 2 == 0 ?
									   RIBBON_CODING_AUTO :
									   RIBBON_CODING_ENTROPY};
			Making making = {{.kind = RIBBON_BURR,
							  .fpr = skew % 2 == 0 ? 1 : 0.01,
							  .key_class = 1,
							  .values = &values},
							 records,
							 N,
							 way >= 2};

			fail_each(skewed_name((Skew) skew), make, &making, 100);
		}
		free(records);
	}
}

static void
test_exact_sets(void)
{
	static const double rates[] = {1, 0.01, 0x1p-20};
	Random random = {4};
	uint64_t *records = exact_records(&random, N, N / 20);
	uint64_t *mostly = exact_records(&random, N, N - N / 20);

	records[2 * N - 2] = records[0]; /* so that there is a seed */
	test("whatever fails ends the build of an exact set, and its check");
	for (int i = 0; i < 3; i++)
		for (int stored = 0; stored < 2; stored++)
		{
			RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
			Making making = {params, records, N, stored == 1};

			making.params.fpr = rates[i];
			fail_each("few records", make, &making, 100);
			making.words = mostly;
			fail_each("few others", make, &making, i == 0 ? 1000 : 20);
		}
	free(records);
	free(mostly);
}

/* What a homogeneous filter of hashes in a file begins with. */
static RibbonStatus
begin_fill(World *world, const void *arg)
{
	const uint64_t *hashes = arg;
	RibbonResultBits one = {1, 0};
	RibbonSystem system;
	RibbonCut cut;
	RibbonFill fill;
	WorldSet stored;
	RibbonStatus status;

	ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, 2 * N, 64, one, 0);
	cut = ribbon_cut_homogeneous(&system);
	world_set_create(&stored, world, RIBBON_HASHES, hashes, N);
	status = ribbon_fill_create(&world->env, &fill, &cut, &stored.set, NULL,
								false);
	ribbon_fill_free(&fill);
	world_set_close(&stored);
	return status;
}

static void
test_fill(void)
{
	Random random = {6};
	uint64_t *hashes = random_keys(&random, N);

	test("without memory a system is not filled");
	fail_each("fill", begin_fill, hashes, 100);
	free(hashes);
}

/* Texts, of many lengths, and their dictionary. */
static RibbonStatus
collect_texts(World *world, const void *arg)
{
	static const uint8_t head[] = {1, 's', 1, 't'};
	uint32_t n = *(const uint32_t *) arg;
	RibbonValues values = {.has_null = true};
	RibbonTexts texts;
	RibbonStatus status = ribbon_texts_init(&texts, &world->env, head,
											sizeof(head), 7);

	for (uint32_t i = 0; i < n && status == RIBBON_OK; i++)
	{
		char text[50];
		size_t size = (size_t) snprintf(text, sizeof(text), "%0*u",
										(int) (10 + i % 40), i);

		status = ribbon_texts_add(&texts, &world->env, i, text, size);
		if (status != RIBBON_OK)
			CHECK(texts.nvalues == i && ribbon_texts_find(&texts, i) == NULL,
				  "text %u: not as before", i);
	}
	if (status == RIBBON_OK)
		status = ribbon_texts_set_codes(&texts, &world->env, &values);
	if (status == RIBBON_OK)
		world_free(world, (void *) values.dictionary);
	ribbon_texts_free(&texts, &world->env);
	return status;
}

static void
test_dictionaries(void)
{
	test("without memory texts are as they were");
	for (uint32_t n = 0; n < 3000; n = 9 * n + 1)
		fail_each("texts", collect_texts, &n, 1000);
}

int
main(void)
{
	test_distinct();
	test_sets();
	test_filters();
	test_maps();
	test_exact_sets();
	test_fill();
	test_dictionaries();
	return test_done();
}
