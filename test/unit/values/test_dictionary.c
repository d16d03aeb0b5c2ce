/*
 * test_dictionary.c - the texts of a map: written, found, checked
 */
#include "caller.h"
#include "testing.h"
#include "values/texts.h"

#include <string.h>

static const char head[] = "\012pg_catalog\004text";
#define HEAD_SIZE (sizeof(head) - 1)

/* A map that has this dictionary alone; its bytes end where memory does. */
typedef struct Made
{
	RibbonFilter map;
	uint8_t *bytes;
	size_t size;
} Made;

static Made
make(const uint8_t *bytes, size_t size)
{
	Made made = {.bytes = malloc(size > 0 ? size : 1), .size = size};

	memcpy(made.bytes, bytes, size);
	made.map.value_bits = 16;
	made.map.dictionary = made.bytes;
	made.map.ndictionary = size;
	made.map.dictionary_at = 100;
	return made;
}

/* A text that is to be written; it gets its code. */
typedef struct Text
{
	const char *bytes;
	size_t size;
	uint64_t code;
} Text;

static Made
write(Text *texts, uint32_t n)
{
	const RibbonEnv *env = &ribbon_malloc_env;
	RibbonValues values = {.has_null = false};
	RibbonTexts added;
	Made made;

	CHECK(ribbon_texts_init(&added, env, (const uint8_t *) head, HEAD_SIZE,
							n) == RIBBON_OK,
		  "memory");
	for (uint32_t i = 0; i < n; i++)
		CHECK(ribbon_texts_add(&added, env, i, texts[i].bytes, texts[i].size) ==
				  RIBBON_OK,
			  "text %" PRIu32, i);
	CHECK(ribbon_texts_set_codes(&added, env, &values) == RIBBON_OK, "%" PRIu32,
		  n);
	for (uint32_t i = 0; i < n; i++)
		texts[i].code = values.code(values.code_arg, i);
	made = make(values.dictionary, values.ndictionary);
	free((void *) values.dictionary);
	ribbon_texts_free(&added, env);
	return made;
}

/* Open it in a map and look for all texts; false if it cannot be opened. */
static bool
look_in(const RibbonFilter *map, const Made *made, RibbonDictionary *dictionary)
{
	RibbonStatus status = ribbon_dictionary_open(map, dictionary);

	CHECK(status == RIBBON_OK || status == RIBBON_BAD_DICTIONARY, "%d", status);
	if (status != RIBBON_OK)
		return false;
	for (uint32_t code = 0; code < dictionary->nvalues; code++)
	{
		uint64_t at = 0;
		uint32_t size = 0;

		status = ribbon_dictionary_find(map, dictionary, code, &at, &size);
		CHECK(status == RIBBON_BAD_ORDER ||
				  (status == RIBBON_OK && at <= made->size &&
				   size <= made->size - at),
			  "text %" PRIu32, code);
	}
	return true;
}

/* The same in memory and in slices. */
static void
look(const Made *made)
{
	Slices slices = {.bytes = made->bytes,
					 .nbytes = made->size,
					 .first = made->map.dictionary_at};
	RibbonFilter sliced = made->map;
	RibbonDictionary dictionaries[2];
	bool opened = look_in(&made->map, made, &dictionaries[0]);

	sliced.dictionary = NULL;
	sliced.fetch = slices_fetch;
	sliced.fetch_arg = &slices;
	CHECK(look_in(&sliced, made, &dictionaries[1]) == opened &&
			  (!opened ||
			   (dictionaries[0].nvalues == dictionaries[1].nvalues &&
				dictionaries[0].texts_at == dictionaries[1].texts_at)),
		  "slices");
	CHECK(slices.outside == 0, "%zu slices outside", slices.outside);
	free(slices.slice);
}

static void
done(Made *made)
{
	free(made->bytes);
}

static RibbonStatus
check(const Made *made)
{
	return ribbon_dictionary_check(&ribbon_malloc_env, &made->map);
}

static void
test_written(void)
{
	Text texts[] = {{"b", 1, 0},
					{"", 0, 0},
					{"ba", 2, 0},
					{"\xC3\xA4", 2, 0},
					{"B", 1, 0}};
	static const char expected[] = "\005\001\000\001\002\004\006Bbba\xC3\xA4";
	static const uint64_t codes[] = {2, 0, 3, 4, 1};
	Made made = write(texts, 5);

	test("texts are written in the order of their bytes");
	CHECK(made.size == HEAD_SIZE + sizeof(expected) - 1 &&
			  memcmp(made.bytes, head, HEAD_SIZE) == 0 &&
			  memcmp(made.bytes + HEAD_SIZE, expected, sizeof(expected) - 1) ==
				  0,
		  "other bytes");
	for (int i = 0; i < 5; i++)
		CHECK(texts[i].code == codes[i], "text %d", i);
	CHECK(check(&made) == RIBBON_OK, "%d", check(&made));
	look(&made);
	done(&made);

	test("no texts");
	made = write(texts, 0);
	CHECK(made.size == HEAD_SIZE + 2 && check(&made) == RIBBON_OK, "%zu",
		  made.size);
	look(&made);
	done(&made);
}

