/*
 * builder.c - from keys to the bytes of a filter or map
 *
 * Hashes, or records of a hash and a value word, are collected in an array.  It
 * grows until sorting it would take the memory that the builder may have.  If
 * dropping duplicates does not help then, it goes to a store in files
 * (store.c), and again whenever it is full.
 */
#include "internal.h"

#include "base/keynumber.h"

#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_MEMORY ((uint64_t) 256 << 20)
#define LEAST_MEMORY   ((uint64_t) 16 << 20)
#define FIRST_WORDS	   1024

/* Bytes that a word takes while it is sorted. */
#define SORTED_BYTES (2 * sizeof(uint64_t))

/* What has been done of a build when these begin; the rest is solving. */
#define SEAL_BEGINS	 0.05
#define SOLVE_BEGINS 0.35

/* Bytes of a value that a message shows. */
#define SHOWN 60

typedef struct Values
{
	bool any; /* that are numbers */
	bool has_null;
	bool has_like_null; /* a number that stands for NULL */
	int64_t least;
	int64_t greatest;
	RibbonTexts texts;
} Values;

/* How words of values become codes. */
typedef struct Codes
{
	uint64_t base;
	uint64_t mask;
	uint64_t null_code;
	const uint32_t *ranks; /* of texts, or NULL */
} Codes;

struct ribbon_builder
{
	int key_type;
	bool typed; /* the type of the keys is known */
	double fpr;
	ribbon_kind kind;
	int width;
	bool is_map;
	ribbon_value_type value_type;
	uint32_t seed;
	uint64_t memory;
	char *directory; /* NULL: not set */
	unsigned threads;
	bool begun; /* options are fixed */
	bool finished;

	uint64_t count;
	uint64_t *words;
	size_t nwords;
	size_t capacity;
	Values values;

	RibbonWork work;
	RibbonSpill spill;
	RibbonStore *store; /* or NULL */
};

static ribbon_status begin(ribbon_builder *builder, int key_type);
static ribbon_status make_room(ribbon_builder *builder, size_t nelements);
static ribbon_status flush(ribbon_builder *builder);
static ribbon_status failed(ribbon_builder *builder, RibbonStatus status);
static RibbonStatus build(ribbon_builder *builder, const RibbonParams *params,
						  void **bytes, size_t *size);

static ribbon_status
no_memory(void)
{
	return ribbon_error_set(RIBBON_ERROR_MEMORY, "out of memory");
}

static unsigned
words_each(const ribbon_builder *builder)
{
	return builder->is_map ? RIBBON_RECORD_WORDS : 1;
}

/* --- options --- */

ribbon_status
ribbon_builder_new(ribbon_builder **builder, int key_type, double fpr)
{
	ribbon_builder *made;

	if (!ribbon_key_type_is_valid(key_type))
		return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
								"there is no type of keys %d", key_type);
	if (!(fpr >= RIBBON_MIN_FPR && fpr <= RIBBON_MAX_FPR) && fpr != 1)
		return ribbon_error_set(RIBBON_ERROR_FPR,
								"the false-positive rate must be 2^-32 to 0.5, not %g",
								fpr);
	made = calloc(1, sizeof(ribbon_builder));
	if (made == NULL)
		return no_memory();
	made->key_type = key_type;
	made->typed = key_type != RIBBON_KEY_ANY;
	made->fpr = fpr;
	made->memory = DEFAULT_MEMORY;
	*builder = made;
	return RIBBON_SUCCESS;
}

static void
empty(ribbon_builder *builder)
{
	if (builder->store != NULL)
		builder->store->close(builder->store);
	builder->store = NULL;
	free(builder->words);
	builder->words = NULL;
	builder->nwords = builder->capacity = 0;
	ribbon_texts_free(&builder->values.texts);
}

void
ribbon_builder_free(ribbon_builder *builder)
{
	if (builder == NULL)
		return;
	empty(builder);
	free(builder->directory);
	free(builder);
}

/* May this option be set, to a value that is valid? */
static ribbon_status
check_option(const ribbon_builder *builder, const char *option, bool valid)
{
	if (builder->begun || builder->finished)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"%s must be set before the first key", option);
	if (!valid)
		return ribbon_error_set(RIBBON_ERROR_OPTION, "invalid %s", option);
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_values(ribbon_builder *builder, ribbon_value_type value_type)
{
	ribbon_status status = check_option(builder, "type of values",
										(unsigned) value_type <
											RIBBON_VALUE_CLASSES);

	if (status == RIBBON_SUCCESS)
	{
		builder->is_map = true;
		builder->value_type = value_type;
	}
	return status;
}

