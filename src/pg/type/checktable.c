/*
 * checktable.c - ribbon_check of all that a table stores
 *
 * All filters and maps in columns of a table, or in arrays there, are read and
 * checked one by one, each in a subtransaction of its own.  What is wrong with
 * one becomes a row of the result, and the next one is read.  Wrong is what
 * ribbon_check says, and what reading runs into: a chunk that is missing, a
 * page that cannot be read.
 *
 * The table is scanned as it is stored, by no query, so that nobody's code but
 * the server's and ours is run.  The caller must be one who may read the
 * columns, all of their rows.
 */
#include "type/type.h"

#include "access/relation.h"
#include "access/xact.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/rls.h"
#include "utils/syscache.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(ribbon_check_table);

extern Datum ribbon_pg_check(PG_FUNCTION_ARGS);
extern Datum ribbon_pg_map_check(PG_FUNCTION_ARGS);

/* The columns of the result, in the order of the OUT parameters. */
enum
{
	FAULT_RELATION,
	FAULT_ATTRIBUTE,
	FAULT_ITEM,
	FAULT_ELEMENT,
	FAULT_COMPLAINT,
	FAULT_NCOLUMNS
};

/* A column of filters or maps, or of arrays of them. */
typedef struct CheckedColumn
{
	char *name;
	RibbonSqlType type;
	Oid element; /* or InvalidOid: no array */
} CheckedColumn;

/* Where in a table we are. */
typedef struct TableCheck
{
	ReturnSetInfo *result;
	Relation relation;
	const CheckedColumn *column;
	ItemPointerData item;
	MemoryContext scratch; /* of one value */
} TableCheck;

/* What is done with a value in a subtransaction.  May throw. */
typedef Datum (*ValueUse)(const CheckedColumn *column, Datum value);

static List *find_columns(Relation relation, Oid self);
static bool is_ours(Oid type, Oid self, RibbonSqlType *which);
static char *get_source(Oid function, AttrNumber attribute);
static void check_access(Relation relation, List *columns);
static bool is_readable(Relation relation, Relation root);
static void check_relation(TableCheck *check, List *columns);
static void check_array(TableCheck *check, Datum value);
static Datum check_value(const CheckedColumn *column, Datum value);
static Datum read_array(const CheckedColumn *column, Datum value);
static bool use_value(TableCheck *check, int element, ValueUse use, Datum value,
					  Datum *result);
static void put_fault(TableCheck *check, int element, const char *message,
					  const char *detail);

/* ribbon_check_table(regclass): a row for each value that is damaged. */
Datum
ribbon_check_table(PG_FUNCTION_ARGS)
{
	Oid relid = PG_GETARG_OID(0);
	Relation root = try_relation_open(relid, AccessShareLock);
	TableCheck check = {0};
	List *columns;
	ListCell *cell;

	if (root == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE),
				 errmsg("relation with OID %u does not exist", relid)));
	if (root->rd_rel->relkind != RELKIND_RELATION &&
		root->rd_rel->relkind != RELKIND_MATVIEW &&
		root->rd_rel->relkind != RELKIND_PARTITIONED_TABLE)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" is not a table or materialized view",
						RelationGetRelationName(root)),
				 errhint("Filters and maps are stored in these: check those that it reads.")));
	columns = find_columns(root, fcinfo->flinfo->fn_oid);
	check_access(root, columns);

	InitMaterializedSRF(fcinfo, 0);
	check.result = (ReturnSetInfo *) fcinfo->resultinfo;
	check.scratch = AllocSetContextCreate(CurrentMemoryContext,
										  "ribbon_check_table",
										  ALLOCSET_DEFAULT_SIZES);
	if (columns != NIL)
		foreach (cell, find_all_inheritors(relid, AccessShareLock, NULL))
		{
			check.relation = relation_open(lfirst_oid(cell), NoLock);
			if (is_readable(check.relation, root))
				check_relation(&check, columns);
			relation_close(check.relation, NoLock);
		}
	MemoryContextDelete(check.scratch);

	/* who has read nothing, and may have no right to, locks nothing */
	relation_close(root, columns == NIL ? AccessShareLock : NoLock);
	PG_RETURN_VOID();
}

/*
 * Columns of our types, or domains over them, and arrays of either.  What a
 * virtual generated column shows is not stored.  self is a function of ours.
 */
