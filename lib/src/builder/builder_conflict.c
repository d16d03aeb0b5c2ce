/*
 * builder_conflict.c - a key that has two values, or is a member and is not
 *
 * The builder keeps no keys, so that all it knows of this one are two records.
 * Whoever still has the keys may have it found among them.
 */
#include "builder.h"

#include <stdio.h>

/* The value of a word, as a message shows it. */
static void
put_value(const ribbon_builder *builder, uint64_t word, char *out, size_t room)
{
	if (ribbon_range_is_null(&builder->range, word))
		(void) snprintf(out, room, "NULL");
	else if (builder->values.value_class != RIBBON_VALUE_TEXT)
		(void) ribbon_value_format((int64_t) word, builder->values.value_class,
								   out, room);
	else
	{
		char shown[RIBBON_SHOWN + 1];
		const RibbonText *text = ribbon_texts_find(&builder->texts, word);

		(void) snprintf(out, room, "\"%s\"",
						ribbon_error_show(builder->texts.bytes + text->at,
										  text->size, shown));
	}
}

ribbon_status
ribbon_builder_remember_conflict(ribbon_builder *builder)
{
	const RibbonRecord *records = builder->set.conflict;
	char first[RIBBON_SHOWN + 8];
	char second[RIBBON_SHOWN + 8];
	bool swap;

	builder->has_conflict = true;
	memcpy(builder->conflict, records, sizeof(builder->conflict));
	if (ribbon_builder_is_exact(builder))
		return ribbon_error_set(RIBBON_ERROR_CONFLICT,
								"a key is a member of the exact set, and is not; its hash is %lld",
								(long long) records[0].hash);
	put_value(builder, records[0].word, first, sizeof(first));
	put_value(builder, records[1].word, second, sizeof(second));
	swap = strcmp(first, second) > 0;
	return ribbon_error_set(RIBBON_ERROR_CONFLICT,
							"a key has two values, %s and %s; its hash is %lld (if it is two keys with one hash, which is rare, use another seed than %u)",
							swap ? second : first, swap ? first : second,
							(long long) records[0].hash, builder->values.seed);
}

/* Are these the hashes of the key?  Without seconds, the hash will do. */
static bool
is_conflict(const ribbon_builder *builder, uint64_t hash, uint64_t second)
{
	const RibbonRecord *records = builder->conflict;

	return hash == records[0].hash &&
		(!ribbon_builder_is_exact(builder) ||
		 ribbon_exact_word(second, true) == (records[0].word | RIBBON_MEMBER));
}

ribbon_status
ribbon_builder_find_conflict(const ribbon_builder *builder,
							 const ribbon_keys *keys, size_t *found)
{
	if (keys == NULL)
		return ribbon_error_memory();
	*found = keys->n;
	if (!builder->has_conflict)
		return ribbon_error_set(RIBBON_ERROR_OPTION,
								"no key of the builder has two values");
	for (size_t first = 0; first < keys->n; first += RIBBON_KEYS_BATCH)
	{
		uint64_t hashes[RIBBON_KEYS_BATCH];
		uint64_t seconds[RIBBON_KEYS_BATCH];
		size_t n = ribbon_keys_batch(keys, first);
		ribbon_status status = ribbon_keys_hash(keys, builder->params.key_class,
												builder->values.seed, first, n,
												hashes, seconds);

		if (status != RIBBON_SUCCESS)
			return status;
		for (size_t i = 0; i < n; i++)
			if (is_conflict(builder, hashes[i], seconds[i]))
			{
				*found = first + i;
				return RIBBON_SUCCESS;
			}
	}
	return RIBBON_SUCCESS;
}