ribbon_status
ribbon_builder_set_kind(ribbon_builder *builder, ribbon_kind kind)
{
	ribbon_status status = check_option(builder, "kind",
										(unsigned) kind <= RIBBON_KIND_AUTO);

	if (status == RIBBON_SUCCESS)
		builder->kind = kind;
	return status;
}

ribbon_status
ribbon_builder_set_width(ribbon_builder *builder, int width)
{
	ribbon_status status = check_option(builder, "ribbon width",
										width == 0 || width == 32 ||
											width == 64 || width == 128);

	if (status == RIBBON_SUCCESS)
		builder->width = width;
	return status;
}

ribbon_status
ribbon_builder_set_seed(ribbon_builder *builder, uint32_t seed)
{
	ribbon_status status = check_option(builder, "seed", true);

	if (status == RIBBON_SUCCESS)
		builder->seed = seed;
	return status;
}

ribbon_status
ribbon_builder_set_memory(ribbon_builder *builder, uint64_t bytes)
{
	ribbon_status status = check_option(builder, "memory",
										bytes >= LEAST_MEMORY);

	if (status == RIBBON_SUCCESS)
		builder->memory = bytes < SIZE_MAX / 2 ? bytes : SIZE_MAX / 2;
	return status;
}

ribbon_status
ribbon_builder_set_directory(ribbon_builder *builder, const char *directory)
{
	ribbon_status status = check_option(builder, "directory", true);
	size_t size = strlen(directory) + 1;
	char *copy;

	if (status != RIBBON_SUCCESS)
		return status;
	copy = malloc(size);
	if (copy == NULL)
		return no_memory();
	memcpy(copy, directory, size);
	free(builder->directory);
	builder->directory = copy;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_set_threads(ribbon_builder *builder, unsigned threads)
{
	ribbon_status status = check_option(builder, "number of threads",
										threads <= RIBBON_MAX_THREADS);

	if (status == RIBBON_SUCCESS)
		builder->threads = threads;
	return status;
}

ribbon_status
ribbon_builder_set_progress(ribbon_builder *builder, ribbon_progress progress,
							void *arg)
{
	ribbon_status status = check_option(builder, "progress", true);

	if (status == RIBBON_SUCCESS)
	{
		builder->work.progress = progress;
		builder->work.progress_arg = arg;
	}
	return status;
}

/* --- keys --- */

/* Before the first key, and at the end: do the options go together? */
static ribbon_status
begin_options(ribbon_builder *builder)
{
	const char *directory = getenv("TMPDIR");

	if (builder->finished)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"the builder has been finished");
	if (builder->begun)
		return RIBBON_SUCCESS;
	if (builder->is_map && builder->kind != RIBBON_KIND_BURR)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"maps are of kind burr only");
	if (!builder->is_map && builder->seed != 0)
		return ribbon_error_set(RIBBON_ERROR_OPTION, "only maps have a seed");
	if (!builder->is_map && builder->fpr == 1)
		return ribbon_error_set(RIBBON_ERROR_FPR,
								"the false-positive rate of a filter must be 2^-32 to 0.5, not 1");
	builder->work.nthreads = builder->threads > 0 ? builder->threads :
													ribbon_work_cores();
	builder->spill.work = &builder->work;
	builder->spill.memory = builder->memory;
	builder->spill.directory = builder->directory != NULL ? builder->directory :
		directory != NULL && directory[0] != '\0'		  ? directory :
															"/tmp";
	builder->begun = true;
	return RIBBON_SUCCESS;
}

/* Before each key: may there be more, of this type? */
static ribbon_status
begin(ribbon_builder *builder, int key_type)
{
	ribbon_status status = RIBBON_SUCCESS;

	if (!builder->begun || builder->finished)
		status = begin_options(builder);
	if (status != RIBBON_SUCCESS)
		return status;
	if (!builder->typed)
	{
		if (!ribbon_key_type_is_valid(key_type))
			return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
									"there is no type of keys %d", key_type);
		builder->key_type = key_type;
		builder->typed = true;
	}
	return RIBBON_SUCCESS;
}

/* Room for so many more elements in the array, at most RIBBON_BATCH. */
static ribbon_status
make_room(ribbon_builder *builder, size_t nelements)
{
	size_t needed = builder->nwords + nelements * words_each(builder);
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
		return no_memory();
	builder->words = words;
	builder->capacity = capacity;
	return RIBBON_SUCCESS;
}

