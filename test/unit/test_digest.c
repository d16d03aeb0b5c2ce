/* digest.c: BLAKE2b, as other programs compute it */
#include "construct/salt.h"
#include "testing.h"

/*
 * Words i * 0x0123456789ABCDEF; from Python's hashlib.blake2b(digest_size=8).
 */
static const struct
{
	size_t nwords;
	uint64_t digest;
} cases[] = {
	{0, UINT64_C(0xB4B2797457A0A6E4)},	{1, UINT64_C(0x18CC49CA5BEA08CA)},
	{15, UINT64_C(0xF5BAE60FDF942D2B)}, {16, UINT64_C(0x5399D02790E8B024)},
	{17, UINT64_C(0xB4116E5A242B18C2)}, {32, UINT64_C(0x3E54C5A0AC92D543)},
	{33, UINT64_C(0xD71EFC008510500B)}, {100, UINT64_C(0x43F971D9D9BC6801)},
};

static uint64_t
digest_of(size_t nwords, size_t at_once)
{
	uint64_t words[100];
	RibbonDigest digest;

	for (size_t i = 0; i < nwords; i++)
		words[i] = i * UINT64_C(0x0123456789ABCDEF);
	ribbon_digest_init(&digest);
	for (size_t i = 0; i < nwords; i += at_once)
		ribbon_digest_add(&digest, words + i,
						  nwords - i < at_once ? nwords - i : at_once);
	return ribbon_digest_end(&digest);
}

int
main(void)
{
	test("the digest is BLAKE2b's, however the words come");
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (size_t at_once = 1; at_once <= 33; at_once += 4)
		{
			uint64_t digest = digest_of(cases[c].nwords, at_once);

			CHECK(digest == cases[c].digest, "%zu words, %zu at once: %llx",
				  cases[c].nwords, at_once, (unsigned long long) digest);
		}
	return test_done();
}
