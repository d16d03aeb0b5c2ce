/*
 * states.c - what an extension may do with states of our aggregates
 *
 * Some extensions aggregate on several servers: they ask for a state as bytes,
 * ship them, and combine what comes back.  Functions like the ones here, which
 * Citus has, take the bytes of any caller.  They call the aggregate's own
 * functions as such an extension does: by their OIDs, with a FmgrInfo that
 * knows nothing of types and is gone after the call, and passing on the node
 * that they were called from.
 *
 * They are the functions of ribbon_build, unless states.aggregate is "map".
 *
 * states_forge is the serial function of an aggregate, and does to a genuine
 * state of a parallel worker what states.forge says.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "nodes/value.h"
#include "parser/parse_func.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/guc.h"
#include "utils/memutils.h"

#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(states_transition);
PG_FUNCTION_INFO_V1(states_serialize);
PG_FUNCTION_INFO_V1(states_combine);
PG_FUNCTION_INFO_V1(states_final);
PG_FUNCTION_INFO_V1(states_final_thrice);
PG_FUNCTION_INFO_V1(states_read);
PG_FUNCTION_INFO_V1(states_combine_alone);
PG_FUNCTION_INFO_V1(states_forge);

/*
 * What is in a state in files: src/pg/aggregate/partial.c.  Its version tells
 * the size of its head; behind that are the number of files, their names, the
 * number of lists, and of each the number of blocks and the blocks.
 */
#define IN_FILES  4
#define FILE_SIZE 12

typedef struct Block
{
	uint64 first;
	uint32 file;
	uint32 number;
	uint32 nwords;
} Block;

#define MAX_ARGUMENTS 3

typedef struct Value
{
	Datum datum;
	bool isnull;
} Value;

static Value
pointer(void *p)
{
	Value value = {PointerGetDatum(p), p == NULL};

	return value;
}

static Value
argument(FunctionCallInfo fcinfo, int i)
{
	Value value = {PG_GETARG_DATUM(i), PG_ARGISNULL(i)};

	return value;
}

static bool
is_map(void)
{
	const char *aggregate = GetConfigOption("states.aggregate", true, false);

	return aggregate != NULL && strcmp(aggregate, "map") == 0;
}

/* The OID of a function of the aggregate, "ribbon_" and so on in front. */
static Oid
look_up(const char *name, int nargs, const Oid *types)
{
	char *whole = psprintf("ribbon_%s_%s", is_map() ? "map" : "build", name);

	return LookupFuncName(list_make1(makeString(whole)), nargs, types, false);
}

/*
 * Call a function of the aggregate, unless it is strict and an argument NULL.
 */
static Value
call(FunctionCallInfo caller, const char *name, Value a, Oid a_type, Value b,
	 Oid b_type, Node *expr)
{
	LOCAL_FCINFO(fcinfo, MAX_ARGUMENTS);
	int nargs = OidIsValid(b_type) ? 2 : 1;
	Oid types[MAX_ARGUMENTS] = {a_type, b_type};
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext, "call",
												  ALLOCSET_DEFAULT_SIZES);
	FmgrInfo info;
	Value result;

	/* the final function has NULLs for a key and, of a map, for a value */
	if (b_type == ANYCOMPATIBLEOID && is_map())
	{
		types[1] = ANYELEMENTOID;
		types[2] = ANYCOMPATIBLEOID;
		nargs = 3;
	}
	fmgr_info_cxt(look_up(name, nargs, types), &info, context);
	fmgr_info_set_expr(expr, &info);
	InitFunctionCallInfoData(*fcinfo, &info, nargs, caller->fncollation,
							 caller->context, NULL);
	fcinfo->args[0].value = a.datum;
	fcinfo->args[0].isnull = a.isnull;
	fcinfo->args[1].value = b.datum;
	fcinfo->args[1].isnull = b.isnull;
	fcinfo->args[2] = fcinfo->args[1];
	if (info.fn_strict && (a.isnull || (nargs > 1 && b.isnull)))
	{
		/* the second argument of deserialize is always a NULL pointer */
		if (a.isnull)
			return pointer(NULL);
		fcinfo->args[1].isnull = false;
	}
	result.datum = FunctionCallInvoke(fcinfo);
	result.isnull = fcinfo->isnull;
	MemoryContextDelete(context);
	return result;
}

static Value
call_deserialize(FunctionCallInfo fcinfo, Value bytes)
{
	return call(fcinfo, "deserialfn", bytes, BYTEAOID, pointer(NULL),
				INTERNALOID, NULL);
}

static Value
call_serialize(FunctionCallInfo fcinfo, Value state)
{
	return call(fcinfo, "serialfn", state, INTERNALOID, pointer(NULL),
				InvalidOid, NULL);
}

static Value
call_combine(FunctionCallInfo fcinfo, Value state, Value other)
{
	return call(fcinfo, "combinefn", state, INTERNALOID, other, INTERNALOID,
				NULL);
}

static Value
call_final(FunctionCallInfo fcinfo, Value state)
{
	return call(fcinfo, "finalfn", state, INTERNALOID, pointer(NULL),
				ANYCOMPATIBLEOID, NULL);
}

static Datum
give(FunctionCallInfo fcinfo, Value value)
{
	fcinfo->isnull = value.isnull;
	return value.datum;
}

/* states_transition(internal, anycompatible) returns internal */
Datum
states_transition(PG_FUNCTION_ARGS)
{
	return give(fcinfo,
				call(fcinfo, "transfn", argument(fcinfo, 0), INTERNALOID,
					 argument(fcinfo, 1), ANYCOMPATIBLEOID,
					 fcinfo->flinfo->fn_expr));
}

