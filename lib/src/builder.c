/*
 * builder.c - from keys to the bytes of a filter or map
 *
 * Hashes, or records of a hash and a value word, are collected in an array.  It
 * grows until sorting it would take the memory that the builder may have.  If
 * dropping duplicates does not help then, it goes to a store in files
 * (store.c), and again whenever it is full.
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
	if (builder->store != NULL)
		builder->store->close(builder->store);
	builder->store = NULL;
	free(builder->words);
	builder->words = NULL;
	builder->nwords = builder->capacity = 0;
	ribbon_texts_free(&builder->values.texts);
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
		return flush(builder);
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
	RibbonStatus status = builder->is_map ?
		ribbon_distinct_records(&env, builder->words, &n,
								builder->spill.conflict) :
		ribbon_distinct(&env, builder->words, &n);

	if (status == RIBBON_OK)
		builder->nwords = n * ribbon_builder_words(builder);
	return status;
}

/*
 * Empty the array, which is full, into the store; unless there is none yet, and
 * a quarter of the array were duplicates.
 */
static ribbon_status
flush(ribbon_builder *builder)
{
	size_t n = builder->nwords / ribbon_builder_words(builder);
	RibbonStatus status = RIBBON_OK;

	if (builder->store == NULL)
	{
		status = sort_words(builder);
		if (status != RIBBON_OK)
			return ribbon_builder_failed(builder, status);
		n = builder->nwords / ribbon_builder_words(builder);
		if (builder->nwords <= builder->capacity / 4 * 3)
			return RIBBON_SUCCESS;
		builder->store = ribbon_store_create(&builder->spill,
											 ribbon_builder_words(builder), 0);
		if (builder->store == NULL)
			return ribbon_error_memory();
	}
	status = ribbon_store_write(builder->store, builder->words, &n);
	builder->nwords = 0;
	return ribbon_builder_failed(builder, status);
}

ribbon_status
ribbon_builder_add(ribbon_builder *builder, ribbon_key key)
{
	ribbon_status status = ribbon_builder_begin_key(builder,
													ribbon_key_type_of(key));

	if (status == RIBBON_SUCCESS && builder->is_map)
		status = ribbon_error_set(RIBBON_ERROR_OPTION,
								  "a key of a map needs a value");
	if (status == RIBBON_SUCCESS &&
		ribbon_key_type_of(key) != builder->key_type)
		status = ribbon_error_key_type(ribbon_key_type_of(key),
									   builder->key_type);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_room(builder, 1);
	if (status == RIBBON_SUCCESS)
	{
		builder->words[builder->nwords++] = ribbon_key_hash(key);
		builder->count++;
	}
	return status;
}

ribbon_status
ribbon_builder_add_keys(ribbon_builder *builder, const ribbon_keys *keys)
{
	ribbon_status status = ribbon_builder_begin_key(builder, keys->key_type);

	if (status == RIBBON_SUCCESS && builder->is_map)
		status = ribbon_error_set(RIBBON_ERROR_OPTION,
								  "a key of a map needs a value");
	for (size_t i = 0; i < keys->n && status == RIBBON_SUCCESS;)
	{
		size_t n = keys->n - i < RIBBON_BATCH ? keys->n - i : RIBBON_BATCH;

		status = ribbon_builder_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->key_type, 0, i, n,
									  builder->words + builder->nwords);
		if (status != RIBBON_SUCCESS)
			break;
		builder->nwords += n;
		builder->count += n;
		i += n;
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
						   .fpr = builder->fpr,
						   .key_class = builder->key_type};
	RibbonValues values;
	RibbonBuildCodes codes = {0};
	uint32_t *ranks = NULL;
	uint8_t *dictionary = NULL;

	if (status != RIBBON_SUCCESS)
		return status;
	builder->finished = true;
	if (builder->is_map)
	{
		status = ribbon_builder_values(builder, &values, &codes, &ranks,
									   &dictionary);
		params.values = &values;
	}
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_failed(builder,
									   build(builder, &params, bytes, size));
	free(ranks);
	free(dictionary);
	ribbon_builder_empty(builder);
	return status;
}

/* Build from the array; or, if there is a store, from both. */
static RibbonStatus
build(ribbon_builder *builder, const RibbonParams *params, void **bytes,
	  size_t *size)
{
	RibbonWork *work = &builder->work;
	size_t n = builder->nwords / ribbon_builder_words(builder);
	uint8_t *built = NULL;
	uint64_t nstored = 0;
	RibbonStatus status;
	RibbonEnv env;

	if (builder->store == NULL)
	{
		work->span = 1;
		status = sort_words(builder);
		n = builder->nwords / ribbon_builder_words(builder);
		env = ribbon_work_env(work);
		if (status == RIBBON_OK)
			status = ribbon_build(&env, params, builder->words, n, 0, &built,
								  size);
		*bytes = status == RIBBON_OK ? built : NULL;
		return status;
	}

	status = ribbon_store_write(builder->store, builder->words, &n);
	free(builder->words);
	builder->words = NULL;
	builder->nwords = builder->capacity = 0;
	work->begin = SEAL_BEGINS;
	work->span = SOLVE_BEGINS - SEAL_BEGINS;
	if (status == RIBBON_OK)
		status = builder->store->seal(builder->store, &nstored);
	work->begin = SOLVE_BEGINS;
	work->span = 1 - SOLVE_BEGINS;
	work->spill = &builder->spill;
	env = ribbon_work_env(work);
	if (status == RIBBON_OK)
		status = ribbon_build_stored(&env, params, builder->store, nstored, 0,
									 &built, size);
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
