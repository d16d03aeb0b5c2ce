/*
 * partialbytes.c - a partial state of ribbon_build or ribbon_map as bytes
 */
#include "aggregate/partialbytes.h"

#include "base/bits.h"

#include <limits.h>

#define KIND_OFFSET	  1
#define WIDTH_OFFSET  2
#define LARGE_OFFSET  3
#define CLASS_OFFSET  4
#define FPR_OFFSET	  8
#define NWORDS_OFFSET 16

/* The same, from the end of the header on. */
#define SEED_OFFSET		   0
#define VALUE_CLASS_OFFSET 4
#define FLAGS_OFFSET	   5
#define CODING_OFFSET	   6
#define LEAST_OFFSET	   8
#define GREATEST_OFFSET	   16
#define NTEXTS_OFFSET	   24
#define AS_OF_OFFSET	   8

#define ALL_FLAGS \
	(BUILD_HAS_NULL | BUILD_HAS_NUMBERS | BUILD_HAS_NUMBER_LIKE_NULL)

uint32_t
ribbon_partial_next_number(const uint8_t **at)
{
	uint32_t number = ribbon_load32(*at);

	*at += RIBBON_PARTIAL_NUMBER;
	return number;
}

RibbonBlock
ribbon_partial_next_block(const uint8_t **at)
{
	RibbonBlock block = {0};

	block.file = ribbon_partial_next_number(at);
	block.number = ribbon_partial_next_number(at);
	block.nwords = ribbon_partial_next_number(at);
	return block;
}

const uint8_t *
ribbon_partial_next_text(const uint8_t **at, uint32_t *length)
{
	const uint8_t *text;

	*length = ribbon_partial_next_number(at);
	text = *at;
	*at += *length;
	return text;
}

RibbonFileName
ribbon_partial_file(const RibbonPartial *partial, uint32_t i)
{
	const uint8_t *at = partial->body + (size_t) i * RIBBON_PARTIAL_FILE;
	RibbonFileName name;

	name.pid = ribbon_partial_next_number(&at);
	name.number = ribbon_partial_next_number(&at);
	for (int c = 0; c < RIBBON_COOKIE_NUMBERS; c++)
		name.cookie[c] = ribbon_partial_next_number(&at);
	name.ntablespaces = ribbon_partial_next_number(&at);
	for (int t = 0; t < RIBBON_MAX_TABLESPACES; t++)
		name.tablespaces[t] = ribbon_partial_next_number(&at);
	return name;
}

void
ribbon_partial_words(const RibbonPartial *partial, uint64_t *words)
{
	for (size_t i = 0; i < partial->nwords; i++)
		words[i] = ribbon_load64(partial->body + i * sizeof(uint64_t));
}

/* Are these the lists of a large state, and no bytes behind them? */
static bool
check_lists(const RibbonPartial *partial, const uint8_t *end)
{
	const uint8_t *at = partial->lists;

	for (uint32_t i = 0; i < partial->nlists; i++)
	{
		uint32_t nblocks;

		if (end - at < RIBBON_PARTIAL_NUMBER)
			return false;
		nblocks = ribbon_partial_next_number(&at);
		if (nblocks > (size_t) (end - at) / RIBBON_PARTIAL_BLOCK)
			return false;
		for (; nblocks > 0; nblocks--)
		{
			RibbonBlock block = ribbon_partial_next_block(&at);

			if (block.file >= partial->nfiles || block.nwords < 1 ||
				block.nwords > RIBBON_BLOCK_WORDS ||
				(ribbon_buildparams_records(&partial->params) &&
				 block.nwords % RIBBON_RECORD_WORDS != 0))
				return false;
		}
	}
	return at == end;
}

static bool
read_large(RibbonPartial *partial, const uint8_t *end)
{
	if (partial->nwords != 0 || end - partial->body < 2 * RIBBON_PARTIAL_NUMBER)
		return false;
	partial->nfiles = ribbon_partial_next_number(&partial->body);
	partial->nlists = ribbon_partial_next_number(&partial->body);
	if (partial->nfiles >
			(size_t) (end - partial->body) / RIBBON_PARTIAL_FILE ||
		(partial->nlists != 1 && partial->nlists != RIBBON_KEYSTORE_PARTS))
		return false;
	for (uint32_t i = 0; i < partial->nfiles; i++)
	{
		RibbonFileName name = ribbon_partial_file(partial, i);

		if (name.ntablespaces < 1 || name.ntablespaces > RIBBON_MAX_TABLESPACES)
			return false;
	}
	partial->lists = partial->body +
		(size_t) partial->nfiles * RIBBON_PARTIAL_FILE;
	return check_lists(partial, end);
}

