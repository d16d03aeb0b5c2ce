/*
 * keysbytes.c - the bytes of a ribbonkeys, written and read in order
 */
#include "keys/keysbytes.h"

#include "base/bits.h"
#include "keys/classes.h"

#include <limits.h>
#include <string.h>

#define VERSION		  0xA1
#define BUILDS_OFFSET 1
#define KIND_OFFSET	  2
#define WIDTH_OFFSET  3
#define CLASS_OFFSET  4
#define N_OFFSET	  8
#define FPR_OFFSET	  16 /* where a header without a rate ends */

/* How many bits of a hash say which cell it is in. */
static unsigned
cell_bits(uint64_t n)
{
	return n == 0 ? 0 : ribbon_bit_length(n) - 1;
}

static uint64_t
header_bytes(const RibbonKeysHead *head)
{
	return FPR_OFFSET + (head->builds ? sizeof(uint64_t) : 0);
}

/* The bits that say how many hashes each cell has. */
static uint64_t
high_bits(uint64_t n)
{
	return n == 0 ? 0 : n + (UINT64_C(1) << cell_bits(n));
}

static uint64_t
low_bits(uint64_t n)
{
	return n * (64 - cell_bits(n));
}

size_t
ribbon_keysbytes_size(const RibbonKeysHead *head)
{
	uint64_t size;

	if (head->n > RIBBON_MAX_KEYS)
		return SIZE_MAX;
	size = header_bytes(head) + (high_bits(head->n) + 7) / 8 +
		(low_bits(head->n) + 7) / 8;
	return size < SIZE_MAX ? (size_t) size : SIZE_MAX;
}

/* Set all of the cursor but where the bytes are. */
static void
init_cursor(RibbonKeysCursor *cursor, const RibbonKeysHead *head)
{
	memset(cursor, 0, sizeof(*cursor));
	cursor->head = *head;
	cursor->k = cell_bits(head->n);
	cursor->nhigh = high_bits(head->n);
}

void
ribbon_keysbytes_begin(RibbonKeysCursor *cursor, const RibbonKeysHead *head,
					   uint8_t *out)
{
	uint64_t bits;

	init_cursor(cursor, head);
	out[0] = VERSION;
	ribbon_store32(out + CLASS_OFFSET, (uint32_t) head->params.key_class);
	ribbon_store64(out + N_OFFSET, head->n);
	if (head->builds)
	{
		out[BUILDS_OFFSET] = 1;
		out[KIND_OFFSET] = (uint8_t) head->params.kind;
		out[WIDTH_OFFSET] = (uint8_t) head->params.width;
		memcpy(&bits, &head->params.fpr, sizeof(bits));
		ribbon_store64(out + FPR_OFFSET, bits);
	}
	cursor->to = out + header_bytes(head);
	cursor->to_low = cursor->to + (cursor->nhigh + 7) / 8;
}

void
ribbon_keysbytes_write(RibbonKeysCursor *cursor, const uint64_t *hashes,
					   size_t n)
{
	unsigned nlow = 64 - cursor->k;

	for (size_t j = 0; j < n; j++, cursor->i++)
	{
		uint64_t cell = cursor->k == 0 ? 0 : hashes[j] >> nlow;
		uint64_t at = cursor->i + cell;

		cursor->to[at / 8] |= (uint8_t) (1u << at % 8);
		ribbon_or_bits(cursor->to_low, cursor->i * nlow, nlow,
					   hashes[j] & ribbon_low_mask(nlow));
	}
}

bool
ribbon_keysbytes_open(RibbonKeysCursor *cursor, const uint8_t *bytes,
					  size_t nbytes)
{
	RibbonKeysHead head = {0};
	uint32_t key_class;
	uint64_t bits;

	if (nbytes < FPR_OFFSET || bytes[0] != VERSION || bytes[BUILDS_OFFSET] > 1)
		return false;
	head.n = ribbon_load64(bytes + N_OFFSET);
	head.builds = bytes[BUILDS_OFFSET] == 1;
	head.params.kind = (RibbonKind) bytes[KIND_OFFSET];
	head.params.width = bytes[WIDTH_OFFSET];
	key_class = ribbon_load32(bytes + CLASS_OFFSET);
	if (key_class > INT_MAX || (key_class == 0 && head.n > 0) ||
		!ribbon_key_class_is_valid((int) key_class) ||
		nbytes != ribbon_keysbytes_size(&head))
		return false;
	head.params.key_class = (int) key_class;

	if (head.builds)
	{
		bits = ribbon_load64(bytes + FPR_OFFSET);
		memcpy(&head.params.fpr, &bits, sizeof(bits));
	}
	else if (head.params.kind != 0 || head.params.width != 0)
		return false;

	init_cursor(cursor, &head);
	cursor->high = bytes + header_bytes(&head);
	cursor->low = cursor->high + (cursor->nhigh + 7) / 8;
	return true;
}

/* The next 64 bits of high, or the last few; false if there are none. */
static bool
next_word(RibbonKeysCursor *cursor)
{
	uint64_t left = cursor->nhigh - cursor->next;

	if (left == 0)
		return false;
	if (left >= 64)
		cursor->word = ribbon_load64(cursor->high + cursor->next / 8);
	else
		cursor->word = ribbon_load_bits(cursor->high, cursor->next,
										(unsigned) left);
	cursor->next += ribbon_min64(left, 64);
	return true;
}

/* Nothing may be behind the last hash. */
static bool
check_end(RibbonKeysCursor *cursor)
{
	do
		if (cursor->word != 0)
			return false;
	while (next_word(cursor));
	return ribbon_is_padded(cursor->high, cursor->nhigh) &&
		ribbon_is_padded(cursor->low, low_bits(cursor->head.n));
}

bool
ribbon_keysbytes_read(RibbonKeysCursor *cursor, uint64_t *hashes, size_t room,
					  size_t *n)
{
	unsigned nlow = 64 - cursor->k;
	uint64_t ncells = UINT64_C(1) << cursor->k;
	size_t j = 0;

	for (; j < room && cursor->i < cursor->head.n; j++, cursor->i++)
	{
		uint64_t cell, hash;

		while (cursor->word == 0)
			if (!next_word(cursor))
				return false;
		/* a word begins where its 64 bits, or the last few, do */
		cell = ((cursor->next - 1) & ~UINT64_C(63)) +
			(uint64_t) ribbon_ctz64(cursor->word) - cursor->i;
		cursor->word &= cursor->word - 1;
		if (cell >= ncells)
			return false;
		hash = ribbon_load_bits(cursor->low, cursor->i * nlow, nlow);
		if (cursor->k > 0)
			hash |= cell << nlow;
		if (cursor->i > 0 && hash <= cursor->last)
			return false;
		cursor->last = hashes[j] = hash;
	}
	*n = j;
	return cursor->i < cursor->head.n || j == 0 || check_end(cursor);
}
