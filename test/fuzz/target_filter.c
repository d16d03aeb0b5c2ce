/*
 * target_filter.c - any bytes as a filter: open it, probe it, shrink it
 *
 * The library and the slow reader must agree on whether the bytes are a filter
 * and on every answer, with every kernel, one by one, in batches and by slices.
 * Bytes are put against a page that cannot be read, once at their end and once
 * at their beginning.  Shrinking must keep every positive, and take no more
 * memory than the result does.
 */
#include "fuzz.h"
#include "kernels.h"

#include "format/format.h"
#include "guard.h"
#include "mutate_filter.h"
#include "probes.h"
#include "reader.h"
#include "world.h"

#define NPROBES 400

/* Input bytes with forbidden memory right behind them, or right before. */
static uint8_t *
place(const uint8_t *input, size_t size, bool at_end)
{
	static Guard guard;

	if (guard.bytes == NULL)
		guard_create(&guard, FUZZ_MAX_INPUT);
	return guard_place(&guard, input, size, at_end);
}

static void
check_answers(const RibbonFilter *filter, const char *kernel,
			  const uint64_t *hashes, const bool *expected)
{
	bool answers[NPROBES];

	for (int i = 0; i < NPROBES; i++)
		CHECK(ribbon_contains(filter, hashes[i]) == expected[i],
			  "%s, hash %" PRIx64, kernel, hashes[i]);
	for (size_t i = 0, n; i < NPROBES; i += n)
	{
		n = i % 7 == 0 ? NPROBES / 2 : 23;
		n = n < NPROBES - i ? n : NPROBES - i;
		ribbon_contains_batch(filter, hashes + i, n, answers + i);
	}
	for (int i = 0; i < NPROBES; i++)
		CHECK(answers[i] == expected[i], "%s batch, hash %" PRIx64, kernel,
			  hashes[i]);
}

/* The answers by the header and slices. */
static void
check_sliced(const RibbonFilter *filter, const uint8_t *input, size_t size,
			 const uint64_t *hashes, const bool *expected)
{
	RibbonFilter sliced;

	CHECK(probes_open_sliced(input, size, &sliced) == RIBBON_OK, "header");
	probes_compare(filter, &sliced);
	for (int i = 0; i < NPROBES; i++)
		CHECK(probes_contains(&sliced, hashes[i]) == expected[i],
			  "sliced, hash %" PRIx64, hashes[i]);
}

/* The answers of all kernels, with the bytes at both ends of the arena. */
static void
check_kernels(const uint8_t *input, size_t size, const uint64_t *hashes,
			  const bool *expected)
{
	FOR_EACH_KERNEL(k)
	for (int at_end = 0; at_end < 2; at_end++)
	{
		RibbonFilter filter;

		ribbon_kernel_use(k);
		CHECK(ribbon_open(place(input, size, at_end), size, &filter) ==
				  RIBBON_OK,
			  "open");
		if (at_end)
			prefer_batches(&filter);
		check_answers(&filter, ribbon_kernel_name(k), hashes, expected);
	}
	ribbon_kernel_use(fuzz_kernel(0));
}

/* Shrink; what comes out says yes at least where the filter did. */
static void
check_shrink(const RibbonFilter *filter, double fpr, const uint64_t *hashes,
			 const bool *positive)
{
	World world;
	RibbonStatus status;
	RibbonFilter shrunk;
	Reader reader;
	uint8_t *bytes;
	size_t nbytes;

	world_init(&world, 1);
	world.max_looks = (long) (100 + filter->total_bytes);
	status = ribbon_shrink(&world.env, filter, fpr, 4, &bytes, &nbytes);
	if (status != RIBBON_OK)
	{
		CHECK(status == RIBBON_NOT_LARGER, "%s", ribbon_status_text(status));
		CHECK(fpr < ribbon_fpr(filter), "%g is larger", fpr);
		CHECK(world.live == 0, "leak");
		return;
	}
	CHECK(world.most <= filter->total_bytes + 64, "%zu bytes for %zu",
		  world.most, (size_t) filter->total_bytes);
	CHECK(nbytes <= filter->total_bytes + 3, "%zu bytes from %zu", nbytes,
		  (size_t) filter->total_bytes);
	CHECK(reader_open(&reader, bytes + 4, nbytes) &&
			  ribbon_open(bytes + 4, nbytes, &shrunk) == RIBBON_OK,
		  "no filter");
	CHECK(shrunk.nkeys == filter->nkeys, "keys");
	CHECK(ribbon_fpr(&shrunk) >= ribbon_fpr(filter) * (1 - 1e-9),
		  "FPR %g to %g", ribbon_fpr(filter), ribbon_fpr(&shrunk));
	for (int i = 0; i < NPROBES; i++)
	{
		bool answer = ribbon_contains(&shrunk, hashes[i]);

		CHECK(answer || !positive[i], "false negative");
		CHECK(answer == reader_contains(&reader, hashes[i]), "shrunk answer");
	}
	world_free(&world, bytes);
	CHECK(world.live == 0, "leak");
}

