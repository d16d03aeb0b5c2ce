/*
 * target_set.c - a set in a file: what is done with it, and what it should be
 *
 *----------
 *	 byte 0		hashes, or records of a map or an exact set
 *	 byte 1		how much is sorted in memory
 *	 byte 2		threads, and whether they read
 *	 byte 3, 4	when to make trouble, and which
 *	 the rest	steps of four bytes: what is done; in how many bits the hashes
 *				of its elements agree; how many there are; which
 *----------
 *
 * A step adds elements, in one way or another, seals the set, or has it absorb
 * another one, of its file or of another.  In the end the set must be what
 * ribbon_distinct makes of an array of all that came.  Then the same is done
 * with trouble: whatever it is, all blocks and all memory must be given back.
 */
#include "fuzz.h"

#include "sets.h"

#define SET_PARAMS	 5 /* bytes */
#define STEP		 4
#define MAX_STEPS	 24
#define MAX_SIZE	 (SET_PARAMS + STEP * MAX_STEPS)
#define MAX_ELEMENTS 20000 /* of a step */

/* What is done with elements. */
typedef enum Doing
{
	SEAL = NADDINGS, /* before that, Adding */
	ABSORB,
	ABSORB_OTHER, /* of another file */
	NDOINGS
} Doing;

/* All that came, from one step to the next, in one array. */
typedef struct Came
{
	Elements elements;
	size_t nsteps;
	size_t end[MAX_STEPS];
	Doing how[MAX_STEPS];
} Came;

/* A world with two files. */
typedef struct Place
{
	World world;
	WorldFile files[2];
} Place;

static RibbonElementKind
kind_of(const uint8_t *input)
{
	return (RibbonElementKind) (input[0] % 3);
}

/* What a step brings: hashes near those of another, or anywhere. */
static void
fill_step(Came *came, const uint8_t *step)
{
	Random random = {step[3] % 16};
	unsigned alike = step[1] % 65;
	size_t n = (size_t) step[2] * step[2] % MAX_ELEMENTS;
	uint64_t front = ribbon_mix(step[3] / 64);
	size_t first = came->elements.n;

	if (came->how[came->nsteps] == SEAL)
		n = 0;
	for (size_t i = first; i < first + n; i++)
	{
		uint64_t hash = random_next(&random);
		uint64_t word = 0;

		if (alike > 0)
			hash = (alike < 64 ? hash >> alike : 0) |
				front >> (64 - alike) << (64 - alike);
		if (came->elements.kind == RIBBON_MAP_RECORDS)
			word = ribbon_mix(hash);
		else if (came->elements.kind == RIBBON_EXACT_RECORDS)
			word = 2 * (i % 3);
		elements_set(&came->elements, i, hash, word);
	}
	came->elements.n += n;
	came->end[came->nsteps++] = came->elements.n;
}

static void
fill_came(Came *came, const uint8_t *input, size_t size)
{
	size_t nsteps = (size - SET_PARAMS) / STEP;

	came->elements = elements_create(kind_of(input), MAX_STEPS * MAX_ELEMENTS);
	came->elements.n = 0;
	came->nsteps = 0;
	for (size_t s = 0; s < nsteps && s < MAX_STEPS; s++)
	{
		const uint8_t *step = input + SET_PARAMS + s * STEP;

		came->how[s] = (Doing) (step[0] % NDOINGS);
		fill_step(came, step);
	}
}

static void
begin(Place *place, const uint8_t *input)
{
	world_init(&place->world, 1 + input[2] / 2 % WORLD_MAX_THREADS);
	for (int i = 0; i < 2; i++)
	{
		world_file_init(&place->files[i], &place->world,
						(size_t) RIBBON_BLOCK_WORDS << input[1] % 8);
		place->files[i].file.threads_read = input[2] % 2 == 1;
	}
}

static void
end(Place *place)
{
	for (int i = 0; i < 2; i++)
	{
		CHECK(world_all_free(&place->files[i].file), "blocks are not free");
		world_file_close(&place->files[i]);
	}
	CHECK(place->world.live == 0, "%ld left", place->world.live);
}

