/*
 * target_exact.c - any bytes as an exact set, and as records to build one of
 *
 * As the probe and the map target do: with a few hashes and one kernel, both
 * chosen by the bytes, single probes, batches of any length, slices, and a slow
 * reader (test/unit/lib/exact.h) must say the same.  Whatever is read ends (or
 * begins) at a forbidden page.  test/python/test_exact_reader.py holds the
 * headers against a reader that knows the document alone.
 *
 * The bytes are records as well, of hashes that are often the same: a set that
 * is built of them must be right about each, unless one is on both sides.
 */
#include "fuzz.h"

#include "exact.h"
#include "format/format.h"
#include "guard.h"
#include "mutate_filter.h"
#include "probes.h"

#define MAX_SIZE   8192
#define MAX_PROBES 2100 /* some batches, and a rest */
#define MAX_SLOW   3	/* hashes that are read bit by bit */
#define NSEEDS	   120

static Guard sets, hash_guard, answer_guard;

/* A head and the headers of bodies are what they are written back to. */
static void
check_headers(const RibbonFilter *set, const uint8_t *input)
{
	const RibbonOpened *opened = ribbon_opened(set);
	RibbonExactHead head = {.key_class = set->key_class,
							.rated = set->has_rate,
							.column = opened->next > 0,
							.check = opened->plane.check,
							.nmembers = set->nkeys,
							.nothers = set->universe - set->nkeys,
							.seed = set->seed,
							.inverted = set->is_inverted,
							.has_as_of = set->has_as_of,
							.as_of = set->as_of};
	uint8_t header[RIBBON_MAX_HEADER];
	double fpr = ribbon_fpr(set);

	CHECK(fpr >= 0 && fpr <= 1, "FPR %g", fpr);
	/* with less than a bit, most slots may take none */
	CHECK(count_slots(set) <= 8 * set->total_bytes ||
			  (opened->plane.check.bits == 0 && opened->plane.check.wide > 0),
		  "%" PRIu64 " slots", count_slots(set));
	if (input[2] & 0x20) /* what is extra is not written */
		return;
	if (opened->next > 0)
		head.npassed = map_plane(set, 1)->nkeys - opened->plane.nkeys;
	CHECK(ribbon_format_encode_exact(&head, header) == set->inside.head_bytes &&
			  memcmp(header, input, set->inside.head_bytes) == 0,
		  "a head is not what it is written back to");
	for (unsigned i = 0; i < map_nplanes(set); i++)
	{
		const RibbonPlane *plane = map_plane(set, i);

		CHECK(ribbon_format_encode_body(plane, RIBBON_ROLE_OWN_BYTE, header) ==
					  plane->header_bytes &&
				  memcmp(header, input + plane->at, plane->header_bytes) == 0,
			  "a body's header is not what it is written back to");
	}
}

static void
check_set(Random *random, const RibbonFilter *set, const uint8_t *input,
		  size_t size)
{
	size_t n = probes_number(random, MAX_PROBES);
	uint64_t *hashes = (uint64_t *) guard_room(&hash_guard,
											   n * sizeof(uint64_t), true);
	bool *answers = (bool *) guard_room(&answer_guard, n, true);
	unsigned nplanes = map_nplanes(set);
	RibbonStatus status = ribbon_check(&ribbon_malloc_env, set);
	RibbonFilter sliced;
	uint8_t *bytes;
	size_t nbytes;

	CHECK(status == RIBBON_OK ||
			  (status >= RIBBON_BAD_LAYERS && status <= RIBBON_BAD_PADDING),
		  "%s", ribbon_status_text(status));
	CHECK(ribbon_shrink(&ribbon_malloc_env, set, 0.5, 0, &bytes, &nbytes) ==
			  RIBBON_IS_EXACT,
		  "shrunk");
	check_headers(set, input);
	probes_fill(random,
				map_plane(set, nplanes > 1 && random_below(random, 2) == 0),
				hashes, n);
	ribbon_contains_batch(set, hashes, n, answers);
	CHECK(probes_open_sliced(input, size, &sliced) == RIBBON_OK, "slices");
	for (size_t i = 0; i < n; i++)
	{
		uint64_t code;

		CHECK(ribbon_contains(set, hashes[i]) == answers[i] &&
				  ribbon_get(set, hashes[i], &code) == answers[i] && code == 0,
			  "hash %" PRIx64 ", %zu of %zu", hashes[i], i, n);
		if (i < 8 || random_below(random, 8) == 0)
			CHECK(probes_contains(&sliced, hashes[i]) == answers[i],
				  "sliced, hash %" PRIx64, hashes[i]);
		if (i < MAX_SLOW)
			CHECK(exact_contains_slowly(set, hashes[i]) == answers[i],
				  "slowly, hash %" PRIx64, hashes[i]);
	}
}

/* Is a key among n records both a member and not? */
static bool
is_contradictory(const uint64_t *records, size_t n)
{
	for (size_t i = 0; i < 2 * n; i += 2)
		for (size_t k = 0; k < i; k += 2)
			if (records[i] == records[k] &&
				(records[i + 1] ^ records[k + 1]) == RIBBON_MEMBER)
				return true;
	return false;
}