bool
ribbon_partial_check_params(const BuildParams *params)
{
	RibbonParams core;

	core.kind = (RibbonKind) params->kind;
	core.width = params->width;
	core.fpr = params->fpr;
	core.key_class = params->key_class;
	core.values = NULL;
	if (params->map && core.fpr == 1)
		core.fpr = RIBBON_MAX_FPR;
	return ribbon_params_check(&core) == RIBBON_OK;
}

/* Where so many texts end; NULL if they are not there. */
static const uint8_t *
skip_texts(const uint8_t *at, uint32_t ntexts, const uint8_t *end)
{
	for (; ntexts > 0; ntexts--)
	{
		uint32_t length;

		if (end - at < RIBBON_PARTIAL_NUMBER)
			return NULL;
		length = ribbon_partial_next_number(&at);
		if (length > (size_t) (end - at))
			return NULL;
		at += length;
	}
	return at;
}

/* What a map has behind the header. */
static bool
read_values(RibbonPartial *partial, const uint8_t *end)
{
	const uint8_t *at = partial->body;
	BuildRange *range = &partial->range;

	if (end - at < RIBBON_PARTIAL_VALUES)
		return false;
	partial->params.seed = ribbon_load32(at + SEED_OFFSET);
	range->value_class = at[VALUE_CLASS_OFFSET];
	range->flags = at[FLAGS_OFFSET];
	range->least = (int64_t) ribbon_load64(at + LEAST_OFFSET);
	range->greatest = (int64_t) ribbon_load64(at + GREATEST_OFFSET);
	partial->ntexts = ribbon_load32(at + NTEXTS_OFFSET);
	partial->texts = at + RIBBON_PARTIAL_VALUES;
	partial->body = skip_texts(partial->texts, partial->ntexts, end);
	partial->params.coding = at[CODING_OFFSET];
	return partial->body != NULL && at[CODING_OFFSET] <= RIBBON_CODE_AUTO &&
		at[CODING_OFFSET + 1] == 0 && (range->flags & ~ALL_FLAGS) == 0 &&
		range->least <= range->greatest;
}

/* What an exact set has there. */
static bool
read_exact(RibbonPartial *partial, const uint8_t *end)
{
	const uint8_t *at = partial->body;
	uint64_t has_as_of;

	if (end - at < RIBBON_PARTIAL_AS_OF)
		return false;
	has_as_of = ribbon_load64(at);
	partial->params.has_as_of = has_as_of == 1;
	partial->params.as_of = (int64_t) ribbon_load64(at + AS_OF_OFFSET);
	partial->body += RIBBON_PARTIAL_AS_OF;
	return has_as_of == 1 ? ribbon_is_as_of(partial->params.as_of) :
							has_as_of == 0 && partial->params.as_of == 0;
}

bool
ribbon_partial_read(RibbonPartial *partial, const uint8_t *bytes, size_t nbytes)
{
	const uint8_t *end = bytes + nbytes;
	uint64_t fpr;
	uint32_t key_class;
	unsigned large;

	memset(partial, 0, sizeof(*partial));
	if (nbytes < RIBBON_PARTIAL_HEADER || bytes[0] != RIBBON_PARTIAL_VERSION)
		return false;
	partial->params.map = bytes[KIND_OFFSET] == RIBBON_PARTIAL_MAP;
	partial->params.exact = bytes[KIND_OFFSET] == RIBBON_PARTIAL_EXACT;
	partial->params.kind = ribbon_buildparams_records(&partial->params) ?
		RIBBON_BURR :
		bytes[KIND_OFFSET];
	partial->params.width = bytes[WIDTH_OFFSET];
	fpr = ribbon_load64(bytes + FPR_OFFSET);
	memcpy(&partial->params.fpr, &fpr, sizeof(fpr));
	key_class = ribbon_load32(bytes + CLASS_OFFSET);
	partial->params.key_class = (int) key_class;
	large = bytes[LARGE_OFFSET];
	partial->large = large == 1;
	partial->nwords = ribbon_load64(bytes + NWORDS_OFFSET);
	partial->body = bytes + RIBBON_PARTIAL_HEADER;
	if (large > 1 || key_class > INT_MAX ||
		!ribbon_partial_check_params(&partial->params) ||
		(partial->params.map && !read_values(partial, end)) ||
		(partial->params.exact && !read_exact(partial, end)))
		return false;
	if (partial->large)
		return read_large(partial, end);
	if (ribbon_buildparams_records(&partial->params) &&
		partial->nwords % RIBBON_RECORD_WORDS != 0)
		return false;
	return (size_t) (end - partial->body) % sizeof(uint64_t) == 0 &&
		partial->nwords == (size_t) (end - partial->body) / sizeof(uint64_t);
}

