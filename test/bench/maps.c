/*
 * maps.c - what maps cost, in bytes and in time
 *
 *	maps sizes MAX_KEYS
 *	maps times VALUE_BITS CHECK_BITS KEYS
 *
 * "sizes" prints, for maps of 0, 1, 2, ... 300 keys and of more and more keys
 * up to MAX_KEYS, of several value bits, with and without check bits,
 *
 *	<value bits>,<FPR asked for>,<keys>,<sets>,<bytes>,<most bytes>,<limit>
 *
 * where the limit is 1.003 n (value bits + bits(FPR)) / 8 + 16 bytes.
 *
 * "times" measures a map of KEYS keys of random values, w = 64, and builds
 * beside it a filter of as many result bits, in one thread with the best
 * kernel.  It prints
 *
 *	<library>,<config>,<keys>,<build>,<get>,<batches of 1024>,<bits per key>
 *
 * in nanoseconds per key or get, medians of several runs.  Gets are of random
 * keys of the map; its values are verified.  Other libraries print the same.
 */
#include "bench.h"

#include <math.h>

#define RUNS	   3
#define MAX_BUILDS 9
#define GETS	   2000000
#define BATCH	   1024

/* The value of key i, of so many bits. */
static uint64_t
value_of(uint64_t i, unsigned bits)
{
	uint64_t value = key_hash(i ^ UINT64_C(0x5555555555555555));

	return bits == 0 ? 0 : value >> (64 - bits);
}

/* What to build. */
typedef struct MapParams
{
	int width;
	double fpr;
	unsigned value_bits;
} MapParams;

static MapParams
make_params(unsigned value_bits, double fpr, int width)
{
	MapParams params = {.width = width, .fpr = fpr, .value_bits = value_bits};

	return params;
}

/* Records of keys first .. first + n - 1. */
static void
make_records(uint64_t *records, uint64_t first, size_t n, unsigned value_bits)
{
	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = key_hash(first + i);
		records[2 * i + 1] = value_of(first + i, value_bits);
	}
}

static size_t
must_build_map(const MapParams *params, uint64_t *records, size_t n,
			   uint8_t **bytes)
{
	size_t nbytes;
	RibbonValues values = {.bits = params->value_bits};
	RibbonParams core = {.width = params->width,
						 .fpr = params->fpr,
						 .values = &values};
	RibbonStatus status = array_build(&ribbon_malloc_env, &core, records, n, 0,
									  bytes, &nbytes);

	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
	return nbytes;
}

/*
 * Sizes
 */

/* Bits per key for a rate: whole bits, and the share of keys that check one. */
static double
bits_of_fpr(double fpr)
{
	double a = floor(log2(1 / fpr));

	return fpr == 1 ? 0 : a + 1 - (fpr * exp2(a + 1) - 1);
}

static void
print_size(unsigned value_bits, double fpr, size_t n)
{
	MapParams params = make_params(value_bits, fpr, RIBBON_DEFAULT_WIDTH);
	size_t nsets = n > 1000000 ? 1 : n > 40000 ? 3 : n > 1000 ? 10 : 50;
	uint64_t *records = must_alloc(2 * n * sizeof(uint64_t));
	double limit = 1.003 * (double) n * (value_bits + bits_of_fpr(fpr)) / 8 +
		16;
	uint64_t key = 1;
	size_t sum = 0;
	size_t most = 0;

	for (size_t set = 0; set < nsets; set++, key += n)
	{
		uint8_t *bytes;
		size_t nbytes;

		make_records(records, key, n, value_bits);
		nbytes = must_build_map(&params, records, n, &bytes);
		sum += nbytes;
		most = nbytes > most ? nbytes : most;
		free(bytes);
	}
	free(records);
	printf("%u,%.10g,%zu,%zu,%.2f,%zu,%.2f\n", value_bits, fpr, n, nsets,
		   (double) sum / (double) nsets, most, limit);
	fflush(stdout);
}

static void
print_sizes(size_t max)
{
	static const unsigned bits[] = {1, 2, 3, 4, 8, 12, 16, 32};
	static const double rates[] = {1, 0.01};
	static const size_t steps[] = {1, 2, 3, 5, 7};

	printf("value_bits,fpr,keys,sets,bytes,most_bytes,limit\n");
	for (int b = 0; b < 8; b++)
		for (int r = 0; r < 2; r++)
		{
			for (size_t n = 0; n <= 300; n++)
				print_size(bits[b], rates[r], n);
			for (size_t decade = 100; decade <= max; decade *= 10)
				for (int i = 0; i < 5 && steps[i] * decade <= max; i++)
					if (steps[i] * decade > 300)
						print_size(bits[b], rates[r], steps[i] * decade);
		}
}

/*
 * Times
 */

/* A map, and where its keys are in the order in which they are asked for. */
typedef struct Measured
{
	RibbonFilter map;
	uint8_t *bytes;
	size_t nbytes;
	uint64_t *keys; /* numbers of the keys to get */
	uint64_t *hashes;
} Measured;

