/*
 * value.h - the values of maps: from SQL to codes, and back
 *
 *	 valuetype.c	a type to its class, to how its values become texts, and to
 *					the head of a dictionary; why some types are refused
 *	 valuetext.c	a value to text, and back
 *	 valuecache.c	what a call site remembers of such values
 *	 dictionary.c	their texts: collected, sorted, written
 *	 lookup.c		read from a map's dictionary
 *
 * The core stores codes of a few bits (ribbon.h).  Numbers become codes by
 * their distance from the least of them, the map's base.  Values of any other
 * type are put into a dictionary, in front of the map's planes, and their codes
 * are their places there.  If there are NULLs among the values, their code is
 * the one whose value bits are all set, which no other value has.
 */
#ifndef RIBBON_VALUE_H
#define RIBBON_VALUE_H

#include "ribbon_pg.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "ribbon.h"

/* How values are stored.  Stored in every map: never renumber. */
typedef enum RibbonValueClass
{
	RIBBON_VALUE_DICTIONARY = 0, /* any type, as text in a dictionary */
	RIBBON_VALUE_BOOL = 1,		 /* 0, 1 */
	RIBBON_VALUE_INT2 = 2,		 /* these as they are */
	RIBBON_VALUE_INT4 = 3,
	RIBBON_VALUE_INT8 = 4,
	RIBBON_VALUE_DATE = 5,		/* days, as the server counts them */
	RIBBON_VALUE_TIMESTAMP = 6, /* microseconds, likewise */
	RIBBON_VALUE_TIMESTAMPTZ = 7
} RibbonValueClass;

#define RIBBON_NVALUE_CLASSES	 8
#define RIBBON_DICTIONARY_VALUES 65536 /* at most, NULL not counted */

/*
 * The bytes of a dictionary, in UTF-8, whatever the encoding of the database:
 *
 *----------
 *	 SIZE	MEANING
 *	 1, n	length of the schema's name, and the name
 *	 1, n	length of the type's name, and the name
 *	 varint	number of values, LEB128
 *	 1		size s of an end: 1, 2 or 4
 *	 s each	the ends of the values, counted from the first one's begin
 *	 		values, as text: sorted by bytes, all different
 *----------
 *
 * What comes before the number of values is the head: values are of a type if
 * the head is that of the type.  The names are those of the type beneath all
 * domains.  A value's text is what its output function gives under settings
 * that are always the same (valuetext.c).
 */
#define RIBBON_VALUETYPE_NAME \
	(1 + NAMEDATALEN * MAX_CONVERSION_GROWTH) /* with its length, at most */
#define RIBBON_DICTIONARY_HEAD (2 * RIBBON_VALUETYPE_NAME)

/*
 * The head of a dictionary of a type, which is no domain, as it is at a moment.
 * Zeroed at first, but for the type.
 */
typedef struct RibbonTypeHead
{
	Oid type;
	LocalTransactionId transaction;
	SubTransactionId subtransaction;
	CommandId command;
	uint32 nbytes; /* 0: it is not known */
	uint8 bytes[RIBBON_DICTIONARY_HEAD];
} RibbonTypeHead;

/*
 * While a map is built, a value is a word of 64 bits, the same in every
 * process: a number, the hash of a text, or, for NULL, this one.
 */
#define RIBBON_VALUE_NULL UINT64CONST(0x9A3C5E71B2D4F680)

/* The code of NULL, if a map has it. */
static inline uint64
ribbon_value_null_code(unsigned value_bits)
{
	return value_bits == 64 ? PG_UINT64_MAX :
							  (UINT64CONST(1) << value_bits) - 1;
}

/*
 * valuetype.c
 */

/*
 * How values of a type become texts and are read.  It is an array or not, of
 * values of a leaf type or of ranges of these.  Elements may be of a domain:
 * they are read as values of the type beneath it, and the domain's constraints,
 * which may call any code, are checked afterwards.
 */
typedef struct RibbonTextForm
{
	Oid read_type;		/* what texts are read as; no domain in it */
	Oid element_domain; /* of an array of a domain; else InvalidOid */
	int32 typmod;		/* of the type beneath that domain, or -1 */
	bool fixed_path;	/* set search_path, too? */
	FmgrInfo output;
	FmgrInfo input;
	Oid input_param;
} RibbonTextForm;

/* The decision about the type of a call site's values; zeroed at first. */
typedef struct RibbonValueType
{
	RibbonValueClass value_class;
	Oid type; /* beneath all domains */

	/* of values in a dictionary */
	int16 length;  /* as pg_type has it */
	bool by_value; /* likewise */
	bool is_text;  /* its bytes are its text */
	RibbonTextForm form;
	RibbonTypeHead head; /* of their dictionary */
} RibbonValueType;

/* Decide about the type of fcinfo's argument.  Throws if it cannot be one. */
extern void ribbon_valuetype_decide_argument(RibbonValueType *value_type,
											 FunctionCallInfo fcinfo, int arg);

/* Throw if there is no such type any more. */
extern void ribbon_valuetype_check_exists(Oid type);

/* Find out the head of now if what is known is of another moment: true. */
extern bool ribbon_valuetype_renew_head(RibbonTypeHead *head);

