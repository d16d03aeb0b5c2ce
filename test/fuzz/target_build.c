/*
 * target_build.c - any set of hashes, above all a contrived one: build from it
 *
 *----------
 *	 byte 0		kind and width
 *	 byte 1		rate: 2^-1 to 2^-32
 *	 byte 2		at which allocation, and at which look, to make trouble
 *	 18 each	families of hashes: which, how many, two numbers
 *----------
 *
 * Whatever the set, no key may be missing, the filter must be about as large
 * as that of as many random keys, with the rate that was asked for, and have
 * taken about as much work and memory; the order of the hashes and the kernel
 * must not matter.
 */
#include "fuzz.h"

#include "keys/classes.h"

#include "hostile.h"
#include "reader.h"
#include "target_build.h"
#include "world.h"

#define MAX_HASHES 12000
#define NPROBES	   4000

static uint64_t
number_at(const uint8_t *input)
{
	return ribbon_load64(input);
}

/* The i-th hash of a family. */
static uint64_t
hash_of(const Family *family, uint64_t i)
{
	uint64_t a = family->a, b = family->b;
	uint64_t any = ribbon_mix(a + (i + 1) * RIBBON_LAYER_STEP);
	uint64_t hash;

	switch (family->which)
	{
		case FAMILY_RANDOM:
			return any;
		case FAMILY_ARITHMETIC:
			return a + i * b;
		case FAMILY_EQUAL_HIGH:
			return a ^ any >> b % 64;
		case FAMILY_EQUAL_LOW:
			return a ^ any << b % 64;
		case FAMILY_ONE:
			return a;
		case FAMILY_MANY_PLACES:
			return ribbon_mix(i % (1 + b % 1000)) + (any >> (40 + a % 24));
		case FAMILY_LAYER: /* clustered in a later layer */
			return hostile_at_layer(a ^ any >> b % 64, (unsigned) (b >> 6) % 8);
		case FAMILY_SEEDS: /* clustered under every seed, behind a few layers */
			return hostile_at_layer(hostile_at_seed(a ^ any >> b % 64, i % 16),
									(unsigned) (b >> 6) % 8);
		case FAMILY_ROTATED: /* the same before its hashes are rotated */
			hash = hostile_at_seed(a ^ any >> b % 64, i % 16);
			hash = ribbon_hash_rotated(hash,
									   (unsigned) i / 16 % RIBBON_ROTATIONS);
			return hostile_at_layer(hash, (unsigned) (b >> 6) % 8);
		default: /* FAMILY_COEFFICIENTS: rows that agree in many bits */
			return hostile_at_layer(hostile_with_coeff(a ^ any << b % 64,
													   b >> 9 & 1 ?
														   RIBBON_COEFF_MUL0 :
														   RIBBON_COEFF_MUL1),
									(unsigned) (b >> 6) % 8);
	}
}

/* How many hashes a byte calls for: 0, 1, 2 ... 3072 by halves of powers. */
static size_t
count_of(unsigned byte)
{
	size_t count = (size_t) 1 << byte % 12;

	return byte < 128 ? count + count / 2 * (byte / 12 % 2) : byte - 128;
}

size_t
build_hashes(const uint8_t *input, size_t size, size_t times, uint64_t *hashes,
			 size_t max)
{
	size_t n = 0;

	for (size_t at = BUILD_PARAMS; at + BUILD_FAMILY <= size;
		 at += BUILD_FAMILY)
	{
		Family family = {input[at] % FAMILY_COUNT, number_at(input + at + 2),
						 number_at(input + at + 10)};
		size_t count = times * count_of(input[at + 1]);

		for (uint64_t i = 0; i < count && n < max; i++)
			hashes[n++] = hash_of(&family, i);
	}
	return n;
}

RibbonParams
build_params(const uint8_t *input)
{
	static const int widths[] = {32, 64, 128, RIBBON_DEFAULT_WIDTH};
	RibbonParams params = {.kind = test_kinds[input[0] % 3],
						   .width = widths[input[0] / 3 % 4],
						   .fpr = exp2(-1 - 31 * (input[1] / 255.0)),
						   .key_class = input[0] % 32};

	if (ribbon_key_class_has_parts(params.key_class))
		params.key_class |= (input[1] % 23) << RIBBON_CLASS_BITS;

	return params;
}

/* A filter, and what it took to build it. */
typedef struct Work
{
	RibbonStatus status;
	World world;
	uint8_t *bytes;
	size_t nbytes;
	RibbonFilter filter;
} Work;

static void
work_init(Work *work)
{
	memset(work, 0, sizeof(*work));
	world_init(&work->world, 1);
}

static void
work_build(Work *work, const RibbonParams *params, const uint64_t *hashes,
		   size_t n)
{
	uint64_t *copy = malloc((n + 1) * sizeof(uint64_t));

	if (n > 0)
		memcpy(copy, hashes, n * sizeof(uint64_t));
	work->bytes = NULL;
	work->status = array_build(&work->world.env, params, copy, n, 0,
							   &work->bytes, &work->nbytes);
	free(copy);
	if (work->status != RIBBON_OK)
		return;
	CHECK(ribbon_open(work->bytes, work->nbytes, &work->filter) == RIBBON_OK,
		  "open");
	prefer_batches(&work->filter);
}

static void
work_free(Work *work)
{
	if (work->status == RIBBON_OK)
		world_free(&work->world, work->bytes);
	CHECK(work->world.live == 0, "%ld blocks leaked", work->world.live);
}

