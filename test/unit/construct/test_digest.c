/*
 * test_digest.c - digest.c: BLAKE2b, as other programs compute it
 */
#include "construct/digest.h"
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
digest_of(size_t nwords)
{
	RibbonDigest digest;

	ribbon_digest_init(&digest);
	for (size_t i = 0; i < nwords; i++)
		ribbon_digest_add(&digest, i * UINT64_C(0x0123456789ABCDEF));
	return ribbon_digest_end(&digest);
}

int
main(void)
{
	test("the digest is BLAKE2b's");
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
	{
		uint64_t digest = digest_of(cases[c].nwords);

		CHECK(digest == cases[c].digest, "%zu words: %llx", cases[c].nwords,
			  (unsigned long long) digest);
	}
	return test_done();
}