/*
 * How values of a type, which is no domain, become texts.  Throws 42804, with a
 * hint, if they cannot be stored (valuetype.c says why).
 */
extern void ribbon_valuetype_set_form(RibbonTextForm *form, Oid type,
									  MemoryContext context);

/* The word of a number. */
static inline uint64
ribbon_valuetype_word(const RibbonValueType *value_type, Datum value)
{
	switch (value_type->value_class)
	{
		case RIBBON_VALUE_INT8:
		case RIBBON_VALUE_TIMESTAMP:
		case RIBBON_VALUE_TIMESTAMPTZ:
			return (uint64) DatumGetInt64(value);
		case RIBBON_VALUE_INT4:
		case RIBBON_VALUE_DATE:
			return (uint64) (int64) DatumGetInt32(value);
		case RIBBON_VALUE_INT2:
			return (uint64) (int64) DatumGetInt16(value);
		case RIBBON_VALUE_BOOL:
			return DatumGetBool(value) ? 1 : 0;
		case RIBBON_VALUE_DICTIONARY:
			break;
	}
	pg_unreachable();
}

/*
 * valuetext.c
 */

/* The text of a value that goes into a dictionary, in UTF-8; *length bytes. */
extern const char *ribbon_valuetext_get(RibbonValueType *value_type,
										Datum value, size_t *length);

/*
 * The value of a text, which is in the encoding of the database.  Elements are
 * not checked against their domain.
 */
extern Datum ribbon_valuetext_read(RibbonTextForm *form, char *text);

/* The same value with a type modifier, as a domain may have one. */
extern Datum ribbon_valuetext_fit(RibbonTextForm *form, Datum value,
								  int32 typmod);

/*
 * dictionary.c: the texts of a group's values.
 */

typedef struct RibbonDictionaryText
{
	uint64 word; /* the hash of the text, under the map's seed */
	uint32 at;	 /* where the text is */
	uint32 length;
	uint32 code; /* its place among all, once these are sorted */
	char status; /* the hash table's */
} RibbonDictionaryText;

/* There may be a million of them, of few texts each. */
typedef struct RibbonDictionary
{
	struct texts_hash *texts; /* by word: dictionary.c */
	uint32 ntexts;
	uint32 nhead;
	StringInfoData bytes; /* the head, then the texts */
} RibbonDictionary;

/* One without texts, of context. */
extern RibbonDictionary *ribbon_dictionary_create(MemoryContext context,
												  const uint8 *head,
												  uint32 nhead);

/*
 * Add a text, unless it is there; its word.  Throws if there are too many, or
 * if another text has the same word.
 */
extern uint64 ribbon_dictionary_add(RibbonDictionary *dictionary,
									const char *text, size_t length,
									uint32 seed);

/* The text of this word, or NULL. */
extern const RibbonDictionaryText *ribbon_dictionary_find(const RibbonDictionary
															  *dictionary,
														  uint64 word);

/*
 * One after the other, in any order; NULL at the end.  *at is 0 at first.
 */
extern const RibbonDictionaryText *ribbon_dictionary_next(const RibbonDictionary
															  *dictionary,
														  uint32 *at);

/* Throw unless its values are of the type that has this head. */
extern void ribbon_dictionary_check_head(const RibbonDictionary *dictionary,
										 const uint8 *head, uint32 nhead);

/* Throw: values of one map are of two types. */
pg_noreturn extern void ribbon_dictionary_report_type(void);

/* What a map has of its values. */
typedef struct RibbonValueCodes
{
	unsigned value_bits;
	uint64 base; /* of numbers */
	bool has_null;
	const RibbonDictionary *dictionary; /* of words of texts, or NULL */
	uint8 *bytes;						/* its bytes as above, or NULL */
	size_t nbytes;
} RibbonValueCodes;

/*
 * Codes of all the numbers from least to greatest (of none, if there are none);
 * or of the texts of a dictionary, which is sorted and written, and must stay.
 * NULL is one more, if there are any.  Throws if there are too many for 64
 * bits.
 */
extern RibbonValueCodes ribbon_valuecodes_of_numbers(bool any, int64 least,
													 int64 greatest,
													 bool has_null);
extern RibbonValueCodes ribbon_valuecodes_of_dictionary(const RibbonDictionary
															*dictionary,
														bool has_null);

/* The code of a word: a RibbonCode, whose arg are the codes. */
extern uint64_t ribbon_valuecodes_get(const void *arg, uint64_t word);

/*
 * valuecache.c: what a call site remembers, so that it makes few texts.
 */
typedef struct RibbonValueCache RibbonValueCache;

extern RibbonValueCache *ribbon_valuecache_create(MemoryContext context);

/*
 * Find out the head of the type anew, and forget all texts, if another command
 * may have altered it.
 */
extern void ribbon_valuecache_renew(RibbonValueCache *cache,
									RibbonValueType *value_type);

/*
 * The word of a value, which is not NULL and not a number; it is in the
 * dictionary then, which must be one of its type as that is now.  No two
 * dictionaries that are used with a cache, one after the other, have the same
 * id.
 */
extern uint64 ribbon_valuecache_word(RibbonValueCache *cache,
									 RibbonValueType *value_type, Datum value,
									 RibbonDictionary *dictionary, uint64 id,
									 uint32 seed);

#endif /* RIBBON_VALUE_H */
