/*
 * exact.c - what exact sets cost, in bytes and in time, as tables of Markdown
 *
 *	exact sizes MAX_MEMBERS
 *	exact rates MAX_MEMBERS
 *	exact groups MEMBERS
 *	exact times KEYS
 *	exact listed KEYS
 *
 * "sizes" builds sets of 1000, 10,000, ... MAX_MEMBERS members, with K others
 * for each, and holds their bytes against the least of the plans in theory: 1 +
 * K bits per member, or r + 1 + K / 2^r.  What does not fit into memory
 * is left out.
 *
 * "rates" builds sets with a rate for other keys, and holds their bytes against
 * the least in theory and against a plain filter at that rate, how many of
 * 10^6 unknown keys pass against the rate that the set tells, and the build
 * against that of the same set without a rate: the least times, in turns.
 *
 * "groups" builds a set for each of 795 groups, of sizes and of shares of
 * members as skewed as those of certificates by issuer (70 keys for each member
 * in all, bounds of 7.5 bits per member in one piece and 5.2 by group), and one
 * set of all keys if these are not too many.  Beside them is what clubcard's
 * scheme takes for these groups: the same sums, and 2 % for homogeneous ribbons
 * of w = 256.
 *
 * "times" measures, of KEYS keys of which 1.5 % are members, a build beside one
 * of a BuRR filter of 1 % of all keys, and probes beside those of a BuRR filter
 * of the members, in one thread with the best kernel; of the keys asked 0, 2,
 * 50 and 100 % are members.  Build is of unsorted records, in memory.  All
 * answers about the universe are verified.
 *
 * "listed" builds sets of some million keys, of any share of members, half of
 * them with a rate, until KEYS keys have been asked, and counts wrong answers.
 */
#include "bench.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#define RUNS	   5
#define TIMED_KEYS 2000000 /* of small sets, so many in all */
#define NGROUPS	   795
#define PROBES	   4000000
#define MIXES	   4 /* shares of members among those asked */

/* Do the records of so many keys fit into half of the memory? */
static bool
fits(size_t nkeys)
{
	return (double) nkeys * 2 * sizeof(uint64_t) <
		(double) sysconf(_SC_PHYS_PAGES) / 2 * (double) sysconf(_SC_PAGESIZE);
}

/* The word of key i, which is a member if i is below nmembers. */
static void
make_records(uint64_t *records, uint64_t first, size_t n, size_t nmembers)
{
	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = key_hash(first + i);
		records[2 * i + 1] = ribbon_exact_word(key_hash(~(first + i)),
											   i < nmembers);
	}
}

static uint64_t asked; /* of all sets, and none wrong */

/* Build a set of keys first .., verify it, and return its bytes. */
static size_t
must_build_exact(uint64_t first, size_t n, size_t nmembers)
{
	RibbonParams params = {.kind = RIBBON_EXACT, .fpr = 1, .key_class = 1};
	uint64_t *records = must_alloc(2 * n * sizeof(uint64_t));
	RibbonFilter set;
	uint8_t *bytes;
	size_t nbytes;
	RibbonStatus status;

	make_records(records, first, n, nmembers);
	status = array_build(&ribbon_malloc_env, &params, records, n, 0, &bytes,
						 &nbytes);
	if (status == RIBBON_OK)
		status = ribbon_open(bytes, nbytes, &set);
	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
	for (size_t i = 0; i < n; i++)
		if (ribbon_contains(&set, key_hash(first + i)) != (i < nmembers))
			fail("a wrong answer");
	asked += n;
	free(bytes);
	free(records);
	return nbytes;
}

/*
 * The bits of the least of the plans for so many members, and K others for
 * each.
 */
static double
plan_bits(double nmembers, double k)
{
	double least = 1 + k;

	for (int r = 1; r <= 32; r++)
		least = fmin(least, r + 1 + k * exp2(-r));
	return nmembers == 0 || k == 0 ? 0 : nmembers * least;
}