static void
test_sizes(void)
{
	static const size_t sizes[] = {255, 256, 65535, 65536};
	static const size_t end_sizes[] = {1, 2, 2, 4};

	test("ends have as many bytes as they need");
	for (int i = 0; i < 4; i++)
	{
		char *text = malloc(sizes[i]);
		Text one = {text, sizes[i], 0};
		RibbonDictionary dictionary;
		Made made;

		memset(text, 't', sizes[i]);
		made = write(&one, 1);
		CHECK(ribbon_dictionary_open(&made.map, &dictionary) == RIBBON_OK &&
				  dictionary.end_size == end_sizes[i] &&
				  dictionary.text_bytes == sizes[i] &&
				  check(&made) == RIBBON_OK,
			  "%zu bytes", sizes[i]);
		look(&made);
		done(&made);
		free(text);
	}
}

static void
test_many(void)
{
	uint32_t n = RIBBON_DICTIONARY_VALUES;
	Text *texts = malloc(n * sizeof(Text));
	char(*bytes)[8] = malloc(n * sizeof(*bytes));
	Made made;

	test("65,536 texts, each found by its code");
	for (uint32_t i = 0; i < n; i++)
	{
		snprintf(bytes[i], sizeof(bytes[i]), "%" PRIu32, i * 40503 % n);
		texts[i] = (Text){bytes[i], strlen(bytes[i]), 0};
	}
	made = write(texts, n);
	CHECK(check(&made) == RIBBON_OK, "%d", check(&made));
	look(&made);
	for (uint32_t i = 0; i < n; i += 997)
	{
		RibbonDictionary dictionary;
		uint64_t at = 0;
		uint32_t size = 0;

		ribbon_dictionary_open(&made.map, &dictionary);
		CHECK(ribbon_dictionary_find(&made.map, &dictionary,
									 (uint32_t) texts[i].code, &at,
									 &size) == RIBBON_OK &&
				  size == texts[i].size &&
				  memcmp(made.bytes + at, texts[i].bytes, size) == 0,
			  "text %" PRIu32, i);
	}
	made.map.has_null = true;
	CHECK(check(&made) == RIBBON_BAD_COUNT, "no code for NULL");
	made.map.value_bits = 17;
	CHECK(check(&made) == RIBBON_OK, "%d", check(&made));
	made.map.value_bits = 64;
	CHECK(check(&made) == RIBBON_OK, "%d", check(&made));
	done(&made);
	free(texts);
	free(bytes);
}

static void
test_wrong(void)
{
	static const struct
	{
		const char *what;
		const char *bytes;
		size_t size;
		RibbonStatus status;
	} cases[] = {
#define BYTES(s) s, sizeof(s) - 1
		{"right", BYTES("\001s\001t\002\001\001\002ab"), RIBBON_OK},
		{"one byte", BYTES("\001"), RIBBON_BAD_DICTIONARY},
		{"no name", BYTES("\000\001t\000\001"), RIBBON_BAD_DICTIONARY},
		{"name to the end", BYTES("\001s\004t\000\001"), RIBBON_BAD_DICTIONARY},
		{"no count", BYTES("\001s\001t"), RIBBON_BAD_DICTIONARY},
		{"no end size", BYTES("\001s\001t\000"), RIBBON_BAD_DICTIONARY},
		{"end size 3", BYTES("\001s\001t\000\003"), RIBBON_BAD_DICTIONARY},
		{"long count", BYTES("\001s\001t\202\000\001\001\002ab"),
		 RIBBON_BAD_DICTIONARY},
		{"endless count", BYTES("\001s\001t\200\200\200\200\200\200\200\001"),
		 RIBBON_BAD_DICTIONARY},
		{"count of 65,537", BYTES("\001s\001t\201\200\004\001"),
		 RIBBON_BAD_DICTIONARY},
		{"no ends", BYTES("\001s\001t\003\001\001\002"), RIBBON_BAD_DICTIONARY},
		{"end before the last", BYTES("\001s\001t\002\001\002\001ab"),
		 RIBBON_BAD_ORDER},
		{"end behind all", BYTES("\001s\001t\002\001\001\003ab"),
		 RIBBON_BAD_ORDER},
		{"not sorted", BYTES("\001s\001t\002\001\001\002ba"), RIBBON_BAD_ORDER},
		{"the same twice", BYTES("\001s\001t\002\001\001\002aa"),
		 RIBBON_BAD_ORDER},
		{"the longer first", BYTES("\001s\001t\002\001\002\003aba"),
		 RIBBON_BAD_ORDER},
		{"schema", BYTES("\001\377\001t\000\001"), RIBBON_BAD_TEXT},
		{"type", BYTES("\001s\001\000\000\001"), RIBBON_BAD_TEXT},
		{"text", BYTES("\001s\001t\002\001\001\002a\377"), RIBBON_BAD_TEXT},
		{"half a character", BYTES("\001s\001t\002\001\001\002\303\244"),
		 RIBBON_BAD_TEXT},
		{"more behind", BYTES("\001s\001t\002\001\001\002abc"), RIBBON_BAD_END},
		{"more behind nothing", BYTES("\001s\001t\000\001a"), RIBBON_BAD_END},
	};
	RibbonDictionary none;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		Made made = make((const uint8_t *) cases[i].bytes, cases[i].size);

		test(cases[i].what);
		CHECK(check(&made) == cases[i].status, "%d", check(&made));
		look(&made);
		done(&made);
	}

	test("no dictionary");
	CHECK(ribbon_dictionary_check(&ribbon_malloc_env, &(RibbonFilter){0}) ==
			  RIBBON_OK,
		  "refused");
	CHECK(ribbon_dictionary_open(&(RibbonFilter){0}, &none) ==
			  RIBBON_BAD_DICTIONARY,
		  "opened");
}

