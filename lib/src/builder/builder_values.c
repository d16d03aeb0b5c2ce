/*
 * builder_values.c - the values of a map that is built, and their codes
 */
#include "builder.h"

#include "keys/hashes.h"
#include "values/dictionary.h"
#include "values/utf8.h"

#include <stdlib.h>

static ribbon_status
begin_values(ribbon_builder *builder, const ribbon_keys *keys, bool texts)
{
	ribbon_status status = ribbon_builder_begin_keys(builder, keys->key_type,
													 keys->n);

	if (status != RIBBON_SUCCESS)
		return status;
	if (builder->params.values == NULL)
		return ribbon_error_set(RIBBON_ERROR_NOT_A_MAP,
								"the keys of a filter have no values");
	if (texts != (builder->values.value_class == RIBBON_VALUE_TEXT))
		return ribbon_error_set(RIBBON_ERROR_VALUE_TYPE,
								texts ? "the values of the map are numbers" :
										"the values of the map are texts");
	return RIBBON_SUCCESS;
}

static ribbon_status
number_word(ribbon_builder *builder, int64_t value, uint64_t *word)
{
	if (!ribbon_values_is_valid(builder->values.value_class, value))
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"value %lld is out of range",
								(long long) value);
	*word = ribbon_range_add(&builder->range, value);
	return RIBBON_SUCCESS;
}

static ribbon_status
begin_texts(ribbon_builder *builder)
{
	static const char head[] = RIBBON_CATALOG_HEAD("\004text");

	if (builder->texts.slots != NULL)
		return RIBBON_SUCCESS;
	/* its address is not known to whoever chooses the texts */
	return ribbon_error_core(ribbon_texts_init(&builder->texts,
											   &ribbon_malloc_env,
											   (const uint8_t *) head,
											   sizeof(head) - 1,
											   (uintptr_t) builder));
}

static ribbon_status
text_word(ribbon_builder *builder, const char *text, size_t size,
		  uint64_t *word)
{
	RibbonTexts *texts = &builder->texts;
	ribbon_status status = begin_texts(builder);
	RibbonStatus added;

	if (status != RIBBON_SUCCESS)
		return status;
	if (size > RIBBON_TEXTS_BYTES)
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"a value has more than 512 MB");
	*word = ribbon_hash_bytes_seeded(size > 0 ? text : "", size,
									 builder->values.seed);
	if (ribbon_texts_has(texts, *word, text, size))
		return RIBBON_SUCCESS;
	if (!ribbon_is_utf8(text, size))
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"a value is not text in UTF-8 without "
								"zero bytes");
	added = ribbon_texts_add(texts, &ribbon_malloc_env, *word, text, size);
	if (added == RIBBON_SAME_WORD)
		return ribbon_error_set(RIBBON_ERROR_CONFLICT,
								"two texts have the same hash: use another seed than %u",
								builder->values.seed);
	return ribbon_error_core(added);
}

/* Values, one for each key; those of which nulls is true are NULL. */
typedef struct GivenValues
{
	bool are_texts;
	const int64_t *numbers;
	const char *const *texts;
	const size_t *sizes; /* NULL: texts end at their first zero byte */
	const bool *nulls;	 /* NULL: no value is */
} GivenValues;

static ribbon_status
add_values(ribbon_builder *builder, const ribbon_keys *keys,
		   const GivenValues *given)
{
	ribbon_status status = keys == NULL ?
		ribbon_error_memory() :
		begin_values(builder, keys, given->are_texts);

	for (size_t first = 0; status == RIBBON_SUCCESS && first < keys->n;
		 first += RIBBON_KEYS_BATCH)
	{
		uint64_t hashes[RIBBON_KEYS_BATCH];
		size_t n = ribbon_keys_batch(keys, first);

		status = ribbon_builder_make_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->params.key_class,
									  builder->values.seed, first, n, hashes,
									  NULL);
		for (size_t i = 0; i < n && status == RIBBON_SUCCESS; i++)
		{
			size_t at = first + i;
			uint64_t word = RIBBON_NULL_WORD;

			if (given->nulls != NULL && given->nulls[at])
				builder->range.has_null = true;
			else if (!given->are_texts)
				status = number_word(builder, given->numbers[at], &word);
			else
				status = text_word(builder, given->texts[at],
								   given->sizes != NULL ?
									   given->sizes[at] :
									   strlen(given->texts[at]),
								   &word);
			if (status == RIBBON_SUCCESS)
				ribbon_builder_put(builder, hashes[i], word);
		}
	}
	return status;
}

ribbon_status
ribbon_builder_add_int64_values(ribbon_builder *builder,
								const ribbon_keys *keys, const int64_t *values,
								const bool *nulls)
{
	return add_values(builder, keys,
					  &(GivenValues){.numbers = values, .nulls = nulls});
}

ribbon_status
ribbon_builder_add_text_values(ribbon_builder *builder, const ribbon_keys *keys,
							   const char *const *texts, const size_t *sizes,
							   const bool *nulls)
{
	return add_values(builder, keys,
					  &(GivenValues){.are_texts = true,
									 .texts = texts,
									 .sizes = sizes,
									 .nulls = nulls});
}

ribbon_status
ribbon_builder_add_int64_value(ribbon_builder *builder, ribbon_key key,
							   int64_t value)
{
	ribbon_keys one = ribbon_keys_of_one(&key);

	return add_values(builder, &one, &(GivenValues){.numbers = &value});
}

ribbon_status
ribbon_builder_add_text_value(ribbon_builder *builder, ribbon_key key,
							  const char *text, size_t size)
{
	ribbon_keys one = ribbon_keys_of_one(&key);

	return add_values(builder, &one,
					  &(GivenValues){.are_texts = true,
									 .texts = &text,
									 .sizes = &size});
}

ribbon_status
ribbon_builder_add_null_value(ribbon_builder *builder, ribbon_key key)
{
	static const bool null = true;
	ribbon_keys one = ribbon_keys_of_one(&key);
	bool are_texts = builder->values.value_class == RIBBON_VALUE_TEXT;

	return add_values(builder, &one,
					  &(GivenValues){.are_texts = are_texts, .nulls = &null});
}

ribbon_status
ribbon_builder_set_codes(ribbon_builder *builder)
{
	RibbonValues *values = &builder->values;
	ribbon_status status;

	values->has_null = builder->range.has_null;
	if (values->value_class != RIBBON_VALUE_TEXT)
		return ribbon_error_core(ribbon_range_set_codes(&builder->range,
														values));
	status = begin_texts(builder); /* where there are none */
	return status == RIBBON_SUCCESS ?
		ribbon_error_core(ribbon_texts_set_codes(&builder->texts,
												 &ribbon_malloc_env, values)) :
		status;
}
