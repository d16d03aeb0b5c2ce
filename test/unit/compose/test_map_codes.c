/*
 * test_map_codes.c - maps whose values have codes by frequency: sizes,
 * choices, hostile bytes
 */
#include "maps.h"

#include "records.h"

#include "compose/codebook.h"
#include "format/format.h"

#include <math.h>

/* The bits of a Huffman code in all, for counts in ascending order. */
static double
huffman_bits(const double *counts, size_t n)
{
	double *nodes = malloc(n * sizeof(double));
	size_t leaf = 0, first = 0, last = 0;
	double bits = 0;

	while (last + 1 < n)
	{
		double sum = 0;

		for (int k = 0; k < 2; k++)
			sum += first == last || (leaf < n && counts[leaf] <= nodes[first]) ?
				counts[leaf++] :
				nodes[first++];
		nodes[last++] = sum;
		bits += sum;
	}
	free(nodes);
	return bits;
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return (x > y) - (x < y);
}

/* The least bits of a Huffman code, or of a filter and what is behind it. */
static double
least_bits(const uint64_t *records, size_t n, size_t *nvalues)
{
	uint64_t *values = malloc(n * sizeof(uint64_t));
	double *counts = malloc(n * sizeof(double));
	double *behind = malloc(n * sizeof(double));
	double best = INFINITY;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		values[i] = records[2 * i + 1];
	qsort(values, n, sizeof(uint64_t), compare_words);
	for (size_t i = 0; i < n; i++)
	{
		m += i == 0 || values[i] != values[i - 1];
		counts[m - 1] = i == 0 || values[i] != values[i - 1] ?
			1 :
			counts[m - 1] + 1;
	}
	qsort(counts, m, sizeof(double), compare_doubles);
	for (int r = 0; r <= 32; r++)
	{
		double bits = r * ((double) n - counts[m - 1]);

		memcpy(behind, counts, m * sizeof(double));
		behind[m - 1] = counts[m - 1] * exp2(-r);
		qsort(behind, m, sizeof(double), compare_doubles);
		bits += huffman_bits(behind, m);
		best = bits < best ? bits : best;
	}
	free(values);
	free(counts);
	free(behind);
	*nvalues = m;
	return best;
}

/* With any coding, all keys have their values, and ribbon_check is content. */
static void
check_each_value(const Built *built, const uint64_t *records, size_t n,
				 const char *what)
{
	size_t wrong = 0;

	CHECK(built->status == RIBBON_OK, "%s: %s", what,
		  ribbon_status_text(built->status));
	if (built->status != RIBBON_OK)
		return;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t code;

		wrong += !ribbon_get(&built->filter, records[2 * i], &code) ||
			code != records[2 * i + 1] ||
			!ribbon_contains(&built->filter, records[2 * i]);
	}
	CHECK(wrong == 0, "%s: %zu of %zu keys", what, wrong, n);
	CHECK(ribbon_check(&ribbon_malloc_env, &built->filter) == RIBBON_OK, "%s",
		  what);
}

