/*
 * jsonread.c - keys of type jsonb: the canonical bytes of a JSON text
 *
 * docs/canonical.md has the form: a byte for the kind, counted numbers and
 * strings, arrays, and objects whose members come by the length of their names,
 * then by their bytes.  Of members with one name the last one counts.
 */
#include "keyread.h"

#include "values/utf8.h"

#include <stdlib.h>

#define MAX_DEPTH 1000

typedef struct Json
{
	RibbonCursor text;
	char *out;
	size_t n;
	size_t capacity;
	int depth;
	bool no_memory;
} Json;

/* A member of an object, as it lies in the output. */
typedef struct Member
{
	size_t at; /* of its name, behind the count */
	size_t name;
	size_t size;	 /* of all of it, with the count */
	const char *out; /* while members are sorted */
} Member;

static bool read_value(Json *json);

static bool
put(Json *json, const void *bytes, size_t size)
{
	if (json->capacity - json->n < size)
	{
		size_t capacity = 2 * (json->n + size) + 64;
		char *out = realloc(json->out, capacity);

		json->no_memory |= out == NULL;
		if (out == NULL)
			return false;
		json->out = out;
		json->capacity = capacity;
	}
	if (size > 0)
		memcpy(json->out + json->n, bytes, size);
	json->n += size;
	return true;
}

static bool
put_byte(Json *json, int byte)
{
	char c = (char) byte;

	return put(json, &c, 1);
}

/* A number of 32 bits goes to this place. */
static void
set_count(Json *json, size_t at, size_t count)
{
	for (int i = 0; i < 4; i++)
		json->out[at + (size_t) i] = (char) (count >> 8 * i);
}

static bool
put_count(Json *json)
{
	return put(json, "\0\0\0", 4);
}

static void
skip_blanks(Json *json)
{
	RibbonCursor *text = &json->text;

	while (text->at < text->end &&
		   (*text->at == ' ' || *text->at == '\t' || *text->at == '\n' ||
			*text->at == '\r'))
		text->at++;
}

/* Skip this character, and blanks in front of it. */
static bool
skip(Json *json, char c)
{
	skip_blanks(json);
	return ribbon_cursor_skip(&json->text, c);
}

/* Four hexadecimal digits. */
static bool
read_unit(Json *json, uint64_t *unit)
{
	return ribbon_cursor_digits(&json->text, 16, 4, unit) == 4;
}

/* What follows \u: a character, perhaps of two units. */
static bool
put_units(Json *json)
{
	/* of UTF-8: the first byte of a character of so many bytes */
	static const uint8_t first_bytes[] = {[2] = 0xC0, [3] = 0xE0, [4] = 0xF0};
	uint64_t code, low;
	char utf8[4];
	size_t n = 1;

	if (!read_unit(json, &code) || code == 0 ||
		(code >= 0xDC00 && code <= 0xDFFF))
		return false;
	if (code >= 0xD800 && code <= 0xDBFF)
	{
		if (!ribbon_cursor_skip_word(&json->text, "\\u") ||
			!read_unit(json, &low) || low < 0xDC00 || low > 0xDFFF)
			return false;
		code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
	}
	if (code < 0x80)
		utf8[0] = (char) code;
	else
	{
		n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
		for (size_t i = n; i-- > 1; code >>= 6)
			utf8[i] = (char) (0x80 | (code & 0x3F));
		utf8[0] = (char) (first_bytes[n] | code);
	}
	return put(json, utf8, n);
}

/* Characters that stand for themselves. */
static bool
put_plain(Json *json)
{
	const char *first = json->text.at;
	const char *at = first;

	while (at < json->text.end && (unsigned char) *at >= ' ' && *at != '"' &&
		   *at != '\\')
		at++;
	json->text.at = at;
	return put(json, first, (size_t) (at - first));
}

/* What follows a backslash. */
static bool
put_escaped(Json *json)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	char c = ribbon_cursor_take(&json->text);
	const char *letter = memchr(letters, c, sizeof(letters) - 1);

	if (c == 'u')
		return put_units(json);
	return letter != NULL && put_byte(json, meant[letter - letters]);
}

/* A string behind its first quote, counted. */
static bool
read_string(Json *json)
{
	size_t count = json->n;
	bool valid = put_count(json) && put_plain(json);

	while (valid && ribbon_cursor_skip(&json->text, '\\'))
		valid = put_escaped(json) && put_plain(json);
	if (valid)
		set_count(json, count, json->n - count - 4);
	return valid && ribbon_cursor_skip(&json->text, '"');
}

static bool
skip_digits(RibbonCursor *text)
{
	const char *first = text->at;

	while (ribbon_cursor_at_digit(text))
		text->at++;
	return text->at > first;
}

