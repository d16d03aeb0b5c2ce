/*
 * test_batches.c - batches.c: filters of many columns, small and larger than
 * caches, of members, of others and of both, sets of all sizes, and columns of
 * few bytes: batches answer as single probes do
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "format/place.h"
#include "format/zones.h"
#include "kernels.h"
#include "built.h"
#include "probe/batch.h"
#include "probe/probes.h"

#include <sys/mman.h>

#define NHASHES (RIBBON_BATCH + 76)

/* What a filter's slots are: only where they are zero, a hash is a member. */
typedef enum Slots
{
	ZERO,
	HALF, /* those of the lower hashes are zero */
	ANY,
	NSLOTS
} Slots;

/* A homogeneous filter, whose slots no build made. */
static Built
make(Random *random, uint64_t nslots, RibbonResultBits result_bits, Slots slots)
{
	RibbonPlane plane;
	Built made;
	uint8_t *first;
	size_t size, zeros;

	ribbon_plane_init_empty(&plane);
	plane.kind = RIBBON_HOMOGENEOUS;
	plane.nkeys = nslots - 64;
	plane.nzones[0] = 1;
	plane.systems[0].nslots = nslots;
	ribbon_plane_set_check(&plane, result_bits);
	made = built_of_plane(&plane);
	first = (uint8_t *) ribbon_opened(&made.filter)->plane.systems[0].slots;
	size = made.nbytes - (size_t) (first - made.bytes);
	zeros = slots == ZERO ? size : slots == HALF ? size / 2 : 0;
	for (size_t i = zeros; i < size; i++)
		first[i] = (uint8_t) random_next(random);
	return made;
}

/* Batches of all sizes around those from which on ways differ. */
static void
check(const Built *made, const uint64_t *hashes, const char *what)
{
	static const size_t sizes[] = {1,
								   RIBBON_AHEAD - 1,
								   RIBBON_AHEAD,
								   RIBBON_AHEAD + 1,
								   2 * RIBBON_AHEAD - 1,
								   2 * RIBBON_AHEAD,
								   2 * RIBBON_AHEAD + 1,
								   RIBBON_BATCH + RIBBON_LANES - 1,
								   NHASHES};
	bool answers[NHASHES], got[NHASHES];
	uint64_t codes[NHASHES];

	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
	{
		ribbon_contains_batch(&made->filter, hashes, sizes[k], answers);
		for (size_t i = 0; i < sizes[k]; i++)
			CHECK(answers[i] == ribbon_contains(&made->filter, hashes[i]),
				  "%s: hash %zu of %zu", what, i, sizes[k]);
		memset(codes, 0xFF, sizeof(codes));
		ribbon_get_batch(&made->filter, hashes, sizes[k], got, codes);
		CHECK(memcmp(got, answers, sizes[k]) == 0, "%s: get", what);
		for (size_t i = 0; i < sizes[k]; i++)
			CHECK(codes[i] == 0, "%s: a filter has values", what);
	}
}

/* A hash that comes to the last 4 w of the slots that so many keys take. */
static uint64_t
hash_at_end(Random *random, int width, size_t nkeys)
{
	return UINT64_MAX -
		random_next(random) % (UINT64_MAX / nkeys * 4 * (unsigned) width);
}

/*
 * Sets of few zones and of many, of layers and zones, with blocks of one number
 * of columns and of two: asked in batches and singly.  Few hashes of a batch,
 * or many, are at the end of the first layer.
 */
static void
check_built(Random *random, int width, double fpr, size_t nkeys)
{
	uint64_t *keys = random_keys(random, nkeys);
	uint64_t hashes[NHASHES];
	Built made;

	for (size_t i = 1; i < nkeys && nkeys > 1000; i += nkeys / 10)
		keys[i] = hash_at_end(random, width, nkeys);
	made = build(RIBBON_BURR, width, fpr, keys, nkeys);
	CHECK(made.status == RIBBON_OK, "w %d, %zu keys: built", width, nkeys);
	/* eight non-members first: then many columns are compared in two steps */
	for (size_t i = 0; i < NHASHES; i++)
		hashes[i] = i / 8 % 2 ? keys[i % nkeys] :
			i % 50 == 49	  ? hash_at_end(random, width, nkeys) :
								random_next(random);
	FOR_EACH_KERNEL(k)
	{
		ribbon_kernel_use(k);
		built_open(&made);
		check(&made, hashes, ribbon_kernel_name(k));
	}
	free(made.bytes);
	free(keys);
}

