/*
 * test_kernel.c - kernel_*.c: every kernel gives the portable one's answers
 * and bytes
 */
#include "format/icml.h"
#include "probe/probes.h"
#include "solve/solver.h"

#include "bands.h"
#include "kernels.h"
#include "built.h"

#include <sys/wait.h>
#include <unistd.h>

/* Random bytes as a system's slots, in a block that ends where they end. */
static uint8_t *
random_slots(Random *random, RibbonSystem *system)
{
	size_t nbytes = (size_t) ribbon_icml_bytes(system);
	uint8_t *slots = malloc(nbytes);

	for (size_t i = 0; i < nbytes; i++)
		slots[i] = (uint8_t) random_next(random);
	system->slots = slots;
	return slots;
}

/* The result bits that the slots hold for a word, from single bits. */
static uint32_t
look_up(const RibbonSystem *system, uint64_t word, uint64_t start)
{
	RibbonRow128 row = ribbon_row128_coeff(word, system->row_bits);
	unsigned nbits = ribbon_system_bits(system, word);
	uint32_t result = 0;

	if (system->row_bits <= 64)
		row.hi = 0;
	for (unsigned d = 0; d < system->row_bits; d++)
	{
		uint64_t slot = start + d;
		uint64_t block = slot / system->width;
		uint64_t bit = ribbon_icml_block_bit(system, block) +
			slot % system->width;
		unsigned rows = ribbon_icml_rows(system, block);

		if (!((d < 64 ? row.lo >> d : row.hi >> (d - 64)) & 1))
			continue;
		for (unsigned i = 0; i < nbits; i++, bit += rows)
			result ^= (uint32_t) (system->slots[bit / 8] >> bit % 8 & 1) << i;
	}
	return result;
}

/* Do the first nbits of two results differ? */
static bool
differ(uint64_t a, uint64_t b, unsigned nbits)
{
	return ((a ^ b) & ribbon_low_mask(nbits)) != 0;
}

/*
 * Words whose starting positions visit all offsets, and the system's ends.  As
 * a map, the system has no check bits but that which only some keys have.
 */
static void
check_probes(Random *random, RibbonKernel kernel, unsigned width,
			 RibbonResultBits result_bits)
{
	static RibbonOpened opened;
	const RibbonProbes *probes;
	RibbonSystem system, map, *only = &opened.plane.systems[0];
	uint8_t *slots, *only_slots;
	uint64_t nslots = width + random_below(random, 8 * width);

	ribbon_kernel_use(kernel);
	probes = ribbon_probes(width);
	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, nslots, width, result_bits,
					   0);
	slots = random_slots(random, &system);
	map = system;
	map.check_bits = 0;
	map.value_bits = system.ncolumns;
	ribbon_system_init(only, RIBBON_SYSTEM_HOMOGENEOUS, nslots, width,
					   result_bits, 0);
	only_slots = random_slots(random, only);
	for (int i = 0; i < 100; i++)
	{
		uint64_t word = random_next(random);
		uint64_t start = ribbon_system_start(&system, word);
		uint64_t result = look_up(&system, word, start);
		uint32_t print = ribbon_hash_fingerprint(word);
		unsigned nbits = ribbon_system_bits(&system, word);
		uint64_t code;
		bool found = probes->at(&map, word, start, &code);

		CHECK(!differ(code, result, map.value_bits),
			  "%s w %u r %u: another code", ribbon_kernel_name(kernel), width,
			  nbits);
		CHECK(found !=
				  differ(print, result >> map.value_bits,
						 nbits - map.value_bits),
			  "%s w %u r %u: another check of the last bit",
			  ribbon_kernel_name(kernel), width, nbits);
		CHECK(probes->at(&system, word, start, &code) !=
				  differ(print, result, nbits),
			  "%s w %u r %u: another answer", ribbon_kernel_name(kernel), width,
			  nbits);
		nbits = ribbon_system_bits(only, word);
		result = look_up(only, word, ribbon_system_start(only, word));
		CHECK(probes->homog.first[RIBBON_SHAPE_ANY](&opened, word, &code) !=
				  differ(0, result, nbits),
			  "%s w %u r %u: another answer of a homogeneous filter",
			  ribbon_kernel_name(kernel), width, nbits);
	}
	free(only_slots);
	free(slots);
}

static bool
at_once(void *arg)
{
	(void) arg;
	return true;
}