/* Sort the array, without duplicates. */
static RibbonStatus
sort_words(ribbon_builder *builder)
{
	RibbonEnv env = ribbon_work_env(&builder->work);
	size_t n = builder->nwords / words_each(builder);
	RibbonStatus status = builder->is_map ?
		ribbon_distinct_records(&env, builder->words, &n,
								builder->spill.conflict) :
		ribbon_distinct(&env, builder->words, &n);

	if (status == RIBBON_OK)
		builder->nwords = n * words_each(builder);
	return status;
}

/*
 * Empty the array, which is full, into the store; unless there is none yet, and
 * a quarter of the array were duplicates.
 */
static ribbon_status
flush(ribbon_builder *builder)
{
	size_t n = builder->nwords / words_each(builder);
	RibbonStatus status = RIBBON_OK;

	if (builder->store == NULL)
	{
		status = sort_words(builder);
		if (status != RIBBON_OK)
			return failed(builder, status);
		n = builder->nwords / words_each(builder);
		if (builder->nwords <= builder->capacity / 4 * 3)
			return RIBBON_SUCCESS;
		builder->store = ribbon_store_create(&builder->spill,
											 words_each(builder), 0);
		if (builder->store == NULL)
			return no_memory();
	}
	status = ribbon_store_write(builder->store, builder->words, &n);
	builder->nwords = 0;
	return failed(builder, status);
}