static bool
read_number(Json *json)
{
	RibbonCursor *text = &json->text;
	RibbonCursor number = *text;
	ribbon_status status;
	size_t count;
	char *shortest;
	size_t size;
	bool valid;

	(void) ribbon_cursor_skip(text, '-');
	if ((!ribbon_cursor_skip(text, '0') && !skip_digits(text)) ||
		(ribbon_cursor_skip(text, '.') && !skip_digits(text)))
		return false;
	if (ribbon_cursor_skip_any(text, "eE"))
	{
		(void) ribbon_cursor_skip_sign(text);
		if (!skip_digits(text))
			return false;
	}
	number.end = text->at;
	status = ribbon_numeric_shortest(number, &shortest, &size);
	json->no_memory |= status == RIBBON_ERROR_MEMORY;
	if (status != RIBBON_SUCCESS)
		return false;
	count = json->n + 1;
	valid = put_byte(json, RIBBON_JSON_NUMBER) && put_count(json) &&
		put(json, shortest, size);
	if (valid)
		set_count(json, count, size);
	free(shortest);
	return valid;
}

static bool
read_array(Json *json)
{
	size_t count = json->n + 1;
	size_t n = 0;

	if (!put_byte(json, RIBBON_JSON_ARRAY) || !put_count(json))
		return false;
	if (!skip(json, ']'))
	{
		do
		{
			if (!read_value(json))
				return false;
			n++;
		} while (skip(json, ','));
		if (!skip(json, ']'))
			return false;
	}
	set_count(json, count, n);
	return true;
}

/* By their names, and of one name the last one first. */
static int
compare_members(const void *a, const void *b)
{
	const Member *x = a;
	const Member *y = b;
	int order;

	if (x->name != y->name)
		return x->name < y->name ? -1 : 1;
	order = memcmp(x->out + x->at, y->out + y->at, x->name);
	return order != 0 ? order : x->at > y->at ? -1 : 1;
}

/* Put members, which lie behind begin, into their order; *n becomes fewer. */
static bool
sort_members(Json *json, size_t begin, Member *members, size_t *n)
{
	size_t size = json->n - begin;
	char *sorted = malloc(size + 1);
	size_t at = 0;
	size_t kept = 0;

	json->no_memory |= sorted == NULL;
	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < *n; i++)
		members[i].out = json->out;
	qsort(members, *n, sizeof(Member), compare_members);
	for (size_t i = 0; i < *n; i++)
	{
		const Member *member = &members[i];

		if (i > 0 && member->name == members[i - 1].name &&
			memcmp(json->out + member->at, json->out + members[i - 1].at,
				   member->name) == 0)
			continue;
		memcpy(sorted + at, json->out + member->at - 4, member->size);
		at += member->size;
		kept++;
	}
	memcpy(json->out + begin, sorted, at);
	json->n = begin + at;
	*n = kept;
	free(sorted);
	return true;
}

/* The members behind the first brace, in the order in which they come. */
static bool
read_members(Json *json, Member **members, size_t *n)
{
	size_t capacity = 0;

	if (skip(json, '}'))
		return true;
	do
	{
		size_t at = json->n;
		Member *member;

		if (*n == capacity)
		{
			capacity = 2 * capacity + 8;
			member = realloc(*members, capacity * sizeof(Member));
			json->no_memory |= member == NULL;
			if (member == NULL)
				return false;
			*members = member;
		}
		member = &(*members)[*n];
		if (!skip(json, '"') || !read_string(json))
			return false;
		*member = (Member){.at = at + 4, .name = json->n - at - 4};
		(*n)++;
		if (!skip(json, ':') || !read_value(json))
			return false;
		member->size = json->n - at;
	} while (skip(json, ','));
	return skip(json, '}');
}

static bool
read_object(Json *json)
{
	size_t count = json->n + 1;
	Member *members = NULL;
	size_t n = 0;
	bool valid = put_byte(json, RIBBON_JSON_OBJECT) && put_count(json) &&
		read_members(json, &members, &n) &&
		(n < 2 || sort_members(json, count + 4, members, &n));

	if (valid)
		set_count(json, count, n);
	free(members);
	return valid;
}

static bool
read_value(Json *json)
{
	bool valid;

	if (++json->depth > MAX_DEPTH)
		return false;
	if (skip(json, '{'))
		valid = read_object(json);
	else if (skip(json, '['))
		valid = read_array(json);
	else if (skip(json, '"'))
		valid = put_byte(json, RIBBON_JSON_STRING) && read_string(json);
	else if (ribbon_cursor_skip_word(&json->text, "null"))
		valid = put_byte(json, RIBBON_JSON_NULL);
	else if (ribbon_cursor_skip_word(&json->text, "false"))
		valid = put_byte(json, RIBBON_JSON_FALSE);
	else if (ribbon_cursor_skip_word(&json->text, "true"))
		valid = put_byte(json, RIBBON_JSON_TRUE);
	else
		valid = read_number(json);
	json->depth--;
	return valid;
}

ribbon_status
ribbon_jsonread_key(ribbon_key *key, RibbonCursor text)
{
	Json json = {.text = text};
	bool valid = ribbon_is_utf8(text.at, ribbon_cursor_size(&text)) &&
		read_value(&json);

	skip_blanks(&json);
	valid = valid && ribbon_cursor_at_end(&json.text);
	if (valid)
		*key = ribbon_key_canonical(RIBBON_KEY_JSONB, json.out, json.n);
	free(json.out);
	if (json.no_memory)
		return ribbon_error_memory();
	return valid ? RIBBON_SUCCESS : RIBBON_ERROR_KEY;
}