/* Do a step with elements first .. first + n - 1. */
static RibbonStatus
do_step(Place *place, RibbonSet *set, const Came *came, size_t first, size_t n,
		Doing how)
{
	RibbonSet other;
	RibbonStatus status;

	if (how < SEAL)
		return sets_add(set, &came->elements, first, n, (Adding) how);
	if (how == SEAL)
		return ribbon_set_seal(set);
	other = set_in_file(&place->world.env,
						&place->files[how == ABSORB_OTHER].file,
						came->elements.kind);
	status = sets_add(&other, &came->elements, first, n, COLLECT);
	if (status == RIBBON_OK)
		status = ribbon_set_absorb(set, &other);
	ribbon_set_close(&other);
	return status;
}

/* All steps, and seal the set in the end; it is closed after a failure. */
static RibbonStatus
do_all(Place *place, const Came *came, RibbonSet *set)
{
	RibbonStatus status = RIBBON_OK;
	size_t first = 0;

	*set = set_in_file(&place->world.env, &place->files[0].file,
					   came->elements.kind);
	for (size_t s = 0; s < came->nsteps && status == RIBBON_OK; s++)
	{
		status = do_step(place, set, came, first, came->end[s] - first,
						 came->how[s]);
		first = came->end[s];
	}
	if (status == RIBBON_OK)
		status = ribbon_set_seal(set);
	if (status != RIBBON_OK)
		ribbon_set_close(set);
	return status;
}

/* Of an exact set some may be there twice, if one hash has very many keys. */
static void
check_all(RibbonSet *set, const Came *came, Random *random)
{
	Elements sorted = elements_copy(&came->elements, 0, came->elements.n);
	Elements all = sets_elements(set, sorted.kind);
	size_t n = all.n;

	CHECK(elements_sort(&sorted) == RIBBON_OK &&
			  elements_sort(&all) == RIBBON_OK,
		  "sort");
	CHECK(all.n == sorted.n &&
			  memcmp(all.words, sorted.words,
					 all.n * ribbon_element_stride(all.kind) *
						 sizeof(uint64_t)) == 0,
		  "%zu elements, not %zu", all.n, sorted.n);
	CHECK(n == all.n || all.kind == RIBBON_EXACT_RECORDS, "not distinct");
	if (n == all.n)
		CHECK(sets_equal(set, &sorted) &&
				  sets_ranges_equal(set, &sorted, random),
			  "not in order");
	free(sorted.words);
	free(all.words);
}

static void
check_trouble(const uint8_t *input, const Came *came, const World *usual)
{
	unsigned what = input[4] % 3;
	long most = what == 0 ? usual->calls :
		what == 1		  ? usual->allocations :
							usual->looks;
	Place place;
	RibbonSet set;
	RibbonStatus status;

	if (most == 0)
		return;
	begin(&place, input);
	*(what == 0		? &place.world.fail_at :
		  what == 1 ? &place.world.refuse_at :
					  &place.world.interrupt_at) = 1 +
		(input[3] | input[4] / 3 << 8) % most;
	place.world.failure = RIBBON_BAD_FILE;
	status = do_all(&place, came, &set);
	CHECK(status ==
			  (what == 0	 ? RIBBON_BAD_FILE :
				   what == 1 ? RIBBON_OUT_OF_MEMORY :
							   RIBBON_INTERRUPTED),
		  "%s", ribbon_status_text(status));
	end(&place);
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {ribbon_hash_bytes(input, size)};
	Place place;
	World usual; /* before anything is checked */
	RibbonSet set;
	Came came;
	RibbonStatus status;

	if (size < SET_PARAMS)
		return false;
	fill_came(&came, input, size);
	begin(&place, input);
	status = do_all(&place, &came, &set);
	CHECK(status == RIBBON_OK, "%s", ribbon_status_text(status));
	usual = place.world;
	check_all(&set, &came, &random);
	ribbon_set_close(&set);
	end(&place);
	check_trouble(input, &came, &usual);
	free(came.elements.words);
	return true;
}

static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	Random random = {i};
	size_t size = SET_PARAMS + STEP * (1 + i % 8);

	if (i >= 60 || size > max)
		return 0;
	for (size_t b = 0; b < size; b++)
		input[b] = (uint8_t) random_next(&random);
	input[0] = (uint8_t) i;
	return size;
}

static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	return fuzz_mutate_bytes(random, input, size,
							 max < MAX_SIZE ? max : MAX_SIZE);
}

const FuzzTarget fuzz_set = {"set", 300, MAX_SIZE, run, mutate, seed};