static List *
find_columns(Relation relation, Oid self)
{
	TupleDesc desc = RelationGetDescr(relation);
	List *columns = NIL;

	for (int i = 0; i < desc->natts; i++)
	{
		Form_pg_attribute attribute = TupleDescAttr(desc, i);
		CheckedColumn *column = palloc0(sizeof(CheckedColumn));
		Oid type;

		if (attribute->attisdropped || attribute->attgenerated == 'v')
			continue;
		type = getBaseType(attribute->atttypid);
		column->element = get_element_type(type);
		if (OidIsValid(column->element))
			type = getBaseType(column->element);
		if (!is_ours(type, self, &column->type))
			continue;
		column->name = pstrdup(NameStr(attribute->attname));
		columns = lappend(columns, column);
	}
	return columns;
}

/*
 * A type is ours if its input function is of our library, whatever they are
 * called.  The catalogue is asked: of a function that is called by way of
 * another, such as one with settings (ALTER FUNCTION ... SET), the server does
 * not tell the address; and libraries of other types need not be loaded.
 */
static bool
is_ours(Oid type, Oid self, RibbonSqlType *which)
{
	Oid input;
	Oid ioparam;
	const char *name;

	if (type < FirstNormalObjectId)
		return false;
	getTypeInputInfo(type, &input, &ioparam);
	if (strcmp(get_source(input, Anum_pg_proc_probin),
			   get_source(self, Anum_pg_proc_probin)) != 0)
		return false;
	name = get_source(input, Anum_pg_proc_prosrc);
	*which = strcmp(name, "ribbon_map_in") == 0 ? RIBBON_SQL_MAP :
												  RIBBON_SQL_FILTER;
	return *which == RIBBON_SQL_MAP || strcmp(name, "ribbon_in") == 0;
}

/* Where a function is: its library (probin), or name there (prosrc). */
static char *
get_source(Oid function, AttrNumber attribute)
{
	HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(function));
	bool is_null;
	Datum value;
	char *source;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u", function);
	value = SysCacheGetAttr(PROCOID, tuple, attribute, &is_null);
	source = is_null ? pstrdup("") : TextDatumGetCString(value);
	ReleaseSysCache(tuple);
	return source;
}

/* Throw unless the caller may read these columns, of every row. */
static void
check_access(Relation relation, List *columns)
{
	Oid relid = RelationGetRelid(relation);
	ListCell *cell;

	foreach (cell, columns)
	{
		const CheckedColumn *column = lfirst(cell);
		AttrNumber attribute = get_attnum(relid, column->name);

		if (pg_class_aclcheck(relid, GetUserId(), ACL_SELECT) != ACLCHECK_OK &&
			pg_attribute_aclcheck(relid, attribute, GetUserId(), ACL_SELECT) !=
				ACLCHECK_OK)
			aclcheck_error(ACLCHECK_NO_PRIV,
						   get_relkind_objtype(relation->rd_rel->relkind),
						   RelationGetRelationName(relation));
	}
	if (columns != NIL &&
		check_enable_rls(relid, InvalidOid, true) == RLS_ENABLED)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("row security hides rows of table \"%s\" from \"%s\"",
						RelationGetRelationName(relation),
						GetUserNameFromId(GetUserId(), false)),
				 errhint("Let a role check it that sees all of them, such as one with BYPASSRLS.")));
}

/*
 * Has it rows that this session can read?  As in a query, the temporary tables
 * of others are left out where they inherit, and else an error.
 */