/* What is sound is sound when it has been shrunk. */
static void
check_shrunk_sound(const RibbonFilter *filter)
{
	double fpr = ribbon_fpr(filter);
	double wanted = fmax(fpr * 1.1, RIBBON_MIN_FPR);

	while (wanted <= RIBBON_MAX_FPR)
	{
		RibbonFilter shrunk;
		RibbonStatus status;
		uint8_t *bytes;
		size_t nbytes;

		CHECK(ribbon_shrink(&ribbon_malloc_env, filter, wanted, 0, &bytes,
							&nbytes) == RIBBON_OK &&
				  ribbon_open(bytes, nbytes, &shrunk) == RIBBON_OK,
			  "no filter");
		status = ribbon_check(&ribbon_malloc_env, &shrunk);
		CHECK(status == RIBBON_OK, "shrunk from %g to %g: %s", fpr, wanted,
			  ribbon_status_text(status));
		free(bytes);
		wanted *= 3;
	}
}

/* Memory that runs out, and interrupts, while shrinking. */
static void
check_trouble(const RibbonFilter *filter)
{
	for (long at = 1; at <= 2; at++)
	{
		World no_memory, interrupts;
		RibbonStatus status;
		uint8_t *bytes;
		size_t nbytes;

		world_init(&no_memory, 1);
		no_memory.refuse_at = at;
		status = ribbon_shrink(&no_memory.env, filter, 0.5, 0, &bytes, &nbytes);
		if (status == RIBBON_OK)
			world_free(&no_memory, bytes);
		CHECK((status == RIBBON_OUT_OF_MEMORY) == (no_memory.allocations >= at),
			  "%s", ribbon_status_text(status));
		world_init(&interrupts, 1);
		interrupts.interrupt_at = at;
		status = ribbon_shrink(&interrupts.env, filter, 0.5, 0, &bytes,
							   &nbytes);
		if (status == RIBBON_OK)
			world_free(&interrupts, bytes);
		CHECK((status == RIBBON_INTERRUPTED) == (interrupts.looks >= at), "%s",
			  ribbon_status_text(status));
		CHECK(no_memory.live == 0 && interrupts.live == 0, "leak");
	}
}

/*
 * Whatever opens can be checked: with the bytes at both ends of the arena, in
 * bounded time and without memory.  Shrinking keeps what is sound sound.
 */
static void
check_sound(const uint8_t *input, size_t size)
{
	RibbonStatus status[2];

	for (int at_end = 0; at_end < 2; at_end++)
	{
		RibbonFilter filter;
		World world;

		world_init(&world, 1);
		world.max_looks = (long) (100 + size);
		world.refuse_at = 1;
		CHECK(ribbon_open(place(input, size, at_end), size, &filter) ==
				  RIBBON_OK,
			  "open");
		status[at_end] = ribbon_check(&world.env, &filter);
		CHECK(world.allocations == 0, "memory");
		CHECK(status[at_end] == RIBBON_OK ||
				  (status[at_end] >= RIBBON_BAD_LAYERS &&
				   status[at_end] <= RIBBON_BAD_RATE),
			  "%s", ribbon_status_text(status[at_end]));
		if (status[at_end] == RIBBON_OK)
			check_shrunk_sound(&filter);
	}
	CHECK(status[0] == status[1], "checked twice");
}

static bool
run(const uint8_t *input, size_t size)
{
	uint64_t hashes[NPROBES];
	bool expected[NPROBES];
	const uint8_t *bytes;
	RibbonFilter filter;
	RibbonStatus status;
	Reader reader;
	Random random;
	double fpr;

	if (size > FUZZ_MAX_INPUT)
		return false;
	bytes = place(input, size, true);
	status = ribbon_open(bytes, size, &filter);
	if (status == RIBBON_OK && (filter.has_values || filter.is_exact))
		return false; /* target_map.c, target_exact.c */
	CHECK(reader_open(&reader, bytes, size) == (status == RIBBON_OK),
		  "the library says %s, the document does not",
		  ribbon_status_text(status));
	if (status != RIBBON_OK)
	{
		CHECK(status == RIBBON_TRUNCATED || status == RIBBON_BAD_VERSION ||
				  status == RIBBON_CORRUPT,
			  "%s", ribbon_status_text(status));
		return false;
	}

	probes_check_statistics(&filter, input);
	random.state = filter.nkeys + filter.total_bytes;
	probes_fill(&random, &ribbon_opened(&filter)->plane, hashes, NPROBES);
	for (int i = 0; i < NPROBES; i++)
		expected[i] = reader_contains(&reader, hashes[i]);
	check_kernels(input, size, hashes, expected);
	check_sliced(&filter, input, size, hashes, expected);
	check_sound(input, size);

	CHECK(ribbon_open(place(input, size, true), size, &filter) == RIBBON_OK,
		  "open again");
	fpr = ribbon_fpr(&filter);
	check_shrink(&filter, 0.5, hashes, expected);
	for (int i = 1; i < 5; i++)
	{
		double wanted = fpr * (1 + 0.3 * i * i);

		if (wanted >= RIBBON_MIN_FPR && wanted <= RIBBON_MAX_FPR)
			check_shrink(&filter, wanted, hashes, expected);
	}
	check_trouble(&filter);
	return true;
}

const FuzzTarget fuzz_filter = {"filter", 4000,			 FUZZ_MAX_INPUT,
								run,	  mutate_filter, seed_filter};