static void
check_solutions(Random *random, RibbonKernel kernel, unsigned width,
				RibbonResultBits result_bits)
{
	RibbonSystem system;
	RibbonBand band;
	uint64_t nslots = width + random_below(random, 5 * width);
	unsigned index;
	RibbonSolveLoop *solve;
	size_t nbytes;
	uint8_t *expected;
	uint8_t *got;

	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, nslots, width, result_bits,
					   0);
	index = ribbon_width_index(system.width);
	ribbon_kernel_use(kernel);
	solve = ribbon_solver()->backsubst[index];
	nbytes = (size_t) ribbon_icml_bytes(&system);
	expected = calloc(1, nbytes);
	got = calloc(1, nbytes);
	CHECK(band_create(&band, nslots, width,
					  result_bits.bits + (result_bits.wide > 0)) == RIBBON_OK,
		  "create");
	for (uint64_t i = 0; i < nslots; i++)
	{
		uint64_t word = random_next(random);

		band_insert(&band, &system, word, ribbon_hash_fingerprint(word));
	}
	for (int i = 0; i < 2; i++)
	{
		RibbonBacksubst task = {.band = &band,
								.system = &system,
								.end = nslots,
								.slots = expected};
		RibbonEnv env = ribbon_malloc_env;

		env.interrupted = at_once;
		CHECK((i == 0 ? ribbon_solver_portable.backsubst[index] :
						solve)(&env, &task) == RIBBON_INTERRUPTED,
			  "not interrupted");
	}
	for (uint64_t free_row = 0; free_row < 2; free_row++)
	{
		uint64_t middle = nslots / 2 / width * width;
		RibbonBacksubst whole = {.band = &band,
								 .system = &system,
								 .end = nslots,
								 .free_row = free_row,
								 .slots = expected};
		RibbonBacksubst left, right = whole;

		memset(expected, 0, nbytes);
		memset(got, 0, nbytes);
		ribbon_solver_portable.backsubst[index](&ribbon_malloc_env, &whole);

		/* in two runs, as windows are */
		right.slots = got;
		right.begin = middle;
		solve(&ribbon_malloc_env, &right);
		left = right;
		left.begin = 0;
		left.end = middle;
		solve(&ribbon_malloc_env, &left);
		CHECK(memcmp(expected, got, nbytes) == 0, "%s w %u r %u + %u/2048",
			  ribbon_kernel_name(kernel), width, result_bits.bits,
			  result_bits.wide);
	}
	ribbon_band_free(&ribbon_malloc_env, &band);
	free(expected);
	free(got);
}

/* Hashes that are asked for, and what the portable kernel answers. */
typedef struct Asked
{
	uint64_t *hashes;
	bool *expected;
	size_t n;
} Asked;

/* Members and non-members in turn. */
static Asked
ask_portable(Random *random, const Built *built, const uint64_t *keys, size_t n)
{
	Asked asked = {malloc(n * sizeof(uint64_t)), malloc(n * sizeof(bool)), n};
	RibbonFilter filter;

	ribbon_kernel_use(RIBBON_KERNEL_PORTABLE);
	CHECK(ribbon_open(built->bytes, built->nbytes, &filter) == RIBBON_OK,
		  "open");
	for (size_t i = 0; i < n; i++)
	{
		asked.hashes[i] = i % 2 == 0 ? keys[i] : random_next(random);
		asked.expected[i] = ribbon_contains(&filter, asked.hashes[i]);
	}
	return asked;
}

static void
asked_free(Asked *asked)
{
	free(asked->hashes);
	free(asked->expected);
}

/* A kernel answers alike, to one key and to many, in batches of odd sizes. */
static void
check_answers(Random *random, RibbonKernel kernel, const Built *built,
			  const Asked *asked)
{
	RibbonFilter filter;
	size_t n = asked->n;
	bool *answers = malloc(n * sizeof(bool));

	ribbon_kernel_use(kernel);
	CHECK(ribbon_open(built->bytes, built->nbytes, &filter) == RIBBON_OK,
		  "open");
	prefer_batches(&filter);
	for (size_t i = 0, size; i < n; i += size)
	{
		size = 1 + (size_t) random_below(random, 700);
		size = size < n - i ? size : n - i;
		ribbon_contains_batch(&filter, asked->hashes + i, size, answers + i);
	}
	for (size_t i = 0; i < n; i++)
	{
		bool expected = asked->expected[i];

		CHECK(ribbon_contains(&filter, asked->hashes[i]) == expected,
			  "%s, key %zu of %zu", ribbon_kernel_name(kernel), i, n);
		CHECK(answers[i] == expected, "%s batch, key %zu of %zu",
			  ribbon_kernel_name(kernel), i, n);
	}
	free(answers);
}

/*
 * All kernels, with the bytes of a filter and then with arbitrary ones behind
 * its header; they end where their block ends.
 */