static bool
is_readable(Relation relation, Relation root)
{
	if (relation->rd_rel->relkind != RELKIND_RELATION &&
		relation->rd_rel->relkind != RELKIND_MATVIEW)
		return false;
	if (RELATION_IS_OTHER_TEMP(relation))
	{
		if (RelationGetRelid(relation) != RelationGetRelid(root))
			return false;
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary tables of other sessions")));
	}
	if (!RelationIsPermanent(relation) && RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access temporary or unlogged relations during recovery")));
	return true;
}

/* Check the rows of one table, or partition. */
static void
check_relation(TableCheck *check, List *columns)
{
	Relation relation = check->relation;
	TableScanDesc scan;
	TupleTableSlot *slot;
	ListCell *cell;

	slot = table_slot_create(relation, NULL);
	scan = ribbon_table_beginscan_plain(relation, GetActiveSnapshot());
	while (table_scan_getnextslot(scan, ForwardScanDirection, slot))
		foreach (cell, columns)
		{
			AttrNumber attribute;
			bool is_null;
			Datum value;
			Datum nothing;

			CHECK_FOR_INTERRUPTS();
			check->column = lfirst(cell);
			check->item = slot->tts_tid;
			attribute = get_attnum(RelationGetRelid(relation),
								   check->column->name);
			if (!ribbon_stored_get(relation, slot, attribute, &value, &is_null))
				put_fault(check, 0, "the row is corrupt",
						  "A value is not where it should be.");
			else if (is_null)
				continue;
			else if (OidIsValid(check->column->element))
				check_array(check, value);
			else
				use_value(check, 0, check_value, value, &nothing);
			MemoryContextReset(check->scratch);
		}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(slot);
}

/* Elements are counted from 1, in the order in which they are stored. */
static void
check_array(TableCheck *check, Datum value)
{
	Oid type = check->column->element;
	MemoryContext old_context;
	Datum array = (Datum) 0;
	Datum *elements;
	Datum nothing;
	bool *nulls;
	int16 length;
	bool by_value;
	char align;
	int n;

	if (!use_value(check, 0, read_array, value, &array))
		return;
	get_typlenbyvalalign(type, &length, &by_value, &align);
	old_context = MemoryContextSwitchTo(check->scratch);
	deconstruct_array(DatumGetArrayTypeP(array), type, length, by_value, align,
					  &elements, &nulls, &n);
	MemoryContextSwitchTo(old_context);
	for (int i = 0; i < n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!nulls[i])
			use_value(check, i + 1, check_value, elements[i], &nothing);
	}
}

/* A ValueUse. */
static Datum
check_value(const CheckedColumn *column, Datum value)
{
	return DirectFunctionCall1(column->type == RIBBON_SQL_FILTER ?
								   ribbon_pg_check :
								   ribbon_pg_map_check,
							   value);
}

/* A ValueUse: the whole of an array. */
static Datum
read_array(const CheckedColumn *column, Datum value)
{
	ArrayType *array = (ArrayType *) PG_DETOAST_DATUM_COPY(value);

	ribbon_stored_check_array(column->type, column->element, array);
	return PointerGetDatum(array);
}

/*
 * Use a value in a subtransaction.  False if it is damaged, which becomes a row
 * of the result.  Other errors are thrown.
 */
static bool
use_value(TableCheck *check, int element, ValueUse use, Datum value,
		  Datum *result)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(check->scratch);
	PG_TRY();
	{
		*result = use(check->column, value);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(check->scratch);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (error == NULL)
		return true;

	/*
	 * Class XX: corrupted data or index, and what should not be.  Besides, a
	 * file that cannot be read, or is gone.
	 */
	if (ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_INTERNAL_ERROR &&
		error->sqlerrcode != ERRCODE_IO_ERROR &&
		error->sqlerrcode != ERRCODE_UNDEFINED_FILE)
		ReThrowError(error);
	put_fault(check, element, error->message, error->detail);
	return false;
}

/* detail may be NULL. */
static void
put_fault(TableCheck *check, int element, const char *message,
		  const char *detail)
{
	MemoryContext old_context = MemoryContextSwitchTo(check->scratch);
	Datum values[FAULT_NCOLUMNS] = {0};
	bool nulls[FAULT_NCOLUMNS] = {0};
	NameData name;

	namestrcpy(&name, check->column->name);
	values[FAULT_RELATION] =
		ObjectIdGetDatum(RelationGetRelid(check->relation));
	values[FAULT_ATTRIBUTE] = NameGetDatum(&name);
	values[FAULT_ITEM] = PointerGetDatum(&check->item);
	values[FAULT_ELEMENT] = Int32GetDatum(element);
	values[FAULT_COMPLAINT] =
		CStringGetTextDatum(detail == NULL ?
								message :
								psprintf("%s: %s", message, detail));
	nulls[FAULT_ELEMENT] = element == 0;
	tuplestore_putvalues(check->result->setResult, check->result->setDesc,
						 values, nulls);
	MemoryContextSwitchTo(old_context);
}