/* states_serialize(internal) returns bytea */
Datum
states_serialize(PG_FUNCTION_ARGS)
{
	return give(fcinfo, call_serialize(fcinfo, argument(fcinfo, 0)));
}

/* states_combine(internal, bytea) returns internal */
Datum
states_combine(PG_FUNCTION_ARGS)
{
	Value other = call_deserialize(fcinfo, argument(fcinfo, 1));

	return give(fcinfo, call_combine(fcinfo, argument(fcinfo, 0), other));
}

/* states_final(internal) returns ribbonfilter */
Datum
states_final(PG_FUNCTION_ARGS)
{
	return give(fcinfo, call_final(fcinfo, argument(fcinfo, 0)));
}

/*
 * states_final_thrice(internal) returns bytea[]: the filter of a state; of the
 * same again; of it combined with a copy of itself, and of that copy.
 */
Datum
states_final_thrice(PG_FUNCTION_ARGS)
{
	Value state = argument(fcinfo, 0);
	Datum filters[5];
	Value copy, other;

	filters[0] = call_final(fcinfo, state).datum;
	filters[1] = call_final(fcinfo, state).datum;
	filters[2] = call_final(fcinfo, state).datum;
	copy = call_serialize(fcinfo, state);
	other = call_deserialize(fcinfo, copy);
	filters[3] = call_final(fcinfo, other).datum;
	state = call_combine(fcinfo, state, other);
	filters[4] = call_final(fcinfo, state).datum;
	PG_RETURN_POINTER(construct_array(filters, lengthof(filters), BYTEAOID, -1,
									  false, TYPALIGN_INT));
}

/* states_read(bytea) returns ribbonfilter: no aggregate in sight */
Datum
states_read(PG_FUNCTION_ARGS)
{
	return give(fcinfo,
				call_final(fcinfo,
						   call_deserialize(fcinfo, argument(fcinfo, 0))));
}

/* states_combine_alone(bytea): NULL and a state, likewise */
Datum
states_combine_alone(PG_FUNCTION_ARGS)
{
	Value other = call_deserialize(fcinfo, argument(fcinfo, 0));

	call_combine(fcinfo, pointer(NULL), other);
	PG_RETURN_VOID();
}

static uint32
get_number(const char *at)
{
	uint32 number;

	memcpy(&number, at, sizeof(number));
	return number;
}

static void
put_number(char *at, uint32 number)
{
	memcpy(at, &number, sizeof(number));
}

static size_t
head_size(const bytea *state)
{
	return get_number(VARDATA(state)) & 0xFF;
}

/* The state with one thing changed. */
static bytea *
forge(bytea *state, const char *what)
{
	char *nfiles = VARDATA(state) + head_size(state);
	char *file = nfiles + sizeof(uint32);
	char *nlists = file + FILE_SIZE * get_number(nfiles);
	char *block = nlists + 2 * sizeof(uint32);
	char *block_file = block + offsetof(Block, file);
	char *block_number = block + offsetof(Block, number);
	char *block_words = block + offsetof(Block, nwords);

	if (strcmp(what, "creator") == 0)
		put_number(file, 1);
	else if (strcmp(what, "number") == 0)
		put_number(file + 4, get_number(file + 4) + 1);
	else if (strcmp(what, "tablespace") == 0)
		put_number(file + 8, 1);
	else if (strcmp(what, "lists") == 0)
		put_number(nlists, 2);
	else if (strcmp(what, "no such file") == 0)
		put_number(block_file, 7);
	else if (strcmp(what, "words") == 0)
		put_number(block_words, 4097);
	else if (strcmp(what, "blocks") == 0)
		put_number(nlists + 4, get_number(nlists + 4) + 1);
	else if (strcmp(what, "beyond the end") == 0)
		put_number(block_number, get_number(block_number) + 1000000);
	else if (strcmp(what, "far beyond the end") == 0)
		put_number(block_number, PG_UINT32_MAX);
	else if (strcmp(what, "block twice") == 0)
		memcpy(block + sizeof(Block), block, sizeof(Block));
	else if (strcmp(what, "file twice") == 0)
	{
		bytea *longer = palloc(VARSIZE(state) + FILE_SIZE);

		memcpy(longer, state, file - (char *) state + FILE_SIZE);
		memcpy((char *) longer + (file - (char *) state) + FILE_SIZE, file,
			   (char *) state + VARSIZE(state) - file);
		SET_VARSIZE(longer, VARSIZE(state) + FILE_SIZE);
		put_number(VARDATA(longer) + head_size(state), get_number(nfiles) + 1);
		return longer;
	}
	else if (strcmp(what, "nothing") != 0)
		elog(ERROR, "states.forge cannot be %s", what);
	return state;
}

/* states_forge(internal) returns bytea */
Datum
states_forge(PG_FUNCTION_ARGS)
{
	Oid types[1] = {INTERNALOID};
	FmgrInfo info;
	bytea *state;

	/* with our own FmgrInfo, so that it is the node that seems to call */
	fmgr_info(look_up("serialfn", 1, types), &info);
	state = DatumGetByteaP(info.fn_addr(fcinfo));
	if (VARSIZE(state) < VARHDRSZ + head_size(state) + FILE_SIZE +
				3 * sizeof(uint32) + 2 * sizeof(Block) ||
		VARDATA(state)[IN_FILES] != 1)
		elog(ERROR, "state is not in files");
	PG_RETURN_BYTEA_P(forge(state,
							GetConfigOption("states.forge", false, false)));
}
