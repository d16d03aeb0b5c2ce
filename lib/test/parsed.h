/*
 * What tests of keys from texts share: a text that is a key, or none.
 */
#ifndef RIBBON_TEST_PARSED_H
#define RIBBON_TEST_PARSED_H

#include "made.h"

static inline bool
same_key(ribbon_key a, ribbon_key b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Read a text that lies in memory of its size. */
static inline ribbon_status
parse(ribbon_key *key, int key_type, const char *text)
{
	size_t size = strlen(text);
	char *copy = malloc(size > 0 ? size : 1);
	ribbon_status status;

	memcpy(copy, text, size);
	status = ribbon_key_parse(key, key_type, copy, size);
	free(copy);
	return status;
}

/* The key of a text, which must be one. */
static inline ribbon_key
parsed(int key_type, const char *text)
{
	ribbon_key key = ribbon_key_hashed(0, 0, 0);
	ribbon_status status = parse(&key, key_type, text);

	CHECK(status == RIBBON_SUCCESS, "\"%s\": %s", text, ribbon_error_text());
	return key;
}

static inline void
check_parsed(int key_type, const char *text, ribbon_key expected)
{
	CHECK(same_key(parsed(key_type, text), expected), "type %d: \"%s\"",
		  key_type, text);
}

static inline void
check_refused(int key_type, const char *text)
{
	ribbon_key key;

	CHECK(parse(&key, key_type, text) == RIBBON_ERROR_KEY,
		  "type %d: \"%s\" is a key", key_type, text);
}

#endif
