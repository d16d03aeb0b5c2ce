/*
 * conflict.c - which key has two values, or is a member and is not?
 *
 * The builder knows its hash.  So all records are read once more; of a pipe, as
 * much as has been kept.
 */
#include "conflict.h"

#include "command/files/fields.h"

#include <stdlib.h>
#include <string.h>

#define SHOWN 60 /* bytes of a key or value */

/* A record with the key that is looked for. */
typedef struct Found
{
	const char *name;
	uint64_t line;
	uint64_t second_hash;
	Value value; /* whose text is a copy */
	char key[SHOWN + 4];
	char shown[SHOWN + 4]; /* the value */
} Found;

/* A field, in quotes, cut off where it is too long. */
static void
show_field(const Field *field, char *shown)
{
	size_t n = field->size <= SHOWN - 2 ? field->size : SHOWN - 5;

	while (n < field->size && n > 0 &&
		   ((unsigned char) field->text[n] & 0xC0) == 0x80)
		n--;
	(void) snprintf(shown, SHOWN + 4, field->is_null ? "NULL" : "\"%.*s%s\"",
					(int) n, field->text, n < field->size ? "..." : "");
}

static void
remember_record(Found *found, Reader *reader, const Record *record,
				const Fields *fields, ribbon_key key, const Value *value)
{
	size_t size = value->text.size;
	char *text = need(malloc(size + 1));
	Field field;

	if (size > 0)
		memcpy(text, value->text.text, size);
	*found = (Found){.name = reader->name,
					 .line = record->line,
					 .second_hash = ribbon_key_hash2(key),
					 .value = *value};
	found->value.text.text = text;
	if (column_field(reader, record, fields->key_column, 0, &field))
		show_field(&field, found->key);
	if (column_field(reader, record, fields->value_column, 1, &field))
		show_field(&field, found->shown);
}

static bool
is_other_value(const Value *a, const Value *b)
{
	return a->is_null != b->is_null || a->number != b->number ||
		a->text.size != b->text.size ||
		(a->text.size > 0 &&
		 memcmp(a->text.text, b->text.text, a->text.size) != 0);
}

/* The second is told of by its line, and its file if that is another one. */
static void
die_of_two(const Options *options, const Found *first, const Found *second)
{
	bool same = strcmp(first->name, second->name) == 0;
	char place[4200];

	(void) snprintf(place, sizeof(place),
					same ? "line %llu" : "line %llu of %s",
					(unsigned long long) second->line, second->name);
	if (first->second_hash != second->second_hash)
		die("%s:%llu: key %s has the same hash as key %s of %s, by chance: use another --seed than %u",
			first->name, (unsigned long long) first->line, first->key,
			second->key, place, options->build.seed);
	if (options_are_of(options, OF_EXACT))
		die("%s:%llu: key %s is %s %s", first->name,
			(unsigned long long) first->line, first->key,
			first->value.number != 0 ? "a member here, and not in" :
									   "no member here, but is one in",
			place);
	die("%s:%llu: key %s has two values, %s here, and %s in %s", first->name,
		(unsigned long long) first->line, first->key, first->shown,
		second->shown, place);
}

/* Look for it in one input; ends once there are two. */
static void
search_input(const Options *options, const ribbon_builder *builder,
			 Reader *reader, Found *first)
{
	ribbon_key key = ribbon_key_hashed(options->input.key_type, 0, 0);
	ribbon_keys *view = need(ribbon_keys_hashed(&key, 1));
	/* warnings were given when it was first read */
	Fields fields = {.key_type = options->input.key_type, .quiet = true};
	Record record;

	fields_begin(&fields, reader);
	while (reader_next(reader, &record))
	{
		size_t at = 1;
		Value value;
		Found second;

		if (!fields_key(&fields, reader, &record, &key) ||
			ribbon_builder_find_conflict(builder, view, &at) !=
				RIBBON_SUCCESS ||
			at == 1)
			continue;
		value = fields_value(&fields, reader, &record);
		if (options_are_of(options, OF_EXACT) && value.is_null)
			continue; /* the set was not told of it */
		if (first->name == NULL)
			remember_record(first, reader, &record, &fields, key, &value);
		else if (is_other_value(&first->value, &value))
		{
			remember_record(&second, reader, &record, &fields, key, &value);
			die_of_two(options, first, &second);
		}
	}
	ribbon_keys_free(view);
}

void
die_of_conflict(const Options *options, const ribbon_builder *builder,
				const Kept *kept, int nkept)
{
	char *what = need(strdup(ribbon_error_text()));
	ribbon_keys *none = need(ribbon_keys_hashed(NULL, 0));
	Found first = {0};
	size_t at;

	/* two texts of one hash, which are no records of one key */
	if (ribbon_builder_find_conflict(builder, none, &at) != RIBBON_SUCCESS)
		die("%s", what);
	ribbon_keys_free(none);
	for (int i = 0; i < nkept; i++)
		if (!kept[i].is_whole)
			die("%s; of files, rather than a long pipe, it can be told which lines",
				what);
	for (int i = 0; i < nkept; i++)
	{
		Reader reader;

		reader_open_again(&reader, &options->input, options->files.names[i],
						  &kept[i]);
		search_input(options, builder, &reader, &first);
		reader_close(&reader);
	}
	die("%s", what); /* the files have changed */
}
