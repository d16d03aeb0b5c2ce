/*
 * builder_values.c - the values of a map that is built, and their codes
 */
#include "builder.h"

#include <stdio.h>
#include <stdlib.h>

static ribbon_status
begin_values(ribbon_builder *builder, int key_type, bool texts)
{
	ribbon_status status = ribbon_builder_begin_key(builder, key_type);

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
	RibbonBuildValues *values = &builder->values;

	if (!ribbon_number_is_valid(builder->value_type, value))
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
	status = ribbon_builder_room(builder, 1);
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
		uint64_t hashes[RIBBON_KEYS_BATCH];
		size_t n = keys->n - first < RIBBON_KEYS_BATCH ? keys->n - first :
														 RIBBON_KEYS_BATCH;

		status = ribbon_builder_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->key_type, builder->seed,
									  first, n, hashes, NULL);
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

/* The value of a word, as a message shows it. */
static void
put_value(const ribbon_builder *builder, uint64_t word, char *out, size_t room)
{
	const RibbonBuildValues *values = &builder->values;

	if (word == RIBBON_NULL_WORD && !values->has_like_null)
		(void) snprintf(out, room, "NULL");
	else if (builder->value_type != RIBBON_VALUE_TEXT)
		(void) ribbon_value_format((int64_t) word, builder->value_type, out,
								   room);
	else
	{
		char shown[RIBBON_SHOWN + 1];
		size_t size;
		const char *text = ribbon_texts_get(&values->texts, (uint32_t) word,
											&size);

		(void) snprintf(out, room, "\"%s\"",
						ribbon_parse_show(text, size, shown));
	}
}

ribbon_status
ribbon_builder_failed(const ribbon_builder *builder, RibbonStatus status)
{
	char first[RIBBON_SHOWN + 8];
	char second[RIBBON_SHOWN + 8];
	bool swap;

	if (status == RIBBON_BAD_STORE && builder->work.failed != 0)
		return builder->work.failed;
	if (status != RIBBON_CONFLICT)
		return ribbon_error_core(status);
	if (ribbon_builder_is_exact(builder))
		return ribbon_error_set(RIBBON_ERROR_CONFLICT,
								"a key is a member of the exact set, and is not");
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
	const RibbonBuildCodes *codes = arg;

	if (word == RIBBON_NULL_WORD)
		return codes->null_code;
	return codes->ranks != NULL ? codes->ranks[word] :
								  (word - codes->base) & codes->mask;
}

ribbon_status
ribbon_builder_values(const ribbon_builder *builder, RibbonValues *made,
					  RibbonBuildCodes *codes, uint32_t **ranks,
					  uint8_t **dictionary)
{
	const RibbonBuildValues *values = &builder->values;
	uint64_t range = (uint64_t) values->greatest - (uint64_t) values->least;
	unsigned bits = ribbon_number_code_bits(values->any, range,
											values->has_null);
	ribbon_status status = RIBBON_SUCCESS;

	*made = (RibbonValues){.value_class = builder->value_type,
						   .has_null = values->has_null,
						   .seed = builder->seed,
						   .coding = (RibbonCoding) builder->code};
	if (builder->value_type == RIBBON_VALUE_TEXT)
	{
		uint32_t n = values->texts.ntexts;

		*ranks = malloc((n > 0 ? n : 1) * sizeof(uint32_t));
		if (*ranks == NULL)
			return ribbon_error_memory();
		status = ribbon_texts_write(&values->texts, *ranks, dictionary,
									&made->ndictionary);
		made->dictionary = *dictionary;
		made->bits = ribbon_number_code_bits(n > 0, n - 1, values->has_null);
	}
	else if (values->has_null && values->has_like_null)
		status =
			ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
							 "value %lld is out of range where there are NULLs",
							 (long long) RIBBON_NULL_WORD);
	else if (bits > 64)
		status =
			ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
							 "the range of the values takes all 64 bits, which leaves no code for NULL");
	else
	{
		made->base = values->any ? values->least : 0;
		made->bits = bits;
	}
	codes->base = (uint64_t) made->base;
	codes->mask = codes->null_code = ribbon_number_null_code(made->bits);
	codes->ranks = *ranks;
	if (values->has_null || codes->ranks != NULL)
	{
		made->code = code_of;
		made->code_arg = codes;
	}
	return status;
}