ribbon_status
ribbon_builder_add(ribbon_builder *builder, ribbon_key key)
{
	ribbon_status status = begin(builder, ribbon_key_type_of(key));

	if (status == RIBBON_SUCCESS && builder->is_map)
		status = ribbon_error_set(RIBBON_ERROR_OPTION,
								  "a key of a map needs a value");
	if (status == RIBBON_SUCCESS &&
		ribbon_key_type_of(key) != builder->key_type)
		status = ribbon_error_key_type(ribbon_key_type_of(key),
									   builder->key_type);
	if (status == RIBBON_SUCCESS)
		status = make_room(builder, 1);
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
	ribbon_status status = begin(builder, keys->key_type);

	if (status == RIBBON_SUCCESS && builder->is_map)
		status = ribbon_error_set(RIBBON_ERROR_OPTION,
								  "a key of a map needs a value");
	for (size_t i = 0; i < keys->n && status == RIBBON_SUCCESS;)
	{
		size_t n = keys->n - i < RIBBON_BATCH ? keys->n - i : RIBBON_BATCH;

		status = make_room(builder, n);
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

/* --- values --- */

static ribbon_status
begin_values(ribbon_builder *builder, int key_type, bool texts)
{
	ribbon_status status = begin(builder, key_type);

	if (status != RIBBON_SUCCESS)
		return status;
	if (!builder->is_map)
		return ribbon_error_set(RIBBON_ERROR_NOT_A_MAP,
								"the keys of a filter have no values");
	if (texts != (builder->value_type == RIBBON_VALUE_TEXT))
		return ribbon_error_set(RIBBON_ERROR_VALUE_TYPE,
								texts ? "the values of the map are numbers" :
										"the values of the map are texts");
	return RIBBON_SUCCESS;
}

static ribbon_status
number_word(ribbon_builder *builder, int64_t value, uint64_t *word)
{
	Values *values = &builder->values;

	if (!ribbon_value_is_valid(builder->value_type, value))
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"value %lld is out of range",
								(long long) value);
	if (!values->any || value < values->least)
		values->least = value;
	if (!values->any || value > values->greatest)
		values->greatest = value;
	values->any = true;
	*word = (uint64_t) value;
	if (*word == RIBBON_NULL_WORD)
		values->has_like_null = true;
	return RIBBON_SUCCESS;
}

static ribbon_status
text_word(ribbon_builder *builder, const char *text, size_t size,
		  uint64_t *word)
{
	uint32_t number = 0;
	ribbon_status status = ribbon_texts_add(&builder->values.texts, text, size,
											&number);

	*word = number;
	return status;
}

/* Add a record. */
static ribbon_status
add_record(ribbon_builder *builder, ribbon_key key, uint64_t word)
{
	ribbon_status status;

	if (ribbon_key_type_of(key) != builder->key_type)
		return ribbon_error_key_type(ribbon_key_type_of(key),
									 builder->key_type);
	status = make_room(builder, 1);
	if (status != RIBBON_SUCCESS)
		return status;
	builder->words[builder->nwords++] =
		ribbon_hash_with_seed(ribbon_key_hash(key), ribbon_key_hash2(key),
							  builder->seed);
	builder->words[builder->nwords++] = word;
	builder->count++;
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_builder_add_int64_value(ribbon_builder *builder, ribbon_key key,
							   int64_t value)
{
	uint64_t word = 0;
	ribbon_status status = begin_values(builder, ribbon_key_type_of(key),
										false);

	if (status == RIBBON_SUCCESS)
		status = number_word(builder, value, &word);
	return status == RIBBON_SUCCESS ? add_record(builder, key, word) : status;
}

ribbon_status
ribbon_builder_add_text_value(ribbon_builder *builder, ribbon_key key,
							  const char *text, size_t size)
{
	uint64_t word = 0;
	ribbon_status status = begin_values(builder, ribbon_key_type_of(key), true);

	if (status == RIBBON_SUCCESS)
		status = text_word(builder, text, size, &word);
	return status == RIBBON_SUCCESS ? add_record(builder, key, word) : status;
}

ribbon_status
ribbon_builder_add_null_value(ribbon_builder *builder, ribbon_key key)
{
	ribbon_status status = begin_values(builder, ribbon_key_type_of(key),
										builder->value_type ==
											RIBBON_VALUE_TEXT);

	if (status != RIBBON_SUCCESS)
		return status;
	builder->values.has_null = true;
	return add_record(builder, key, RIBBON_NULL_WORD);
}

/* Many values: numbers, or texts, whichever is not NULL. */
static ribbon_status
add_values(ribbon_builder *builder, const ribbon_keys *keys,
		   const int64_t *numbers, const char *const *texts,
		   const size_t *sizes, const bool *nulls)
{
	ribbon_status status = begin_values(builder, keys->key_type,
										numbers == NULL);

	for (size_t first = 0; first < keys->n && status == RIBBON_SUCCESS;)
	{
		uint64_t hashes[RIBBON_BATCH];
		size_t n = keys->n - first < RIBBON_BATCH ? keys->n - first :
													RIBBON_BATCH;

		status = make_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->key_type, builder->seed,
									  first, n, hashes);
		for (size_t i = 0; i < n && status == RIBBON_SUCCESS; i++)
		{
			size_t at = first + i;
			uint64_t word = RIBBON_NULL_WORD;

			if (nulls != NULL && nulls[at])
				builder->values.has_null = true;
			else if (numbers != NULL)
				status = number_word(builder, numbers[at], &word);
			else
				status = text_word(builder, texts[at],
								   sizes != NULL ? sizes[at] :
												   strlen(texts[at]),
								   &word);
			if (status != RIBBON_SUCCESS)
				break;
			builder->words[builder->nwords++] = hashes[i];
			builder->words[builder->nwords++] = word;
			builder->count++;
		}
		first += n;
	}
	return status;
}

ribbon_status
ribbon_builder_add_int64_values(ribbon_builder *builder,
								const ribbon_keys *keys, const int64_t *values,
								const bool *nulls)
{
	static const int64_t none = 0;

	return add_values(builder, keys, keys->n > 0 ? values : &none, NULL, NULL,
					  nulls);
}

ribbon_status
ribbon_builder_add_text_values(ribbon_builder *builder, const ribbon_keys *keys,
							   const char *const *texts, const size_t *sizes,
							   const bool *nulls)
{
	return add_values(builder, keys, NULL, texts, sizes, nulls);
}

/* --- the end --- */

/* The value of a word, as a message shows it. */
static void
put_value(const ribbon_builder *builder, uint64_t word, char *out, size_t room)
{
	const Values *values = &builder->values;

	if (word == RIBBON_NULL_WORD && !values->has_like_null)
		(void) snprintf(out, room, "NULL");
	else if (builder->value_type != RIBBON_VALUE_TEXT)
		(void) snprintf(out, room, "%lld", (long long) word);
	else
	{
		size_t size;
		const char *text = ribbon_texts_get(&values->texts, (uint32_t) word,
											&size);
		int shown = (int) (size < SHOWN ? size : SHOWN);

		while (shown > 0 && (size_t) shown < size &&
			   ((unsigned char) text[shown] & 0xC0) == 0x80)
			shown--;
		(void) snprintf(out, room, "\"%.*s%s\"", shown, text,
						(size_t) shown < size ? "..." : "");
	}
}

/* What the core or a store says; RIBBON_SUCCESS if all is well. */
static ribbon_status
failed(ribbon_builder *builder, RibbonStatus status)
{
	char first[SHOWN + 8];
	char second[SHOWN + 8];
	bool swap;

	if (status == RIBBON_BAD_STORE && builder->work.failed != 0)
		return builder->work.failed;
	if (status != RIBBON_CONFLICT)
		return ribbon_error_core(status);
	put_value(builder, builder->spill.conflict[1], first, sizeof(first));
	put_value(builder, builder->spill.conflict[3], second, sizeof(second));
	swap = strcmp(first, second) > 0;
	return ribbon_error_set(RIBBON_ERROR_CONFLICT,
							"a key has two values, %s and %s (if it is two keys with one hash, which is rare, use another seed than %u)",
							swap ? second : first, swap ? first : second,
							builder->seed);
}

/* A RibbonCode. */
static uint64_t
code_of(const void *arg, uint64_t word)
{
	const Codes *codes = arg;

	if (word == RIBBON_NULL_WORD)
		return codes->null_code;
	return codes->ranks != NULL ? codes->ranks[word] :
								  (word - codes->base) & codes->mask;
}

/* Bits that codes up to this one take. */
static unsigned
count_bits(uint64_t code)
{
	return code == 0 ? 0 : 64 - (unsigned) __builtin_clzll(code);
}

/* What the core is to know of the values; *ranks and *dictionary to be freed. */
static ribbon_status
make_values(const ribbon_builder *builder, RibbonValues *made, Codes *codes,
			uint32_t **ranks, uint8_t **dictionary)
{
	const Values *values = &builder->values;
	uint64_t range = values->any ?
		(uint64_t) values->greatest - (uint64_t) values->least :
		0;
	ribbon_status status = RIBBON_SUCCESS;

	*made = (RibbonValues){.value_class = builder->value_type,
						   .has_null = values->has_null,
						   .seed = builder->seed};
	if (builder->value_type == RIBBON_VALUE_TEXT)
	{
		uint32_t n = values->texts.ntexts;

		*ranks = malloc((n > 0 ? n : 1) * sizeof(uint32_t));
		if (*ranks == NULL)
			return no_memory();
		status = ribbon_texts_write(&values->texts, *ranks, dictionary,
									&made->ndictionary);
		made->dictionary = *dictionary;
		made->bits = count_bits(n - (n > 0 && !values->has_null ? 1 : 0));
	}
	else if (values->has_null && values->has_like_null)
		status =
			ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
							 "value %lld is out of range where there are NULLs",
							 (long long) RIBBON_NULL_WORD);
	else if (values->has_null && range == UINT64_MAX)
		status =
			ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
							 "the values are all over 64 bits, which leaves none for NULL");
	else
	{
		made->base = values->any ? values->least : 0;
		made->bits = count_bits(range +
								(values->any && values->has_null ? 1 : 0));
	}
	codes->base = (uint64_t) made->base;
	codes->mask = codes->null_code = ribbon_value_null_code(made->bits);
	codes->ranks = *ranks;
	if (values->has_null || codes->ranks != NULL)
	{
		made->code = code_of;
		made->code_arg = codes;
	}
	return status;
}

