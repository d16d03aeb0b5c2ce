/*
 * test/golden/answers_1.txt: the answers that are the same in every language.
 */
#include "made.h"

#define MAX_SETS 100

typedef struct Set
{
	char name[80];
	bool is_map;
	uint8_t *bytes;
	ribbon_filter *filter;
} Set;

static Set sets[MAX_SETS];
static size_t nsets;

/* Cut the next field off a line. */
static char *
next_field(char **rest)
{
	char *field = *rest;
	size_t size = strcspn(field, "\t\n");

	*rest = field + size + (field[size] != '\0');
	field[size] = '\0';
	return field;
}

static void
read_set(char *rest)
{
	Set *set = &sets[nsets++];
	char *hex;
	size_t size;

	CHECK(nsets < MAX_SETS, "sets");
	(void) snprintf(set->name, sizeof(set->name), "%s", next_field(&rest));
	set->is_map = strcmp(next_field(&rest), "map") == 0;
	hex = next_field(&rest);
	set->bytes = malloc(strlen(hex) / 2 + 1);
	size = read_hex(hex, set->bytes);
	CHECK(ribbon_filter_open_bytes(&set->filter, set->bytes, size) == 0 &&
			  ribbon_filter_is_map(set->filter) == set->is_map,
		  "%s: %s", set->name, ribbon_error_text());
}

/* What an error or a yes or no is in the table. */
static const char *
name_of(int answer)
{
	switch (answer)
	{
		case RIBBON_ERROR_KEY_TYPE:
			return "!KEY_TYPE";
		case RIBBON_ERROR_NOT_EXACT:
			return "!NOT_EXACT";
		case RIBBON_FOUND_NO:
			return "false";
		case RIBBON_FOUND_VALUE:
			return "true";
		case RIBBON_FOUND_NULL:
			return "null";
		default:
			return ribbon_error_text();
	}
}

static const char *
get(const ribbon_filter *map, ribbon_key key, char *out, size_t room)
{
	ribbon_value_type type = ribbon_filter_value_type(map);
	const char *text = "";
	size_t size = 0;
	int64_t number = 0;
	char written[48];
	int found = type == RIBBON_VALUE_TEXT ?
		ribbon_filter_get_text(map, key, &text, &size) :
		ribbon_filter_get_int64(map, key, &number);

	if (found == RIBBON_FOUND_NO)
		return "no";
	if (found != RIBBON_FOUND_VALUE)
		return name_of(found);
	if (type != RIBBON_VALUE_TEXT)
	{
		text = written;
		size = ribbon_value_format(number, type, written, sizeof(written));
	}
	(void) snprintf(out, room, "=%.*s", (int) size, text);
	return out;
}

static const char *
member(const ribbon_filter *set, ribbon_key key, const char *time)
{
	int64_t key_time;

	/* what has no time has no answer; here that is not asked */
	if (strcmp(time, "\\N") == 0)
		return NULL;
	CHECK(ribbon_value_parse(&key_time, RIBBON_VALUE_TIMESTAMPTZ, time,
							 strlen(time)) == 0,
		  "%s", time);
	return name_of(ribbon_filter_member(set, key, key_time));
}

/* One key, and the same as one of many. */
static const char *
contains(const ribbon_filter *set, ribbon_key key)
{
	ribbon_keys *keys = ribbon_keys_hashed(&key, 1);
	int one = ribbon_filter_contains(set, key);
	bool many = false;
	int status = ribbon_filter_contains_keys(set, keys, &many);

	ribbon_keys_free(keys);
	CHECK(one < 0 ? status == one : status == 0 && many == (one == 1),
		  "one %d, many %d, %d", one, status, many);
	return name_of(one);
}

static void
ask(char *rest)
{
	const char *name = next_field(&rest);
	const char *what = next_field(&rest);
	int type = ribbon_key_type_named(next_field(&rest));
	const char *text = next_field(&rest);
	uint8_t canonical[200];
	size_t size = read_hex(next_field(&rest), canonical);
	const char *time = next_field(&rest);
	const char *expected = next_field(&rest);
	const char *answer;
	char value[200];
	ribbon_key key, same;
	const Set *set = sets;

	while (strcmp(set->name, name) != 0 && set < sets + nsets)
		set++;
	CHECK(set < sets + nsets, "no set %s", name);
	CHECK(ribbon_key_parse(&key, type, text, strlen(text)) == 0, "%s", text);
	same = ribbon_key_canonical(type, canonical, size);
	CHECK(memcmp(&key, &same, sizeof(key)) == 0, "%s", text);
	answer = what[0] == 'c' ? contains(set->filter, key) :
		what[0] == 'g'		? get(set->filter, key, value, sizeof(value)) :
							  member(set->filter, key, time);
	CHECK(answer == NULL || strcmp(answer, expected) == 0,
		  "%s %s \"%s\" of %s %s: %s, not %s", name, what, text,
		  ribbon_key_type_name(type), time, answer, expected);
}

int
main(void)
{
	static char line[70000];
	FILE *file = fopen("test/golden/answers_1.txt", "r");
	int n = 0;

	test("the answers of every language");
	CHECK(file != NULL, "no table");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
	{
		char *rest = line;

		if (strcmp(next_field(&rest), "set") == 0)
			read_set(rest);
		else
		{
			ask(rest);
			n++;
		}
	}
	CHECK(n > 150, "%d questions", n);
	if (file != NULL)
		(void) fclose(file);
	for (size_t i = 0; i < nsets; i++)
	{
		ribbon_filter_close(sets[i].filter);
		free(sets[i].bytes);
	}
	return test_done();
}
