/*
 * partialbytes.c - a partial state of ribbon_build as bytes
 */
#include "build/partialbytes.h"

#include "base/bits.h"

#include <limits.h>

#define KIND_OFFSET	   1
#define WIDTH_OFFSET   2
#define LARGE_OFFSET   3
#define CLASS_OFFSET   4
#define FPR_OFFSET	   8
#define NHASHES_OFFSET 16

static uint32_t
get_number(const uint8_t **at)
{
	uint32_t number = ribbon_load32(*at);

	*at += RIBBON_PARTIAL_NUMBER;
	return number;
}

uint32_t
ribbon_partial_next_list(const uint8_t **at)
{
	return get_number(at);
}

RibbonBlock
ribbon_partial_next_block(const uint8_t **at)
{
	RibbonBlock block = {0};

	block.file = get_number(at);
	block.number = get_number(at);
	block.nhashes = get_number(at);
	return block;
}

RibbonFileName
ribbon_partial_file(const RibbonPartial *partial, uint32_t i)
{
	const uint8_t *at = partial->body + (size_t) i * RIBBON_PARTIAL_FILE;
	RibbonFileName name;

	name.pid = get_number(&at);
	name.number = get_number(&at);
	for (int c = 0; c < RIBBON_COOKIE_NUMBERS; c++)
		name.cookie[c] = get_number(&at);
	name.ntablespaces = get_number(&at);
	for (int t = 0; t < RIBBON_MAX_TABLESPACES; t++)
		name.tablespaces[t] = get_number(&at);
	return name;
}

void
ribbon_partial_hashes(const RibbonPartial *partial, uint64_t *hashes)
{
	for (size_t i = 0; i < partial->nhashes; i++)
		hashes[i] = ribbon_load64(partial->body + i * sizeof(uint64_t));
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
		nblocks = ribbon_partial_next_list(&at);
		if (nblocks > (size_t) (end - at) / RIBBON_PARTIAL_BLOCK)
			return false;
		for (; nblocks > 0; nblocks--)
		{
			RibbonBlock block = ribbon_partial_next_block(&at);

			if (block.file >= partial->nfiles || block.nhashes < 1 ||
				block.nhashes > RIBBON_BLOCK_HASHES)
				return false;
		}
	}
	return at == end;
}

static bool
read_large(RibbonPartial *partial, const uint8_t *end)
{
	if (partial->nhashes != 0 ||
		end - partial->body < 2 * RIBBON_PARTIAL_NUMBER)
		return false;
	partial->nfiles = get_number(&partial->body);
	partial->nlists = get_number(&partial->body);
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
ribbon_partial_read(RibbonPartial *partial, const uint8_t *bytes, size_t nbytes)
{
	const uint8_t *end = bytes + nbytes;
	uint64_t fpr;
	uint32_t key_class;
	unsigned large;

	memset(partial, 0, sizeof(*partial));
	if (nbytes < RIBBON_PARTIAL_HEADER || bytes[0] != RIBBON_PARTIAL_VERSION)
		return false;
	partial->params.kind = (RibbonKind) bytes[KIND_OFFSET];
	partial->params.width = bytes[WIDTH_OFFSET];
	fpr = ribbon_load64(bytes + FPR_OFFSET);
	memcpy(&partial->params.fpr, &fpr, sizeof(fpr));
	key_class = ribbon_load32(bytes + CLASS_OFFSET);
	partial->params.key_class = (int) key_class;
	large = bytes[LARGE_OFFSET];
	partial->large = large == 1;
	partial->nhashes = ribbon_load64(bytes + NHASHES_OFFSET);
	partial->body = bytes + RIBBON_PARTIAL_HEADER;
	if (large > 1 || key_class > INT_MAX ||
		ribbon_params_check(&partial->params) != RIBBON_OK)
		return false;
	if (partial->large)
		return read_large(partial, end);
	return (size_t) (end - partial->body) % sizeof(uint64_t) == 0 &&
		partial->nhashes == (size_t) (end - partial->body) / sizeof(uint64_t);
}

uint8_t *
ribbon_partial_put_header(uint8_t *out, const RibbonParams *params, bool large,
						  uint64_t nhashes)
{
	uint64_t fpr;

	memcpy(&fpr, &params->fpr, sizeof(fpr));
	out[0] = RIBBON_PARTIAL_VERSION;
	out[KIND_OFFSET] = (uint8_t) params->kind;
	out[WIDTH_OFFSET] = (uint8_t) params->width;
	out[LARGE_OFFSET] = large;
	ribbon_store32(out + CLASS_OFFSET, (uint32_t) params->key_class);
	ribbon_store64(out + FPR_OFFSET, fpr);
	ribbon_store64(out + NHASHES_OFFSET, nhashes);
	return out + RIBBON_PARTIAL_HEADER;
}

uint8_t *
ribbon_partial_put_hashes(uint8_t *out, const uint64_t *hashes, size_t n)
{
	for (size_t i = 0; i < n; i++, out += sizeof(uint64_t))
		ribbon_store64(out, hashes[i]);
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
	return ribbon_partial_put_number(out, block->nhashes);
}