ribbon_status
ribbon_builder_finish(ribbon_builder *builder, void **bytes, size_t *size)
{
	ribbon_status status = begin_options(builder);
	RibbonParams params = {.kind = (RibbonKind) builder->kind,
						   .width = builder->width,
						   .fpr = builder->fpr,
						   .key_class = builder->key_type};
	RibbonValues values;
	Codes codes = {0};
	uint32_t *ranks = NULL;
	uint8_t *dictionary = NULL;

	if (status != RIBBON_SUCCESS)
		return status;
	builder->finished = true;
	if (builder->is_map)
	{
		status = make_values(builder, &values, &codes, &ranks, &dictionary);
		params.values = &values;
	}
	if (status == RIBBON_SUCCESS)
		status = failed(builder, build(builder, &params, bytes, size));
	free(ranks);
	free(dictionary);
	empty(builder);
	return status;
}

/* Build from the array; or, if there is a store, from both. */
static RibbonStatus
build(ribbon_builder *builder, const RibbonParams *params, void **bytes,
	  size_t *size)
{
	RibbonWork *work = &builder->work;
	size_t n = builder->nwords / words_each(builder);
	uint8_t *built = NULL;
	uint64_t nstored = 0;
	RibbonStatus status;
	RibbonEnv env;

	if (builder->store == NULL)
	{
		work->span = 1;
		status = sort_words(builder);
		n = builder->nwords / words_each(builder);
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