/* Is every key in it, for the library and for the slow reader? */
static void
check_members(const Work *work, const uint64_t *hashes, size_t n)
{
	bool *answers = malloc(n + 1);
	Reader reader;

	CHECK(reader_open(&reader, work->bytes, work->nbytes), "no filter");
	ribbon_contains_batch(&work->filter, hashes, n, answers);
	for (size_t i = 0; i < n; i++)
	{
		CHECK(ribbon_contains(&work->filter, hashes[i]), "false negative");
		CHECK(answers[i], "false negative in a batch");
		CHECK(i % 16 != 0 || reader_contains(&reader, hashes[i]),
			  "false negative by the document");
	}
	free(answers);
}

/* Nothing is wrong with any filter that is as it was built. */
static void
check_sound(const Work *work)
{
	RibbonStatus status = ribbon_check(&ribbon_malloc_env, &work->filter);

	CHECK(status == RIBBON_OK, "%s", ribbon_status_text(status));
}

/* The rate it states is the one asked for, and the one there is. */
static void
check_fpr(const Work *work, const RibbonParams *params, Random *random)
{
	double fpr = ribbon_fpr(&work->filter);
	double expected = fpr * NPROBES;
	double positives = 0;

	if (work->filter.nkeys == 0)
		return;
	CHECK(fabs(fpr / params->fpr - 1) < 0.005, "FPR %g for %g", fpr,
		  params->fpr);
	for (int i = 0; i < NPROBES; i++)
		positives += ribbon_contains(&work->filter, random_next(random));
	CHECK(fabs(positives - expected) <= 8 * sqrt(expected) + 8,
		  "%g positives instead of %g", positives, expected);
}

/*
 * Compared with as many random keys.  Sizes of homogeneous filters vary: of a
 * thousand random sets, one may take half as much again as the others.  Given
 * are so many hashes, duplicates and all, which are sorted in room for as many.
 */
static void
check_cost(const Work *work, const RibbonParams *params, size_t given,
		   Random *random)
{
	size_t n = (size_t) work->filter.nkeys;
	uint64_t *keys = random_keys(random, n);
	bool burr = ribbon_opened(&work->filter)->plane.kind == RIBBON_BURR;
	Work usual;

	work_init(&usual);
	work_build(&usual, params, keys, n);
	CHECK((double) work->nbytes <=
			  (burr ? 1.05 : 1.3) * (double) usual.nbytes + (burr ? 12 : 32),
		  "%zu bytes instead of %zu for %zu keys", work->nbytes, usual.nbytes,
		  n);
	CHECK(work->world.most <=
			  2 * usual.world.most + given * sizeof(uint64_t) + 65536,
		  "%zu bytes of memory instead of %zu", work->world.most,
		  usual.world.most);
	CHECK(work->world.looks <= 16 * usual.world.looks + 500,
		  "%ld looks instead of %ld", work->world.looks, usual.world.looks);
	work_free(&usual);
	free(keys);
}

/* Once more, in another order, with duplicates and the plainest kernel. */
static void
check_same_bytes(const Work *work, const RibbonParams *params,
				 const uint64_t *hashes, size_t n, Random *random)
{
	size_t more = n > 0 ? n + random_below(random, 50) : 0;
	uint64_t *other = malloc((more + 1) * sizeof(uint64_t));
	Work again;

	work_init(&again);
	for (size_t i = 0; i < more; i++)
	{
		size_t j = random_below(random, i + 1);

		other[i] = other[j];
		other[j] = hashes[i < n ? i : random_below(random, n)];
	}
	ribbon_kernel_use(RIBBON_KERNEL_PORTABLE);
	work_build(&again, params, other, more);
	CHECK(again.status == RIBBON_OK && again.nbytes == work->nbytes &&
			  memcmp(again.bytes, work->bytes, work->nbytes) == 0,
		  "other bytes");
	work_free(&again);
	ribbon_kernel_use(fuzz_kernel(0));
	free(other);
}

/* Memory that runs out, and an interrupt. */
static void
check_trouble(const Work *work, const RibbonParams *params,
			  const uint64_t *hashes, size_t n, unsigned when)
{
	Work trouble;

	work_init(&trouble);
	trouble.world.refuse_at = 1 + when % work->world.allocations;
	work_build(&trouble, params, hashes, n);
	CHECK(trouble.status == RIBBON_OUT_OF_MEMORY, "%s",
		  ribbon_status_text(trouble.status));
	work_free(&trouble);
	if (work->world.looks == 0)
		return;
	work_init(&trouble);
	trouble.world.interrupt_at = 1 + when % work->world.looks;
	work_build(&trouble, params, hashes, n);
	CHECK(trouble.status == RIBBON_INTERRUPTED, "%s",
		  ribbon_status_text(trouble.status));
	work_free(&trouble);
}

static bool
run(const uint8_t *input, size_t size)
{
	uint64_t *hashes = malloc(MAX_HASHES * sizeof(uint64_t));
	size_t n = build_hashes(input, size, 1, hashes, MAX_HASHES);
	Random random = {size + n};
	Work work;
	RibbonParams params;

	work_init(&work);
	work.world.max_looks = 100000;
	if (size >= BUILD_PARAMS)
	{
		params = build_params(input);
		work_build(&work, &params, hashes, n);
		CHECK(work.status == RIBBON_OK, "%s", ribbon_status_text(work.status));
		check_members(&work, hashes, n);
		check_sound(&work);
		check_fpr(&work, &params, &random);
		check_cost(&work, &params, n, &random);
		check_same_bytes(&work, &params, hashes, n, &random);
		check_trouble(&work, &params, hashes, n, input[2]);
		work_free(&work);
	}
	free(hashes);
	return size >= BUILD_PARAMS;
}

const FuzzTarget fuzz_build = {"build", 4000,		  BUILD_MOST,
							   run,		mutate_build, seed_build};
