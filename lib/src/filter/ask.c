/*
 * ask.c - is a key in it, and what belongs to it?
 *
 * A code that stands for no value is that of no key: the key is not in the map.
 */
#include "filter.h"
#include "src/key/keys.h"

#include "keys/classes.h"
#include "keys/hashes.h"
#include "values/values.h"

/*
 * Are keys of this type what the set has?  No keys at all may be of any type.
 */
static bool
types_agree(int given, const RibbonFilter *set)
{
	int wanted = set->key_class;

	return (wanted == RIBBON_KEY_ANY && set->nkeys == 0) ||
		(ribbon_key_class_proper(given) == ribbon_key_class_proper(wanted) &&
		 ribbon_key_class_agree(given, wanted));
}

/* The hash of a key under the seed of the map. */
static int
hash_of(const ribbon_filter *filter, ribbon_key key, uint64_t *hash)
{
	*hash = ribbon_hash_with_seed(ribbon_key_hash(key), ribbon_key_hash2(key),
								  filter->core.seed);
	if (ribbon_key_type_of(key) != filter->core.key_class &&
		!types_agree(ribbon_key_type_of(key), &filter->core))
		return ribbon_key_refuse_type(ribbon_key_type_of(key),
									  filter->core.key_class);
	return RIBBON_SUCCESS;
}

/* Does the code stand for a value? */
static inline bool
is_code(const ribbon_filter *filter, uint64_t code)
{
	return ribbon_values_is_code(&filter->core, filter->dictionary.nvalues,
								 code);
}

int
ribbon_filter_contains(const ribbon_filter *filter, ribbon_key key)
{
	uint64_t hash;
	uint64_t code;
	int status = hash_of(filter, key, &hash);

	if (status != RIBBON_SUCCESS)
		return status;
	if (!filter->core.has_values)
		return ribbon_contains(&filter->core, hash);
	return ribbon_get(&filter->core, hash, &code) && is_code(filter, code);
}

int
ribbon_filter_contains_text(const ribbon_filter *filter, const char *text,
							size_t size)
{
	return ribbon_filter_contains(filter,
								  filter->core.key_class == RIBBON_KEY_CHAR ?
									  ribbon_key_char(text, size) :
									  ribbon_key_text(text, size));
}

int
ribbon_filter_member(const ribbon_filter *filter, ribbon_key key,
					 int64_t key_time)
{
	const RibbonFilter *set = &filter->core;
	int answer = ribbon_filter_contains(filter, key);

	if (answer < 0)
		return answer;
	/* it was built of no rows: on the server, of no options either */
	if (!set->has_as_of && set->is_exact && set->universe == 0)
		return RIBBON_FOUND_NULL;
	if (!set->has_as_of)
		return ribbon_error_set(RIBBON_ERROR_NOT_EXACT, "it has no as_of time");
	return key_time > set->as_of ? RIBBON_FOUND_NULL : answer;
}

/* The hashes of keys first .. first + n - 1. */
static ribbon_status
hash_keys(const ribbon_filter *filter, const ribbon_keys *keys, size_t first,
		  size_t n, uint64_t *hashes)
{
	int key_type = filter->core.key_class;

	if (keys->key_type != key_type &&
		types_agree(keys->key_type, &filter->core))
		key_type = keys->key_type;
	return ribbon_keys_hash(keys, key_type, filter->core.seed, first, n, hashes,
							NULL);
}

ribbon_status
ribbon_filter_contains_keys(const ribbon_filter *filter,
							const ribbon_keys *keys, bool *answers)
{
	if (keys == NULL)
		return ribbon_error_memory();
	for (size_t first = 0; first < keys->n; first += RIBBON_KEYS_BATCH)
	{
		uint64_t hashes[RIBBON_KEYS_BATCH];
		uint64_t codes[RIBBON_KEYS_BATCH];
		bool *known = answers + first;
		size_t n = ribbon_keys_batch(keys, first);
		ribbon_status status = hash_keys(filter, keys, first, n, hashes);

		if (status != RIBBON_SUCCESS)
			return status;
		if (!filter->core.has_values)
		{
			ribbon_contains_batch(&filter->core, hashes, n, known);
			continue;
		}
		ribbon_get_batch(&filter->core, hashes, n, known, codes);
		for (size_t i = 0; i < n; i++)
			known[i] = known[i] && is_code(filter, codes[i]);
	}
	return RIBBON_SUCCESS;
}

