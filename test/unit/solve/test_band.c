/*
 * test_band.c - band.h: on-the-fly elimination, against textbook elimination
 */
#include "solve/band.h"
#include "bands.h"
#include "testing.h"

#define NSLOTS	  300
#define ROW_WORDS ((NSLOTS + 63) / 64)

/* Ordinary Gaussian elimination over rows of NSLOTS + 1 bits. */
typedef struct Dense
{
	uint64_t row[NSLOTS][ROW_WORDS + 1];
	bool used[NSLOTS];
} Dense;

/* Returns the pivot, NSLOTS if redundant, NSLOTS + 1 if inconsistent. */
static unsigned
dense_insert(Dense *dense, uint64_t start, RibbonRow128 coeff, uint32_t result)
{
	uint64_t row[ROW_WORDS + 1] = {0};

	for (unsigned i = 0; i < 128; i++)
		if ((i < 64 ? coeff.lo : coeff.hi) >> i % 64 & 1)
			row[(start + i) / 64] |= UINT64_C(1) << (start + i) % 64;
	row[ROW_WORDS] = result;
	for (unsigned s = 0; s < NSLOTS; s++)
	{
		if (!(row[s / 64] >> s % 64 & 1))
			continue;
		if (!dense->used[s])
		{
			memcpy(dense->row[s], row, sizeof(row));
			dense->used[s] = true;
			return s;
		}
		for (unsigned k = 0; k <= ROW_WORDS; k++)
			row[k] ^= dense->row[s][k];
	}
	return row[ROW_WORDS] == 0 ? NSLOTS : NSLOTS + 1;
}

static RibbonRow128
row_of(uint64_t key, unsigned width)
{
	if (width == 128)
		return ribbon_row128_coeff(key, 128);
	return (RibbonRow128){ribbon_row64_coeff(key, 64) & ribbon_low_mask(width),
						  0};
}

static uint64_t
insert(const RibbonBand *band, uint64_t slot, uint64_t row, uint64_t result)
{
	return band_insert_row(band, slot, (RibbonRow128){row, 0}, result);
}

static void
check_against_dense(unsigned width)
{
	Random random = {1};
	uint64_t nstarts = NSLOTS - width + 1;

	for (int round = 0; round < 20; round++)
	{
		Dense *dense = calloc(1, sizeof(Dense));
		RibbonBand band;
		unsigned nkeys = 200 + (unsigned) random_below(&random, 200);
		uint64_t *keys = random_keys(&random, nkeys);

		CHECK(band_create(&band, NSLOTS, width, 3) == RIBBON_OK, "create");
		for (unsigned i = 0; i < nkeys; i++)
		{
			uint64_t start = ribbon_mulhi(keys[i], nstarts);
			RibbonRow128 row = row_of(keys[i], width);
			uint32_t result = ribbon_hash_fingerprint(keys[i]) & 3;
			uint64_t got = band_insert_row(&band, start, row, result);
			unsigned want = dense_insert(dense, start, row, result);

			CHECK((got == BAND_INCONSISTENT) == (want == NSLOTS + 1) &&
					  (got == BAND_REDUNDANT) == (want == NSLOTS) &&
					  (want >= NSLOTS || got == want),
				  "key %u", i);
		}
		ribbon_band_free(&ribbon_malloc_env, &band);

		/* another order, the same slots */
		CHECK(band_create(&band, NSLOTS, width, 0) == RIBBON_OK, "create");
		for (unsigned i = nkeys; i-- > 0;)
			band_insert_row(&band, ribbon_mulhi(keys[i], nstarts),
							row_of(keys[i], width), 0);
		for (unsigned s = 0; s < NSLOTS; s++)
			CHECK(ribbon_band_is_empty(&band, s) != dense->used[s], "slot %u",
				  s);
		ribbon_band_free(&ribbon_malloc_env, &band);
		free(keys);
		free(dense);
	}
}

static void
test_undo(void)
{
	Random random = {2};
	RibbonBand band;
	uint64_t before[NSLOTS];
	uint64_t taken[50];

	test("the latest insertions can be taken back");
	CHECK(band_create(&band, NSLOTS, 64, 3) == RIBBON_OK, "create");
	for (int i = 0; i < 150; i++)
	{
		uint64_t key = random_next(&random);

		insert(&band, ribbon_mulhi(key, NSLOTS - 63),
			   ribbon_row64_coeff(key, 64), 0);
	}
	memcpy(before, band.coeff, sizeof(before));
	for (int i = 0; i < 50; i++)
	{
		uint64_t key = random_next(&random);

		taken[i] = insert(&band, ribbon_mulhi(key, NSLOTS - 63),
						  ribbon_row64_coeff(key, 64), 0);
	}
	for (int i = 50; i-- > 0;)
		if (taken[i] < BAND_REDUNDANT)
			ribbon_band_undo(&band, taken[i]);
	CHECK(memcmp(before, band.coeff, sizeof(before)) == 0, "band differs");
	ribbon_band_free(&ribbon_malloc_env, &band);
}

static void
test_duplicates(void)
{
	RibbonBand band;
	uint64_t row = ribbon_row64_coeff(12345, 64);

	test("an equation given twice is redundant, a contradiction inconsistent");
	CHECK(band_create(&band, NSLOTS, 64, 3) == RIBBON_OK, "create");
	CHECK(insert(&band, 7, row, 5) == 7, "first");
	CHECK(insert(&band, 7, row, 5) == BAND_REDUNDANT, "same");
	CHECK(insert(&band, 7, row, 4) == BAND_INCONSISTENT, "contradiction");
	ribbon_band_free(&ribbon_malloc_env, &band);
}

static void *
filled_alloc(void *arg, size_t size)
{
	(void) arg;
	return memset(malloc(size), 0xA5, size);
}

static void
filled_free(void *arg, void *p)
{
	(void) arg;
	free(p);
}

/* Rows are read eight at a time: those behind the last are of no equation. */
static void
test_clear(void)
{
	const RibbonEnv env = {.alloc = filled_alloc, .free = filled_free};

	test("slots are empty, but for those that are kept; eight rows behind too");
	for (unsigned width = 32; width <= 128; width *= 2)
		for (unsigned nkept = 0; nkept <= NSLOTS; nkept += 100)
		{
			RibbonBand band;

			CHECK(ribbon_band_alloc(&env, &band, NSLOTS + 50, width, 3) ==
						  RIBBON_OK &&
					  ribbon_band_clear(&env, &band, 64, NSLOTS, nkept) ==
						  RIBBON_OK &&
					  band.first == 64,
				  "w %u", width);
			for (unsigned i = 0; i < NSLOTS + RIBBON_BAND_PADDING; i++)
				CHECK(ribbon_band_is_empty(&band, i) ==
						  (i < NSLOTS - nkept || i >= NSLOTS),
					  "w %u, %u kept: slot %u", width, nkept, i);
			ribbon_band_free(&env, &band);
		}
}

int
main(void)
{
	test("banding fills the same slots, in any order, as textbook elimination");
	for (unsigned width = 32; width <= 128; width *= 2)
		check_against_dense(width);
	test_undo();
	test_duplicates();
	test_clear();
	return test_done();
}