/* A large text is looked at in pieces, which must not cut a character. */
static void
test_interrupted(void)
{
	static const char characters[] = "\xC3\xA4\xF0\x9F\x98\x80\xE2\x82\xAC";
	const size_t nbytes = 2 * RIBBON_INTERRUPT_BYTES + 4;
	RibbonEnv env = ribbon_malloc_env;
	char *bytes = malloc(nbytes + 8);
	long left;

	test("a check can be interrupted, also within a text");
	env.interrupted = is_last_look;
	env.arg = &left;
	for (size_t at = 0; at < 9; at++)
	{
		Text texts[] = {{"", 0, 0}, {bytes, nbytes, 0}};
		Made made;

		memset(bytes, 'x', nbytes);
		memcpy(bytes + RIBBON_INTERRUPT_BYTES - at, characters, 9);
		made = write(texts, 2);
		for (long looks = 1; looks <= 3; looks++)
		{
			left = looks;
			CHECK(ribbon_dictionary_check(&env, &made.map) ==
					  RIBBON_INTERRUPTED,
				  "%ld looks, %zu", looks, at);
		}
		left = 4;
		CHECK(ribbon_dictionary_check(&env, &made.map) == RIBBON_OK,
			  "character at %zu", at);
		made.bytes[made.size - nbytes + RIBBON_INTERRUPT_BYTES - at + 1] = 'x';
		left = 4;
		CHECK(ribbon_dictionary_check(&env, &made.map) == RIBBON_BAD_TEXT,
			  "half a character at %zu", at);
		done(&made);
	}
	free(bytes);
}

static void
test_heads(void)
{
	test("heads are two names and nothing else");
	CHECK(ribbon_dictionary_is_head((const uint8_t *) head, HEAD_SIZE), "text");
	for (size_t n = 0; n < HEAD_SIZE; n++)
	{
		uint8_t *copy = malloc(n > 0 ? n : 1);

		memcpy(copy, head, n);
		CHECK(!ribbon_dictionary_is_head(copy, n), "%zu bytes", n);
		free(copy);
	}
	CHECK(!ribbon_dictionary_is_head((const uint8_t *) head, HEAD_SIZE + 1),
		  "a byte more");
	CHECK(!ribbon_dictionary_is_head((const uint8_t *) "\001\200\001a", 4),
		  "not UTF-8");
}

static void
test_hostile(void)
{
	Text texts[] = {{"alpha", 5, 0},	{"beta", 4, 0},	 {"gamma", 5, 0},
					{"\xC3\xA4", 2, 0}, {"delta", 5, 0}, {"", 0, 0}};
	Made made = write(texts, 6);
	Random random = {1};
	uint8_t *bytes = malloc(made.size);

	test("any bytes: nothing outside is read");
	for (int i = 0; i < 100000; i++)
	{
		size_t size = made.size -
			(random_below(&random, 4) == 0 ? random_below(&random, made.size) :
											 0);
		Made hostile;

		memcpy(bytes, made.bytes, size);
		for (uint64_t n = random_below(&random, 4); n > 0; n--)
			bytes[random_below(&random, size)] = (uint8_t) random_next(&random);
		hostile = make(bytes, size);
		look(&hostile);
		(void) check(&hostile);
		done(&hostile);
	}
	free(bytes);
	done(&made);
}

int
main(void)
{
	test_written();
	test_sizes();
	test_many();
	test_wrong();
	test_interrupted();
	test_heads();
	test_hostile();
	return test_done();
}