static void
check_sizes(Skew skew, size_t n, double fpr)
{
	Random random = {skew * 1000 + n};
	uint64_t *records = skewed_records(&random, skew, n);
	MapParams params = map_params(RIBBON_DEFAULT_WIDTH, fpr, skewed_bits(skew));
	Built plain, entropy, best;
	size_t nvalues;
	double bits = least_bits(records, n, &nvalues) +
		(fpr < 1 ? (double) n * bits_of(fpr) : 0);
	double table = (double) (nvalues + 1) * params.value_bits;
	char what[100];
	RibbonInfo info;

	snprintf(what, sizeof(what), "%s, %zu keys, rate %g", skewed_name(skew), n,
			 fpr);
	plain = map_build(&params, records, n);
	params.coding = RIBBON_CODING_ENTROPY;
	entropy = map_build(&params, records, n);
	params.coding = RIBBON_CODING_AUTO;
	best = map_build(&params, records, n);
	check_each_value(&plain, records, n, what);
	check_each_value(&entropy, records, n, what);
	check_each_value(&best, records, n, what);
	CHECK(best.nbytes <= plain.nbytes, "%s: auto takes %zu bytes, plain %zu",
		  what, best.nbytes, plain.nbytes);
	CHECK(best.nbytes == plain.nbytes || best.nbytes == entropy.nbytes,
		  "%s: auto takes %zu bytes", what, best.nbytes);
	ribbon_info(&entropy.filter, &info);
	if (info.coding == RIBBON_CODING_ENTROPY)
	{
		CHECK(info.nvalues == nvalues, "%s: %d values", what,
			  (int) info.nvalues);
		/* some ten bytes per plane, and 0.5 % */
		CHECK(8 * (double) entropy.nbytes <= 1.005 * bits + table +
					  8 * (16 + 16 * map_nplanes(&entropy.filter)),
			  "%s: %zu bytes, not %.0f", what, entropy.nbytes,
			  (bits + table) / 8);
	}
	else
		CHECK(nvalues == 1, "%s: plain", what);
	free(plain.bytes);
	free(entropy.bytes);
	free(best.bytes);
	free(records);
}

static void
test_sizes(void)
{
	static const size_t sizes[] = {1, 2, 3, 10, 100, 1000, 20000, 150000};

	test("values of any distribution: as small as codes can be, or as plain");
	for (int skew = 0; skew < NSKEWS; skew++)
		for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			check_sizes((Skew) skew, sizes[i], i % 2 == 0 ? 1 : 0.01);
}

/* Values that have no codes by frequency, whatever is asked for. */
static void
test_plain(void)
{
	Random random = {7};
	size_t n = RIBBON_MAX_CODES + 1;
	uint64_t *records = map_records(&random, n + 99, 64, 0);
	MapParams params = map_params(RIBBON_DEFAULT_WIDTH, 1, 64);
	Built built;

	test("more values than there may be codes, and none");
	params.coding = RIBBON_CODING_ENTROPY;
	for (size_t more = 0; more < 100; more += 99)
	{
		built = map_build(&params, records, n + more);
		check_each_value(&built, records, n + more, "too many values");
		CHECK(ribbon_opened_codes(ribbon_opened(&built.filter)) == NULL,
			  "has codes");
		free(built.bytes);
	}

	records[1] = records[3];
	built = map_build(&params, records, n);
	check_each_value(&built, records, n, "262,144 values");
	CHECK(ribbon_opened_codes(ribbon_opened(&built.filter)) != NULL &&
			  ribbon_opened_codes(ribbon_opened(&built.filter))->ncodes ==
				  RIBBON_MAX_CODES,
		  "has no codes");
	free(built.bytes);

	params.value_bits = 0;
	for (size_t i = 0; i < n; i++)
		records[2 * i + 1] = 0;
	built = map_build(&params, records, n);
	check_each_value(&built, records, n, "values without bits");
	free(built.bytes);

	params.value_bits = 3;
	built = map_build(&params, records, n);
	check_each_value(&built, records, n, "one value of three bits");
	CHECK(ribbon_opened_codes(ribbon_opened(&built.filter)) == NULL,
		  "has codes");
	free(built.bytes);
	free(records);
}

/* Values as rare as makes codes longest: each as frequent as all rarer ones. */
static void
test_longest(void)
{
	size_t n = 0;
	uint64_t *records;
	Random random = {9};
	MapParams params = map_params(RIBBON_DEFAULT_WIDTH, 1, 8);
	Built built;

	test("codes as long as a million keys make them");
	records = malloc((2u << 21) * sizeof(uint64_t));
	for (uint64_t value = 0, a = 1, b = 1; value < 28; value++)
	{
		uint64_t count = a; /* Fibonacci's numbers */

		for (uint64_t i = 0; i < count; i++, n++)
		{
			records[2 * n] = random_next(&random);
			records[2 * n + 1] = value;
		}
		a = b;
		b += count;
	}
	params.coding = RIBBON_CODING_ENTROPY;
	built = map_build(&params, records, n);
	check_each_value(&built, records, n, "Fibonacci's numbers");
	free(built.bytes);
	free(records);
}

