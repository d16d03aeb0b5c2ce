/*
 * keytype.c - the class and the form of a type, and of the types of its parts
 *
 * Most built-in types have a form of their own (keyplain.c).  Arrays, rows,
 * ranges and multiranges have that of their parts.  Any other type, which is
 * an extension's, is hashed by its extended hash function, as class "other".
 * That function sees numbers in the machine's byte order, so "other" are two
 * classes, one for each; and whatever contains such a part is of that class,
 * too.  What cannot be a key is keyrefuse.c's to say.
 */
#include "key/keytype.h"

#include "access/tupdesc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/*
 * Forget the parts, and make room for n others, all zero.  The caller sets
 * parts_id when it has set them.
 */
static void
renew_parts(RibbonKeyType *key_type, int n)
{
	key_type->parts_id = 0;
	key_type->nparts = 0;
	MemoryContextReset(key_type->parts_context);
	key_type->parts = MemoryContextAllocZero(key_type->parts_context,
											 Max(n, 1) * sizeof(RibbonKeyType));
	key_type->nparts = n;
}

static void
init_part(RibbonKeyType *key_type, int i, Oid type, Oid collation,
		  const char *column)
{
	RibbonKeyType *part = &key_type->parts[i];

	part->outer = key_type;
	part->column = column;
	ribbon_keytype_init(part, type, collation, key_type->parts_context);
}

/* Set the only part of an array or a range. */
static void
set_part(RibbonKeyType *key_type, Oid type, Oid collation)
{
	renew_parts(key_type, 1);
	init_part(key_type, 0, type, collation, NULL);
}

static void
set_columns(RibbonKeyType *key_type, TupleDesc columns)
{
	renew_parts(key_type, columns->natts);
	for (int i = 0; i < columns->natts; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (!column->attisdropped)
			init_part(key_type, i, column->atttypid, column->attcollation,
					  MemoryContextStrdup(key_type->parts_context,
										  NameStr(column->attname)));
	}
}

/* It changes when columns are added or dropped. */
static uint64
identify_columns(TupleDesc columns)
{
	return assign_record_type_identifier(columns->tdtypeid, columns->tdtypmod);
}

/* element is invalid if each array says itself what its elements are. */
static void
init_array(RibbonKeyType *key_type, Oid element)
{
	if (!OidIsValid(element))
	{
		key_type->class_per_value = true;
		return;
	}
	set_part(key_type, element, key_type->collation);
	key_type->parts_id = element;
	key_type->class_per_value = key_type->parts->class_per_value;
}

static void
init_range(RibbonKeyType *key_type)
{
	TypeCacheEntry *range = ribbon_keytype_range(key_type);

	ribbon_keyrefuse_check_range(key_type);
	set_part(key_type, range->rngelemtype->type_id, range->rng_collation);
}

static void
init_row(RibbonKeyType *key_type)
{
	Oid base = key_type->base->type_id;
	TupleDesc columns;

	key_type->class_per_value = true;
	if (base == RECORDOID)
		return;
	columns = lookup_rowtype_tupdesc(base, -1);
	set_columns(key_type, columns);
	key_type->parts_id = identify_columns(columns);
	ReleaseTupleDesc(columns);
}

/* Set form, parts and, if not native, class of a type that is not plain. */
static void
init_not_plain(RibbonKeyType *key_type, MemoryContext context)
{
	Oid base = key_type->base->type_id;
	Oid element = get_element_type(base);
	char kind = key_type->base->typtype;

	key_type->parts_context = AllocSetContextCreate(context, "ribbon key parts",
													ALLOCSET_SMALL_SIZES);
	if (OidIsValid(element) || base == ANYARRAYOID)
	{
		key_type->form = RIBBON_FORM_ARRAY;
		key_type->key_class = RIBBON_CLASS_ARRAY;
		init_array(key_type, element);
	}
	else if (kind == TYPTYPE_COMPOSITE || base == RECORDOID)
	{
		key_type->form = RIBBON_FORM_ROW;
		key_type->key_class = RIBBON_CLASS_ROW;
		init_row(key_type);
	}
	else if (kind == TYPTYPE_RANGE)
	{
		key_type->form = RIBBON_FORM_RANGE;
		key_type->key_class = RIBBON_CLASS_RANGE;
		init_range(key_type);
	}
	else if (kind == TYPTYPE_MULTIRANGE)
	{
		key_type->form = RIBBON_FORM_MULTIRANGE;
		key_type->key_class = RIBBON_CLASS_MULTIRANGE;
		init_range(key_type);
	}
	else
	{
		key_type->form = RIBBON_FORM_OTHER;
		ribbon_keyrefuse_check_function(key_type);
	}
}

/*
 * Does the hash depend on the machine's byte order?  It does if the type's own
 * function makes it, or that of a part.
 */
static bool
is_native(const RibbonKeyType *key_type)
{
	return key_type->form == RIBBON_FORM_OTHER ||
		(ribbon_keyform_is_nested(key_type->form) &&
		 ribbon_key_class_proper(key_type->key_class) == RIBBON_CLASS_OTHER);
}

void
ribbon_keytype_init(RibbonKeyType *key_type, Oid type, Oid collation,
					MemoryContext context)
{
	bool native;

	check_stack_depth();
	key_type->type = type;
	key_type->collation = collation;
	key_type->base = lookup_type_cache(getBaseType(type),
									   TYPECACHE_RANGE_INFO |
										   TYPECACHE_MULTIRANGE_INFO);
	if (ribbon_keyplain_init(key_type))
		return;
	init_not_plain(key_type, context);

	native = key_type->form == RIBBON_FORM_OTHER;
	for (int i = 0; i < key_type->nparts; i++)
		native |= is_native(&key_type->parts[i]);
	if (native)
	{
		key_type->key_class = RIBBON_CLASS_OTHER;
		key_type->class_per_value = false;
	}
	else if (key_type->nparts > 0 && key_type->form != RIBBON_FORM_ROW)
		key_type->key_class =
			ribbon_keyclass_with_part(key_type->key_class,
									  key_type->parts->key_class);
}

/*
 * Keep parts that were not known when the class of the key was decided, which
 * cannot say any more that one is native.  Such a hash counts as a
 * little-endian machine's, so a big-endian one refuses the part.
 */
static RibbonKeyType *
keep_late_parts(RibbonKeyType *key_type, uint64 id)
{
	for (int i = 0; i < key_type->nparts; i++)
		if (RIBBON_CLASS_OTHER == RIBBON_CLASS_OTHER_BE &&
			is_native(&key_type->parts[i]) && !is_native(key_type))
			ribbon_keyrefuse(&key_type->parts[i], RIBBON_REFUSED_NATIVE);
	key_type->parts_id = id;
	return key_type->parts;
}

RibbonKeyType *
ribbon_keytype_element(RibbonKeyType *key_type, Oid element)
{
	if (likely(key_type->parts_id == element))
		return key_type->parts;
	set_part(key_type, element, key_type->collation);
	return keep_late_parts(key_type, element);
}

RibbonKeyType *
ribbon_keytype_columns(RibbonKeyType *key_type, TupleDesc columns)
{
	uint64 id = identify_columns(columns);

	if (likely(key_type->parts_id == id))
		return key_type->parts;
	set_columns(key_type, columns);
	return keep_late_parts(key_type, id);
}