static void
sizes(size_t max)
{
	static const unsigned ratios[] = {1, 4, 16, 69, 500};
	uint64_t first = 1;

	printf("| members | K = 1 | 4 | 16 | 69 | 500 | most : limit |\n"
		   "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
		   "| in theory, bits per member |");
	for (int i = 0; i < 5; i++)
		printf(" %.3f |", plan_bits(1, ratios[i]));
	printf(" |\n");
	for (size_t n = 1000; n <= max; n *= 10)
	{
		double worst = 0;

		printf("| %zu |", n);
		for (int i = 0; i < 5; i++)
		{
			size_t nkeys = n * (1 + ratios[i]);
			double limit = 1.004 * plan_bits((double) n, ratios[i]) / 8 + 32;
			size_t nbytes;

			if (!fits(nkeys))
			{
				printf(" |");
				continue;
			}
			nbytes = must_build_exact(first, nkeys, n);
			first += nkeys;
			worst = fmax(worst, (double) nbytes / limit);
			printf(" %.3f |", 8 * (double) nbytes / (double) n);
			fflush(stdout);
		}
		printf(" %.4f |\n", worst);
	}
}

/* Bits per key of a filter at a rate [RF 5.2]. */
static double
filter_bits(double fpr)
{
	double a = floor(-log2(fpr));

	return a + 2 - fpr * exp2(a + 1);
}

/* Bits of n members and h others that are listed, at a rate for the rest. */
static double
rated_bits(double n, double h, double fpr)
{
	double least = n * (filter_bits(2 * fpr) + 1) + 2 * fpr * h;

	for (int r = (int) ceil(-log2(2 * fpr)); r <= 32; r++)
		least = fmin(least, n * (r + 1) + h * exp2(-r));
	return least;
}

/* Nanoseconds of a build of a copy of n words; the caller frees the bytes. */
static double
timed_build(const RibbonParams *params, const uint64_t *words, size_t nwords,
			uint64_t *copy, size_t n, uint8_t **bytes, size_t *nbytes)
{
	double start;
	RibbonStatus status;

	memcpy(copy, words, nwords * sizeof(uint64_t));
	start = cpu_now();
	status = array_build(&ribbon_malloc_env, params, copy, n, 0, bytes, nbytes);
	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
	return cpu_now() - start;
}

static void
rate(uint64_t first, size_t nmembers, size_t nkeys, double fpr)
{
	RibbonParams rated = {.kind = RIBBON_EXACT, .fpr = fpr, .key_class = 1};
	RibbonParams unrated = {.kind = RIBBON_EXACT, .fpr = 1, .key_class = 1};
	RibbonParams plain = {.kind = RIBBON_BURR, .fpr = fpr, .key_class = 1};
	uint64_t *records = must_alloc(2 * nkeys * sizeof(uint64_t));
	uint64_t *copy = must_alloc(2 * nkeys * sizeof(uint64_t));
	uint64_t *members = must_alloc(nmembers * sizeof(uint64_t));
	double least =
		rated_bits((double) nmembers, (double) (nkeys - nmembers), fpr) / 8;
	unsigned runs = RUNS + (unsigned) (TIMED_KEYS / nkeys);
	double ours = INFINITY, theirs = INFINITY;
	size_t nbytes, size, passed = 0;
	uint8_t *bytes, *others;
	RibbonFilter set;

	make_records(records, first, nkeys, nmembers);
	for (size_t i = 0; i < nmembers; i++)
		members[i] = records[2 * i];
	for (unsigned run = 0; run < runs; run++)
	{
		ours = fmin(ours,
					timed_build(&rated, records, 2 * nkeys, copy, nkeys, &bytes,
								&nbytes));
		theirs = fmin(theirs,
					  timed_build(&unrated, records, 2 * nkeys, copy, nkeys,
								  &others, &size));
		free(others);
		if (run + 1 < runs)
			free(bytes);
	}
	(void) timed_build(&plain, members, nmembers, copy, nmembers, &others,
					   &size);
	free(others);
	if (ribbon_open(bytes, nbytes, &set) != RIBBON_OK)
		fail("it does not open");
	for (size_t i = 0; i < nkeys; i++)
		if (ribbon_contains(&set, records[2 * i]) != (i < nmembers))
			fail("a wrong answer");
	asked += nkeys;
	for (uint64_t i = 0; i < 1000000; i++)
		passed += ribbon_contains(&set, key_hash(i - UINT64_C(1000000000000)));
	printf("| %zu | %zu | %.6f | %zu | %.4f | %.4f | %.4f | %.2f |\n", nmembers,
		   (nkeys - nmembers) / nmembers, fpr, nbytes,
		   ((double) nbytes - 32) / least, (double) nbytes / (double) size,
		   (double) passed / 1e6 / ribbon_fpr(&set), ours / theirs);
	(void) fflush(stdout);
	free(bytes);
	free(members);
	free(copy);
	free(records);
}

