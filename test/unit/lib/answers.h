/*
 * answers.h - a digest that stands for many answers
 *
 * Between answers_begin and answers_end a test adds numbers; answers_of says of
 * what those are that follow.  "PROGRAM --each" prints them, a line for each
 * answers_of: what two versions of the code print can be compared by diff.
 */
#ifndef RIBBON_TEST_ANSWERS_H
#define RIBBON_TEST_ANSWERS_H

#include "testing.h"

#include "construct/digest.h"

static RibbonDigest answers;
static bool answers_are_shown; /* --each */

static inline void
answers_init(int argc, char **argv)
{
	answers_are_shown = argc > 1 && strcmp(argv[1], "--each") == 0;
}

static inline void
answers_begin(void)
{
	ribbon_digest_init(&answers);
}

#define answers_of(...) \
	do \
	{ \
		if (answers_are_shown) \
		{ \
			printf("\n%s: ", test_name); \
			printf(__VA_ARGS__); \
			printf(":"); \
		} \
	} while (0)

static inline void
add(uint64_t number)
{
	ribbon_digest_add(&answers, number);
	if (answers_are_shown)
		printf(" %" PRIX64, number);
}

static inline void
add_double(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	ribbon_digest_add(&answers, bits);
	if (answers_are_shown)
		printf(" %a", number);
}

/* Check the digest of what has been added. */
static inline void
answers_end(const char *what, uint64_t expected)
{
	uint64_t found = ribbon_digest_end(&answers);

	if (answers_are_shown)
		printf("\n");
	CHECK(found == expected,
		  "%s: UINT64_C(0x%016" PRIX64
		  "); to see which answers, compare what --each prints before and after",
		  what, found);
}

#endif /* RIBBON_TEST_ANSWERS_H */
