/* Sets in a file: sorted, distinct, whatever comes, and whatever fails */
#include "sets.h"

#include "base/alloc.h"

#define KIND_NAME(kind) \
	((kind) == RIBBON_HASHES		  ? "hashes" : \
		 (kind) == RIBBON_MAP_RECORDS ? "map records" : \
										"exact records")

/* The value of a key of a map, or the word of a key of an exact set. */
static uint64_t
word_of(uint64_t hash)
{
	return ribbon_mix(hash + 1);
}

/* Random elements that agree in so many bits from the highest on. */
static Elements
random_elements(Random *random, RibbonElementKind kind, size_t n,
				unsigned alike)
{
	Elements elements = elements_create(kind, n);

	for (size_t i = 0; i < n; i++)
	{
		uint64_t hash = random_next(random);

		if (i > 0 && i % 5 == 0)
			hash = elements.words[(i / 2) * ribbon_element_words(kind)];
		else if (alike > 0)
			hash = hash >> alike | UINT64_C(0x5A5A5A5A5A5A5A5A) << (64 - alike);
		elements_set(&elements, i, hash, word_of(hash));
	}
	return elements;
}

/*
 * Fill a set of elements in pieces, and seal it.  It is closed after a failure.
 */
static RibbonStatus
fill(World *world, WorldFile *file, const Elements *elements, Adding how,
	 size_t piece, RibbonSet *set)
{
	RibbonStatus status = RIBBON_OK;

	*set = ribbon_set_in_file(&world->env, &file->file, elements->kind);
	for (size_t i = 0; i < elements->n && status == RIBBON_OK; i += piece)
		status = sets_add(set, elements, i,
						  elements->n - i < piece ? elements->n - i : piece,
						  how);
	if (status == RIBBON_OK)
		status = ribbon_set_seal(set);
	if (status != RIBBON_OK)
		ribbon_set_close(set);
	return status;
}

static void
done(World *world, WorldFile *file)
{
	CHECK(world_all_free(&file->file), "%u of %u blocks are free",
		  file->file.nfree, file->file.nblocks);
	world_file_close(file);
	CHECK(world->live == 0, "%ld left", world->live);
}

/* The set of the elements, in each way, is what it should be. */
static void
check_set(const Elements *elements, size_t sort_words, size_t piece)
{
	Elements sorted = elements_copy(elements, 0, elements->n);
	Random random = {elements->n};

	CHECK(elements_sort(&sorted) == RIBBON_OK, "sort");
	for (int way = 0; way < 2 * NADDINGS; way++)
	{
		World world;
		WorldFile file;
		RibbonSet set;

		world_init(&world, 1 + (unsigned) way % 3);
		world_file_init(&file, &world, sort_words);
		file.file.threads_read = way % 2 == 1;
		CHECK(fill(&world, &file, elements, (Adding) (way % NADDINGS), piece,
				   &set) == RIBBON_OK,
			  "fill");
		CHECK(sets_equal(&set, &sorted), "%s, n %zu, way %d: other elements",
			  KIND_NAME(elements->kind), elements->n, way);
		CHECK(sets_ranges_equal(&set, &sorted, &random),
			  "%s, n %zu, way %d: other ranges", KIND_NAME(elements->kind),
			  elements->n, way);
		CHECK(!world.went_back, "progress");
		ribbon_set_close(&set);
		done(&world, &file);
	}
	free(sorted.words);
}

static void
test_sizes(void)
{
	static const size_t sizes[] = {0,	 1,	   2,	  4095,	 4096,
								   4097, 9000, 70000, 300000};
	Random random = {1};

	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
	{
		test("a set in a file is sorted and distinct");
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			for (size_t sort_words = 16384; sort_words <= 1 << 20;
				 sort_words *= 64)
			{
				Elements elements = random_elements(&random,
													(RibbonElementKind) kind,
													sizes[s], 0);

				check_set(&elements, sort_words, 1 + sizes[s] / 5);
				free(elements.words);
			}
	}
}

/* More than a set that is one list may have. */
static void
test_large(void)
{
	Random random = {2};

	test("large sets are cut");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind += 2)
	{
		Elements elements = random_elements(&random, (RibbonElementKind) kind,
											1300000, 0);

		check_set(&elements, 1 << 20, 90000);
		free(elements.words);
	}
}

