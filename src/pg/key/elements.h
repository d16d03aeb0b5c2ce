/*
 * elements.h - the elements of an array, one after the other
 *
 * An array of several dimensions is as good as one of one.
 */
#ifndef RIBBON_ELEMENTS_H
#define RIBBON_ELEMENTS_H

#include "key/keytype.h"

#include "access/tupmacs.h"
#include "utils/array.h"

typedef struct RibbonElements
{
	const char *next;
	const uint8 *nulls; /* or NULL if there are none */
	int index;
	int count;
	const TypeCacheEntry *type;
} RibbonElements;

/* type is that of the array's elements; both must stay. */
static inline void
ribbon_elements_begin(RibbonElements *elements, ArrayType *array,
					  const RibbonKeyType *type)
{
	elements->next = ARR_DATA_PTR(array);
	elements->nulls = ARR_NULLBITMAP(array);
	elements->index = 0;
	elements->count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	elements->type = type->base;
}

/* false if there is none left */
static inline bool
ribbon_elements_next(RibbonElements *elements, Datum *value, bool *is_null)
{
	const TypeCacheEntry *type = elements->type;
	const char *next = elements->next;

	if (elements->index >= elements->count)
		return false;
	*is_null = elements->nulls != NULL &&
		att_isnull(elements->index, elements->nulls);
	elements->index++;
	if (*is_null)
		return true;

	*value = fetch_att(next, type->typbyval, type->typlen);
	next = att_addlength_pointer(next, type->typlen, next);
	elements->next = (const char *) att_align_nominal(next, type->typalign);
	return true;
}

#endif /* RIBBON_ELEMENTS_H */
