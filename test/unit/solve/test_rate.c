/*
 * test_rate.c - rate.c: counted against tried
 */
#include "solve/rate.h"

#include "format/icml.h"
#include "built.h"

/* A system with slots of its own. */
typedef struct Solved
{
	RibbonSystem system;
	uint8_t *slots;
} Solved;

/* Slots hold random bits, but many of them the same as others, or none. */
static Solved
solved_create(Random *random, uint64_t nslots, unsigned width,
			  RibbonResultBits result_bits, unsigned poverty)
{
	Solved solved;
	uint64_t nbytes;

	ribbon_system_init(&solved.system, RIBBON_SYSTEM_HOMOGENEOUS, nslots, width,
					   result_bits, 0);
	nbytes = ribbon_icml_bytes(&solved.system);
	solved.slots = calloc(nbytes > 0 ? nbytes : 1, 1);
	for (uint64_t i = 0; i < nbytes; i++)
	{
		uint64_t any = random_next(random);

		solved.slots[i] = any >> 8 & poverty ? 0 : (uint8_t) any;
	}
	solved.system.slots = solved.slots;
	return solved;
}

/* One result bit of a slot, as docs/format.md has it. */
static unsigned
bit_of(const RibbonSystem *system, uint64_t slot, unsigned column)
{
	uint64_t block = slot / system->width;
	uint64_t at = ribbon_icml_block_bit(system, block) +
		column * ribbon_icml_rows(system, block) + slot % system->width;

	return system->slots[at / 8] >> at % 8 & 1;
}

/* Add up the slots that a hash's row selects: all zero? */
static bool
is_positive(const RibbonSystem *system, uint64_t hash)
{
	uint64_t start = ribbon_system_start(system, hash);
	uint64_t row[2] = {ribbon_hash_coeff(hash, RIBBON_COEFF_MUL0) | 1,
					   ribbon_hash_coeff(hash, RIBBON_COEFF_MUL1)};
	unsigned nbits = ribbon_system_bits(system, hash);

	for (unsigned column = 0; column < nbits; column++)
	{
		unsigned sum = 0;

		for (unsigned i = 0; i < system->row_bits; i++)
			if (row[i / 64] >> i % 64 & 1)
				sum ^= bit_of(system, start + i, column);
		if (sum != 0)
			return false;
	}
	return true;
}

/* The rate of a system's hashes as they are. */
static RibbonStatus
count_all(const RibbonSystem *system, double *counted)
{
	RibbonResultBits result_bits = {system->ncolumns, system->wide};

	return ribbon_rate_count(&ribbon_malloc_env, system, result_bits, counted);
}

static void
check_rate(Random *random, uint64_t nslots, unsigned width,
		   RibbonResultBits result_bits, unsigned poverty)
{
	static const size_t ntries = 6000;
	Solved solved = solved_create(random, nslots, width, result_bits, poverty);
	size_t positives = 0;
	double counted;

	CHECK(count_all(&solved.system, &counted) == RIBBON_OK, "count");
	for (size_t i = 0; i < ntries; i++)
		positives += is_positive(&solved.system, random_next(random));
	CHECK(is_plausible(positives, counted * (double) ntries),
		  "w %u m %" PRIu64 " columns %u + %u/2048, poverty %u: counted %g, "
		  "tried %g",
		  width, nslots, result_bits.bits, result_bits.wide, poverty, counted,
		  (double) positives / (double) ntries);
	free(solved.slots);
}

/* What has so few solutions that all of them can be gone through. */
static void
check_exactly(Random *random, uint64_t nslots, unsigned result_bits)
{
	RibbonResultBits whole = {result_bits, 0};
	Solved solved = solved_create(random, nslots, 32, whole, 0);
	uint64_t nrows = UINT64_C(1) << (nslots - 1);
	uint64_t nzero = 0;
	double counted;

	for (uint64_t row = 1; row < 2 * nrows; row += 2)
	{
		unsigned sum = 0;

		for (unsigned i = 0; i < nslots; i++)
			for (unsigned column = 0; row >> i & 1 && column < result_bits;
				 column++)
				sum ^= bit_of(&solved.system, i, column) << column;
		nzero += sum == 0;
	}
	CHECK(count_all(&solved.system, &counted) == RIBBON_OK &&
			  counted == (double) nzero / (double) nrows,
		  "m %" PRIu64 ", %u columns: counted %g, %g there are", nslots,
		  result_bits, counted, (double) nzero / (double) nrows);
	free(solved.slots);
}