/* Keys may have been chosen so that their hashes begin alike. */
static void
test_alike(void)
{
	Random random = {3};

	test("hashes that are alike in 8, 16, ... 56 bits");
	for (unsigned alike = 8; alike <= 56; alike += 8)
		for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
		{
			Elements elements = random_elements(&random,
												(RibbonElementKind) kind, 60000,
												alike);

			check_set(&elements, 8192, 7000);
			free(elements.words);
		}
}

#define REPEATED 10000000

/* One hash, very many times, in memory for few; of an exact set two keys. */
static void
test_one_hash(void)
{
	size_t piece = 500000;

	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
		for (int adding = ADD; adding <= COLLECT; adding += COLLECT)
		{
			Elements elements = elements_create((RibbonElementKind) kind,
												piece);
			size_t expected = kind == RIBBON_EXACT_RECORDS ? 2 : 1;
			World world;
			WorldFile file;
			RibbonSet set;
			RibbonStatus status;

			test("one hash, 10^7 times");
			for (size_t i = 0; i < piece; i++)
				elements_set(&elements, i, UINT64_C(0x123456789ABCDEF0),
							 expected > 1 ? i % 2 * 8 : 7);
			world_init(&world, 2);
			world_file_init(&file, &world, 16384);
			status = RIBBON_OK;
			set = ribbon_set_in_file(&world.env, &file.file, elements.kind);
			for (size_t i = 0; i < REPEATED && status == RIBBON_OK; i += piece)
				status = sets_add(&set, &elements, 0, piece, (Adding) adding);
			CHECK(status == RIBBON_OK && set.n <= REPEATED, "add");
			CHECK(ribbon_set_seal(&set) == RIBBON_OK && set.n == expected,
				  "%s: %zu are left", KIND_NAME(kind), (size_t) set.n);
			elements.n = 2;
			CHECK(elements_sort(&elements) == RIBBON_OK &&
					  sets_equal(&set, &elements),
				  "%s", KIND_NAME(kind));
			ribbon_set_close(&set);
			done(&world, &file);
			free(elements.words);
		}
}

/* Many keys of an exact set with one hash: none is lost. */
static void
test_collisions(void)
{
	size_t n = 40000;
	Elements elements = elements_create(RIBBON_EXACT_RECORDS, n);

	test("keys of an exact set with one hash");
	for (size_t i = 0; i < n; i++)
		elements_set(&elements, i, 5, 2 * (i % (n / 2)));
	for (size_t sort_words = 4096; sort_words <= 1 << 20; sort_words *= 16)
	{
		Elements sorted = elements_copy(&elements, 0, n);
		World world;
		WorldFile file;
		RibbonSet set;
		Elements all;
		size_t kept;

		CHECK(elements_sort(&sorted) == RIBBON_OK, "sort");
		world_init(&world, 1);
		world_file_init(&file, &world, sort_words);
		CHECK(fill(&world, &file, &elements, ADD, 3000, &set) == RIBBON_OK,
			  "fill");
		/* duplicates may be left if they do not fit into memory */
		kept = (size_t) set.n;
		CHECK(kept == sorted.n || (kept > sorted.n && sort_words < 2 * n),
			  "%zu are left of %zu", kept, sorted.n);
		all = sets_elements(&set, RIBBON_EXACT_RECORDS);
		CHECK(elements_sort(&all) == RIBBON_OK && all.n == sorted.n &&
				  memcmp(all.words, sorted.words,
						 all.n * RIBBON_RECORD_WORDS * sizeof(uint64_t)) == 0,
			  "other elements");
		free(all.words);
		ribbon_set_close(&set);
		done(&world, &file);
		free(sorted.words);
	}
	free(elements.words);
}

