/*
 * target_partial.c - any bytes as a partial state of ribbon_build or ribbon_map
 *
 * The bytes that parallel workers send are read by partialbytes.c; the server
 * then does what it is told there.  A second reader, written from the comment
 * in partialbytes.h, must agree on whether they are a state; what has been read
 * must be in bounds, and give the same bytes when it is written.
 */
#include "fuzz.h"

#include "base/bits.h"
#include "guard.h"
#include "aggregate/partialbytes.h"

#define MAX_SIZE 16384

/* 2^-32 and 2^-1 as doubles are in memory. */
#define LEAST_FPR ((UINT64_C(1023) - 32) << 52)
#define MOST_FPR  ((UINT64_C(1023) - 1) << 52)
#define ONE		  (UINT64_C(1023) << 52)

/* Numbers of four bytes, one after the other; left is how many remain. */
typedef struct Numbers
{
	const uint8_t *at;
	size_t left;
	bool bad;
} Numbers;

static uint32_t
next_number(Numbers *numbers)
{
	uint32_t number;

	if (numbers->left == 0)
	{
		numbers->bad = true;
		return 0;
	}
	number = numbers->at[0] | (uint32_t) numbers->at[1] << 8 |
		(uint32_t) numbers->at[2] << 16 | (uint32_t) numbers->at[3] << 24;
	numbers->at += 4;
	numbers->left--;
	return number;
}

static uint64_t
next_long(Numbers *numbers)
{
	uint64_t low = next_number(numbers);

	return low | (uint64_t) next_number(numbers) << 32;
}

/* Arrays, ranges and rows have parts; four groups of five bits are all. */
static bool
is_class(uint32_t key_class)
{
	if (key_class >= UINT32_C(1) << 20)
		return false;
	for (; key_class > 31; key_class /= 32)
		if (key_class % 32 == 26)
			return true; /* a row's are side by side */
		else if (key_class % 32 < 23 || key_class % 32 > 26)
			return false;
	return true;
}

static bool
is_header(const uint8_t *bytes, uint32_t key_class, uint64_t fpr)
{
	return bytes[0] == 1 && is_class(key_class) && bytes[1] <= 3 &&
		(bytes[2] == 0 || bytes[2] == 32 || bytes[2] == 64 ||
		 bytes[2] == 128) &&
		bytes[3] <= 1 &&
		((fpr >= LEAST_FPR && fpr <= MOST_FPR) ||
		 (bytes[1] == 3 && fpr == ONE));
}

/*
 * The bytes that a map has behind its header, if these are some; else 0.
 */
static size_t
measure_values(const uint8_t *bytes, size_t size)
{
	Numbers numbers = {bytes, size / 4, false};
	int64_t least, greatest;
	uint32_t kinds, ntexts;
	size_t at = 28;

	next_number(&numbers);
	kinds = next_number(&numbers);
	least = (int64_t) next_long(&numbers);
	greatest = (int64_t) next_long(&numbers);
	ntexts = next_number(&numbers);
	/* value class, flags, coding, 0 */
	if (numbers.bad || (kinds & 0xFFFF) > 0x7FF || kinds >> 16 > 2 ||
		least > greatest)
		return 0;
	for (; ntexts > 0; ntexts--)
	{
		Numbers length = {bytes + at, 1, false};

		if (size - at < 4)
			return 0;
		at += 4 + (size_t) next_number(&length);
		if (at > size)
			return 0;
	}
	return at;
}

