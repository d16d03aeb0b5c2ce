/*
 * target_probe.c - any bytes as a small filter, many thousands a second
 *
 * The filter target asks a slow reader and all kernels about large filters.
 * This one asks the library about itself, with a few hashes and one kernel,
 * both chosen by the bytes: single probes, batches of any length, and slices
 * must say the same, and a filter opened in slices all that the whole one
 * does.  So it gets through that many more inputs.  Whatever is read or
 * written, hashes, answers and filter, ends (or begins) at a forbidden page.
 */
#include "fuzz.h"

#include "format/format.h"
#include "guard.h"
#include "mutate_filter.h"
#include "probes.h"

#define MAX_SIZE   4096
#define MAX_PROBES 1100 /* a batch of RIBBON_BATCH, and a rest */

static Guard filters, hash_guard, answer_guard;

/* Slices must tell the same, and a byte less is too few. */
static void
check_header(const uint8_t *input, size_t size, const RibbonFilter *filter,
			 RibbonStatus status)
{
	RibbonFilter sliced;

	CHECK(probes_open_sliced(input, size, &sliced) == status,
		  "in slices it is not %s", ribbon_status_text(status));
	if (status != RIBBON_OK)
		return;
	probes_compare(filter, &sliced);
	CHECK(probes_open_sliced(input, size - 1, &sliced) == RIBBON_TRUNCATED,
		  "a byte less");
	CHECK(bytes_called_for(input, size) == size, "another size");
}

/* Answers[i] for hashes[i], n of them; both at an end of their memory. */
static const bool *
check_answers(Random *random, const RibbonFilter *filter, const uint8_t *input,
			  size_t size, const uint64_t *hashes, size_t n)
{
	bool *answers = (bool *) guard_room(&answer_guard, n, true);
	RibbonFilter sliced;

	ribbon_contains_batch(filter, hashes, n, answers);
	CHECK(probes_open_sliced(input, size, &sliced) == RIBBON_OK, "header");
	for (size_t i = 0; i < n; i++)
	{
		CHECK(ribbon_contains(filter, hashes[i]) == answers[i],
			  "hash %" PRIx64 ", %zu of %zu", hashes[i], i, n);
		if (i < 8 || random_below(random, 8) == 0)
			CHECK(probes_contains(&sliced, hashes[i]) == answers[i],
				  "sliced, hash %" PRIx64, hashes[i]);
	}
	return answers;
}

/* Is it as a builder leaves it?  No answer, but that there is one. */
static bool
is_sound(const RibbonFilter *filter)
{
	RibbonStatus status = ribbon_check(&ribbon_malloc_env, filter);

	CHECK(status == RIBBON_OK ||
			  (status >= RIBBON_BAD_LAYERS && status <= RIBBON_BAD_RATE),
		  "%s", ribbon_status_text(status));
	return status == RIBBON_OK;
}

/* A random rate; what has been a positive stays one, and sound what was. */
static void
check_shrink(Random *random, const RibbonFilter *filter, const uint64_t *hashes,
			 const bool *answers, size_t n)
{
	double fpr = fmin(RIBBON_MAX_FPR,
					  ribbon_fpr(filter) *
						  (1 + (double) random_below(random, 64) / 8));
	bool sound = is_sound(filter);
	RibbonStatus status;
	RibbonFilter shrunk;
	uint8_t *bytes;
	size_t nbytes;

	status = ribbon_shrink(&ribbon_malloc_env, filter, fpr, 0, &bytes, &nbytes);
	if (fpr < RIBBON_MIN_FPR)
	{
		CHECK(status == RIBBON_BAD_FPR, "%s", ribbon_status_text(status));
		return;
	}
	if (status != RIBBON_OK)
	{
		CHECK(status == RIBBON_NOT_LARGER && fpr < ribbon_fpr(filter), "%s, %g",
			  ribbon_status_text(status), fpr);
		return;
	}
	CHECK(ribbon_open(guard_place(&filters, bytes, nbytes, true), nbytes,
					  &shrunk) == RIBBON_OK,
		  "no filter");
	free(bytes);
	CHECK(shrunk.nkeys == filter->nkeys, "keys");
	CHECK(!sound || is_sound(&shrunk), "not sound any more");
	for (size_t i = 0; i < n; i++)
		CHECK(!answers[i] || ribbon_contains(&shrunk, hashes[i]),
			  "a positive is lost");
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {ribbon_hash_bytes(input, size)};
	uint64_t *hashes;
	const bool *answers;
	RibbonFilter filter;
	RibbonStatus status;
	bool is_filter;
	size_t n;

	if (size > MAX_SIZE)
		return false;
	if (filters.bytes == NULL)
	{
		guard_create(&filters, MAX_SIZE + RIBBON_MAX_HEADER);
		guard_create(&hash_guard, MAX_PROBES * sizeof(uint64_t));
		guard_create(&answer_guard, MAX_PROBES);
	}
	ribbon_kernel_use(fuzz_kernel(random_next(&random)));
	status = ribbon_open(guard_place(&filters, input, size,
									 random_below(&random, 2)),
						 size, &filter);
	check_header(input, size, &filter, status);
	is_filter = status == RIBBON_OK && !filter.has_values && !filter.is_exact;
	if (is_filter)
	{
		if (random_below(&random, 4) > 0)
			prefer_batches(&filter);
		probes_check_statistics(&filter, input);
		n = probes_number(&random, MAX_PROBES);
		hashes = (uint64_t *) guard_room(&hash_guard, n * sizeof(uint64_t),
										 true);
		probes_fill(&random, &ribbon_opened(&filter)->plane, hashes, n);
		answers = check_answers(&random, &filter, input, size, hashes, n);
		if (random_below(&random, 8) == 0)
			check_shrink(&random, &filter, hashes, answers, n);
	}
	ribbon_kernel_use(fuzz_kernel(0));
	return is_filter;
}

/* The smaller of the filter target's seeds. */
static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	return i < SEED_FILTER_SMALL ?
		seed_filter(i, input, max < MAX_SIZE ? max : MAX_SIZE) :
		0;
}

static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	return mutate_filter(random, input, size, max < MAX_SIZE ? max : MAX_SIZE);
}

const FuzzTarget fuzz_probe = {"probe", 100000, MAX_SIZE, run, mutate, seed};