static void
test_conflict(void)
{
	static const size_t places[] = {1, 3000, 59999};
	Random random = {4};

	test("one hash with two values is a conflict");
	for (size_t i = 0; i < 3; i++)
		for (int kind = RIBBON_MAP_RECORDS; kind <= RIBBON_EXACT_RECORDS;
			 kind++)
			for (int adding = ADD; adding < NADDINGS; adding++)
			{
				Elements elements = random_elements(&random,
													(RibbonElementKind) kind,
													60000, i == 2 ? 56 : 0);
				uint64_t hash = elements.words[0];
				uint64_t word = elements.words[1] ^ 1;
				const uint64_t *conflict;
				World world;
				WorldFile file;
				RibbonSet set;
				RibbonStatus status = RIBBON_OK;

				elements_set(&elements, places[i], hash, word);
				world_init(&world, 2);
				world_file_init(&file, &world, 16384);
				set = ribbon_set_in_file(&world.env, &file.file, elements.kind);
				for (size_t at = 0; at < 60000 && status == RIBBON_OK;
					 at += 2000)
					status = ribbon_set_add(&set, elements.words + 2 * at,
											2000);
				if (status == RIBBON_OK)
					status = ribbon_set_seal(&set);
				CHECK(status == RIBBON_CONFLICT, "%s",
					  ribbon_status_text(status));
				conflict = set.conflict;
				CHECK(conflict[0] == hash && conflict[2] == hash &&
						  (conflict[1] ^ conflict[3]) == 1,
					  "not the two records");
				ribbon_set_close(&set);
				done(&world, &file);
				free(elements.words);
			}
}

/* A sealed set grows, and takes others, of its file and of another one. */
static void
test_absorb(void)
{
	static const size_t sizes[][2] = {{100, 200},	  {0, 3000},
									  {60000, 300},	  {300, 60000},
									  {60000, 70000}, {1100000, 10}};
	Random random = {5};

	test("a sealed set grows, and absorbs others");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int same = 0; same < 2; same++)
		{
			size_t a = sizes[i][0], b = sizes[i][1], n = a + b;
			Elements elements = random_elements(&random, RIBBON_MAP_RECORDS,
												n + 500, 0);
			Elements other = elements_copy(&elements, a, b);
			World world;
			WorldFile files[2];
			RibbonSet sets[2];

			world_init(&world, 2);
			world_file_init(&files[0], &world, 32768);
			world_file_init(&files[1], &world, 32768);
			elements.n = a;
			CHECK(fill(&world, &files[0], &elements, ADD, 5000, &sets[0]) ==
						  RIBBON_OK &&
					  fill(&world, &files[same == 0], &other, ADD, 5000,
						   &sets[1]) == RIBBON_OK,
				  "fill");
			CHECK(ribbon_set_absorb(&sets[0], &sets[1]) == RIBBON_OK, "absorb");
			CHECK(sets[1].n == 0 || same == 0, "not empty");
			ribbon_set_close(&sets[1]);
			elements.n = n + 500;
			CHECK(sets_add(&sets[0], &elements, n, 500, COLLECT) == RIBBON_OK &&
					  ribbon_set_seal(&sets[0]) == RIBBON_OK,
				  "seal");
			CHECK(elements_sort(&elements) == RIBBON_OK &&
					  sets_equal(&sets[0], &elements) &&
					  sets_ranges_equal(&sets[0], &elements, &random),
				  "%zu and %zu: other elements", a, b);
			ribbon_set_close(&sets[0]);
			world_file_close(&files[1]);
			done(&world, &files[0]);
			free(elements.words);
			free(other.words);
		}
}

/* What is in memory yet goes along: so much that the other set is cut then. */
static void
test_absorb_collected(void)
{
	Random random = {10};
	size_t n = 30000;
	Elements elements = random_elements(&random, RIBBON_HASHES, n, 0);
	World world;
	WorldFile file;
	RibbonSet set, other;

	test("a set absorbs what another has only collected");
	world_init(&world, 1);
	world_file_init(&file, &world, 16384);
	set = ribbon_set_in_file(&world.env, &file.file, RIBBON_HASHES);
	other = ribbon_set_in_file(&world.env, &file.file, RIBBON_HASHES);
	CHECK(ribbon_set_collect(&other, elements.words, n) == RIBBON_OK &&
			  other.parts == NULL &&
			  ribbon_set_absorb(&set, &other) == RIBBON_OK &&
			  other.parts != NULL && other.n == 0 &&
			  ribbon_set_seal(&set) == RIBBON_OK,
		  "absorb");
	CHECK(elements_sort(&elements) == RIBBON_OK && sets_equal(&set, &elements),
		  "other elements");
	ribbon_set_close(&other);
	ribbon_set_close(&set);
	done(&world, &file);
	free(elements.words);
}