/* Counts for which the best codes would be longer than codes may be. */
static void
test_limit(void)
{
	uint64_t counts[60];
	uint64_t lengths[60], longest = 0;
	double sum = 0;
	long left;
	RibbonEnv env = ribbon_malloc_env;

	test("codes are complete, and not longer than they may be");
	for (uint32_t i = 0; i < 60; i++)
	{
		counts[i] = i < 2 ? 1 : counts[i - 1] + counts[i - 2];
	}
	CHECK(ribbon_huffman_lengths(&ribbon_malloc_env, counts, 60, lengths) ==
			  RIBBON_OK,
		  "lengths");
	for (int i = 0; i < 60; i++)
	{
		sum += exp2(-(double) lengths[i]);
		longest = lengths[i] > longest ? lengths[i] : longest;
		CHECK(i == 0 || lengths[i] <= lengths[i - 1], "value %d", i);
	}
	CHECK(sum == 1 && longest <= RIBBON_LONGEST_CODE, "%g, %d", sum,
		  (int) longest);

	test("a value that 2^47 keys have");
	counts[0] = 1;
	counts[1] = UINT64_C(1) << 47;
	counts[2] = 2;
	CHECK(ribbon_huffman_lengths(&ribbon_malloc_env, counts, 3, lengths) ==
				  RIBBON_OK &&
			  lengths[0] == 2 && lengths[1] == 1 && lengths[2] == 2,
		  "%d, %d, %d", (int) lengths[0], (int) lengths[1], (int) lengths[2]);

	test("values so rare that lengths take several tries, which can be ended");
	for (uint32_t i = 0; i < 45; i++)
		counts[i] = UINT64_C(1) << i;
	CHECK(ribbon_huffman_lengths(&ribbon_malloc_env, counts, 45, lengths) ==
				  RIBBON_OK &&
			  lengths[0] <= RIBBON_LONGEST_CODE && lengths[44] == 1,
		  "%d", (int) lengths[0]);
	env.interrupted = is_last_look;
	env.arg = &left;
	for (int looks = 1; looks <= 8; looks++)
	{
		left = looks;
		CHECK(ribbon_huffman_lengths(&env, counts, 45, lengths) ==
				  RIBBON_INTERRUPTED,
			  "goes on after %d looks", looks);
	}
}

/* Heads of codes that no builder writes; nothing is read behind their end. */
static const struct
{
	const char *what;
	RibbonStatus status;
	size_t n;
	uint8_t bytes[32];
} wrong[] = {
	{"without values", RIBBON_CORRUPT, 6, {0x11, 0x81, 0x48, 4, 1, 0}},
	{"of no bits", RIBBON_CORRUPT, 8, {0x11, 0x81, 0x4C, 4, 4, 0, 0, 1}},
	{"of no keys", RIBBON_CORRUPT, 8, {0x11, 0x81, 0x4C, 0, 4, 1, 0, 1}},
	{"of length 0", RIBBON_CORRUPT, 8, {0x11, 0x81, 0x4C, 4, 4, 1, 0, 0}},
	{"too long", RIBBON_CORRUPT, 8, {0x11, 0x81, 0x4C, 4, 4, 1, 0, 33}},
	{"an unknown bit", RIBBON_CORRUPT, 8, {0x11, 0x81, 0x4C, 4, 4, 1, 0, 65}},
	{"more than there are paths",
	 RIBBON_CORRUPT,
	 9,
	 {0x11, 0x81, 0x4C, 4, 4, 1, 0, 2, 2}},
	{"too many codes", RIBBON_CORRUPT, 32, {0x11, 0x81, 0x4C, 4, 4, 8, 0, 32}},
	{"too many codes, all but one of length 18, and no more bytes",
	 RIBBON_CORRUPT,
	 29,
	 {0x11, 0x81, 0x4C, 4, 4, 8, 0, 32, 0, 0, 0, 0,	   0,	 0,
	  0,	0,	  0,	0, 0, 0, 0, 0,	0, 0, 0, 0xFF, 0xFF, 0x0F}},
	{"no table", RIBBON_TRUNCATED, 9, {0x11, 0x81, 0x4C, 4, 4, 8, 0, 2, 1}},
	{"no header",
	 RIBBON_TRUNCATED,
	 12,
	 {0x11, 0x81, 0x4C, 4, 4, 8, 0, 2, 1, 1, 2, 3}},
	{"the head cut", RIBBON_TRUNCATED, 8, {0x11, 0x81, 0x4C, 4, 4, 8, 0, 2}},
};