static void
check_shape(Random *random, RibbonKind kind, int width, double fpr, size_t n)
{
	uint64_t *keys = random_keys(random, n);
	Built built = build(kind, width, fpr, keys, n);

	for (int round = 0; round < 2; round++)
	{
		Asked asked = ask_portable(random, &built, keys, n);

		FOR_EACH_KERNEL(k)
		check_answers(random, k, &built, &asked);
		asked_free(&asked);
		for (size_t i = header_size(&built.filter); i < built.nbytes; i++)
			built.bytes[i] = (uint8_t) random_next(random);
	}
	free(built.bytes);
	free(keys);
}

static void
check_shapes(Random *random)
{
	static const size_t sizes[] = {0, 1, 5, 64, 200, 2000, 25000};

	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
				for (double fpr = 0.5; fpr > 1e-9; fpr /= 5)
					check_shape(random, test_kinds[k], test_widths[w], fpr,
								sizes[s]);
			for (int r = 1; r <= 32; r++)
			{
				check_shape(random, test_kinds[k], test_widths[w], ldexp(1, -r),
							12000);
				if (r < 32)
					check_shape(random, test_kinds[k], test_widths[w],
								ldexp(0.7, -r), 13000);
			}
		}
}

static void
check_filters(Random *random, RibbonKernel kernel)
{
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			uint64_t *keys = random_keys(random, 30000);
			Built expected;
			Built got;
			Asked asked;

			ribbon_kernel_use(RIBBON_KERNEL_PORTABLE);
			expected = build(test_kinds[k], test_widths[w], 0.003, keys, 30000);
			ribbon_kernel_use(kernel);
			got = build(test_kinds[k], test_widths[w], 0.003, keys, 30000);
			CHECK(built_same(&got, &expected), "%s: %s w %d",
				  ribbon_kernel_name(kernel), kind_name(test_kinds[k]),
				  test_widths[w]);
			CHECK(count_missing(&got, keys, 30000) == 0, "member missing");
			asked = ask_portable(random, &got, keys, 30000);
			check_answers(random, kernel, &got, &asked);
			asked_free(&asked);
			free(got.bytes);
			free(expected.bytes);
			free(keys);
		}
}

/* What has been counted, where coverage is measured. */
extern int __llvm_profile_write_file(void) __attribute__((weak));

/* The kernel of a new process with this RIBBON_CPU, which has none above it. */
static RibbonKernel
kernel_with(const char *cpu)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
	{
		RibbonKernel kernel;

		if (cpu == NULL)
			unsetenv("RIBBON_CPU");
		else
			setenv("RIBBON_CPU", cpu, 1);
		kernel = ribbon_kernel();
		for (int k = RIBBON_KERNEL_PORTABLE; k < RIBBON_NKERNELS; k++)
			if (ribbon_kernel_is_there((RibbonKernel) k) && k > (int) kernel)
				kernel = RIBBON_NKERNELS;
		if (__llvm_profile_write_file != NULL)
			__llvm_profile_write_file();
		_exit((int) kernel);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child &&
			  WIFEXITED(status) && WEXITSTATUS(status) < RIBBON_NKERNELS,
		  "no kernel, or better ones are there");
	return (RibbonKernel) WEXITSTATUS(status);
}

