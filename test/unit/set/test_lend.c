/*
 * test_lend.c - sets that go from file to file
 *
 * A process lends a set to another one, which has its own file, opens the
 * other's beside it, and takes the blocks over without copying them.
 */
#include "sets.h"

#define N	 30000
#define MANY 1300000 /* more than a set that is one list may have */

/* A file that can read those of others: source i is others[i - 1]. */
typedef struct Borrower
{
	WorldFile own; /* its first member */
	WorldFile *others[2];
	long nread[3]; /* words from each source */
} Borrower;

static RibbonStatus
borrower_read(RibbonFile *base, uint32_t source, uint64_t at, uint64_t *words,
			  size_t n)
{
	Borrower *borrower = (Borrower *) base;
	RibbonFile *file = source == 0 ? base : &borrower->others[source - 1]->file;

	borrower->nread[source] += (long) n;
	return world_file_read(file, 0, at, words, n);
}

static void
borrower_init(Borrower *borrower, World *world, WorldFile *other)
{
	memset(borrower, 0, sizeof(*borrower));
	world_file_init(&borrower->own, world, 1 << 17);
	borrower->own.file.read = borrower_read;
	borrower->others[0] = borrower->others[1] = other;
}

static Elements
random_records(size_t n)
{
	Random random = {n};
	Elements elements = elements_create(RIBBON_MAP_RECORDS, n);

	for (size_t i = 0; i < n; i++)
		elements_set(&elements, i, random_next(&random), i);
	return elements;
}

/* Take all blocks of a set, which is lent, as those of a source. */
static void
take_all(RibbonSet *to, RibbonSet *from, uint32_t source)
{
	ribbon_set_lend(from);
	if (ribbon_set_nlists(from) > 1)
		CHECK(ribbon_set_split(to) == RIBBON_OK, "split");
	CHECK(ribbon_set_nlists(to) == ribbon_set_nlists(from), "%u and %u lists",
		  ribbon_set_nlists(to), ribbon_set_nlists(from));
	for (uint32_t i = 0; i < ribbon_set_nlists(from); i++)
	{
		const RibbonBlockList *list = &ribbon_set_lists(from)[i];

		for (uint32_t b = 0; b < list->nblocks; b++)
		{
			RibbonBlock block = list->blocks[b];

			block.source = source;
			CHECK(ribbon_set_add_block(to, i, &block) == RIBBON_OK, "take");
		}
	}
}

/* A set of n records is lent; the one who takes it adds more, and seals it. */
static void
check_lent(size_t n)
{
	Elements all = random_records(n + 500);
	Random random = {n};
	World world;
	WorldFile file;
	Borrower borrower;
	RibbonSet lent, taken;
	uint32_t nblocks;

	world_begin(&world, 1, &file, 1 << 17);
	borrower_init(&borrower, &world, &file);
	lent = set_in_file(&world.env, &file.file, all.kind);
	taken = set_in_file(&world.env, &borrower.own.file, all.kind);
	CHECK(sets_add(&lent, &all, 0, n, ADD) == RIBBON_OK, "add");
	nblocks = file.file.nblocks - file.file.nfree;
	take_all(&taken, &lent, 1);
	CHECK(taken.n == n, "%zu of %zu", (size_t) taken.n, n);
	ribbon_set_close(&lent);
	CHECK(file.file.nblocks - file.file.nfree == nblocks,
		  "what is lent was given back");

	CHECK(sets_add(&taken, &all, n, 500, COLLECT) == RIBBON_OK &&
			  ribbon_set_seal(&taken) == RIBBON_OK,
		  "add");
	CHECK(borrower.nread[1] >= 2 * (long) n, "not from the other's file");
	CHECK(sets_have(&taken, &all) && sets_ranges_equal(&taken, &all, &random),
		  "n %zu: other elements", n);
	ribbon_set_close(&taken);
	CHECK(world_all_free(&borrower.own.file), "%u of %u blocks are free",
		  borrower.own.file.nfree, borrower.own.file.nblocks);
	world_file_close(&borrower.own);
	world_file_close(&file);
	CHECK(world.live == 0, "%ld left", world.live);
	free(all.words);
}