static void
test_wrong(void)
{
	test("heads of codes that no builder writes");
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
	{
		uint8_t *bytes = malloc(wrong[i].n);
		Built built = {.bytes = bytes, .nbytes = wrong[i].n};

		memcpy(bytes, wrong[i].bytes, wrong[i].n);
		built_reopen(&built);
		CHECK(built.status == wrong[i].status, "%s: %s", wrong[i].what,
			  ribbon_status_text(built.status));
		free(bytes);
	}
}

/*
 * Planes of a map's greatest weight: eleven of seven layers and 16 zones, one
 * of two layers and a zone, and the last one.
 */
#define FULL_PLANES 13

/*
 * Headers of these planes.  Each is valid: its layers bump all keys, and its
 * zones have as many slots as keys.  more: the plane before the last has one
 * layer more.
 */
static void
test_full(bool more)
{
	RibbonPlane *plane = malloc(sizeof(RibbonPlane));
	RibbonFilter *map = malloc(sizeof(RibbonFilter));
	RibbonValues values = {.bits = 8};
	RibbonCodes codes = {.entry_bits = 8};
	uint32_t counts[FULL_PLANES + 1] = {0};
	uint8_t bytes[4096] = {0}; /* codes and slots are zeros */
	size_t n;
	RibbonStatus status;

	test(more ? "headers of more planes than there is room for" :
				"headers of as many planes as there is room for");
	for (unsigned length = 1; length <= FULL_PLANES; length++)
		counts[length] = length < FULL_PLANES ? 1 : 2;
	ribbon_codes_set_levels(&codes, counts, FULL_PLANES);
	ribbon_plane_init_empty(plane);
	plane->nkeys = 1 << 20;
	plane->check.bits = 0;
	plane->value_bits = 1;
	plane->nlayers = RIBBON_MAX_LAYERS;
	plane->nzones[0] = RIBBON_MAX_ZONES;
	for (int i = 0; i <= RIBBON_MAX_LAYERS; i++)
	{
		plane->layer_keys[i] = plane->nkeys;
		plane->systems[i].nslots = 64;
	}
	for (int z = 0; z < RIBBON_MAX_ZONES; z++)
		plane->systems[RIBBON_MAX_LAYERS + z].nslots = plane->nkeys /
			RIBBON_MAX_ZONES;
	n = ribbon_format_encode_head(plane, 1, &values, &codes, bytes) +
		(size_t) ribbon_codes_table_bytes(&codes);
	for (int i = 0; i < FULL_PLANES; i++)
	{
		if (i == FULL_PLANES - 2)
		{
			plane->nkeys = 1;
			plane->nlayers = more ? 3 : 2;
			plane->nzones[0] = 1;
			for (unsigned k = 0; k <= plane->nlayers; k++)
				plane->layer_keys[k] = 1;
			plane->systems[plane->nlayers].nslots = 1;
		}
		n += ribbon_format_encode_body(plane,
									   i == 0 ? RIBBON_ROLE_FIRST :
												RIBBON_ROLE_LEVEL,
									   bytes + n);
	}
	status = ribbon_open(bytes, n, map);
	/* the slots are not there */
	CHECK(status == (more ? RIBBON_CORRUPT : RIBBON_TRUNCATED), "%s",
		  ribbon_status_text(status));
	CHECK(map_nplanes(map) == (unsigned) (FULL_PLANES - more), "%u",
		  map_nplanes(map));
	free(map);
	free(plane);
}

