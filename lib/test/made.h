/*
 * What the library's tests share: a builder, and the filter that it made.
 */
#ifndef RIBBON_TEST_MADE_H
#define RIBBON_TEST_MADE_H

#include "src/internal.h"

#include "../../test/unit/lib/testing.h"

/* The bytes of a builder, and the filter that they are. */
typedef struct Made
{
	ribbon_status status;
	void *bytes;
	size_t size;
	ribbon_filter *filter;
} Made;

static inline ribbon_builder *
new_builder(int key_type, double fpr)
{
	ribbon_builder *builder = NULL;

	CHECK(ribbon_builder_new(&builder, key_type, fpr) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	return builder;
}

static inline Made
finish(ribbon_builder *builder)
{
	Made made = {0};

	made.status = ribbon_builder_finish(builder, &made.bytes, &made.size);
	if (made.status == RIBBON_SUCCESS)
		made.status = ribbon_filter_open_bytes(&made.filter, made.bytes,
											   made.size);
	ribbon_builder_free(builder);
	return made;
}

static inline void
drop(Made *made)
{
	ribbon_filter_close(made->filter);
	ribbon_bytes_free(made->bytes);
}

static inline bool
same(const Made *a, const Made *b)
{
	return a->status == RIBBON_SUCCESS && b->status == RIBBON_SUCCESS &&
		a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static inline size_t
read_hex(const char *hex, uint8_t *bytes)
{
	size_t n = strlen(hex) / 2;

	for (size_t i = 0; i < n; i++)
	{
		unsigned byte = 0;

		CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1, "hex");
		bytes[i] = (uint8_t) byte;
	}
	return n;
}

#endif
