/*
 * keynest.c - the canonical form of a value that is made of parts
 *
 * docs/canonical.md has the forms.  Each can be taken apart in one way only, so
 * that values that differ have forms that differ: there is a number before what
 * it counts, and a class before parts.
 *
 * That NULLs at the end of a row do not count is what lets members be found
 * after ALTER TYPE ... ADD ATTRIBUTE; for "=", rows of fewer columns are not
 * other rows, but an error.
 */
#include "key/keysink.h"

#include "access/htup_details.h"
#include "key/elements.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/multirangetypes.h"
#include "utils/rangetypes.h"

#define RANGE_IS_EMPTY	1
#define RANGE_HAS_LOWER 2
#define RANGE_HAS_UPPER 4
#define RANGE_INC_LOWER 8
#define RANGE_INC_UPPER 16

/* Returns the class of the part. */
static int
put_part(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	if (ribbon_keyform_is_nested(key_type->form))
		return ribbon_keynest_put(sink, key_type, value);
	ribbon_keyform_put(sink, key_type, value);
	return key_type->key_class;
}

/*
 * array_eq looks at dimensions and lower bounds, then at elements.  Returns the
 * class that is known by them.
 */
static int
put_array(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	RibbonKeyType *element = ribbon_keytype_element(key_type,
													ARR_ELEMTYPE(array));
	int part_class = element->key_class;
	RibbonElements elements;
	Datum datum;
	bool is_null;

	ribbon_keysink_byte(sink, (uint8_t) ARR_NDIM(array));
	for (int i = 0; i < ARR_NDIM(array); i++)
	{
		ribbon_keysink_number(sink, (uint32) ARR_DIMS(array)[i]);
		ribbon_keysink_number(sink, (uint32) ARR_LBOUND(array)[i]);
	}
	ribbon_keysink_byte(sink,
						(uint8_t) ribbon_key_class_proper(element->key_class));

	ribbon_elements_begin(&elements, array, element);
	while (ribbon_elements_next(&elements, &datum, &is_null))
	{
		CHECK_FOR_INTERRUPTS();
		ribbon_keysink_byte(sink, is_null ? 0 : 1);
		if (!is_null)
		{
			int one = put_part(sink, element, datum);

			if (one != part_class)
				part_class = ribbon_keyclass_join(part_class, one);
		}
	}
	ribbon_keysink_free_copy(array, value);
	return ribbon_keyclass_with_part(RIBBON_CLASS_ARRAY, part_class);
}

static void
put_typed(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	ribbon_keysink_byte(sink,
						(uint8_t) ribbon_key_class_proper(key_type->key_class));
	(void) put_part(sink, key_type, value);
}

/* range_eq knows neither value nor inclusivity of an infinite bound. */
static void
put_bounds(RibbonKeySink *sink, RibbonKeyType *key_type, bool empty,
		   const RangeBound *lower, const RangeBound *upper)
{
	uint8_t flags = 0;

	if (empty)
	{
		ribbon_keysink_byte(sink, RANGE_IS_EMPTY);
		return;
	}
	if (!lower->infinite)
		flags |= RANGE_HAS_LOWER | (lower->inclusive ? RANGE_INC_LOWER : 0);
	if (!upper->infinite)
		flags |= RANGE_HAS_UPPER | (upper->inclusive ? RANGE_INC_UPPER : 0);
	ribbon_keysink_byte(sink, flags);
	if (!lower->infinite)
		put_typed(sink, key_type->parts, lower->val);
	if (!upper->infinite)
		put_typed(sink, key_type->parts, upper->val);
}

static void
put_range(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	RangeType *range = DatumGetRangeTypeP(value);
	RangeBound lower, upper;
	bool empty;

	range_deserialize(ribbon_keytype_range(key_type), range, &lower, &upper,
					  &empty);
	put_bounds(sink, key_type, empty, &lower, &upper);
	ribbon_keysink_free_copy(range, value);
}

static void
put_multirange(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	MultirangeType *ranges = DatumGetMultirangeTypeP(value);

	ribbon_keysink_number(sink, ranges->rangeCount);
	for (uint32 i = 0; i < ranges->rangeCount; i++)
	{
		RangeBound lower, upper;

		CHECK_FOR_INTERRUPTS();
		multirange_get_bounds(ribbon_keytype_range(key_type), ranges, i, &lower,
							  &upper);
		put_bounds(sink, key_type, false, &lower, &upper);
	}
	ribbon_keysink_free_copy(ranges, value);
}

/*
 * Returns the class: with those of the first columns, but for NULLs, which are
 * equal whatever their type.
 */
static int
put_row(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);
	TupleDesc columns =
		lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header),
							   HeapTupleHeaderGetTypMod(header));
	RibbonKeyType *parts = ribbon_keytype_columns(key_type, columns);
	int ncolumns = columns->natts;
	Datum *values = palloc(Max(ncolumns, 1) * sizeof(Datum));
	bool *nulls = palloc(Max(ncolumns, 1) * sizeof(bool));
	HeapTupleData row = {0};
	uint32 number = 0;
	uint32 last = 0;
	int key_class = RIBBON_CLASS_ROW;

	row.t_len = HeapTupleHeaderGetDatumLength(header);
	ItemPointerSetInvalid(&row.t_self);
	row.t_data = header;
	heap_deform_tuple(&row, columns, values, nulls);
	ReleaseTupleDesc(columns);

	for (int i = 0; i < ncolumns; i++)
	{
		/* a dropped column, which has no type, is none */
		if (!OidIsValid(parts[i].type))
			continue;
		number++;
		if (nulls[i])
			continue;
		last = number;
		if (number <= RIBBON_CLASS_PARTS)
			key_class |= ribbon_key_class_proper(parts[i].key_class)
				<< (number * RIBBON_CLASS_BITS);
	}
	ribbon_keysink_number(sink, last);
	for (int i = 0; last > 0; i++)
	{
		if (!OidIsValid(parts[i].type))
			continue;
		last--;
		ribbon_keysink_byte(sink, nulls[i] ? 0 : 1);
		if (!nulls[i])
			put_typed(sink, &parts[i], values[i]);
	}

	pfree(values);
	pfree(nulls);
	ribbon_keysink_free_copy(header, value);
	return key_class;
}

int
ribbon_keynest_put(RibbonKeySink *sink, RibbonKeyType *key_type, Datum value)
{
	int key_class = key_type->key_class;

	check_stack_depth();
	switch (key_type->form)
	{
		case RIBBON_FORM_ARRAY:
			key_class = put_array(sink, key_type, value);
			break;
		case RIBBON_FORM_RANGE:
			put_range(sink, key_type, value);
			break;
		case RIBBON_FORM_MULTIRANGE:
			put_multirange(sink, key_type, value);
			break;
		case RIBBON_FORM_ROW:
			key_class = put_row(sink, key_type, value);
			break;
		default:
			ribbon_keyjson_put(sink, value);
			break;
	}
	return key_type->class_per_value ? key_class : key_type->key_class;
}
