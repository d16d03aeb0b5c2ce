/*
 * builder_keys.c - the keys that a builder is given
 *
 * Hashes, or records of a hash and a value word, are collected in a set
 * (set/set.h): in memory until sorting it would take what the builder may have,
 * then in a file.
 */
#include "builder.h"

#include "keys/hashes.h"

ribbon_status
ribbon_builder_make_room(ribbon_builder *builder, size_t n)
{
	RibbonSet *set = &builder->set;
	RibbonStatus status;
	ribbon_status failed;
	bool stays;

	if (ribbon_set_has_room(set, n))
		return RIBBON_SUCCESS;
	stays = ribbon_set_stays_in_array(set, n);
	status = ribbon_set_make_room(set, n);
	if (status == RIBBON_OK)
		return RIBBON_SUCCESS;
	failed = ribbon_builder_judge(builder, status);
	if (!stays)
	{
		builder->state = RIBBON_LOST_KEYS;
		builder->broken_by = failed;
	}
	return failed;
}

/* May keys be added alone: without values, or whether they are members? */
static ribbon_status
begin_bare_keys(ribbon_builder *builder, int key_type, size_t n)
{
	ribbon_status status = ribbon_builder_begin_keys(builder, key_type, n);

	if (status != RIBBON_SUCCESS || builder->set.kind == RIBBON_HASHES)
		return status;
	return ribbon_error_set(RIBBON_ERROR_OPTION,
							builder->params.values != NULL ?
								"a key of a map needs a value" :
								"of a key of an exact set it must be said whether it is a member");
}

ribbon_status
ribbon_builder_add(ribbon_builder *builder, ribbon_key key)
{
	int given = ribbon_key_type_of(key);
	ribbon_status status = begin_bare_keys(builder, given, 1);

	if (status == RIBBON_SUCCESS && given != builder->params.key_class)
		status = ribbon_key_refuse_type(given, builder->params.key_class);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_make_room(builder, 1);
	if (status == RIBBON_SUCCESS)
		ribbon_builder_put(builder, ribbon_key_hash(key), 0);
	return status;
}

ribbon_status
ribbon_builder_add_keys(ribbon_builder *builder, const ribbon_keys *keys)
{
	ribbon_status status = keys == NULL ?
		ribbon_error_memory() :
		begin_bare_keys(builder, keys->key_type, keys->n);

	for (size_t first = 0; status == RIBBON_SUCCESS && first < keys->n;
		 first += RIBBON_KEYS_BATCH)
	{
		size_t n = ribbon_keys_batch(keys, first);

		status = ribbon_builder_make_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->params.key_class, 0, first,
									  n, ribbon_set_end(&builder->set), NULL);
		if (status == RIBBON_SUCCESS)
			ribbon_builder_count_more(builder, n);
	}
	return status;
}

ribbon_status
ribbon_builder_add_member(ribbon_builder *builder, ribbon_key key, bool member)
{
	ribbon_keys one = ribbon_keys_of_one(&key);

	return ribbon_builder_add_members(builder, &one, &member);
}

ribbon_status
ribbon_builder_add_members(ribbon_builder *builder, const ribbon_keys *keys,
						   const bool *members)
{
	ribbon_status status = keys == NULL ?
		ribbon_error_memory() :
		ribbon_builder_begin_keys(builder, keys->key_type, keys->n);

	if (status == RIBBON_SUCCESS && !ribbon_builder_is_exact(builder))
		status = ribbon_error_set(RIBBON_ERROR_NOT_EXACT,
								  "only exact sets have members and others");
	for (size_t first = 0; status == RIBBON_SUCCESS && first < keys->n;
		 first += RIBBON_KEYS_BATCH)
	{
		uint64_t hashes[RIBBON_KEYS_BATCH];
		uint64_t seconds[RIBBON_KEYS_BATCH];
		size_t n = ribbon_keys_batch(keys, first);

		status = ribbon_builder_make_room(builder, n);
		if (status == RIBBON_SUCCESS)
			status = ribbon_keys_hash(keys, builder->params.key_class, 0, first,
									  n, hashes, seconds);
		for (size_t i = 0; i < n && status == RIBBON_SUCCESS; i++)
			ribbon_builder_put(builder, hashes[i],
							   ribbon_exact_word(seconds[i],
												 members[first + i]));
	}
	return status;
}
