/*
 * builder.c - from keys to the bytes of a filter or map
 *
 * Hashes, or records of a hash and a value word, are collected in an array.  It
 * grows until sorting it would take the memory that the builder may have.  If
 * dropping duplicates does not help then, it goes to a set in a file
 * (set/set.h), and again whenever it is full.
 */
#include "builder.h"

#include <stdlib.h>

#define FIRST_WORDS 1024

/* Bytes that a word takes while it is sorted. */
#define SORTED_BYTES (2 * sizeof(uint64_t))

/* What has been done of a build when these begin; the rest is solving. */
#define SEAL_BEGINS	 0.05
#define SOLVE_BEGINS 0.35

static ribbon_status flush(ribbon_builder *builder);
static RibbonStatus build(ribbon_builder *builder, const RibbonParams *params,
						  void **bytes, size_t *size);

void
ribbon_builder_empty(ribbon_builder *builder)
{
	ribbon_set_close(&builder->set);
	ribbon_tempfile_close(&builder->file);
	free(builder->words);
	builder->words = NULL;
	builder->nwords = builder->capacity = 0;
	ribbon_texts_free(&builder->texts, &ribbon_malloc_env);
}

ribbon_status
ribbon_builder_room(ribbon_builder *builder, size_t nelements)
{
	size_t needed = builder->nwords + nelements * ribbon_builder_words(builder);
	size_t most = (size_t) (builder->memory / SORTED_BYTES);
	size_t capacity = builder->capacity > 0 ? builder->capacity : FIRST_WORDS;
	uint64_t *words;

	if (needed <= builder->capacity)
		return RIBBON_SUCCESS;
	if (needed > most)
	{
		builder->broken = flush(builder);
		return builder->broken;
	}
	while (capacity < needed)
		capacity *= 2;
	if (capacity > most)
		capacity = most;
	words = realloc(builder->words, capacity * sizeof(uint64_t));
	if (words == NULL)
		return ribbon_error_memory();
	builder->words = words;
	builder->capacity = capacity;
	return RIBBON_SUCCESS;
}

/* Sort the array, without duplicates. */
static RibbonStatus
sort_words(ribbon_builder *builder)
{
	RibbonEnv env = ribbon_work_env(&builder->work);
	size_t n = builder->nwords / ribbon_builder_words(builder);
	RibbonStatus status = ribbon_distinct(&env,
										  ribbon_builder_elements(builder),
										  builder->words, &n,
										  builder->set.conflict);

	if (status == RIBBON_OK)
		builder->nwords = n * ribbon_builder_words(builder);
	return status;
}

/* Sort the array, and empty it into the set. */
static RibbonStatus
write_words(ribbon_builder *builder)
{
	RibbonStatus status = sort_words(builder);
	size_t n = builder->nwords / ribbon_builder_words(builder);

	builder->nwords = 0;
	return status == RIBBON_OK ?
		ribbon_set_add_sorted(&builder->set, builder->words, n) :
		status;
}

/*
 * Empty the array, which is full, into the set; unless there is none yet, and a
 * quarter of the array were duplicates.
 */
static ribbon_status
flush(ribbon_builder *builder)
{
	RibbonEnv env = ribbon_work_env(&builder->work);
	RibbonStatus status = RIBBON_OK;

	if (builder->set.file == NULL)
	{
		status = sort_words(builder);
		if (status == RIBBON_OK && builder->nwords <= builder->capacity / 4 * 3)
			return RIBBON_SUCCESS;
		if (status == RIBBON_OK)
			builder->set = ribbon_set_in_file(&env, &builder->file.file,
											  ribbon_builder_elements(builder));
	}
	if (status == RIBBON_OK)
		status = write_words(builder);
	return ribbon_builder_failed(builder, status);
}

ribbon_status
ribbon_builder_add_element(ribbon_builder *builder, ribbon_key key,
						   uint64_t word)
{
	uint64_t hash = ribbon_hash_with_seed(ribbon_key_hash(key),
										  ribbon_key_hash2(key), builder->seed);
	ribbon_status status;

	if (ribbon_key_type_of(key) != builder->key_type)
		return ribbon_error_key_type(ribbon_key_type_of(key),
									 builder->key_type);
	status = ribbon_builder_room(builder, 1);
	if (status == RIBBON_SUCCESS)
		ribbon_builder_put(builder, hash, word);
	return status;
}

/* May keys be added that nothing is said of? */
static ribbon_status
begin_keys(ribbon_builder *builder, int key_type)
{
	ribbon_status status = ribbon_builder_begin_key(builder, key_type);

	if (status != RIBBON_SUCCESS || ribbon_builder_words(builder) == 1)
		return status;
	return ribbon_error_set(RIBBON_ERROR_OPTION,
							builder->is_map ?
								"a key of a map needs a value" :
								"of a key of an exact set it must be said whether it is a member");
}

ribbon_status
ribbon_builder_add(ribbon_builder *builder, ribbon_key key)
{
	ribbon_status status = begin_keys(builder, ribbon_key_type_of(key));

	return status == RIBBON_SUCCESS ?
		ribbon_builder_add_element(builder, key, 0) :
		status;
}

