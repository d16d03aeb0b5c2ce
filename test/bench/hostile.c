/*
 * hostile.c - what builds take if keys were chosen to make them hard
 *
 *	hostile SETS KEYS...
 *
 * For each kind, width, rate and number of keys, and each family of hostile.h,
 * prints
 *
 *	<kind>,<width>,<FPR asked for>,<keys>,<family>,<ns/key>,<ratio>,<larger>
 *
 * of means over SETS sets: CPU time, over that of random sets, and size, over
 * theirs.  A set of each is built in turn, from unsorted hashes.
 */
#include "bench.h"
#include "hostile.h"

static const struct
{
	RibbonKind kind;
	int width;
} filters[] = {{RIBBON_BURR, 32},		 {RIBBON_BURR, 64},
			   {RIBBON_BURR, 128},		 {RIBBON_HOMOGENEOUS, 32},
			   {RIBBON_HOMOGENEOUS, 64}, {RIBBON_HOMOGENEOUS, 128}};

/* The second one has no key with r + 1 bits, and so no rotation of hashes. */
static const double rates[] = {0.01, 1.0 / 128};

typedef struct Sum
{
	double ns;
	double bytes;
} Sum;

static void
add_build(const RibbonParams *params, uint64_t *hashes, size_t n, Sum *sum)
{
	RibbonFilter filter;
	uint8_t *bytes;
	double begin = cpu_now();

	must_build(&ribbon_malloc_env, params, hashes, n, &bytes, &filter);
	sum->ns += cpu_now() - begin;
	sum->bytes += (double) filter.total_bytes;
	free(bytes);
}

static void
measure(const RibbonParams *params, size_t n, uint64_t nsets)
{
	static uint64_t key = 1;
	uint64_t *hashes = must_alloc(n * sizeof(uint64_t));
	Sum hostile_sums[AIM_COUNT] = {{0, 0}};
	Sum random_sum = {0, 0};

	for (uint64_t set = 0; set < nsets; set++)
		for (int aim = 0; aim < AIM_COUNT; aim++)
		{
			for (size_t i = 0; i < n; i++)
				hashes[i] = key_hash(key++);
			add_build(params, hashes, n, &random_sum);
			for (size_t i = 0; i < n; i++)
				hashes[i] = hostile((Aim) aim, i, set);
			add_build(params, hashes, n, &hostile_sums[aim]);
		}
	for (int aim = 0; aim < AIM_COUNT; aim++)
		printf("%s,%d,%.6g,%zu,\"%s\",%.1f,%.3f,%.4f\n",
			   params->kind == RIBBON_BURR ? "burr" : "homogeneous",
			   params->width, params->fpr, n, aims[aim],
			   hostile_sums[aim].ns / (double) (nsets * n),
			   hostile_sums[aim].ns / (random_sum.ns / AIM_COUNT),
			   hostile_sums[aim].bytes / (random_sum.bytes / AIM_COUNT));
	fflush(stdout);
	free(hashes);
}

int
main(int argc, char **argv)
{
	if (argc < 3)
		fail("usage: hostile SETS KEYS...");
	printf("kind,width,fpr,keys,family,ns,ratio,larger\n");
	for (int a = 2; a < argc; a++)
		for (size_t f = 0; f < sizeof(filters) / sizeof(filters[0]); f++)
			for (size_t r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
			{
				RibbonParams params = {.kind = filters[f].kind,
									   .width = filters[f].width,
									   .fpr = rates[r],
									   .key_class = 0};

				measure(&params, (size_t) atof(argv[a]),
						(uint64_t) atof(argv[1]));
			}
	return 0;
}