/*
 * A column of a layer of so many slots and a zone of one, of any bytes, which
 * lie before end.
 */
static void
make_column(Random *random, RibbonOpened *opened, uint8_t *end, int width,
			unsigned scheme, uint64_t nslots)
{
	RibbonPlane *plane = &opened->plane;

	memset(opened, 0, sizeof(*opened));
	ribbon_plane_init_empty(plane);
	plane->check.bits = 0;
	plane->value_bits = 1;
	plane->width = width;
	plane->nkeys = nslots;
	plane->scheme = scheme;
	plane->nlayers = 1;
	plane->nzones[0] = 1;
	plane->systems[0].nslots = nslots;
	plane->systems[1].nslots = 1;
	ribbon_place_systems(plane);
	ribbon_place_bytes(plane, end - plane->total_bytes);
	for (uint64_t i = 1; i <= plane->total_bytes; i++)
		end[-(ptrdiff_t) i] = (uint8_t) random_next(random);
}

/* Of each hash a batch finds the bit that a single probe finds. */
static void
check_column(RibbonOpened *opened, const uint64_t *hashes, size_t n,
			 const char *what, uint64_t number)
{
	uint64_t codes[NHASHES];
	bool answers[NHASHES];

	FOR_EACH_KERNEL(k)
	{
		ribbon_kernel_use(k);
		ribbon_prepare(opened, true);
		ribbon_batches_find(opened, hashes, n, answers, codes);
		for (size_t i = 0; i < n; i++)
		{
			uint64_t code;

			CHECK(opened->find(opened, hashes[i], &code) && answers[i] &&
					  codes[i] == code,
				  "%s: w %d, %s %" PRIu64, ribbon_kernel_name(k),
				  opened->plane.width, what, number);
		}
	}
}

/*
 * One so small that no build makes it, although a header may call for it.
 * Behind its last byte there is nothing, since sanitizers do not see what
 * vectors load.
 */
static void
check_small_column(Random *random, uint8_t *end, int width, uint64_t nslots)
{
	static RibbonOpened opened;
	uint64_t *hashes = random_keys(random, NHASHES);

	make_column(random, &opened, end, width, 0, nslots);
	check_column(&opened, hashes, NHASHES, "slots", nslots);
	free(hashes);
}

static void
check_small_columns(Random *random)
{
	const size_t page = 65536; /* at least the system's */
	uint8_t *bytes = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
						  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(bytes != MAP_FAILED && mprotect(bytes + page, page, PROT_NONE) == 0,
		  "no memory");
	for (int width = 32; width <= 128; width *= 2)
		for (uint64_t nslots = (uint64_t) width; nslots < 200; nslots += 7)
			check_small_column(random, bytes + page, width, nslots);
	munmap(bytes, 2 * page);
}

/*
 * A layer of one group of buckets that all have thresholds, with any exception:
 * hashes that start at each place of the bucket that it may name.
 */
static void
test_exceptions(Random *random)
{
	static RibbonOpened opened;
	static uint8_t bytes[65536];
	const uint64_t size = 512; /* of a bucket */
	const uint64_t step = UINT64_MAX / RIBBON_GROUP_BUCKETS / size;
	uint64_t hashes[NHASHES];
	uint8_t *group;

	make_column(random, &opened, bytes + sizeof(bytes), 128, 1,
				RIBBON_GROUP_BUCKETS * size);
	CHECK(opened.plane.buckets.grouped &&
			  size == 1u << opened.plane.buckets.log2_size,
		  "other buckets");
	group = (uint8_t *) opened.plane.systems[0].thresholds;
	memset(group, 0xFF, RIBBON_GROUP_BYTES);
	for (unsigned exception = 0; exception < 256; exception++)
	{
		uint64_t first = exception % RIBBON_GROUP_BUCKETS * size;

		*group = (uint8_t) exception;
		for (uint64_t i = 0; i < size; i++)
			hashes[i] = (first + i) * step + (random_next(random) >> 16);
		check_column(&opened, hashes, (size_t) size, "exception", exception);
	}
}

