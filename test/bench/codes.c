/*
 * codes.c - what maps cost whose values are more frequent or less
 *
 *	codes KEYS [FPR [DISTRIBUTION]]
 *
 * For values of several distributions it builds a map of KEYS keys with plain
 * codes and one with code=auto, in one thread with the best kernel, and prints
 *
 *	<distribution>,<keys>,<values>,<entropy>,<least>,<bits>,<table>,<plain>,
 *	<coding>,<filter bits>,<build>,<get>,<batches of 1024>,
 *	<plain: build>,<get>,<batches>
 *
 * in bits per key and in nanoseconds per key or get, medians of several runs.
 * The entropy is that of the keys' values, order zero.  The least is the
 * smaller of a Huffman code and of a filter with a Huffman code behind it, both
 * without any overhead, and with the check bits that FPR calls for; bits are
 * those of the map without the table of codes.  Gets are of random keys of the
 * map; its values are verified.  FPR is 1 by default: no check bits.
 */
#include "bench.h"

#include <math.h>

#include "probe/opened.h"

#define RUNS	   3
#define GETS	   2000000
#define BATCH	   1024
#define MAX_VALUES 1000000

/* Weights of values, and how many there are. */
typedef struct Distribution
{
	const char *name;
	size_t nvalues;
	double exponent; /* of Zipf; 0: uniform */
	double dominant; /* share of one more value; 0: there is none */
	double ratio;	 /* of one weight to the next; 0: Zipf */
} Distribution;

static const Distribution distributions[] = {
	{"99.9 % one value", 1, 0, 0.999, 0},
	{"70 / 30", 1, 0, 0.7, 0},
	{"Zipf 1 over 1000", 1000, 1, 0, 0},
	{"Zipf 2 over 1000", 1000, 2, 0, 0},
	{"Zipf 1 over 1000000", 1000000, 1, 0, 0},
	{"Zipf 2 over 1000000", 1000000, 2, 0, 0},
	{"uniform over 5", 5, 0, 0, 0},
	{"uniform over 100", 100, 0, 0, 0},
	{"geometric 1/2", 60, 0, 0, 0.5},
	{"geometric 1/10", 400, 0, 0, 0.9},
	{"50 % one value and 100 others", 100, 0, 0.5, 0},
	{"80 % one value and 100 others", 100, 0, 0.8, 0},
	{"95 % one value and 100 others", 100, 0, 0.95, 0},
};

#define NDISTRIBUTIONS (sizeof(distributions) / sizeof(distributions[0]))

/* The values of keys 0 .. n - 1, and how many keys have each. */
typedef struct Values
{
	size_t n;
	size_t nvalues; /* that some key has */
	uint32_t *of_key;
	uint64_t *counts; /* of those that some key has, ascending */
} Values;

