/*
 * test_classes.c - classes.c: which numbers are key classes, and which classes
 * agree
 */
#include "keys/classes.h"
#include "testing.h"

#define INTEGER RIBBON_CLASS_INTEGER
#define TEXT	RIBBON_CLASS_TEXT
#define ARRAY	RIBBON_CLASS_ARRAY
#define RANGE	RIBBON_CLASS_RANGE
#define ROW		RIBBON_CLASS_ROW
#define SEVERAL RIBBON_CLASS_SEVERAL

/* A class whose parts, or first columns, have these. */
#define OF(class, a)			 ((class) | (a) << 5)
#define OF_TWO(class, a, b)		 ((class) | (a) << 5 | (b) << 10)
#define OF_THREE(class, a, b, c) ((class) | (a) << 5 | (b) << 10 | (c) << 15)

static void
test_valid(void)
{
	static const struct
	{
		int key_class;
		bool valid;
	} cases[] = {
		{0, true},
		{INTEGER, true},
		{SEVERAL, true},
		{-1, false},
		{OF(INTEGER, 1), false},
		{OF(ARRAY, INTEGER), true},
		{OF_TWO(ARRAY, INTEGER, 1), false},
		{OF_TWO(RANGE, ARRAY, TEXT), true},
		{OF_THREE(ARRAY, ARRAY, ARRAY, SEVERAL), true},
		{OF_THREE(ROW, INTEGER, TEXT, SEVERAL), true},
		{OF_THREE(ARRAY, ROW, INTEGER, TEXT), true},
		{OF(RIBBON_CLASS_JSONB, 1), false},
		{1 << 20, false},
		{OF_THREE(ROW, 1, 1, 1) | 1 << 20, false},
	};

	test("which numbers are key classes");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK(ribbon_key_class_is_valid(cases[i].key_class) == cases[i].valid,
			  "%x", (unsigned) cases[i].key_class);
}

static void
test_names(void)
{
	test("names of classes, and sizes of their canonical bytes");
	CHECK(strcmp(ribbon_key_class_name(RIBBON_CLASS_OTHER_BE), "other") == 0 &&
			  ribbon_key_class_size(RIBBON_CLASS_OTHER_BE) == 0,
		  "the last one");
	CHECK(strcmp(ribbon_key_class_name(OF(ARRAY, TEXT)), "array") == 0,
		  "with parts");
	CHECK(ribbon_key_class_name(0) == NULL &&
			  ribbon_key_class_name(30) == NULL &&
			  ribbon_key_class_name(SEVERAL) == NULL,
		  "none");
	CHECK(ribbon_key_class_size(INTEGER) == 8 &&
			  ribbon_key_class_size(TEXT) == 0 &&
			  ribbon_key_class_size(RIBBON_CLASS_UUID) == 16 &&
			  ribbon_key_class_size(RIBBON_CLASS_TIMETZ) == 12,
		  "sizes");
}

static void
test_parts(void)
{
	int row = OF_THREE(ROW, INTEGER, TEXT, SEVERAL);
	int array = OF_TWO(ARRAY, RANGE, TEXT);

	test("the parts of a class");
	CHECK(ribbon_key_class_part(row, 0) == INTEGER &&
			  ribbon_key_class_part(row, 1) == TEXT &&
			  ribbon_key_class_part(row, 2) == SEVERAL,
		  "columns of a row");
	CHECK(ribbon_key_class_part(array, 0) == OF(RANGE, TEXT) &&
			  ribbon_key_class_part(array, 1) == 0,
		  "parts of an array");
	CHECK(ribbon_key_class_part(INTEGER, 0) == 0, "an integer");
}

static void
test_agree(void)
{
	static const struct
	{
		int a, b;
		bool agree, mix;
	} cases[] = {
		{INTEGER, INTEGER, true, true},
		{INTEGER, TEXT, false, false},
		{0, TEXT, true, true},
		{SEVERAL, TEXT, true, true},
		{ARRAY, OF(ARRAY, TEXT), true, true},
		{OF(ARRAY, INTEGER), OF(ARRAY, TEXT), false, false},
		{OF(ARRAY, INTEGER), OF(RANGE, INTEGER), false, false},
		{OF_TWO(ARRAY, RANGE, TEXT), OF_TWO(ARRAY, RANGE, INTEGER), false,
		 false},
		{OF_TWO(ARRAY, RANGE, TEXT), OF(ARRAY, RANGE), true, true},
		{OF_TWO(ROW, INTEGER, TEXT), OF_TWO(ROW, INTEGER, SEVERAL), true, true},
		{OF_TWO(ROW, INTEGER, TEXT), OF_TWO(ROW, INTEGER, INTEGER), false,
		 true},
		{OF_THREE(ROW, 1, 1, TEXT), OF_THREE(ROW, 1, 1, INTEGER), false, true},
		{OF_TWO(ARRAY, ROW, TEXT), OF_TWO(ARRAY, ROW, INTEGER), false, true},
		{ROW, TEXT, false, false},
	};

	test("which classes agree, and which may be in one set");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		int a = cases[i].a, b = cases[i].b;

		CHECK(ribbon_key_class_agree(a, b) == cases[i].agree &&
				  ribbon_key_class_agree(b, a) == cases[i].agree,
			  "%x and %x", (unsigned) a, (unsigned) b);
		CHECK(ribbon_key_class_mix(a, b) == cases[i].mix &&
				  ribbon_key_class_mix(b, a) == cases[i].mix,
			  "%x and %x, mixed", (unsigned) a, (unsigned) b);
	}
}

int
main(void)
{
	test_valid();
	test_names();
	test_parts();
	test_agree();
	return test_done();
}