/* The document's opinion: are these a state? */
static bool
is_partial(const uint8_t *bytes, size_t size)
{
	Numbers numbers = {bytes + 4, size / 4 - 1, false};
	uint32_t key_class, nfiles, nlists, record = 1;
	uint64_t fpr, nwords;

	if (size < 24)
		return false;
	key_class = next_number(&numbers);
	fpr = next_long(&numbers);
	nwords = next_long(&numbers);
	if (!is_header(bytes, key_class, fpr))
		return false;
	if (bytes[1] == 3)
	{
		size_t nvalues = measure_values(bytes + 24, size - 24);

		if (nvalues == 0)
			return false;
		record = 2;
		size -= 24 + nvalues;
		numbers.at = bytes + 24 + nvalues;
		numbers.left = size / 4;
	}
	if (size % 4 != 0)
		return false;
	if (bytes[3] == 0)
		return numbers.left % 2 == 0 && numbers.left / 2 == nwords &&
			nwords % record == 0;
	nfiles = next_number(&numbers);
	nlists = next_number(&numbers);
	if (nwords != 0 || (nlists != 1 && nlists != 256))
		return false;
	for (uint32_t i = 0; i < nfiles && !numbers.bad; i++)
	{
		uint32_t ntablespaces;

		for (int c = 0; c < 3; c++)
			next_long(&numbers); /* pid and number, cookie */
		ntablespaces = next_number(&numbers);
		if (ntablespaces < 1 || ntablespaces > 8)
			return false;
		for (int t = 0; t < 8; t++)
			next_number(&numbers);
	}
	for (uint32_t i = 0; i < nlists && !numbers.bad; i++)
		for (uint32_t n = next_number(&numbers); n > 0 && !numbers.bad; n--)
		{
			uint32_t file = next_number(&numbers);
			uint32_t nwords;

			next_number(&numbers);
			nwords = next_number(&numbers);
			if (file >= nfiles || nwords < 1 || nwords > 4096 ||
				nwords % record != 0)
				return false;
		}
	return !numbers.bad && numbers.left == 0;
}

/* Read a large state as the server does, and write it again. */
static uint8_t *
copy_large(const RibbonPartial *partial, uint8_t *out)
{
	const uint8_t *at = partial->lists;

	out = ribbon_partial_put_number(out, partial->nfiles);
	out = ribbon_partial_put_number(out, partial->nlists);
	for (uint32_t i = 0; i < partial->nfiles; i++)
	{
		RibbonFileName name = ribbon_partial_file(partial, i);

		MUST(name.ntablespaces >= 1 &&
				 name.ntablespaces <= RIBBON_MAX_TABLESPACES,
			 "%u tablespaces", name.ntablespaces);
		out = ribbon_partial_put_file(out, &name);
	}
	for (uint32_t i = 0; i < partial->nlists; i++)
	{
		uint32_t nblocks = ribbon_partial_next_number(&at);

		out = ribbon_partial_put_number(out, nblocks);
		for (; nblocks > 0; nblocks--)
		{
			RibbonBlock block = ribbon_partial_next_block(&at);

			MUST(block.file < partial->nfiles && block.nwords >= 1 &&
					 block.nwords <= RIBBON_BLOCK_WORDS,
				 "file %u, %u words", block.file, block.nwords);
			out = ribbon_partial_put_block(out, &block);
		}
	}
	return out;
}

/* The same for a small one. */
static uint8_t *
copy_small(const RibbonPartial *partial, uint8_t *out)
{
	uint64_t *words = malloc(partial->nwords * sizeof(uint64_t) + 1);

	ribbon_partial_words(partial, words);
	out = ribbon_partial_put_words(out, words, partial->nwords);
	free(words);
	return out;
}

/* And what a map has of its values. */
static uint8_t *
copy_values(const RibbonPartial *partial, uint8_t *out)
{
	const uint8_t *at = partial->texts;

	out = ribbon_partial_put_values(out, &partial->params, &partial->range,
									partial->ntexts);
	for (uint32_t i = 0; i < partial->ntexts; i++)
	{
		uint32_t length;
		const uint8_t *text = ribbon_partial_next_text(&at, &length);

		out = ribbon_partial_put_text(out, text, length);
	}
	return out;
}

static bool
run(const uint8_t *input, size_t size)
{
	static Guard guard;
	static uint8_t copy[MAX_SIZE];
	RibbonPartial partial;
	uint8_t *end;
	bool good;

	if (size > MAX_SIZE)
		return false;
	if (guard.bytes == NULL)
		guard_create(&guard, MAX_SIZE);
	/* in the server they are not aligned, either */
	good = ribbon_partial_read(&partial, guard_place(&guard, input, size, true),
							   size);
	MUST(good == is_partial(input, size), "the document does not agree");
	if (!good)
		return false;
	end = ribbon_partial_put_header(copy, &partial.params, partial.large,
									partial.nwords);
	if (partial.params.map)
		end = copy_values(&partial, end);
	end = partial.large ? copy_large(&partial, end) : copy_small(&partial, end);
	MUST(end == copy + size && memcmp(copy, input, size) == 0,
		 "read and written, it is another state");
	return true;
}