/* What was taken is said to be of another file, where sources differ. */
static void
check_refiled(size_t n)
{
	static const uint32_t sources[] = {0, 2};
	Elements all = random_records(n);
	World world;
	WorldFile file;
	Borrower first, second;
	RibbonSet lent, taken;
	uint32_t nlent;

	world_begin(&world, 1, &file, 1 << 17);
	borrower_init(&first, &world, &file);
	borrower_init(&second, &world, &file);
	lent = set_in_file(&world.env, &file.file, all.kind);
	taken = set_in_file(&world.env, &first.own.file, all.kind);
	CHECK(sets_add(&lent, &all, 0, n, ADD) == RIBBON_OK &&
			  ribbon_set_seal(&lent) == RIBBON_OK,
		  "add");
	nlent = file.file.nfree;
	take_all(&taken, &lent, 1);
	ribbon_set_lend(&taken);
	ribbon_set_refile(&taken, &second.own.file, sources);
	CHECK(taken.file == &second.own.file, "file");
	CHECK(sets_have(&taken, &all), "other elements");
	CHECK(first.nread[1] == 0 && second.nread[1] == 0 &&
			  second.nread[2] == 2 * (long) n,
		  "read from %ld, %ld, %ld", first.nread[1], second.nread[1],
		  second.nread[2]);
	ribbon_set_close(&taken);
	ribbon_set_close(&lent);
	CHECK(file.file.nfree == nlent, "what is lent was given back");
	world_file_close(&first.own);
	world_file_close(&second.own);
	world_file_close(&file);
	CHECK(world.live == 0, "%ld left", world.live);
	free(all.words);
}

/* Blocks of another file cannot be had without memory for their list. */
static void
test_no_memory(void)
{
	RibbonBlock block = {.source = 1, .nwords = 2};
	World world;
	WorldFile file;
	RibbonSet set;

	test("a block is taken, or memory was missing");
	world_begin(&world, 1, &file, 16384);
	set = set_in_file(&world.env, &file.file, RIBBON_MAP_RECORDS);
	world.refuse_at = world.allocations + 1;
	CHECK(ribbon_set_add_block(&set, 0, &block) == RIBBON_OUT_OF_MEMORY &&
			  set.whole.nblocks == 0,
		  "refused");
	CHECK(ribbon_set_add_block(&set, 0, &block) == RIBBON_OK &&
			  set.whole.nblocks == 1,
		  "again");
	ribbon_set_close(&set);
	CHECK(file.file.nfree == 0, "a block of another file is free here");
	world_file_close(&file);
	CHECK(world.live == 0, "%ld left", world.live);
}

/* Numbers of blocks have 32 bits. */
static void
test_too_many(void)
{
	RibbonFile full = {.nblocks = UINT32_MAX / 2 + 1,
					   .capacity = UINT32_MAX / 2 + 1,
					   .env = ribbon_malloc_env};
	RibbonBlock block = {.source = 1, .nwords = 2};
	RibbonSet set;

	test("there is an end to blocks");
	CHECK(ribbon_file_allocate(&full, &block) == RIBBON_OUT_OF_MEMORY &&
			  full.nblocks == UINT32_MAX / 2 + 1,
		  "of a file");
	set = set_in_file(&ribbon_malloc_env, &full, RIBBON_MAP_RECORDS);
	set.whole.nblocks = set.whole.capacity = UINT32_C(1) << 31;
	CHECK(ribbon_set_add_block(&set, 0, &block) == RIBBON_OUT_OF_MEMORY &&
			  set.whole.nblocks == UINT32_C(1) << 31,
		  "of a set");
	set.whole.nblocks = 0;
	ribbon_set_close(&set);
}

/* Threads that see an interrupt which came to nothing begin once more. */
static RibbonStatus
run_interrupted(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	World *world = arg;

	if (world->tasks++ % 2 == 0)
		return RIBBON_INTERRUPTED;
	return world_run_tasks(arg, n, task, task_arg);
}

static void
check_threads(RibbonStatus (*run)(void *, unsigned, RibbonTask *, void *))
{
	Elements all = random_records(MANY);
	World world;
	WorldFile file;
	RibbonSet set;

	world_init(&world, 3);
	world.env.run = run;
	world_file_init(&file, &world, 1 << 17);
	file.file.threads_read = true;
	set = set_in_file(&world.env, &file.file, all.kind);
	CHECK(sets_add(&set, &all, 0, MANY, ADD) == RIBBON_OK &&
			  ribbon_set_seal(&set) == RIBBON_OK,
		  "seal");
	CHECK(run == NULL || world.tasks > 1, "no threads");
	CHECK(sets_have(&set, &all), "other elements");
	ribbon_set_close(&set);
	world_file_close(&file);
	CHECK(world.live == 0, "%ld left", world.live);
	free(all.words);
}

int
main(void)
{
	test("a set that is lent is taken, and grows in another file");
	check_lent(N);
	check_lent(MANY);

	test("a set that was taken goes on to one more file");
	check_refiled(N);
	check_refiled(MANY);

	test_no_memory();
	test_too_many();

	test("an interrupt that came to nothing is no end");
	check_threads(run_interrupted);

	test("parts are sorted one by one where there are no threads");
	check_threads(NULL);
	return test_done();
}