static void
rates(size_t max)
{
	static const unsigned others[] = {1, 16, 500};
	static const double fprs[] = {0.01, 1.0 / 256, 1.0 / 65536};
	uint64_t first = UINT64_C(1) << 50;

	printf("| members | others for each | rate | bytes | less 32 : least | : "
		   "plain filter | passed : told | build : without a rate |\n"
		   "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
	for (size_t n = 1000; n <= max; n *= 10)
		for (int k = 0; k < 3; k++)
			for (int f = 0; f < 3; f++)
				if (fits(2 * n * (1 + others[k])))
				{
					rate(first, n, n * (1 + others[k]), fprs[f]);
					first += n * (1 + others[k]);
				}
}

/* The quantile of a normal distribution (Odeh and Evans' approximation). */
static double
normal_quantile(double p)
{
	double t = sqrt(-2 * log(p < 0.5 ? p : 1 - p));
	double q = t -
		((((4.53642210148e-5 * t + 0.0204231210245) * t + 0.342242088547) * t +
		  1) *
			 t +
		 0.322232431088) /
			((((0.0038560700634 * t + 0.103537752850) * t + 0.531103462366) *
				  t +
			  0.588581570495) *
				 t +
			 0.099348462606);

	return p < 0.5 ? -q : q;
}

typedef struct Group
{
	size_t nkeys;
	size_t nmembers;
} Group;

/* Bits that say which of the keys are members, if each is as likely. */
static double
bound(double nkeys, double nmembers)
{
	double others = nkeys - nmembers;

	return nmembers == 0 || others == 0 ?
		0 :
		nmembers * log2(nkeys / nmembers) + others * log2(nkeys / others);
}

/*
 * Groups of sizes 1, 1/2, 1/3 ..., whose shares of members are spread by
 * e^sigma around a middle that gives them nmembers in all; returns their bound.
 */
static double
make_groups(Group *groups, size_t nkeys, size_t nmembers, double sigma)
{
	double harmonic = 0, low = 1e-9, high = 1, bits = 0;

	for (int g = 1; g <= NGROUPS; g++)
		harmonic += 1.0 / g;
	for (int step = 0; step < 60; step++)
	{
		double middle = sqrt(low * high), sum = 0;

		for (int g = 0; g < NGROUPS; g++)
		{
			/* in an order that has nothing to do with size */
			double p = (g * 331 % NGROUPS + 0.5) / NGROUPS;
			double share = middle * exp(sigma * normal_quantile(p));

			groups[g].nkeys = (size_t) ((double) nkeys / harmonic / (g + 1));
			groups[g].nmembers = (size_t) ((double) groups[g].nkeys *
										   fmin(share, 0.9));
			sum += (double) groups[g].nmembers;
		}
		if (sum < (double) nmembers)
			low = middle;
		else
			high = middle;
	}
	for (int g = 0; g < NGROUPS; g++)
		bits += bound((double) groups[g].nkeys, (double) groups[g].nmembers);
	return bits;
}

static void
groups(size_t nmembers)
{
	Group by_issuer[NGROUPS];
	size_t nkeys = nmembers * 70;
	double low = 0.01, high = 6, bits = 0, theory = 0;
	size_t sum = 0, all_keys = 0, all_members = 0;
	uint64_t first = UINT64_C(1) << 40;

	for (int step = 0; step < 40; step++)
	{
		double sigma = (low + high) / 2;

		bits = make_groups(by_issuer, nkeys, nmembers, sigma);
		if (bits > 7.6 / 11 * bound((double) nkeys, (double) nmembers))
			low = sigma;
		else
			high = sigma;
	}
	for (int g = 0; g < NGROUPS; g++)
	{
		const Group *group = &by_issuer[g];
		double n = (double) group->nmembers;

		sum += must_build_exact(first, group->nkeys, group->nmembers);
		first += group->nkeys;
		all_keys += group->nkeys;
		all_members += group->nmembers;
		if (n > 0)
			theory += plan_bits(n, ((double) group->nkeys - n) / n);
	}
	printf("| %zu of %zu keys in %d groups | bytes | bits per member |\n"
		   "| --- | ---: | ---: |\n",
		   all_members, all_keys, NGROUPS);
	printf("| bound, by group | %.0f | %.3f |\n", bits / 8,
		   bits / (double) all_members);
	printf("| a set for each group | %zu | %.3f |\n", sum,
		   8 * (double) sum / (double) all_members);
	printf("| clubcard's scheme, computed: 1.02 x the plans' sums | %.0f | %.3f "
		   "|\n",
		   1.02 * theory / 8, 1.02 * theory / (double) all_members);
	if (fits(all_keys))
	{
		size_t whole = must_build_exact(first, all_keys, all_members);

		printf("| one set of all | %zu | %.3f |\n", whole,
			   8 * (double) whole / (double) all_members);
	}
	printf("| bound, in one piece | %.0f | %.3f |\n",
		   bound((double) all_keys, (double) all_members) / 8,
		   bound((double) all_keys, (double) all_members) /
			   (double) all_members);
}

/* Nanoseconds for each of so many probes of random keys of the universe. */
static double
time_probes(const RibbonFilter *filter, size_t nkeys, size_t nmembers,
			unsigned percent_members, bool batches)
{
	uint64_t *hashes = must_alloc(PROBES * sizeof(uint64_t));
	bool *answers = must_alloc(PROBES);
	double started;
	size_t yes = 0;

	for (size_t i = 0; i < PROBES; i++)
	{
		uint64_t random = key_hash(i + 7);
		bool member = random % 100 < percent_members;

		hashes[i] = key_hash(1 +
							 (member ? ribbon_mulhi(random, nmembers) :
									   nmembers +
									  ribbon_mulhi(random, nkeys - nmembers)));
	}
	started = cpu_now();
	if (batches)
		for (size_t i = 0; i < PROBES; i += 1000)
			ribbon_contains_batch(filter, hashes + i, 1000, answers + i);
	else
		for (size_t i = 0; i < PROBES; i++)
			yes += ribbon_contains(filter, hashes[i]);
	started = cpu_now() - started;
	if (!batches && yes == 0 && percent_members > 0)
		fail("no member found");
	free(answers);
	free(hashes);
	return started / PROBES;
}

static void
times(size_t n)
{
	size_t nmembers = n / 1000 * 15;
	RibbonParams exact = {.kind = RIBBON_EXACT, .fpr = 1, .key_class = 1};
	RibbonParams plain = {.kind = RIBBON_BURR, .fpr = 0.01, .key_class = 1};
	uint64_t *records = must_alloc(2 * n * sizeof(uint64_t));
	double builds[2][RUNS], probes[2][2 * MIXES][RUNS];
	static const unsigned percent[MIXES] = {0, 2, 50, 100};

	for (int run = 0; run < RUNS; run++)
	{
		RibbonFilter filters[3];
		uint8_t *bytes[3];
		double started;
		size_t nbytes;

		make_records(records, 1, n, nmembers);
		started = cpu_now();
		if (array_build(&ribbon_malloc_env, &exact, records, n, 0, &bytes[0],
						&nbytes) != RIBBON_OK ||
			ribbon_open(bytes[0], nbytes, &filters[0]) != RIBBON_OK)
			fail("exact set");
		builds[0][run] = (cpu_now() - started) / (double) n;
		for (size_t i = 0; i < n; i++)
			records[i] = key_hash(1 + i);
		started = cpu_now();
		must_build(&ribbon_malloc_env, &plain, records, n, &bytes[1],
				   &filters[1]);
		builds[1][run] = (cpu_now() - started) / (double) n;
		for (size_t i = 0; i < n; i++)
			records[i] = key_hash(1 + i);
		must_build(&ribbon_malloc_env, &plain, records, nmembers, &bytes[2],
				   &filters[2]);
		for (int ask = 0; ask < 2 * MIXES; ask++)
			for (int f = 0; f < 2; f++)
				probes[f][ask][run] = time_probes(&filters[2 * f], n, nmembers,
												  percent[ask % MIXES],
												  ask >= MIXES);
		for (int f = 0; f < 3; f++)
			free(bytes[f]);
	}
	printf("| %zu keys, %zu members | exact set | BuRR, 1 %% | ratio |\n"
		   "| --- | ---: | ---: | ---: |\n",
		   n, nmembers);
	printf("| build, ns per key of the universe | %.1f | %.1f | %.2f |\n",
		   median(builds[0], RUNS), median(builds[1], RUNS),
		   median(builds[0], RUNS) / median(builds[1], RUNS));
	for (int ask = 0; ask < 2 * MIXES; ask++)
	{
		double ours = median(probes[0][ask], RUNS);
		double theirs = median(probes[1][ask], RUNS);

		printf("| %s, %u %% members, ns | %.2f | %.2f | %.2f |\n",
			   ask < MIXES ? "single probes" : "batches", percent[ask % MIXES],
			   ours, theirs, ours / theirs);
	}
	free(records);
}

#define LISTED_KEYS	 4000000 /* of a set, at most */
#define LISTED_BATCH 1000

/* Ask a set for all its keys, by batches: how many answers are wrong? */
static uint64_t
count_wrong(const RibbonFilter *set, const uint64_t *records, size_t n)
{
	uint64_t hashes[LISTED_BATCH];
	bool answers[LISTED_BATCH];
	uint64_t wrong = 0;

	for (size_t i = 0; i < n; i += LISTED_BATCH)
	{
		const uint64_t *record = records + 2 * i;
		size_t now = n - i < LISTED_BATCH ? n - i : LISTED_BATCH;

		for (size_t k = 0; k < now; k++)
			hashes[k] = ribbon_hash_with_seed(record[2 * k], record[2 * k + 1],
											  set->seed);
		ribbon_contains_batch(set, hashes, now, answers);
		for (size_t k = 0; k < now; k++)
			wrong += answers[k] != (record[2 * k + 1] & RIBBON_MEMBER);
	}
	return wrong;
}

static void
listed(uint64_t nkeys)
{
	static const int widths[] = {0, 0, 0, 32, 64, 128};
	uint64_t *records = must_alloc(2 * LISTED_KEYS * sizeof(uint64_t));
	uint64_t *copy = must_alloc(2 * LISTED_KEYS * sizeof(uint64_t));
	uint64_t wrong[2] = {0}, of[2] = {0};
	uint64_t first = UINT64_C(1) << 60;

	for (unsigned i = 0; asked < nkeys; i++)
	{
		uint64_t random = key_hash(~(uint64_t) i);
		bool rated = i % 2 == 1;
		size_t n = LISTED_KEYS - (size_t) (random % (LISTED_KEYS / 2));
		/* a share of members from 1/1024 to all */
		size_t m = (size_t) ((double) n *
							 exp2(-(double) (random >> 32 & 1023) / 102.4));
		double octaves = (double) (random >> 42 & 1023) / 33;
		RibbonParams params = {.kind = RIBBON_EXACT,
							   .fpr = rated ? exp2(-1 - octaves) : 1,
							   .width = widths[random >> 52 & 3 ? 0 : i % 6],
							   .key_class = 1};
		RibbonFilter set;
		uint8_t *bytes;
		size_t nbytes;

		make_records(records, first, n, m);
		if (i % 5 == 0) /* two keys of one hash: other hashes for all */
			records[2] = records[0];
		(void) timed_build(&params, records, 2 * n, copy, n, &bytes, &nbytes);
		if (ribbon_open(bytes, nbytes, &set) != RIBBON_OK)
			fail("it does not open");
		wrong[rated] += count_wrong(&set, records, n);
		of[rated] += n;
		asked += n;
		first += n;
		free(bytes);
	}
	printf("| exact sets | listed keys asked | wrong |\n"
		   "| --- | ---: | ---: |\n"
		   "| without a rate | %" PRIu64 " | %" PRIu64 " |\n"
		   "| with one | %" PRIu64 " | %" PRIu64 " |\n",
		   of[0], wrong[0], of[1], wrong[1]);
	free(copy);
	free(records);
	if (wrong[0] + wrong[1] > 0)
		fail("wrong answers");
}

int
main(int argc, char **argv)
{
	size_t n = argc == 3 ? (size_t) strtod(argv[2], NULL) : 0;

	if (n > 0 && strcmp(argv[1], "sizes") == 0)
		sizes(n);
	else if (n > 0 && strcmp(argv[1], "rates") == 0)
		rates(n);
	else if (n > 0 && strcmp(argv[1], "groups") == 0)
		groups(n);
	else if (n > 0 && strcmp(argv[1], "times") == 0)
		times(n);
	else if (n > 0 && strcmp(argv[1], "listed") == 0)
		listed(n);
	else
		fail("usage: exact sizes MAX_MEMBERS | rates MAX_MEMBERS | groups MEMBERS "
			 "| times KEYS | listed KEYS");
	if (asked > 0)
		printf("\nAsked: %" PRIu64 " keys, none of them answered wrong.\n",
			   asked);
	return 0;
}