/* Blocks are used again, so that the file is as large as its sets were. */
static void
test_file_size(void)
{
	Random random = {6};
	Elements elements = random_elements(&random, RIBBON_HASHES, 500000, 0);
	World world;
	WorldFile file;
	uint32_t most = 0;

	test("the blocks of a set are used again");
	world_init(&world, 1);
	world_file_init(&file, &world, 100000);
	for (int i = 0; i < 4; i++)
	{
		RibbonSet set;

		CHECK(fill(&world, &file, &elements, ADD, 40000, &set) == RIBBON_OK,
			  "fill");
		if (i == 0)
			most = file.file.nblocks;
		ribbon_set_close(&set);
		CHECK(file.file.nblocks == most, "%u blocks, not %u", file.file.nblocks,
			  most);
	}
	done(&world, &file);
	free(elements.words);
}

/* All that is done with a set, some of it in trouble. */
static RibbonStatus
work_on(World *world, WorldFile *file, const Elements *elements)
{
	uint64_t words[RIBBON_BLOCK_WORDS];
	RibbonSet set, other;
	RibbonSetPosition position = {0, 0};
	RibbonSetRange range = {.room = NULL};
	size_t n;
	RibbonStatus status = fill(world, file, elements, ADD, 9000, &set);

	if (status != RIBBON_OK)
		return status;
	status = fill(world, file, elements, COLLECT, 9000, &other);
	if (status == RIBBON_OK)
	{
		status = ribbon_set_absorb(&set, &other);
		ribbon_set_close(&other);
	}
	if (status == RIBBON_OK)
		status = ribbon_set_seal(&set);
	if (status == RIBBON_OK)
		status = ribbon_set_read(&world->env, &set, UINT64_MAX / 3, UINT64_MAX,
								 UINT64_MAX, &range);
	ribbon_set_range_free(&world->env, &range);
	if (status == RIBBON_OK)
		status = ribbon_set_next(&set, &position, words, &n);
	ribbon_set_close(&set);
	return status;
}

/* Each call of the file, each allocation, each look for an interrupt. */
static void
check_trouble(const Elements *elements, unsigned nthreads)
{
	World usual, world;
	WorldFile file;

	world_init(&usual, nthreads);
	world_file_init(&file, &usual, 16384);
	CHECK(work_on(&usual, &file, elements) == RIBBON_OK, "no trouble");
	done(&usual, &file);
	CHECK(usual.calls > 15 && usual.allocations > 10 && usual.looks > 10,
		  "%ld, %ld, %ld", usual.calls, usual.allocations, usual.looks);
	for (int what = 0; what < 3; what++)
	{
		long most = what == 0 ? usual.calls :
			what == 1		  ? usual.allocations :
								usual.looks;

		for (long at = 1; at <= most; at += 1 + most / 150)
		{
			RibbonStatus expected = what == 0 ? RIBBON_BAD_FILE :
				what == 1					  ? RIBBON_OUT_OF_MEMORY :
												RIBBON_INTERRUPTED;
			RibbonStatus status;

			world_init(&world, nthreads);
			world_file_init(&file, &world, 16384);
			/* every other failure of a file is no status */
			world.failure = at % 2 == 0 ? RIBBON_NSTATUS : RIBBON_BAD_FILE;
			*(what == 0		? &world.fail_at :
				  what == 1 ? &world.refuse_at :
							  &world.interrupt_at) = at;
			status = work_on(&world, &file, elements);
			CHECK(status == expected, "trouble %d at %ld: %s", what, at,
				  ribbon_status_text(status));
			done(&world, &file);
		}
	}
}

static void
test_trouble(void)
{
	Random random = {7};

	test("whatever fails ends the call, and nothing is left");
	for (unsigned alike = 0; alike <= 56; alike += 28)
	{
		Elements elements = random_elements(&random, RIBBON_MAP_RECORDS, 30000,
											alike);

		check_trouble(&elements, 1 + alike / 28);
		free(elements.words);
	}
}

/* Memory that goes by itself, as that of a server after an error. */
#define MOST_CHUNKS 100000

typedef struct Arena
{
	void *chunks[MOST_CHUNKS];
	size_t n;
	long looks;
	long leave_at;
	jmp_buf leave;
} Arena;

static void *
arena_alloc(void *arg, size_t size)
{
	Arena *arena = (Arena *) arg;

	CHECK(arena->n < MOST_CHUNKS, "too many");
	arena->chunks[arena->n] = malloc(size);
	return arena->chunks[arena->n++];
}