static int
compare_counts(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a;
	uint64_t y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

static double
weight_of(const Distribution *d, size_t value)
{
	if (d->ratio > 0)
		return pow(d->ratio, (double) value);
	return pow((double) value + 1, -d->exponent);
}

static void
make_values(const Distribution *d, size_t n, Values *values)
{
	size_t nvalues = d->nvalues + (d->dominant > 0);
	double *sums = must_alloc(nvalues * sizeof(double));
	uint64_t *counts = calloc(nvalues, sizeof(uint64_t));
	double sum = 0;

	for (size_t i = 0; i < d->nvalues; i++)
		sums[i] = sum += weight_of(d, i);
	if (d->dominant > 0)
		sums[d->nvalues] = sum / (1 - d->dominant);
	values->n = n;
	values->of_key = must_alloc(n * sizeof(uint32_t));
	for (size_t i = 0; i < n; i++)
	{
		double u = (double) (key_hash(~i) >> 11) / 9007199254740992.0 *
			sums[nvalues - 1];
		size_t low = 0, high = nvalues - 1;

		while (low < high)
		{
			size_t middle = (low + high) / 2;

			if (u < sums[middle])
				high = middle;
			else
				low = middle + 1;
		}
		values->of_key[i] = (uint32_t) low;
		counts[low]++;
	}
	free(sums);
	qsort(counts, nvalues, sizeof(uint64_t), compare_counts);
	values->counts = counts;
	values->nvalues = 0;
	while (values->nvalues < nvalues && counts[0] == 0)
		counts++, nvalues--;
	values->nvalues = nvalues;
	memmove(values->counts, counts, nvalues * sizeof(uint64_t));
}

static double
entropy(const Values *values)
{
	double bits = 0;

	for (size_t i = 0; i < values->nvalues; i++)
		bits += (double) values->counts[i] *
			log2((double) values->n / (double) values->counts[i]);
	return bits / (double) values->n;
}

/* The bits of a Huffman code in all, for weights in ascending order. */
static double
huffman_bits(const double *weights, size_t n)
{
	double *nodes = must_alloc(n * sizeof(double));
	size_t leaf = 0, first = 0, last = 0;
	double bits = 0;

	for (size_t i = 0; i + 1 < n; i++)
	{
		double sum = 0;

		for (int k = 0; k < 2; k++)
			sum += first == last ||
					(leaf < n && weights[leaf] <= nodes[first]) ?
				weights[leaf++] :
				nodes[first++];
		nodes[last++] = sum;
		bits += sum;
	}
	free(nodes);
	return bits;
}

/* Per key: Huffman, or a filter of the best rate and Huffman. */
static double
least_bits(const Values *values)
{
	size_t n = values->nvalues;
	double *weights = must_alloc(n * sizeof(double));
	double dominant = (double) values->counts[n - 1];
	double rare = (double) values->n - dominant;
	double best = INFINITY;

	for (int r = 0; r <= 32; r++)
	{
		double passed = dominant * exp2(-r);
		size_t at = n - 1;
		double bits;

		for (size_t i = 0; i + 1 < n; i++)
			weights[i] = (double) values->counts[i];
		for (; at > 0 && weights[at - 1] > passed; at--)
			weights[at] = weights[at - 1];
		weights[at] = passed;
		bits = rare * r + huffman_bits(weights, n);
		if (bits < best)
			best = bits;
	}
	free(weights);
	return best / (double) values->n;
}

static double
check_bits(double fpr)
{
	double a = floor(log2(1 / fpr));

	return fpr == 1 ? 0 : a + 1 - (fpr * exp2(a + 1) - 1);
}

/* A map that has been built, and what it took. */
typedef struct Measured
{
	RibbonFilter map;
	uint8_t *bytes;
	size_t nbytes;
	double build, get, batch;
} Measured;

static void
build_map(const Values *values, double fpr, RibbonCoding coding, Measured *m)
{
	double builds[RUNS];
	RibbonValues v = {.coding = coding};
	RibbonParams params = {.fpr = fpr, .values = &v};
	uint64_t *records = must_alloc(2 * values->n * sizeof(uint64_t));
	uint32_t greatest = 0;

	for (size_t i = 0; i < values->n; i++)
		if (values->of_key[i] > greatest)
			greatest = values->of_key[i];
	while (greatest >> v.bits > 0)
		v.bits++;
	m->bytes = NULL;
	for (int run = 0; run < RUNS; run++)
	{
		RibbonStatus status;

		free(m->bytes);
		for (size_t i = 0; i < values->n; i++)
		{
			records[2 * i] = key_hash(i);
			records[2 * i + 1] = values->of_key[i];
		}
		builds[run] = now();
		status = array_build(&ribbon_malloc_env, &params, records, values->n, 0,
							 &m->bytes, &m->nbytes);
		builds[run] = (now() - builds[run]) / (double) values->n;
		if (status == RIBBON_OK)
			status = ribbon_open(m->bytes, m->nbytes, &m->map);
		if (status != RIBBON_OK)
			fail(ribbon_status_text(status));
	}
	m->build = median(builds, RUNS);
	free(records);
}

/* The keys that are asked for. */
typedef struct Gets
{
	uint64_t *keys;
	uint64_t *hashes;
	bool *found;
	uint64_t *codes;
} Gets;

static void
time_gets(const Values *values, const Gets *gets, Measured *maps, int nmaps)
{
	static volatile uint64_t sink; /* so that gets are made */
	double singly[2][RUNS], batches[2][RUNS];

	for (int run = 0; run < RUNS; run++)
		for (int map = 0; map < nmaps; map++)
		{
			const RibbonFilter *filter = &maps[map].map;
			uint64_t sum = 0;
			double begin = now();

			for (size_t i = 0; i < GETS; i++)
			{
				uint64_t code;

				ribbon_get(filter, gets->hashes[i], &code);
				sum += code;
			}
			singly[map][run] = (now() - begin) / GETS;
			sink = sum;
			begin = now();
			for (size_t i = 0; i < GETS; i += BATCH)
				ribbon_get_batch(filter, gets->hashes + i,
								 GETS - i < BATCH ? GETS - i : BATCH,
								 gets->found + i, gets->codes + i);
			batches[map][run] = (now() - begin) / GETS;
			for (size_t i = 0; i < GETS; i++)
			{
				uint64_t code;

				if (!gets->found[i] ||
					gets->codes[i] != values->of_key[gets->keys[i]] ||
					!ribbon_get(filter, gets->hashes[i], &code) ||
					code != gets->codes[i])
					fail("a key does not have its value");
			}
		}
	(void) sink;
	for (int map = 0; map < nmaps; map++)
	{
		maps[map].get = median(singly[map], RUNS);
		maps[map].batch = median(batches[map], RUNS);
	}
}

static void
print_line(const Distribution *d, const Values *values, double fpr,
		   const Measured maps[2])
{
	const RibbonOpened *first = ribbon_opened(&maps[0].map);
	const RibbonCodes *codes = ribbon_opened_codes(first);
	double n = (double) values->n;
	double table = codes == NULL ? 0 : (double) ribbon_codes_table_bytes(codes);

	printf("%s,%zu,%zu,%.4f,%.4f,%.4f,%.4f,%.4f,%s,%u,%.1f,%.1f,%.1f,%.1f,"
		   "%.1f,%.1f\n",
		   d->name, values->n, values->nvalues, entropy(values),
		   least_bits(values) + check_bits(fpr),
		   8 * ((double) maps[0].nbytes - table) / n, 8 * table / n,
		   8 * (double) maps[1].nbytes / n, codes == NULL ? "plain" : "entropy",
		   codes == NULL || !codes->front ?
			   0 :
			   ribbon_opened_next(first)->plane.check.bits,
		   maps[0].build, maps[0].get, maps[0].batch, maps[1].build,
		   maps[1].get, maps[1].batch);
	fflush(stdout);
}

static void
measure(const Distribution *d, size_t n, double fpr, Gets *gets)
{
	Values values;
	Measured *maps = must_alloc(2 * sizeof(Measured));

	make_values(d, n, &values);
	for (size_t i = 0; i < GETS; i++)
	{
		gets->keys[i] = key_hash(~i) % n;
		gets->hashes[i] = key_hash(gets->keys[i]);
	}
	build_map(&values, fpr, RIBBON_CODING_AUTO, &maps[0]);
	build_map(&values, fpr, RIBBON_CODING_PLAIN, &maps[1]);
	time_gets(&values, gets, maps, 2);
	print_line(d, &values, fpr, maps);
	free(maps[0].bytes);
	free(maps[1].bytes);
	free(maps);
	free(values.of_key);
	free(values.counts);
}

int
main(int argc, char **argv)
{
	Gets gets = {must_alloc(GETS * sizeof(uint64_t)),
				 must_alloc(GETS * sizeof(uint64_t)),
				 must_alloc(GETS * sizeof(bool)),
				 must_alloc(GETS * sizeof(uint64_t))};

	if (argc < 2 || argc > 4)
	{
		fprintf(stderr, "usage: codes KEYS [FPR [DISTRIBUTION]]\n");
		return 2;
	}
	for (size_t i = 0; i < NDISTRIBUTIONS; i++)
		if (argc < 4 || strcmp(argv[3], distributions[i].name) == 0)
			measure(&distributions[i], (size_t) atof(argv[1]),
					argc > 2 ? atof(argv[2]) : 1, &gets);
	free(gets.keys);
	free(gets.hashes);
	free(gets.found);
	free(gets.codes);
	return 0;
}