/*
 * What a header may call for although no batch takes it: more slots than 32
 * bits count, or ends of zones that are more than there is room for.  Then keys
 * are probed one by one.  The bytes are zero, of which few pages are there.
 */
static void
check_too_large(Random *random, RibbonOpened *opened, const char *what)
{
	RibbonPlane *plane = &opened->plane;
	uint64_t *hashes = random_keys(random, NHASHES);
	bool answers[NHASHES];
	uint64_t codes[NHASHES];
	uint8_t *bytes;

	plane->nkeys = 1000;
	ribbon_place_systems(plane);
	bytes = mmap(NULL, (size_t) plane->total_bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(bytes != MAP_FAILED, "%s: no memory", what);
	ribbon_place_bytes(plane, bytes);
	FOR_EACH_KERNEL(k)
	{
		size_t nmembers = 0;

		ribbon_kernel_use(k);
		ribbon_prepare(opened, plane->value_bits > 0);
		ribbon_batches_find(opened, hashes, NHASHES, answers, codes);
		for (size_t i = 0; i < NHASHES; i++)
		{
			uint64_t code = 1;
			bool answer = opened->find(opened, hashes[i], &code);

			CHECK(answers[i] == answer &&
					  (plane->value_bits == 0 || (code == 0 && codes[i] == 0)),
				  "%s: %s", ribbon_kernel_name(k), what);
			nmembers += answer;
		}
		CHECK(plane->kind == RIBBON_HOMOGENEOUS ?
				  nmembers == NHASHES :
				  (nmembers > 0) == (plane->check.bits == 1) &&
					  nmembers < NHASHES,
			  "%s: %s: %zu", ribbon_kernel_name(k), what, nmembers);
	}
	munmap(bytes, (size_t) plane->total_bytes);
	free(hashes);
}

static void
test_too_large(Random *random)
{
	static RibbonOpened opened;
	RibbonPlane *plane = &opened.plane;

	for (int layers = 0; layers < 2 && SIZE_MAX > UINT32_MAX; layers++)
	{
		memset(&opened, 0, sizeof(opened));
		ribbon_plane_init_empty(plane);
		plane->kind = layers == 0 ? RIBBON_HOMOGENEOUS : RIBBON_BURR;
		plane->nlayers = layers;
		plane->nzones[0] = 1;
		plane->systems[0].nslots = (UINT64_C(1) << 32) + 1000;
		plane->systems[layers].nslots += 1;
		check_too_large(random, &opened, "many slots");
	}

	memset(&opened, 0, sizeof(opened));
	ribbon_plane_init_empty(plane);
	plane->check.bits = 32;
	plane->value_bits = 24;
	plane->nzones[0] = RIBBON_MAX_ZONES;
	for (int z = 0; z < RIBBON_MAX_ZONES; z++)
		plane->systems[z].nslots = 300;
	check_too_large(random, &opened, "long ends");
}

/*
 * Hashes of every share of the last layer, which is all, in many zones; so many
 * shares are wide.
 */
static void
check_shares(Random *random, unsigned wide)
{
	static RibbonOpened opened;
	RibbonPlane *plane = &opened.plane;
	uint64_t hashes[RIBBON_SHARES];
	bool answers[RIBBON_SHARES];
	uint8_t *bytes;

	memset(&opened, 0, sizeof(opened));
	ribbon_plane_init_empty(plane);
	ribbon_plane_set_check(plane, (RibbonResultBits){7, wide});
	plane->nkeys = 1000;
	plane->rotation = wide > 0 ? 5 : 0;
	plane->nzones[0] = 11;
	plane->nzones[1] = wide > 0 ? 5 : 0;
	for (unsigned z = 0; z < ribbon_plane_nzones(plane); z++)
		plane->systems[z].nslots = 200 + z;
	ribbon_place_systems(plane);
	bytes = malloc((size_t) plane->total_bytes);
	for (size_t i = 0; i < plane->total_bytes; i++)
		bytes[i] = (uint8_t) random_next(random);
	ribbon_place_bytes(plane, bytes);
	for (unsigned share = 0; share < RIBBON_SHARES; share++)
		hashes[share] = ribbon_hash_rotated((uint64_t) share << 53 |
												random_next(random) >> 11,
											RIBBON_ROTATIONS - plane->rotation);
	FOR_EACH_KERNEL(k)
	{
		const RibbonProbes *probes;

		ribbon_kernel_use(k);
		probes = ribbon_probes(ribbon_zones_width(plane->width));
		ribbon_prepare(&opened, false);
		CHECK(opened.batch == probes->batch, "%s, %u wide",
			  ribbon_kernel_name(k), wide);
		if (opened.batch != NULL)
			opened.least_batch = 1;
		for (int round = 0; round < 15; round++)
		{
			for (unsigned share = 0; share < RIBBON_SHARES; share++)
				hashes[share] += UINT64_C(1) << 20;
			ribbon_batches_find(&opened, hashes, RIBBON_SHARES, answers, NULL);
			for (unsigned share = 0; share < RIBBON_SHARES; share++)
			{
				uint64_t code;

				CHECK(answers[share] ==
						  opened.find(&opened, hashes[share], &code),
					  "%s, %u wide: share %u", ribbon_kernel_name(k), wide,
					  share);
			}
		}
	}
	free(bytes);
}

int
main(void)
{
	static const RibbonResultBits columns[] = {{7, 0},
											   {15, 99},
											   {24, 0},
											   {31, 2047}};
	static const char *const names[NSLOTS] = {"members", "both", "non-members"};
	static const size_t least[NSLOTS] = {NHASHES, NHASHES / 3, 0};
	static const size_t most[NSLOTS] = {NHASHES, 2 * NHASHES / 3, 20};
	Random random = {1};
	uint64_t *hashes = random_keys(&random, NHASHES);
	RibbonKernel kernel = ribbon_kernel();

	for (int slots = 0; slots < NSLOTS; slots++)
	{
		test(names[slots]);
		for (int large = 0; large < 2; large++)
			for (int c = 0; c < 4; c++)
			{
				uint64_t nslots = large ? 800000 : 3000;
				Built made = make(&random, nslots, columns[c], (Slots) slots);
				size_t nmembers = count_nonmembers(&made, &random, NHASHES);

				CHECK(nmembers >= least[slots] && nmembers <= most[slots],
					  "%zu members", nmembers);
				FOR_EACH_KERNEL(k)
				{
					ribbon_kernel_use(k);
					built_open(&made);
					CHECK(((const RibbonOpened *) made.filter.inside.opened)
								  ->batch == ribbon_probes(64)->batch,
						  "%s, %u columns", ribbon_kernel_name(k),
						  columns[c].bits);
					check(&made, hashes, ribbon_kernel_name(k));
				}
				ribbon_kernel_use(kernel);
				free(made.bytes);
			}
	}
	free(hashes);

	test("zones, layers, and the ends of both");
	for (int width = 32; width <= 128; width *= 2)
		for (size_t nkeys = 5; nkeys < 60000; nkeys = nkeys * 3 + 7)
		{
			check_built(&random, width, 1.0 / 256, nkeys);
			check_built(&random, width, 0.01, nkeys);
			check_built(&random, width, 0.5, nkeys);
			check_built(&random, width, 0.0003, nkeys);
			/* blocks of 16 and of 17 columns */
			check_built(&random, width, 0.0000152, nkeys);
		}

	test("columns of few bytes");
	check_small_columns(&random);

	test("thresholds of every exception");
	test_exceptions(&random);

	test("each share of the hashes has its zone");
	check_shares(&random, 700);
	check_shares(&random, 0);
	check_shares(&random, 1);
	check_shares(&random, RIBBON_SHARES - 1);

	test("what no batch takes");
	test_too_large(&random);
	ribbon_kernel_use(kernel);
	return test_done();
}
