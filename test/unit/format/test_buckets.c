/*
 * test_buckets.c - buckets.c: thresholds are read as they were written, or
 * higher
 */
#include "testing.h"

#include "format/buckets.h"

#define MOST_BUCKETS 200

/* The threshold that a code stands for. */
static unsigned
of_code(const RibbonBuckets *buckets, unsigned code)
{
	return buckets->threshold[code];
}

/* What is written of nbuckets codes, of which some are above 1. */
static void
check_codes(const RibbonBuckets *buckets, uint8_t *codes, unsigned nbuckets)
{
	uint8_t thresholds[MOST_BUCKETS];
	uint8_t once_more[MOST_BUCKETS];
	size_t nbytes = (size_t) ribbon_buckets_bytes(buckets, nbuckets);

	memset(thresholds, 0xAA, sizeof(thresholds));
	ribbon_buckets_encode(buckets, codes, 0, nbuckets, thresholds);
	CHECK(thresholds[nbytes] == 0xAA, "%u buckets: more bytes", nbuckets);
	CHECK(ribbon_buckets_padded(buckets, thresholds, nbuckets),
		  "%u buckets: padding", nbuckets);
	for (unsigned first = 0; first < nbuckets; first += 64)
	{
		unsigned end = first + 64 < nbuckets ? first + 64 : nbuckets;
		unsigned nexceptions = 0;

		for (unsigned b = first; b < end; b++)
			nexceptions += codes[b] > 1;
		for (unsigned b = first; b < end; b++)
		{
			unsigned t = ribbon_buckets_threshold(thresholds, buckets, b);
			unsigned least = of_code(buckets, codes[b]);

			CHECK((t > 0) == (codes[b] > 0) && t >= least &&
					  t <= 1u << buckets->log2_size &&
					  (t == least || (buckets->grouped && nexceptions > 1)),
				  "bucket %u: %u for code %u", b, t, codes[b]);
		}
	}
	/* the first bucket of a unit may be raised to 1 later */
	memcpy(once_more, thresholds, nbytes);
	if (codes[0] == 0)
		codes[0] = 1;
	ribbon_buckets_encode(buckets, codes, 0, nbuckets, once_more);
	for (unsigned b = 1; b < nbuckets; b++)
		CHECK(ribbon_buckets_threshold(thresholds, buckets, b) ==
				  ribbon_buckets_threshold(once_more, buckets, b),
			  "bucket %u is another", b);
}

static void
test_codes(void)
{
	Random random = {1};

	test("thresholds are those of the codes; several exceptions of a group "
		 "get one that is enough for all");
	for (int w = 0; w < 3; w++)
		for (unsigned s = 0; s < RIBBON_BUCKET_SCHEMES; s++)
		{
			RibbonBuckets buckets = ribbon_buckets_of_scheme(test_widths[w], s);
			unsigned most = buckets.grouped ? 4 : 3;

			for (int round = 0; round < 2000; round++)
			{
				unsigned n = 1 +
					(unsigned) random_below(&random, MOST_BUCKETS - 20);
				uint8_t codes[MOST_BUCKETS];

				for (unsigned b = 0; b < n; b++)
					codes[b] = (uint8_t) (random_below(&random,
													   40 + 60 * (round % 3)) >
												  0 ?
											  random_below(&random, 2) :
											  random_below(&random, most + 1));
				check_codes(&buckets, codes, n);
			}
		}
}

static void
test_bytes(void)
{
	RibbonBuckets buckets = ribbon_buckets_of_scheme(128, 1);
	uint8_t group[RIBBON_GROUP_BYTES] = {0};

	test("what each byte of a group may be");
	CHECK(buckets.grouped, "a scheme in groups");
	memset(group + 1, 0x55, 8);
	for (unsigned exception = 0; exception < 256; exception++)
	{
		group[0] = (uint8_t) exception;
		for (unsigned b = 0; b < 64; b++)
		{
			unsigned expected = 56;

			if (b % 2 == 1)
				expected = 0;
			else if (exception >= 64 && exception % 64 == b)
				expected = exception < 128 ? 84 : exception < 192 ? 200 : 512;
			else if (exception == 63)
				expected = 512;
			else if (exception > 0 && exception < 63)
				expected = exception * 8;
			CHECK(ribbon_buckets_threshold(group, &buckets, b) == expected,
				  "exception %u, bucket %u", exception, b);
		}
	}
}

int
main(void)
{
	test_codes();
	test_bytes();
	return test_done();
}
