/*
 * tune.c - the measurements behind the constants of construct/shape.c, zone.c,
 * homog_size.c
 *
 *	tune layer W LOG2B N SETS OVERLOAD LOWER UPPER [OVERLOAD LOWER UPPER]...
 *	tune groups W LOG2B N SETS OVERLOAD T SECOND THIRD [OVERLOAD T ...]...
 *		share of slots that stay empty in a layer of N keys, and of bumped keys;
 *		with thresholds of two bits, or with buckets in groups
 *	tune zone W N SPARE...
 *		share of seeds that solve a zone of N keys with so many spare slots
 *	tune homog W N SETS EPSILON...
 *		P, the probability that a non-member's equation follows from the keys'
 *
 * Bucket schemes want millions of keys and several sets: what looks best
 * for one set may be fitted to it.
 */
#include "bands.h"
#include "construct/layer.h"
#include "set/derive.h"
#include "set/sort.h"
#include "format/icml.h"
#include "solve/rate.h"
#include "solve/solver.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t counter;

static uint64_t *
random_hashes(size_t n)
{
	uint64_t *hashes = malloc(n * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
		hashes[i] = ribbon_mix(counter++ * UINT64_C(0x9E3779B97F4A7C15));
	ribbon_sort(&ribbon_malloc_env, 1, hashes, n, NULL);
	return hashes;
}

static void
tune_layer(unsigned width, unsigned log2_size, size_t n, int nsets,
		   double overload, unsigned lower, unsigned upper, unsigned third)
{
	unsigned size = 1u << log2_size;
	RibbonPlane plane = {
		.buckets = {log2_size,
					{0, lower, upper, third > 0 ? third : size, size},
					third > 0}};
	RibbonSystem *system = &plane.systems[0];
	RibbonResultBits result_bits = {8, 0};
	double empty = 0;
	double bumped = 0;

	ribbon_system_init(system, RIBBON_SYSTEM_LAYER,
					   (uint64_t) ((double) n * (1 - overload)), width,
					   result_bits, 0);
	for (int set = 0; set < nsets; set++)
	{
		RibbonSet hashes = ribbon_set_of_array(&ribbon_malloc_env,
											   RIBBON_HASHES, random_hashes(n),
											   n);
		RibbonSet out;
		RibbonLayer layer = {.plane = &plane, .bumped = &out};

		layer.slots = calloc(1, ribbon_icml_bytes(system));
		layer.thresholds =
			calloc(1, ribbon_buckets_threshold_bytes(system, &plane.buckets));
		if (ribbon_set_begin(&ribbon_malloc_env, &out, &hashes, RIBBON_HASHES,
							 n) != RIBBON_OK ||
			ribbon_layer_build(&ribbon_malloc_env, &layer, &hashes) !=
				RIBBON_OK)
			exit(1);
		empty += ((double) system->nslots - (double) n + (double) out.n);
		bumped += (double) out.n;
		ribbon_set_close(&out);
		free(hashes.array);
		free(layer.slots);
		free(layer.thresholds);
	}
	printf("w %u b %u overload %.4f lower %u upper %u third %u: empty %.4f %% "
		   "(%.1f slots), bumped %.2f %%\n",
		   width, size, overload, lower, upper, third,
		   100 * empty / nsets / (double) system->nslots, empty / nsets,
		   100 * bumped / nsets / (double) n);
}

/* Insert hashes into a band of this system; false if one does not fit. */
static bool
insert_all(const RibbonBand *band, const RibbonSystem *system,
		   const uint64_t *hashes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (band_insert(band, system, hashes[i],
						ribbon_hash_fingerprint(hashes[i])) ==
			BAND_INCONSISTENT)
			return false;
	return true;
}

static void
tune_zone(unsigned width, size_t n, uint64_t spare)
{
	RibbonResultBits result_bits = {8, 0};
	RibbonSystem system;
	int tries = 1 + (int) (3000000 / n > 3000 ? 3000 : 3000000 / n);
	int solved = 0;

	ribbon_system_init(&system, RIBBON_SYSTEM_ZONE, n + spare, width,
					   result_bits, 0);
	for (int i = 0; i < tries; i++)
	{
		uint64_t *hashes = random_hashes(n);
		RibbonBand band;

		if (band_create(&band, n + spare, width, 8) != RIBBON_OK)
			exit(1);
		solved += insert_all(&band, &system, hashes, n);
		ribbon_band_free(&ribbon_malloc_env, &band);
		free(hashes);
	}
	printf("w %u n %zu spare %llu: solved %.3f\n", width, n,
		   (unsigned long long) spare, (double) solved / tries);
}

static void
tune_homog(unsigned width, size_t n, int nsets, double epsilon)
{
	uint64_t nslots = (uint64_t) ((double) n * (1 + epsilon));
	RibbonResultBits most = {RIBBON_MAX_RESULT_BITS, 0};
	RibbonSystem system;
	double sum = 0;

	ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, nslots, width, most,
					   0);
	for (int set = 0; set < nsets; set++)
	{
		uint64_t *hashes = random_hashes(n);
		RibbonBand band;
		RibbonBacksubst run;
		uint8_t *slots = calloc(ribbon_icml_bytes(&system), 1);
		double probability;

		if (band_create(&band, nslots, width, 0) != RIBBON_OK)
			exit(1);
		insert_all(&band, &system, hashes, n);
		run = (RibbonBacksubst){.band = &band,
								.system = &system,
								.end = system.nslots,
								.free_row = 1,
								.slots = slots};
		system.slots = slots;
		if (slots == NULL ||
			ribbon_backsubst(&ribbon_malloc_env, &run) != RIBBON_OK ||
			ribbon_rate_excess(&ribbon_malloc_env, &system, most,
							   &probability) != RIBBON_OK)
			exit(1);
		sum += probability;
		free(slots);
		ribbon_band_free(&ribbon_malloc_env, &band);
		free(hashes);
	}
	printf("w %u n %zu epsilon %.4f: P %.3e\n", width, n, epsilon, sum / nsets);
}

int
main(int argc, char **argv)
{
	unsigned width = argc > 2 ? (unsigned) atoi(argv[2]) : 0;
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "layer") == 0 && argc > 8)
		for (int i = 6; i + 2 < argc; i += 3)
			tune_layer(width, (unsigned) atoi(argv[3]), (size_t) atol(argv[4]),
					   atoi(argv[5]), atof(argv[i]),
					   (unsigned) atoi(argv[i + 1]),
					   (unsigned) atoi(argv[i + 2]), 0);
	else if (strcmp(what, "groups") == 0 && argc > 9)
		for (int i = 6; i + 3 < argc; i += 4)
			tune_layer(width, (unsigned) atoi(argv[3]), (size_t) atol(argv[4]),
					   atoi(argv[5]), atof(argv[i]),
					   (unsigned) atoi(argv[i + 1]),
					   (unsigned) atoi(argv[i + 2]),
					   (unsigned) atoi(argv[i + 3]));
	else if (strcmp(what, "zone") == 0 && argc > 4)
		for (int i = 4; i < argc; i++)
			tune_zone(width, (size_t) atol(argv[3]), (uint64_t) atol(argv[i]));
	else if (strcmp(what, "homog") == 0 && argc > 5)
		for (int i = 5; i < argc; i++)
			tune_homog(width, (size_t) atol(argv[3]), atoi(argv[4]),
					   atof(argv[i]));
	else
	{
		fprintf(stderr,
				"usage: tune layer|groups|zone|homog ... (see tune.c)\n");
		return 2;
	}
	return 0;
}
