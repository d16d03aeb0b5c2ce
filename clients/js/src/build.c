/*
 * build.c - the module that builds, and does what else takes a whole filter
 *
 * Keys are collected as hashes, or as records of a hash and a value word, and
 * then become a filter at once.
 */
#include "exports.h"

#include <stdlib.h>
#include <string.h>

#include "set/set.h"
#include "set/sort.h"

/* Hash n keys of one word each to every stride'th word from hashes on. */
EXPORT("hash_words")
void
hash_words(const uint64_t *keys, size_t n, uint32_t seed, uint64_t *hashes,
		   size_t stride)
{
	for (size_t i = 0; i < n; i++)
		hashes[i * stride] = hash_of_word(keys[i], seed);
}

/*
 * The same for n keys in a row, of which the first ends in front of
 * bytes[ends[0]], and so on.
 */
EXPORT("hash_keys")
void
hash_keys(const uint8_t *bytes, const uint32_t *ends, size_t n, uint32_t seed,
		  uint64_t *hashes, size_t stride)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
	{
		hashes[i * stride] = ribbon_hash_bytes_seeded(bytes + at, ends[i] - at,
													  seed);
		at = ends[i];
	}
}

/*
 * The same for the universe of an exact set: records of a hash and a word that
 * has the second hash, and whether all of these keys are members.
 */
EXPORT("hash_exact")
void
hash_exact(const uint8_t *bytes, const uint32_t *ends, size_t n, bool member,
		   uint64_t *records)
{
	size_t at = 0;

	for (size_t i = 0; i < n; i++)
	{
		const uint8_t *key = bytes + at;
		size_t length = ends[i] - at;
		uint64_t second = ribbon_hash_second_bytes(key, length);

		records[2 * i] = ribbon_hash_bytes(key, length);
		records[2 * i + 1] = ribbon_exact_word(second, member);
		at = ends[i];
	}
}

/*
 * What to build; every member has 8 bytes.  lib/build/builder.js names the same
 * ones (test/build/layouts.py).
 */
typedef struct Request
{
	double fpr;
	int64_t kind;
	int64_t width;
	int64_t key_class;
	int64_t has_values;
	int64_t value_class;
	int64_t has_null;
	int64_t seed;
	int64_t base;
	int64_t bits;
	int64_t dictionary; /* its address, or 0 */
	int64_t dictionary_bytes;
	int64_t has_as_of; /* of exact sets */
	int64_t as_of;
	int64_t coding; /* of values */
} Request;

/* Words are codes on top of the base. */
static RibbonValues
values_of(const Request *request)
{
	return (RibbonValues){
		.value_class = (unsigned) request->value_class,
		.has_null = request->has_null != 0,
		.seed = (uint32_t) request->seed,
		.base = request->base,
		.bits = (unsigned) request->bits,
		.coding = (RibbonCoding) request->coding,
		.dictionary = (const uint8_t *) (uintptr_t) request->dictionary,
		.ndictionary = (size_t) request->dictionary_bytes,
	};
}

static RibbonParams
params_of(const Request *request, const RibbonValues *values)
{
	return (RibbonParams){.kind = (RibbonKind) request->kind,
						  .width = (int) request->width,
						  .fpr = request->fpr,
						  .key_class = (int) request->key_class,
						  .values = values,
						  .has_as_of = request->has_as_of != 0,
						  .as_of = request->as_of};
}

/*
 * Build a filter of n hashes, or a map or exact set of n records.  Sets out[0]
 * and out[1] to the address of its bytes, to be freed, and their number.  keys
 * is sorted.
 */
EXPORT("build")
RibbonStatus
build(const Request *request, uint64_t *keys, size_t n, size_t out[2])
{
	RibbonValues values = values_of(request);
	RibbonParams params = params_of(request,
									request->has_values ? &values : NULL);
	RibbonSet set = ribbon_set_of_array(&ribbon_malloc_env,
										ribbon_params_elements(&params), keys,
										n);
	uint8_t *bytes;
	RibbonStatus status = ribbon_build(&ribbon_malloc_env, &params, &set, 0,
									   &bytes, &out[1]);

	out[0] = status == RIBBON_OK ? (size_t) bytes : 0;
	return status;
}

/*
 * Of n records of a hash and a key's number, which is that of its value in
 * values, the first key whose value differs from that of an earlier key with
 * its hash.  Sets found[0] and found[1] to the numbers of the earlier one and
 * of this one; to UINT32_MAX if there is none.  records is sorted.
 */
EXPORT("find_conflict")
RibbonStatus
find_conflict(uint64_t *records, size_t n, const uint64_t *values,
			  uint32_t found[2])
{
	RibbonStatus status = ribbon_sort(&ribbon_malloc_env, RIBBON_RECORD_WORDS,
									  records, n, NULL);

	found[0] = found[1] = UINT32_MAX;
	for (size_t i = 0, end; status == RIBBON_OK && i < n; i = end)
	{
		uint64_t first = records[2 * i + 1];

		for (end = i + 1; end < n && records[2 * end] == records[2 * i]; end++)
			if (records[2 * end + 1] < first)
				first = records[2 * end + 1];
		for (size_t k = i; k < end; k++)
		{
			uint64_t number = records[2 * k + 1];

			if (number < found[1] && values[number] != values[first])
			{
				found[0] = (uint32_t) first;
				found[1] = (uint32_t) number;
			}
		}
	}
	return status;
}

/* The bytes that a filter of nkeys keys can be expected to take. */
EXPORT("expected_bytes")
double
expected_bytes(const Request *request, double nkeys)
{
	RibbonParams params = params_of(request, NULL);

	return (double) ribbon_expected_bytes(&params, (uint64_t) nkeys);
}

EXPORT("check_params") RibbonStatus check_params(const Request *request)
{
	RibbonParams params = params_of(request, NULL);

	return ribbon_params_check(&params);
}

static RibbonFilter filter;

/* As ribbon_check, of nbytes bytes of a filter. */
EXPORT("check") RibbonStatus check(const uint8_t *bytes, size_t nbytes)
{
	RibbonStatus status = ribbon_open(bytes, nbytes, &filter);

	return status == RIBBON_OK ? ribbon_check(&ribbon_malloc_env, &filter) :
								 status;
}

/* As ribbon_shrink; out as for build. */
EXPORT("shrink")
RibbonStatus
shrink(const uint8_t *bytes, size_t nbytes, double fpr, size_t out[2])
{
	uint8_t *shrunk;
	RibbonStatus status = ribbon_open(bytes, nbytes, &filter);

	if (status == RIBBON_OK)
		status = ribbon_shrink(&ribbon_malloc_env, &filter, fpr, 0, &shrunk,
							   &out[1]);
	out[0] = status == RIBBON_OK ? (size_t) shrunk : 0;
	return status;
}