/* Two columns that are equal have rank 1, so half of all hashes is positive. */
static void
check_equal_columns(Random *random, uint64_t nslots, unsigned width)
{
	RibbonResultBits one = {1, 0}, two = {2, 0};
	Solved from = solved_create(random, nslots, width, one, 0);
	Solved solved = solved_create(random, nslots, width, two, ~0u);
	double counted;

	for (uint64_t slot = 0; slot < nslots; slot++)
		for (unsigned column = 0; column < 2; column++)
		{
			uint64_t block = slot / width;
			uint64_t at = ribbon_icml_block_bit(&solved.system, block) +
				column * ribbon_icml_rows(&solved.system, block) + slot % width;

			solved.slots[at / 8] &= (uint8_t) ~(1u << at % 8);
			solved.slots[at / 8] |= (uint8_t) (bit_of(&from.system, slot, 0)
											   << at % 8);
		}
	CHECK(count_all(&solved.system, &counted) == RIBBON_OK && counted == 0.5,
		  "w %u m %" PRIu64 ": %g", width, nslots, counted);
	free(from.slots);
	free(solved.slots);
}

/* A built filter says of itself what is counted. */
static void
check_stated(Random *random, int width, double fpr, size_t n)
{
	uint64_t *keys = random_keys(random, n);
	Built built = build(RIBBON_HOMOGENEOUS, width, fpr, keys, n);
	double stated = ribbon_fpr(&built.filter);
	double counted;

	CHECK(count_all(&ribbon_opened(&built.filter)->plane.systems[0],
					&counted) == RIBBON_OK,
		  "count");
	CHECK(counted <= stated * 1.0005, "w %d f %g n %zu: %g, stated %g", width,
		  fpr, n, counted, stated);
	CHECK(fabs(stated / fpr - 1) < 0.004, "w %d f %g n %zu: stated %g", width,
		  fpr, n, stated);
	free(built.bytes);
	free(keys);
}

int
main(void)
{
	static const RibbonResultBits result_bits[] = {{1, 0},	  {2, 0},
												   {3, 700},  {1, 5},
												   {6, 1400}, {5, 2040}};
	static const unsigned poverty[] = {0, 1, 3, 15};
	static const uint64_t nslots[] = {1,  2,  7,   31,	32,	 33,  63,  64,
									  65, 80, 127, 128, 129, 193, 500, 3001};
	static const double fprs[] = {0.5, 0.3, 0.01, 1e-4, 1e-6, 1e-9};
	Random random = {1};

	test("one start: the count is that of all rows, one by one");
	for (uint64_t m = 1; m <= 14; m++)
		for (unsigned c = 1; c <= 9; c++)
			for (int round = 0; round < 4; round++)
				check_exactly(&random, m, c);

	test("the counted rate is what trying random hashes gives");
	for (int w = 0; w < 3; w++)
		for (int m = 0; m < 16; m++)
			for (int c = 0; c < 6; c++)
				for (int p = 0; p < 4; p++)
					check_rate(&random, nslots[m], (unsigned) test_widths[w],
							   result_bits[c], poverty[p]);

	test("columns that are equal count as one");
	for (int w = 0; w < 3; w++)
		for (uint64_t m = 40; m < 900; m += 61)
			check_equal_columns(&random, m, (unsigned) test_widths[w]);

	test("filters state the rate that is counted, and it is what was asked for");
	for (int w = 0; w < 3; w++)
		for (int f = 0; f < 6; f++)
			for (size_t n = 1; n <= 3000; n += 1 + n / 3)
				check_stated(&random, test_widths[w], fprs[f], n);
	return test_done();
}
