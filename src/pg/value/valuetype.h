/*
 * valuetype.h - the type of a call site's values
 *
 * Of a type whose values are numbers all is decided once.  Values of any other
 * type become texts and are made of texts by functions of the type, and a
 * dictionary has the type's name: these hold for one command, which may rename
 * the type, its schema or the labels of an enum, and are looked up again in the
 * next.  So they are reached by ribbon_valuetype_refresh alone.
 */
#ifndef RIBBON_VALUETYPE_H
#define RIBBON_VALUETYPE_H

#include "ribbon_pg.h"

#include "value/memo.h"
#include "values/values.h"

/* What the catalogs say of a type, for one command in one subtransaction. */
typedef struct RibbonTypeInfo
{
	LocalTransactionId transaction; /* invalid: there is none */
	SubTransactionId subtransaction;
	CommandId command;
	MemoryContext context; /* of all that follows */
	RibbonMemos memos;
	RibbonValueBytes head; /* how a dictionary begins: values/dictionary.h */
	FmgrInfo output;
	FmgrInfo input;
	Oid input_param;
	int32 typmod;		 /* of values that are read, or -1 */
	bool fixed_path;	 /* is search_path to be set, too, meanwhile? */
	void *check;		 /* domain_check's, of the declared type */
	Oid element_domain;	 /* of an array of a domain; else InvalidOid */
	void *element_check; /* domain_check's, of that domain */
} RibbonTypeInfo;

typedef struct RibbonValueType
{
	Oid declared; /* it may be a domain */
	Oid type;	  /* beneath all domains */
	int32 typmod; /* of values that are read, which a domain may have; or -1 */
	RibbonValueClass value_class;
	int16 length;  /* of a value, as pg_type has it */
	bool by_value; /* likewise */
	bool is_text;  /* its bytes are its text */
	RibbonTypeInfo info;
} RibbonValueType;

/*
 * Decide about the values of a call site, which are of the type of fcinfo's
 * argument; errors say what that is.  Throws if there is no such type any more.
 */
extern void ribbon_valuetype_init(RibbonValueType *value_type,
								  FunctionCallInfo fcinfo, int arg,
								  const char *what);

/* Throw unless a map can have values of the type. */
extern void ribbon_valuetype_check(RibbonValueType *value_type);

/*
 * What the catalogs say: looked up again, and memos forgotten, if the command
 * or subtransaction is another one than before.  Throws 42804, with a hint, if
 * values of the type cannot be stored as text.
 */
extern RibbonTypeInfo *ribbon_valuetype_refresh(RibbonValueType *value_type);

/*
 * valuetext.c: values as text that is the same in every session
 */

/*
 * The text of a value that goes into a dictionary, in UTF-8: palloc'd, or the
 * value's own bytes.
 */
extern RibbonValueBytes ribbon_valuetext_get(RibbonValueType *value_type,
											 Datum value);

/*
 * The value of a text, which is in the encoding of the database.  Elements are
 * not checked against their domain.
 */
extern Datum ribbon_valuetext_read(RibbonValueType *value_type, char *text);

#endif /* RIBBON_VALUETYPE_H */