/* Bytes that are changed: if opened, they can be asked and checked. */
static void
test_changed(void)
{
	Random random = {11};

	test("changed bytes of maps with codes");
	for (int skew = 0; skew < NSKEWS; skew++)
	{
		unsigned opened = 0;
		uint64_t *records = skewed_records(&random, (Skew) skew, 300);
		MapParams params = map_params(64, skew % 2 == 0 ? 1 : 0.1,
									  skewed_bits((Skew) skew));
		Built built;

		params.coding = RIBBON_CODING_ENTROPY;
		built = map_build(&params, records, 300);
		for (int i = 0; i < 3000; i++)
		{
			size_t at = random_below(&random, i % 2 ? 60 : built.nbytes);
			uint8_t bit = (uint8_t) (1 << random_below(&random, 8));
			uint64_t codes[300], hashes[300], code;
			bool found[300];

			at = at < built.nbytes ? at : 0;
			built.bytes[at] ^= bit;
			built_reopen(&built);
			if (built.status == RIBBON_OK)
			{
				opened++;
				for (int k = 0; k < 300; k++)
					hashes[k] = random_next(&random);
				ribbon_get_batch(&built.filter, hashes, 300, found, codes);
				for (int k = 0; k < 300; k++)
					CHECK(ribbon_get(&built.filter, hashes[k], &code) ==
								  found[k] &&
							  (!found[k] || code == codes[k]),
						  "%s: byte %zu", skewed_name((Skew) skew), at);
				(void) ribbon_check(&ribbon_malloc_env, &built.filter);
			}
			built.bytes[at] ^= bit;
		}
		CHECK(opened > 500, "%s: %u were opened", skewed_name((Skew) skew),
			  opened);
		built_reopen(&built);
		check_each_value(&built, records, 300, "changed back");
		free(built.bytes);
		free(records);
	}
}

/*
 * Keys with the dominant value, which are chosen so that the filter in front
 * lets all of them pass, or one more than there is room for: then there are no
 * codes.
 */
static void
test_passing(void)
{
	size_t n = 30000;
	Random random = {13};
	uint64_t *records = skewed_records(&random, SKEW_MOSTLY, n);
	MapParams params = map_params(64, 1, skewed_bits(SKEW_MOSTLY));
	const RibbonPlane *front;
	uint64_t chance, most;
	Built usual, built;
	uint64_t code;

	test("keys that were chosen to pass the filter in front");
	params.coding = RIBBON_CODING_ENTROPY;
	usual = map_build(&params, records, n);
	CHECK(ribbon_opened_codes(ribbon_opened(&usual.filter)) != NULL &&
			  ribbon_opened_codes(ribbon_opened(&usual.filter))->front,
		  "no filter");
	front = map_plane(&usual.filter, 1);
	chance = (n - front->nkeys) >> front->check.bits;
	most = chance + chance / 16 + 1024;
	for (uint64_t npass = most; npass <= most + 1; npass++)
	{
		uint64_t left = npass;

		for (size_t i = 0; i < n; i++)
			if (records[2 * i + 1] == 33)
			{
				while (map_get_from_plane(front, records[2 * i], &code) !=
					   (left > 0))
					records[2 * i] = random_next(&random);
				left -= left > 0;
			}
		built = map_build(&params, records, n);
		check_each_value(&built, records, n, "keys that pass");
		CHECK((ribbon_opened_codes(ribbon_opened(&built.filter)) != NULL) ==
				  (npass == most),
			  "%d pass", (int) npass);
		free(built.bytes);
	}
	for (size_t i = 0; i < n; i++)
		while (records[2 * i + 1] == 33 &&
			   !map_get_from_plane(front, records[2 * i], &code))
			records[2 * i] = random_next(&random);
	built = map_build(&params, records, n);
	check_each_value(&built, records, n, "keys that pass");
	CHECK(ribbon_opened_codes(ribbon_opened(&built.filter)) == NULL,
		  "has codes");
	free(built.bytes);
	free(usual.bytes);
	free(records);
}

