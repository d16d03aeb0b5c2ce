/*
 * golden.h - files of golden values: a line each, a case and its bytes
 *
 * The bytes are in hex; of large values there is "=", their number and a digest
 * of them instead.
 */
#ifndef RIBBON_TEST_GOLDEN_H
#define RIBBON_TEST_GOLDEN_H

#include "testing.h"

#include "base/hash.h"
#include "construct/digest.h"

#include <string.h>

#define GOLDEN_LINE 40000 /* bytes, at most */

/* The i-th hash; shifted to the right, they cluster: then there is a salt. */
static inline uint64_t
golden_key(size_t i, unsigned shift)
{
	return ribbon_mix(i + UINT64_C(0x60DE)) >> shift;
}

/* Write bytes as text, as a digest if there are more than most. */
static inline void
golden_text(const uint8_t *bytes, size_t nbytes, size_t most,
			char text[GOLDEN_LINE])
{
	RibbonDigest digest;

	*text = '\0';
	ribbon_digest_init(&digest);
	for (size_t i = 0; i < nbytes; i++)
	{
		ribbon_digest_add(&digest, bytes[i]);
		if (nbytes <= most)
			snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	}
	if (nbytes > most)
		snprintf(text, GOLDEN_LINE, "=%zu:%016" PRIx64, nbytes,
				 ribbon_digest_end(&digest));
}

/*
 * The main function of a program of one file, which has ncases lines: "--write"
 * prints all cases, else each line is checked, and its bytes, as text.
 */
static inline int
golden_main(int argc, char **argv, const char *name, size_t ncases,
			void (*write_case)(size_t c),
			void (*check_line)(const char *line, const char *bytes))
{
	char *line = malloc(GOLDEN_LINE);
	size_t nlines = 0;
	FILE *file;

	if (argc > 1 && strcmp(argv[1], "--write") == 0)
	{
		for (size_t c = 0; c < ncases; c++)
			write_case(c);
		free(line);
		return 0;
	}
	test("golden values are read, and come out the same");
	file = fopen(name, "r");
	CHECK(file != NULL, "cannot open %s", name);
	while (file != NULL && fgets(line, GOLDEN_LINE, file) != NULL)
	{
		line[strcspn(line, "\n")] = '\0';
		check_line(line, strrchr(line, ' ') + 1);
		nlines++;
	}
	CHECK(nlines == ncases, "%zu lines", nlines);
	if (file != NULL)
		fclose(file);
	free(line);
	return test_done();
}

#endif /* RIBBON_TEST_GOLDEN_H */