static void
arena_free(void *arg, void *ptr)
{
	(void) arg, (void) ptr;
}

static bool
arena_interrupted(void *arg)
{
	Arena *arena = (Arena *) arg;

	if (++arena->looks == arena->leave_at)
		longjmp(arena->leave, 1);
	return false;
}

/*
 * Work on a set until a callback leaves by longjmp, at this call of the file or
 * this look.  True if all was done before.
 */
static bool
leave(Arena *arena, const Elements *elements, long call, long look)
{
	World world;
	WorldFile file;
	RibbonEnv env = {.alloc = arena_alloc,
					 .free = arena_free,
					 .interrupted = arena_interrupted,
					 .arg = arena};
	RibbonSet *set = malloc(sizeof(RibbonSet));
	volatile bool ended = false;

	world_init(&world, 1);
	world_file_init(&file, &world, 16384);
	*set = ribbon_set_in_file(&env, &file.file, elements->kind);
	world.fail_at = call;
	file.leave = &arena->leave;
	arena->n = 0;
	arena->looks = 0;
	arena->leave_at = look;
	if (setjmp(arena->leave) == 0)
	{
		for (size_t i = 0; i < elements->n; i += 3000)
			ribbon_set_add(set,
						   elements->words +
							   i * ribbon_element_words(elements->kind),
						   3000);
		ribbon_set_seal(set);
		ended = true;
	}
	/* what was in no list at that moment is lost, and nothing is twice free */
	ribbon_set_release(set);
	ribbon_set_release(set);
	{
		uint32_t nfree = file.file.nfree;

		CHECK(nfree <= file.file.nblocks && (!ended || nfree > 0), "%u of %u",
			  nfree, file.file.nblocks);
		for (uint32_t i = 0; i < nfree; i++)
			for (uint32_t j = 0; j < i; j++)
				CHECK(file.file.free_blocks[i] != file.file.free_blocks[j],
					  "block %u is free twice", file.file.free_blocks[i]);
	}
	for (size_t i = 0; i < arena->n; i++)
		free(arena->chunks[i]);
	world_file_close(&file);
	free(set);
	return ended;
}

static void
test_longjmp(void)
{
	Random random = {8};
	Arena *arena = malloc(sizeof(Arena));

	test("callbacks that leave by longjmp: no block is free twice");
	for (unsigned alike = 0; alike <= 16; alike += 8)
	{
		Elements elements = random_elements(&random, RIBBON_HASHES, 30000,
											alike);
		long at = 1;

		while (!leave(arena, &elements, at, 0))
			at += 1 + at / 10;
		CHECK(at > 20, "%ld calls", at);
		for (at = 1; !leave(arena, &elements, 0, at);)
			at += 1 + at / 10;
		CHECK(at > 20, "%ld looks", at);
		free(elements.words);
	}
	free(arena);
}

/* What a thread takes for an interrupt may come to nothing. */
static bool
interrupted_once(void *arg)
{
	World *world = (World *) arg;

	if (++world->looks == world->interrupt_at)
		atomic_store(&world->stop, true);
	else
		atomic_store(&world->stop, false);
	return false;
}

static void
test_nothing(void)
{
	Random random = {9};
	Elements elements = random_elements(&random, RIBBON_HASHES, 400000, 0);
	Elements sorted = elements_copy(&elements, 0, elements.n);

	test("lists are sorted again after an interrupt that came to nothing");
	CHECK(elements_sort(&sorted) == RIBBON_OK, "sort");
	for (long at = 1; at < 400; at = 2 * at)
	{
		World world;
		WorldFile file;
		RibbonSet set;

		world_init(&world, 3);
		world.env.interrupted = interrupted_once;
		world.interrupt_at = at;
		world_file_init(&file, &world, 200000);
		CHECK(fill(&world, &file, &elements, ADD, 100000, &set) == RIBBON_OK,
			  "fill");
		CHECK(sets_equal(&set, &sorted), "other elements");
		ribbon_set_close(&set);
		done(&world, &file);
	}
	free(elements.words);
	free(sorted.words);
}

int
main(void)
{
	test_sizes();
	test_large();
	test_alike();
	test_one_hash();
	test_collisions();
	test_conflict();
	test_absorb();
	test_absorb_collected();
	test_file_size();
	test_trouble();
	test_longjmp();
	test_nothing();
	return test_done();
}