/* Numbers from -3 on, or a few texts. */
static uint8_t *
seed_values(unsigned i, const BuildParams *params, uint8_t *out)
{
	BuildRange range = {-3, i, i % 8, i % 8};
	uint32_t ntexts = i % 8 == 0 ? i / 8 : 0;

	out = ribbon_partial_put_values(out, params, &range, ntexts);
	for (uint32_t text = 0; text < ntexts; text++)
		out = ribbon_partial_put_text(out, "abcdefghijklmnopqrstuvwxyz", text);
	return out;
}

/* States of both forms, with few or many files and blocks. */
static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	Random random = {i};
	BuildParams params = {0};
	static const int nested[] = {24 | 14 << 5, 23 | 25 << 5 | 9 << 10};
	bool large = i % 2 == 1;
	uint32_t nfiles = 1 + i / 2 % 5, nlists = i % 4 == 1 ? 1 : 256;
	uint8_t *out = input;

	if (i >= 128 || max < MAX_SIZE)
		return 0;
	params.kind = (uint8_t) test_kinds[i % 3];
	params.width = (uint8_t) test_widths[i / 3 % 3];
	params.fpr = exp2(-1.0 - i % 32);
	params.key_class = (int) (i % 32);
	params.map = i >= 64;
	if (i % 8 > 5)
		params.key_class = nested[i % 2];
	if (!large)
	{
		uint64_t *words = random_keys(&random, i);

		out = ribbon_partial_put_header(out, &params, false, i);
		if (params.map)
			out = seed_values(i, &params, out);
		out = ribbon_partial_put_words(out, words, i);
		free(words);
		return (size_t) (out - input);
	}
	out = ribbon_partial_put_header(out, &params, true, 0);
	if (params.map)
		out = seed_values(i, &params, out);
	out = ribbon_partial_put_number(out, nfiles);
	out = ribbon_partial_put_number(out, nlists);
	for (uint32_t f = 0; f < nfiles; f++)
	{
		RibbonFileName name = {1000 + f,
							   f,
							   {1, 2, 3, f},
							   1 + i / 4 % 8,
							   {1663, 16384}};

		out = ribbon_partial_put_file(out, &name);
	}
	for (uint32_t l = 0; l < nlists; l++)
	{
		uint32_t nblocks = (uint32_t) random_below(&random, 4);

		out = ribbon_partial_put_number(out, nblocks);
		for (uint32_t b = 0; b < nblocks; b++)
		{
			RibbonBlock block =
				{0, b % nfiles, b,
				 1 + (uint32_t) random_below(&random, RIBBON_BLOCK_WORDS)};

			block.nwords += block.nwords % 2;

			out = ribbon_partial_put_block(out, &block);
		}
	}
	return (size_t) (out - input);
}

/*
 * Change one of the numbers, most often by little, and make the lengths fit
 * again if it was the number of words; or change any bytes.
 */
static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	size_t at, more;

	max = max < MAX_SIZE ? max : MAX_SIZE;
	if (size < RIBBON_PARTIAL_HEADER || random_below(random, 4) == 0)
		return fuzz_mutate_bytes(random, input, size, max);
	switch (random_below(random, 6))
	{
		case 0: /* another header */
			input[random_below(random, 8)] = (uint8_t) random_next(random);
			return size;
		case 1: /* another rate */
			ribbon_store64(input + 8,
						   ((UINT64_C(1023) - random_below(random, 35)) << 52) +
							   random_below(random, 3) - 1);
			return size;
		case 2: /* some numbers more */
			more = 4 * random_below(random, 20);
			if (size + more > max)
				return size;
			for (size_t i = 0; i < more; i++)
				input[size + i] = (uint8_t) (i % 4 == 0);
			size += more;
			break;
		case 3: /* or fewer */
			size -= 4 * random_below(random, (size - 20) / 4);
			break;
		default:
			if (size < RIBBON_PARTIAL_HEADER + 4)
				return size;
			at = RIBBON_PARTIAL_HEADER +
				4 *
					(size_t) random_below(random,
										  (size - RIBBON_PARTIAL_HEADER) / 4);
			ribbon_store32(input + at,
						   random_below(random, 2) ?
							   (uint32_t) fuzz_number(random) :
							   ribbon_load32(input + at) +
								   (uint32_t) random_below(random, 3) - 1);
			return size;
	}
	if (input[3] == 0 && random_below(random, 8))
		ribbon_store64(input + 16, (size - RIBBON_PARTIAL_HEADER) / 8);
	return size;
}

const FuzzTarget fuzz_partial = {"partial", 50000, run, mutate, seed};