/* Is it a map, of texts or of numbers? */
static int
check_values(const ribbon_filter *filter, bool texts)
{
	if (!filter->core.has_values)
		return ribbon_error_set(RIBBON_ERROR_NOT_A_MAP,
								"it is a filter, whose keys have no values");
	if (texts != (filter->core.ndictionary > 0))
		return ribbon_error_set(RIBBON_ERROR_VALUE_TYPE,
								texts ? "the values of the map are numbers" :
										"the values of the map are texts");
	return RIBBON_SUCCESS;
}

static inline int
decode_number(const ribbon_filter *filter, uint64_t code, int64_t *value)
{
	int64_t number;

	if (ribbon_values_is_null(&filter->core, code))
		return RIBBON_FOUND_NULL;
	if (!ribbon_values_number(&filter->core, code, &number))
		return RIBBON_FOUND_NO;
	*value = number;
	return RIBBON_FOUND_VALUE;
}

static int
decode_text(const ribbon_filter *filter, uint64_t code, const char **text,
			size_t *size)
{
	RibbonStatus status;
	uint64_t at;
	uint32_t found;

	if (ribbon_values_is_null(&filter->core, code))
		return RIBBON_FOUND_NULL;
	if (code >= filter->dictionary.nvalues)
		return RIBBON_FOUND_NO;
	status = ribbon_dictionary_find(&filter->core, &filter->dictionary,
									(uint32_t) code, &at, &found);
	if (status != RIBBON_OK)
		return ribbon_error_core(status);
	*text = (const char *) filter->core.dictionary + at;
	*size = found;
	return RIBBON_FOUND_VALUE;
}

int
ribbon_filter_get_int64(const ribbon_filter *filter, ribbon_key key,
						int64_t *value)
{
	uint64_t hash = 0;
	uint64_t code;
	int status = check_values(filter, false);

	if (status == RIBBON_SUCCESS)
		status = hash_of(filter, key, &hash);
	if (status != RIBBON_SUCCESS)
		return status;
	return ribbon_get(&filter->core, hash, &code) ?
		decode_number(filter, code, value) :
		RIBBON_FOUND_NO;
}

int
ribbon_filter_get_text(const ribbon_filter *filter, ribbon_key key,
					   const char **text, size_t *size)
{
	uint64_t hash = 0;
	uint64_t code;
	int status = check_values(filter, true);

	if (status == RIBBON_SUCCESS)
		status = hash_of(filter, key, &hash);
	if (status != RIBBON_SUCCESS)
		return status;
	return ribbon_get(&filter->core, hash, &code) ?
		decode_text(filter, code, text, size) :
		RIBBON_FOUND_NO;
}

/* Set the numbers of keys, or their texts if has_texts, where there are any. */
static ribbon_status
get_values(const ribbon_filter *filter, const ribbon_keys *keys, bool has_texts,
		   uint8_t *found, int64_t *numbers, const char **texts, size_t *sizes)
{
	int status = keys == NULL ? ribbon_error_memory() :
								check_values(filter, has_texts);

	for (size_t first = 0; status == RIBBON_SUCCESS && first < keys->n;
		 first += RIBBON_KEYS_BATCH)
	{
		uint64_t hashes[RIBBON_KEYS_BATCH];
		uint64_t codes[RIBBON_KEYS_BATCH];
		bool known[RIBBON_KEYS_BATCH];
		size_t n = ribbon_keys_batch(keys, first);

		status = hash_keys(filter, keys, first, n, hashes);
		if (status == RIBBON_SUCCESS)
			ribbon_get_batch(&filter->core, hashes, n, known, codes);
		for (size_t i = 0; status == RIBBON_SUCCESS && i < n; i++)
		{
			size_t at = first + i;
			int one = RIBBON_FOUND_NO;

			if (known[i])
				one = has_texts ?
					decode_text(filter, codes[i], &texts[at], &sizes[at]) :
					decode_number(filter, codes[i], &numbers[at]);
			if (one < 0)
				status = one;
			else
				found[at] = (uint8_t) one;
		}
	}
	return (ribbon_status) status;
}

ribbon_status
ribbon_filter_get_int64s(const ribbon_filter *filter, const ribbon_keys *keys,
						 uint8_t *found, int64_t *values)
{
	return get_values(filter, keys, false, found, values, NULL, NULL);
}

ribbon_status
ribbon_filter_get_texts(const ribbon_filter *filter, const ribbon_keys *keys,
						uint8_t *found, const char **texts, size_t *sizes)
{
	return get_values(filter, keys, true, found, NULL, texts, sizes);
}
