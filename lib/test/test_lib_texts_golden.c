/*
 * test/golden/texts_1.txt: texts that libribbon reads, and those that it does
 * not.
 */
#include "parsed.h"

/* One line: its type, which is given, its text, who takes it, and its bytes. */
static void
check_line(const char *type, char *text, const char *readers, const char *hex)
{
	uint8_t canonical[64];
	int key_type = ribbon_key_type_named(type);
	size_t size;

	CHECK(key_type > 0 && strlen(hex) / 2 <= sizeof(canonical), "%s: %s", type,
		  hex);
	if (strstr(readers, "lib") == NULL)
	{
		check_refused(key_type, text);
		return;
	}
	size = read_hex(hex, canonical);
	check_parsed(key_type, text,
				 ribbon_key_canonical(key_type, canonical, size));
}

int
main(void)
{
	char line[512];
	FILE *file = fopen("test/golden/texts_1.txt", "r");
	int nlines = 0;

	test("texts of a table that the server made are keys, or none");
	CHECK(file != NULL, "no test/golden/texts_1.txt");
	for (; file != NULL && fgets(line, sizeof(line), file) != NULL; nlines++)
	{
		char *fields[4] = {line};

		line[strcspn(line, "\n")] = '\0';
		for (int i = 1; i < 4; i++)
		{
			fields[i] = strchr(fields[i - 1], '\t');
			CHECK(fields[i] != NULL, "line %d", nlines + 1);
			*fields[i]++ = '\0';
		}
		check_line(fields[0], fields[1], fields[2], fields[3]);
	}
	CHECK(nlines > 300, "%d lines", nlines);
	if (file != NULL)
		(void) fclose(file);
	return test_done();
}