ribbon_status
ribbon_builder_add_keys(ribbon_builder *builder, const ribbon_keys *keys)
{
	ribbon_status status = begin_keys(builder, keys->key_type);

	for (size_t first = 0; first < keys->n && status == RIBBON_SUCCESS;
		 first += RIBBON_KEYS_BATCH)
	{
		size_t n = ribbon_keys_batch(keys, first);

		status = ribbon_builder_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->key_type, 0, first, n,
									  builder->words + builder->nwords, NULL);
		if (status != RIBBON_SUCCESS)
			break;
		builder->nwords += n;
		builder->count += n;
	}
	return status;
}

/* May keys of a universe be added? */
static ribbon_status
begin_members(ribbon_builder *builder, int key_type)
{
	ribbon_status status = ribbon_builder_begin_key(builder, key_type);

	if (status == RIBBON_SUCCESS && !ribbon_builder_is_exact(builder))
		status = ribbon_error_set(RIBBON_ERROR_NOT_EXACT,
								  "only exact sets have members and others");
	return status;
}

ribbon_status
ribbon_builder_add_member(ribbon_builder *builder, ribbon_key key, bool member)
{
	ribbon_status status = begin_members(builder, ribbon_key_type_of(key));
	uint64_t word = ribbon_exact_word(ribbon_key_hash2(key), member);

	return status == RIBBON_SUCCESS ?
		ribbon_builder_add_element(builder, key, word) :
		status;
}

ribbon_status
ribbon_builder_add_members(ribbon_builder *builder, const ribbon_keys *keys,
						   const bool *members)
{
	ribbon_status status = begin_members(builder, keys->key_type);

	for (size_t first = 0; first < keys->n && status == RIBBON_SUCCESS;
		 first += RIBBON_KEYS_BATCH)
	{
		uint64_t hashes[RIBBON_KEYS_BATCH];
		uint64_t seconds[RIBBON_KEYS_BATCH];
		size_t n = ribbon_keys_batch(keys, first);

		status = ribbon_builder_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->key_type, 0, first, n,
									  hashes, seconds);
		for (size_t i = 0; i < n && status == RIBBON_SUCCESS; i++)
			ribbon_builder_put(builder, hashes[i],
							   ribbon_exact_word(seconds[i],
												 members[first + i]));
	}
	return status;
}

uint64_t
ribbon_builder_count(const ribbon_builder *builder)
{
	return builder->count;
}

ribbon_status
ribbon_builder_finish(ribbon_builder *builder, void **bytes, size_t *size)
{
	ribbon_status status = ribbon_builder_begin(builder);
	RibbonParams params = {.kind = (RibbonKind) builder->kind,
						   .width = builder->width,
						   .fpr = ribbon_builder_is_exact(builder) ?
							   builder->exact_fpr :
							   builder->fpr,
						   .key_class = builder->key_type,
						   .has_as_of = builder->has_as_of,
						   .as_of = builder->as_of};
	RibbonValues values = {0};

	if (status != RIBBON_SUCCESS)
		return status;
	builder->finished = true;
	if (builder->is_map)
	{
		status = ribbon_builder_values(builder, &values);
		params.values = &values;
	}
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_failed(builder,
									   build(builder, &params, bytes, size));
	free((void *) values.dictionary);
	ribbon_builder_empty(builder);
	return status;
}

/* Build from the array; or, if there is a set in the file, from both. */
static RibbonStatus
build(ribbon_builder *builder, const RibbonParams *params, void **bytes,
	  size_t *size)
{
	RibbonWork *work = &builder->work;
	RibbonEnv env = ribbon_work_env(work);
	RibbonSet *set = &builder->set;
	uint8_t *built = NULL;
	RibbonStatus status = RIBBON_OK;

	work->span = 1;
	if (set->file == NULL)
		*set = ribbon_set_of_array(&env, ribbon_builder_elements(builder),
								   builder->words,
								   builder->nwords /
									   ribbon_builder_words(builder));
	else
	{
		status = write_words(builder);
		free(builder->words);
		builder->words = NULL;
		builder->capacity = 0;
		work->begin = SEAL_BEGINS;
		work->span = SOLVE_BEGINS - SEAL_BEGINS;
		if (status == RIBBON_OK)
			status = ribbon_set_seal(set);
		work->begin = SOLVE_BEGINS;
		work->span = 1 - SOLVE_BEGINS;
	}
	if (status == RIBBON_OK)
		status = ribbon_build(&env, params, set, 0, &built, size);
	*bytes = status == RIBBON_OK ? built : NULL;
	return status;
}

void
ribbon_bytes_free(void *bytes)
{
	free(bytes);
}

uint64_t
ribbon_expected_size(uint64_t nkeys, double fpr)
{
	RibbonParams params = {.kind = RIBBON_BURR, .fpr = fpr};

	if (ribbon_params_check(&params) != RIBBON_OK || nkeys > UINT64_C(1) << 48)
		return 0;
	return ribbon_expected_bytes(&params, nkeys);
}