uint8_t *
ribbon_partial_put_header(uint8_t *out, const BuildParams *params, bool large,
						  uint64_t nwords)
{
	uint64_t fpr;

	memcpy(&fpr, &params->fpr, sizeof(fpr));
	out[0] = RIBBON_PARTIAL_VERSION;
	out[KIND_OFFSET] = params->map ? RIBBON_PARTIAL_MAP :
		params->exact			   ? RIBBON_PARTIAL_EXACT :
									 params->kind;
	out[WIDTH_OFFSET] = params->width;
	out[LARGE_OFFSET] = large;
	ribbon_store32(out + CLASS_OFFSET, (uint32_t) params->key_class);
	ribbon_store64(out + FPR_OFFSET, fpr);
	ribbon_store64(out + NWORDS_OFFSET, nwords);
	return out + RIBBON_PARTIAL_HEADER;
}

uint8_t *
ribbon_partial_put_exact(uint8_t *out, const BuildParams *params)
{
	ribbon_store64(out, params->has_as_of);
	ribbon_store64(out + AS_OF_OFFSET, (uint64_t) params->as_of);
	return out + RIBBON_PARTIAL_AS_OF;
}

uint8_t *
ribbon_partial_put_values(uint8_t *out, const BuildParams *params,
						  const BuildRange *range, uint32_t ntexts)
{
	memset(out, 0, RIBBON_PARTIAL_VALUES);
	ribbon_store32(out + SEED_OFFSET, params->seed);
	out[VALUE_CLASS_OFFSET] = range->value_class;
	out[FLAGS_OFFSET] = range->flags;
	out[CODING_OFFSET] = params->coding;
	ribbon_store64(out + LEAST_OFFSET, (uint64_t) range->least);
	ribbon_store64(out + GREATEST_OFFSET, (uint64_t) range->greatest);
	ribbon_store32(out + NTEXTS_OFFSET, ntexts);
	return out + RIBBON_PARTIAL_VALUES;
}

uint8_t *
ribbon_partial_put_text(uint8_t *out, const void *text, uint32_t length)
{
	out = ribbon_partial_put_number(out, length);
	memcpy(out, text, length);
	return out + length;
}

uint8_t *
ribbon_partial_put_words(uint8_t *out, const uint64_t *words, size_t n)
{
	for (size_t i = 0; i < n; i++, out += sizeof(uint64_t))
		ribbon_store64(out, words[i]);
	return out;
}

uint8_t *
ribbon_partial_put_number(uint8_t *out, uint32_t number)
{
	ribbon_store32(out, number);
	return out + RIBBON_PARTIAL_NUMBER;
}

uint8_t *
ribbon_partial_put_file(uint8_t *out, const RibbonFileName *name)
{
	out = ribbon_partial_put_number(out, name->pid);
	out = ribbon_partial_put_number(out, name->number);
	for (int c = 0; c < RIBBON_COOKIE_NUMBERS; c++)
		out = ribbon_partial_put_number(out, name->cookie[c]);
	out = ribbon_partial_put_number(out, name->ntablespaces);
	for (int t = 0; t < RIBBON_MAX_TABLESPACES; t++)
		out = ribbon_partial_put_number(out, name->tablespaces[t]);
	return out;
}

uint8_t *
ribbon_partial_put_block(uint8_t *out, const RibbonBlock *block)
{
	out = ribbon_partial_put_number(out, block->file);
	out = ribbon_partial_put_number(out, block->number);
	return ribbon_partial_put_number(out, block->nwords);
}
