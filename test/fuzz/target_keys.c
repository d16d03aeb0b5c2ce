/*
 * target_keys.c - any bytes as a ribbonkeys
 *
 * A second reader, bit by bit and with nothing remembered, says which bytes are
 * a set, and which hashes are in it.
 */
#include "base/bits.h"
#include "keys/classes.h"
#include "keys/keysbytes.h"
#include "fuzz.h"
#include "guard.h"

#define MAX_SIZE   4096
#define MAX_HASHES (MAX_SIZE / 2)

static bool
bit_at(const uint8_t *bits, uint64_t i)
{
	return bits[i / 8] >> i % 8 & 1;
}

/* The number of hashes, or -1: these bytes are not a set. */
static long
read_slowly(const uint8_t *bytes, size_t size, uint64_t *hashes)
{
	uint64_t n, nhigh, nlow, at, header, i = 0, cell = 0;
	unsigned k = 0;
	int key_class;

	if (size < 16 || bytes[0] != 0xA1 || bytes[1] > 1)
		return -1;
	header = bytes[1] ? 24 : 16;
	n = ribbon_load64(bytes + 8);
	if (size < header || n > MAX_HASHES)
		return -1;
	if (bytes[1] == 0 && (bytes[2] != 0 || bytes[3] != 0))
		return -1;
	key_class = (int) ribbon_load32(bytes + 4);
	if (!ribbon_key_class_is_valid(key_class) || (key_class == 0 && n > 0))
		return -1;
	if (n == 0)
		return size == header ? 0 : -1;

	while (UINT64_C(2) << k <= n)
		k++;
	nhigh = n + (UINT64_C(1) << k);
	nlow = n * (64 - k);
	if (size != header + (nhigh + 7) / 8 + (nlow + 7) / 8)
		return -1;
	for (at = 0; at < nhigh; at++)
	{
		uint64_t low = 0;

		if (!bit_at(bytes + header, at))
		{
			cell++;
			continue;
		}
		if (i == n || cell >> k != 0)
			return -1;
		for (unsigned b = 0; b < 64 - k; b++)
			low |= (uint64_t) bit_at(bytes + header + (nhigh + 7) / 8,
									 i * (64 - k) + b)
				<< b;
		hashes[i] = k == 0 ? low : cell << (64 - k) | low;
		if (i > 0 && hashes[i] <= hashes[i - 1])
			return -1;
		i++;
	}
	for (at = nhigh; at < (nhigh + 7) / 8 * 8; at++)
		if (bit_at(bytes + header, at))
			return -1;
	for (at = nlow; at < (nlow + 7) / 8 * 8; at++)
		if (bit_at(bytes + header + (nhigh + 7) / 8, at))
			return -1;
	return i == n ? (long) n : -1;
}

/* In pieces of different lengths; -1 as above. */
static long
read_quickly(const uint8_t *bytes, size_t size, uint64_t *hashes,
			 RibbonKeysHead *head)
{
	RibbonKeysCursor cursor;
	size_t all = 0;
	size_t n = 0;

	if (!ribbon_keysbytes_open(&cursor, bytes, size))
		return -1;
	*head = cursor.head;
	do
	{
		CHECK(all + n <= MAX_HASHES, "more hashes than bytes");
		all += n;
		if (!ribbon_keysbytes_read(&cursor, hashes + all, 1 + all % 7, &n))
			return -1;
	} while (n > 0);
	return (long) all;
}

static bool
run(const uint8_t *input, size_t size)
{
	static Guard guard;
	static uint64_t slow[MAX_HASHES];
	static uint64_t quick[MAX_HASHES + 8];
	static uint8_t again[MAX_SIZE];
	RibbonKeysHead head = {0};
	RibbonKeysCursor cursor;
	long n;

	if (size > MAX_SIZE)
		return false;
	if (guard.bytes == NULL)
		guard_create(&guard, MAX_SIZE);
	input = guard_place(&guard, input, size, true);
	n = read_quickly(input, size, quick, &head);
	CHECK(n == read_slowly(input, size, slow), "%ld hashes", n);
	if (n < 0)
		return false;

	CHECK(memcmp(quick, slow, (size_t) n * sizeof(uint64_t)) == 0, "hashes");
	CHECK(head.n == (uint64_t) n && ribbon_keysbytes_size(&head) == size,
		  "size");
	memset(again, 0, size);
	ribbon_keysbytes_begin(&cursor, &head, again);
	for (long i = 0; i < n; i++)
		ribbon_keysbytes_write(&cursor, quick + i, 1);
	CHECK(memcmp(again, input, size) == 0, "other bytes for the same set");
	return true;
}

/* Sets of random hashes, near one another, and at the ends. */
static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	static const unsigned sizes[] = {0, 1, 2, 3, 4, 7, 8, 9, 31, 64, 65, 200};
	unsigned nsizes = sizeof(sizes) / sizeof(sizes[0]);
	RibbonKeysHead head = {.n = sizes[i % nsizes], .builds = i % 2 == 1};
	RibbonKeysCursor cursor;
	uint64_t hash = 0;

	if (i >= 3 * nsizes)
		return 0;
	head.params.key_class = i % 5 == 0 && head.n == 0 ? 0 : 1;
	if (head.builds)
	{
		head.params.fpr = 0.01;
		head.params.width = 64;
	}
	if (ribbon_keysbytes_size(&head) > max)
		return 0;
	memset(input, 0, ribbon_keysbytes_size(&head));
	ribbon_keysbytes_begin(&cursor, &head, input);
	for (uint64_t k = 0; k < head.n; k++)
	{
		hash = i < nsizes  ? k * (UINT64_MAX / head.n) + 12345 :
			i < 2 * nsizes ? (UINT64_C(1) << 63) + k * 3 :
							 UINT64_MAX - head.n + 1 + k;
		ribbon_keysbytes_write(&cursor, &hash, 1);
	}
	return ribbon_keysbytes_size(&head);
}

/* Bits of hashes, another number of them, or any bytes. */
static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	size_t at;

	max = max < MAX_SIZE ? max : MAX_SIZE;
	if (size < 24 || random_below(random, 4) == 0)
		return fuzz_mutate_bytes(random, input, size, max);
	switch (random_below(random, 8))
	{
		case 0:
			ribbon_store64(input + 8, fuzz_number(random));
			return size;
		case 1:
			ribbon_store64(input + 8,
						   ribbon_load64(input + 8) + random_below(random, 3) -
							   1);
			return size;
		case 2: /* a hash in the cell before, or behind */
			at = 16 + (size_t) random_below(random, (size - 16 + 7) / 8);
			input[at] = (uint8_t) (input[at] << 1 | input[at] >> 7);
			return size;
		default: /* most bits are low */
			at = 16 + (size_t) random_below(random, size - 16);
			input[at] ^= (uint8_t) (1u << random_below(random, 8));
			return size;
	}
}

const FuzzTarget fuzz_keys = {"keys", 50000, MAX_SIZE, run, mutate, seed};