/* What ribbon_check finds in a table. */
static void
test_table(void)
{
	Random random = {12};
	uint64_t *records = skewed_records(&random, SKEW_UNIFORM, 3000);
	MapParams params = map_params(64, 1, 7);
	const RibbonCodes *codes;
	Built built;
	uint8_t *last;

	test("a table that is not in order");
	params.coding = RIBBON_CODING_ENTROPY;
	built = map_build(&params, records, 3000);
	codes = ribbon_opened_codes(ribbon_opened(&built.filter));
	built.bytes[codes->table_at] ^= 0x7F;
	CHECK(ribbon_check(&ribbon_malloc_env, &built.filter) == RIBBON_BAD_CODES,
		  "order");
	built.bytes[codes->table_at] ^= 0x7F;
	last = built.bytes + codes->table_at + ribbon_codes_table_bytes(codes) - 1;
	*last ^= 0x80;
	CHECK(ribbon_check(&ribbon_malloc_env, &built.filter) == RIBBON_BAD_PADDING,
		  "padding");
	free(built.bytes);
	free(records);
}

/*
 * n codes, ascending, of which so many come to the last slots of a table of
 * 2^log2 at once, by the first hash or by the first two (histogram.c).
 */
static uint64_t *
collide(Random *random, size_t n, size_t ncolliding, unsigned log2,
		unsigned nhashes)
{
	uint64_t *codes = random_keys(random, n);
	uint64_t inverse = 1;

	for (int i = 0; i < 6; i++) /* each doubles the bits that are right */
		inverse *= 2 - RIBBON_GOLDEN * inverse;
	for (size_t i = 0; i < ncolliding;)
	{
		uint64_t code = ~(random_next(random) >> log2) * inverse;

		if (nhashes == 1 || ribbon_mix(code ^ 1) >> (64 - log2) == 0)
			codes[i++] = code;
	}
	qsort(codes, n, sizeof(uint64_t), compare_words);
	return codes;
}

static void
check_colliding(size_t n, size_t ncolliding, unsigned log2, unsigned nhashes)
{
	Random random = {n};
	RibbonValues values = {.bits = 64};
	uint64_t *codes = collide(&random, n, ncolliding, log2, nhashes);
	uint64_t *records = malloc(2 * n * sizeof(uint64_t));
	RibbonHistogram histogram;
	RibbonSet set;

	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = i << 32;
		records[2 * i + 1] = codes[i * 7919 % n];
	}
	set = ribbon_set_of_array(&ribbon_malloc_env, RIBBON_MAP_RECORDS, records,
							  n);
	CHECK(ribbon_histogram_create(&ribbon_malloc_env, &histogram, &values,
								  &set) == RIBBON_OK,
		  "no histogram");
	CHECK(histogram.shift == 64 - log2 && histogram.n == n &&
			  histogram.attempt == nhashes,
		  "%u values: hash %u", histogram.n, histogram.attempt);
	for (uint32_t i = 0; i < n; i++)
		CHECK(histogram.values[i].code == codes[i] &&
				  histogram.values[i].count == 1 &&
				  ribbon_histogram_find(&histogram, codes[i]) == i,
			  "value %u of %zu", i, n);
	ribbon_histogram_free(&ribbon_malloc_env, &histogram);
	free(records);
	free(codes);
}

static void
test_colliding(void)
{
	test("values that were chosen to collide");
	check_colliding(100003, 50000, 18, 1);
	check_colliding(1999, 600, 12, 2);
	check_colliding(1999, 200, 12, 0);
}

int
main(void)
{
	test_sizes();
	test_plain();
	test_longest();
	test_limit();
	test_wrong();
	test_full(false);
	test_full(true);
	test_changed();
	test_passing();
	test_table();
	test_colliding();
	return test_done();
}