#if defined(__x86_64__)
/* What this machine may not be: CPUs that lack one thing each. */
static void
check_lesser(void)
{
	/* bits that a CPU has: POPCNT and OSXSAVE, and all that AVX-512 needs */
	static const uint32_t all[RIBBON_CPU_WORDS] = {1u << 23 | 1u << 27, 0xE7,
												   0xD0030128, 0x4142};
	static const struct
	{
		int word, bit;
		RibbonKernel without;
	} lesser[] = {
		{0, 23, RIBBON_KERNEL_PORTABLE}, /* POPCNT */
		{1, 1, RIBBON_KERNEL_POPCNT},	 /* what is saved: SSE, */
		{1, 2, RIBBON_KERNEL_POPCNT},	 /* AVX */
		{1, 5, RIBBON_KERNEL_AVX2},		 /* masks, ZMM in two parts */
		{1, 6, RIBBON_KERNEL_AVX2},
		{1, 7, RIBBON_KERNEL_AVX2},
		{2, 3, RIBBON_KERNEL_POPCNT}, /* BMI1 */
		{2, 5, RIBBON_KERNEL_POPCNT}, /* AVX2 */
		{2, 8, RIBBON_KERNEL_POPCNT}, /* BMI2 */
		{2, 16, RIBBON_KERNEL_AVX2},  /* F, DQ, BW, VL */
		{2, 17, RIBBON_KERNEL_AVX2},
		{2, 30, RIBBON_KERNEL_AVX2},
		{2, 31, RIBBON_KERNEL_AVX2},
		{3, 1, RIBBON_KERNEL_AVX2}, /* VBMI, VBMI2, GFNI, VPOPCNTDQ */
		{3, 6, RIBBON_KERNEL_AVX2},
		{3, 8, RIBBON_KERNEL_AVX2},
		{3, 14, RIBBON_KERNEL_AVX2},
	};
	static const uint32_t none[RIBBON_CPU_WORDS] = {0};

	CHECK(ribbon_kernel_of_cpu(all) == RIBBON_KERNEL_AVX512, "all");
	CHECK(ribbon_kernel_of_cpu(none) == RIBBON_KERNEL_PORTABLE, "none");
	for (size_t i = 0; i < sizeof(lesser) / sizeof(lesser[0]); i++)
	{
		uint32_t cpu[RIBBON_CPU_WORDS];

		memcpy(cpu, all, sizeof(cpu));
		cpu[lesser[i].word] &= ~(UINT32_C(1) << lesser[i].bit);
		CHECK(ribbon_kernel_of_cpu(cpu) == lesser[i].without,
			  "without bit %d of word %d", lesser[i].bit, lesser[i].word);
		memset(cpu, 0xFF, sizeof(cpu));
		cpu[lesser[i].word] &= ~(UINT32_C(1) << lesser[i].bit);
		CHECK(ribbon_kernel_of_cpu(cpu) == lesser[i].without,
			  "all but bit %d of word %d", lesser[i].bit, lesser[i].word);
	}
}
#endif

/* Is the best kernel that which the compiler, too, lets this CPU have? */
static void
check_best(RibbonKernel best)
{
#if defined(__x86_64__)
	bool avx2 = __builtin_cpu_supports("avx2") &&
		__builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
		__builtin_cpu_supports("popcnt");
	bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
		__builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512vl") &&
		__builtin_cpu_supports("avx512vbmi") &&
		__builtin_cpu_supports("avx512vbmi2") &&
		__builtin_cpu_supports("gfni") &&
		__builtin_cpu_supports("avx512vpopcntdq");

	CHECK((best == RIBBON_KERNEL_AVX512) == avx512 &&
			  (best == RIBBON_KERNEL_AVX2) == (avx2 && !avx512),
		  "%s", ribbon_kernel_name(best));
#else
	(void) best;
#endif
}

/* To be called before this process asks for its own kernel. */
static void
check_hiding(void)
{
	RibbonKernel best = kernel_with(NULL);
	const char *cpu = getenv("RIBBON_CPU");
	RibbonKernel ours = cpu == NULL ? best : kernel_with(cpu);

	check_best(best);
	for (int k = RIBBON_KERNEL_PORTABLE; k < RIBBON_NKERNELS; k++)
	{
		const char *name = ribbon_kernel_name((RibbonKernel) k);
		RibbonKernel expected = best;

#if defined(__x86_64__)
		if (k < (int) best)
			expected = (RibbonKernel) k;
#else
		if (k == RIBBON_KERNEL_PORTABLE)
			expected = RIBBON_KERNEL_PORTABLE;
#endif
		CHECK(kernel_with(name) == expected, "RIBBON_CPU=%s", name);
	}
	CHECK(kernel_with("") == best && kernel_with("avx") == best,
		  "what is no kernel's name changes the kernel");
	CHECK(ribbon_kernel() == ours, "this process has another kernel");
}

int
main(void)
{
	Random random = {1};
	char name[100];

	test("RIBBON_CPU hides kernels, and adds none");
	check_hiding();
#if defined(__x86_64__)
	test("lesser CPUs have lesser kernels");
	check_lesser();
#endif
	FOR_EACH_KERNEL(k)
	{
		snprintf(name, sizeof(name), "kernel %s: probes, all w and r",
				 ribbon_kernel_name(k));
		test(name);
		for (int w = 0; w < 3; w++)
			for (unsigned r = 0; r <= 32; r++)
				for (unsigned wide = r == 0 ? 511 : 0; wide < RIBBON_SHARES;
					 wide += 511)
				{
					RibbonResultBits result_bits = {r, r == 32 ? 0 : wide};

					check_probes(&random, k, (unsigned) test_widths[w],
								 result_bits);
					check_solutions(&random, k, (unsigned) test_widths[w],
									result_bits);
				}
		snprintf(name, sizeof(name), "kernel %s: the same filters",
				 ribbon_kernel_name(k));
		test(name);
		check_filters(&random, k);
	}
	test("all kernels: the same answers, alone and in batches, all w and r");
	check_shapes(&random);
	return test_done();
}
