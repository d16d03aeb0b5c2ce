/*
 * probe.c - the module that probes: open, probe
 */
#include "exports.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

/*
 * JavaScript's: copies length bytes of a remote filter, from byte at on, to
 * memory; or zeros if it has to ask for them first.
 */
__attribute__((import_module("env"), import_name("fetch"))) extern void
fetch_slice(double at, size_t length, uint8_t *to);

static uint8_t slice[RIBBON_MAX_SLICE];

static const uint8_t *
fetch(void *arg, uint64_t at, size_t length)
{
	(void) arg;
	fetch_slice((double) at, length, slice);
	return slice;
}

/*
 * Open bytes[0..nbytes) of memory, which stay there; or, if bytes is 0, a
 * remote filter of nbytes bytes.  Sets *opened, to be freed, and about; with
 * another status than RIBBON_OK *opened is NULL, and about is not set.
 */
EXPORT("open")
RibbonStatus
open_filter(const uint8_t *bytes, double nbytes, RibbonFilter **opened,
			About *about)
{
	static RibbonFilter filter;
	RibbonStatus status;
	RibbonInfo info;

	*opened = NULL;
	if (bytes == NULL)
		status = ribbon_open_sliced((uint64_t) nbytes, fetch, NULL, &filter);
	else
		status = ribbon_open(bytes, (size_t) nbytes, &filter);
	if (status != RIBBON_OK)
		return status;
	*opened = malloc(ribbon_filter_size(&filter));
	if (*opened == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(*opened, &filter, ribbon_filter_size(&filter));
	ribbon_info(&filter, &info);
	*about = (About){.keys = filter.nkeys,
					 .bytes = filter.total_bytes,
					 .base = filter.base,
					 .dictionary_at = filter.dictionary_at,
					 .dictionary_bytes = filter.ndictionary,
					 .fpr = ribbon_fpr(&filter),
					 .key_class = (uint64_t) filter.key_class,
					 .is_map = filter.has_values,
					 .has_null = filter.has_null,
					 .value_class = filter.value_class,
					 .value_bits = filter.value_bits,
					 .seed = filter.seed,
					 .kind = info.kind,
					 .width = (uint64_t) info.width,
					 .layers = (uint64_t) info.nlayers,
					 .slots = info.nslots,
					 .empty_slots = info.empty_slots,
					 .bumped_keys = info.bumped_keys,
					 .universe = filter.universe,
					 .has_as_of = filter.has_as_of,
					 .as_of = filter.as_of,
					 .coding = info.coding,
					 .has_rate = filter.has_rate,
					 .code_bits = info.code_bits,
					 .coded_values = info.nvalues,
					 .table_bytes = info.table_bytes,
					 .format_version = RIBBON_FORMAT_VERSION};
	return RIBBON_OK;
}

/* The hash of a key's canonical bytes, as a filter with this seed has it. */
EXPORT("hash") uint64_t hash(const uint8_t *key, size_t length, uint32_t seed)
{
	return ribbon_hash_bytes_seeded(key, length, seed);
}

EXPORT("shard") uint32_t shard(uint64_t hash, uint32_t nshards)
{
	return ribbon_hash_to_shard(hash, nshards);
}

/* Is the key with this hash there?  A code is set in any case. */
EXPORT("probe_hash")
bool
probe_hash(const RibbonFilter *filter, uint64_t hash, uint64_t *code)
{
	return ribbon_get(filter, hash, code);
}

EXPORT("probe_bytes")
bool
probe_bytes(const RibbonFilter *filter, const uint8_t *key, size_t length,
			uint64_t *code)
{
	return ribbon_get(filter, hash(key, length, filter->seed), code);
}

EXPORT("probe_word")
bool
probe_word(const RibbonFilter *filter, uint64_t key, uint64_t *code)
{
	return ribbon_get(filter, hash_of_word(key, filter->seed), code);
}

/* The same for an integer, which a double holds exactly. */
EXPORT("probe_integer")
bool
probe_integer(const RibbonFilter *filter, double key, uint64_t *code)
{
	return probe_word(filter, (uint64_t) (int64_t) key, code);
}

/* The same for n keys of one word each. */
EXPORT("probe_words")
void
probe_words(const RibbonFilter *filter, const uint64_t *keys, size_t n,
			bool *found, uint64_t *codes)
{
	for (size_t i = 0; i < n; i++)
		found[i] = ribbon_get(filter, hash_of_word(keys[i], filter->seed),
							  &codes[i]);
}

/*
 * The same for n keys in a row, of which the first ends in front of
 * bytes[ends[0]], and so on.
 */
EXPORT("probe_keys")
void
probe_keys(const RibbonFilter *filter, const uint8_t *bytes,
		   const uint32_t *ends, size_t n, bool *found, uint64_t *codes)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
	{
		found[i] = ribbon_get(filter,
							  hash(bytes + at, ends[i] - at, filter->seed),
							  &codes[i]);
		at = ends[i];
	}
}