static double
time_map_build(const MapParams *params, size_t n, Measured *m)
{
	uint64_t *records = must_alloc(2 * n * sizeof(uint64_t));
	double begin, end;

	make_records(records, 0, n, params->value_bits);
	begin = now();
	m->nbytes = must_build_map(params, records, n, &m->bytes);
	end = now();
	free(records);
	return (end - begin) / (double) n;
}

static double
time_filter_build(unsigned bits, size_t n)
{
	RibbonParams params = {.kind = RIBBON_BURR,
						   .width = 64,
						   .fpr = exp2(-(double) bits),
						   .key_class = 0};
	uint64_t *hashes = must_alloc(n * sizeof(uint64_t));
	RibbonFilter filter;
	uint8_t *bytes;
	double begin, end;

	for (size_t i = 0; i < n; i++)
		hashes[i] = key_hash(i);
	begin = now();
	must_build(&ribbon_malloc_env, &params, hashes, n, &bytes, &filter);
	end = now();
	free(hashes);
	free(bytes);
	return (end - begin) / (double) n;
}

static double
time_gets(const Measured *m, uint64_t *sum)
{
	double begin = now();
	uint64_t all = *sum; /* in a register, as in engine.c */

	for (size_t i = 0; i < GETS; i++)
	{
		uint64_t code = 0;

		all += ribbon_get(&m->map, m->hashes[i], &code);
		all ^= code;
	}
	*sum = all;
	return (now() - begin) / GETS;
}

static double
time_batches(const Measured *m, bool *found, uint64_t *codes, uint64_t *sum)
{
	double begin = now();

	for (size_t i = 0; i < GETS; i += BATCH)
	{
		size_t n = GETS - i < BATCH ? GETS - i : BATCH;

		ribbon_get_batch(&m->map, m->hashes + i, n, found, codes);
		for (size_t k = 0; k < n; k++)
		{
			*sum += found[k];
			*sum ^= codes[k];
		}
	}
	return (now() - begin) / GETS;
}

static void
verify(const Measured *m, unsigned value_bits, bool *found, uint64_t *codes)
{
	ribbon_get_batch(&m->map, m->hashes, GETS, found, codes);
	for (size_t i = 0; i < GETS; i++)
	{
		uint64_t code;

		if (!found[i] || codes[i] != value_of(m->keys[i], value_bits) ||
			!ribbon_get(&m->map, m->hashes[i], &code) || code != codes[i])
			fail("a key does not have its value");
	}
}

/* Hashes of random keys of the map. */
static void
make_gets(Measured *m, size_t n)
{
	m->keys = must_alloc(GETS * sizeof(uint64_t));
	m->hashes = must_alloc(GETS * sizeof(uint64_t));
	for (size_t i = 0; i < GETS; i++)
	{
		m->keys[i] = key_hash(~i) % n;
		m->hashes[i] = key_hash(m->keys[i]);
	}
}

static void
print_times(unsigned value_bits, unsigned check_bits, size_t n)
{
	MapParams params = make_params(value_bits, exp2(-(double) check_bits), 64);
	int nbuilds = n < 1000000 ? MAX_BUILDS : 3;
	double builds[MAX_BUILDS], filters[MAX_BUILDS], gets[RUNS], batches[RUNS];
	bool *found = must_alloc(GETS * sizeof(bool));
	uint64_t *codes = must_alloc(GETS * sizeof(uint64_t));
	static volatile uint64_t sink; /* so that gets are made */
	uint64_t sum = 0;
	Measured m = {.bytes = NULL};
	RibbonStatus status;

	for (int run = 0; run < nbuilds; run++)
	{
		free(m.bytes);
		if (value_bits + check_bits <= 32)
			filters[run] = time_filter_build(value_bits + check_bits, n);
		builds[run] = time_map_build(&params, n, &m);
	}
	status = ribbon_open(m.bytes, m.nbytes, &m.map);
	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
	make_gets(&m, n);
	for (int run = 0; run < RUNS; run++)
	{
		gets[run] = time_gets(&m, &sum);
		batches[run] = time_batches(&m, found, codes, &sum);
	}
	verify(&m, value_bits, found, codes);
	printf("ribbon,v%u-c%u,%zu,%.2f,%.2f,%.2f,%.4f\n", value_bits, check_bits,
		   n, median(builds, nbuilds), median(gets, RUNS),
		   median(batches, RUNS), 8 * (double) m.nbytes / (double) n);
	if (value_bits + check_bits <= 32)
		printf("filter,r%u,%zu,%.2f,,,\n", value_bits + check_bits, n,
			   median(filters, nbuilds));
	sink = sum;
	(void) sink;
	free(m.bytes);
	free(m.keys);
	free(m.hashes);
	free(found);
	free(codes);
}

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "sizes") == 0)
		print_sizes((size_t) atof(argv[2]));
	else if (argc == 5 && strcmp(argv[1], "times") == 0)
		print_times((unsigned) atoi(argv[2]), (unsigned) atoi(argv[3]),
					(size_t) atof(argv[4]));
	else
	{
		fprintf(stderr,
				"usage: maps sizes MAX_KEYS\n"
				"       maps times VALUE_BITS CHECK_BITS KEYS\n");
		return 2;
	}
	return 0;
}