/* Build of the bytes, two for a record: few hashes, and few second ones. */
static void
check_build(Random *random, const uint8_t *input, size_t size)
{
	uint64_t records[2 * 256];
	size_t n = size / 2 < 256 ? size / 2 : 256;
	unsigned nhashes = 1 + (unsigned) random_below(random, 256);
	unsigned nseconds = 2 + (unsigned) random_below(random, 8);
	RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	Built built;

	if (random_below(random, 2))
		params.fpr = 0.5 / (double) (1 + random_below(random, 1000));
	for (size_t i = 0; i < n; i++)
	{
		uint64_t second = ribbon_mix(input[2 * i + 1] / 2 % nseconds);
		bool member = input[2 * i + 1] & 1;

		records[2 * i] = ribbon_mix(input[2 * i] % nhashes);
		/* most keys are on one side */
		if (random_below(random, 64) > 0)
			member = second >> 5 & 1;
		records[2 * i + 1] = ribbon_exact_word(second, member);
	}
	built = built_from(&params, records, n);
	CHECK((built.status == RIBBON_CONFLICT) == is_contradictory(records, n),
		  "%s", ribbon_status_text(built.status));
	if (built.status != RIBBON_OK)
		return;
	for (size_t i = 0; i < n; i++)
		CHECK(ribbon_contains(&built.filter,
							  exact_hash(&built.filter, records + 2 * i)) ==
				  (records[2 * i + 1] & RIBBON_MEMBER),
			  "record %zu of %zu", i, n);
	free(built.bytes);
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {ribbon_hash_bytes(input, size)};
	RibbonStatus status;
	RibbonFilter set, sliced;
	bool is_exact;

	if (size > MAX_SIZE)
		return false;
	if (sets.bytes == NULL)
	{
		guard_create(&sets, MAX_SIZE);
		guard_create(&hash_guard, MAX_PROBES * sizeof(uint64_t));
		guard_create(&answer_guard, MAX_PROBES);
	}
	ribbon_kernel_use(fuzz_kernel(random_next(&random)));
	status = ribbon_open(guard_place(&sets, input, size,
									 random_below(&random, 2)),
						 size, &set);
	CHECK(probes_open_sliced(input, size, &sliced) == status,
		  "in slices it is not %s", ribbon_status_text(status));
	is_exact = status == RIBBON_OK && set.is_exact;
	if (is_exact)
	{
		probes_compare(&set, &sliced);
		if (random_below(&random, 4) > 0)
			prefer_batches(&set);
		check_set(&random, &set, input, size);
	}
	if (random_below(&random, 4) == 0)
		check_build(&random, input, size);
	ribbon_kernel_use(fuzz_kernel(0));
	return is_exact;
}

/* Sets of few keys, of all widths, with and without a time. */
static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	static const size_t sizes[] = {0, 1, 9, 64, 300, 3000};
	static const size_t parts[] = {1, 2, 5, 70, 400};
	static const double rates[] = {0.5, 0.3, 0.01, 0x1p-8, 0x1p-32};
	Random random = {i};
	size_t n = sizes[i % 6];
	RibbonParams params = exact_params(test_widths[i / 6 % 3]);
	uint64_t *records = exact_records(&random, n, n / parts[i % 5]);
	Built built;

	if (i % 1000 >= NSEEDS)
	{
		free(records);
		return 0;
	}
	max = max < MAX_SIZE ? max : MAX_SIZE;
	params.has_as_of = i % 4 == 0;
	params.as_of = params.has_as_of ?
		(int64_t) (random_next(&random) >> 2) - (INT64_C(1) << 57) :
		0;
	for (size_t k = 0; i % 7 == 0 && k < n; k++)
		records[2 * k] >>= 12; /* clustered: salted */
	if (i % 3 == 0 && n > 1)
		records[2] = records[0]; /* seeded */
	if (i % 2 == 1)
		params.fpr = rates[i / 2 % 5];
	built = built_from(&params, records, n);
	CHECK(built.status == RIBBON_OK, "build");
	free(records);
	if (built.nbytes <= max)
		memcpy(input, built.bytes, built.nbytes);
	free(built.bytes);
	return built.nbytes <= max ? built.nbytes : seed(i + 1000, input, max);
}

/* Bytes somewhere, mostly in front; then as many as the headers ask for. */
static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	uint64_t total;

	max = max < MAX_SIZE ? max : MAX_SIZE;
	size = size < max ? size : max;
	if (size > 0 && random_below(random, 3) > 0)
		input[random_below(random, size < 40 ? size : 40)] ^=
			(uint8_t) (1 << random_below(random, 8));
	else
		size = fuzz_mutate_bytes(random, input, size, max);
	total = bytes_called_for(input, size);
	if (total == 0 || total > max || random_below(random, 16) == 0)
		return size;
	for (size_t i = size; i < total; i++)
		input[i] = random_below(random, 2) ? (uint8_t) random_next(random) : 0;
	return (size_t) total;
}

const FuzzTarget fuzz_exact = {"exact", 60000, MAX_SIZE, run, mutate, seed};
