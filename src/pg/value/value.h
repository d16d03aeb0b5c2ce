/*
 * value.h - the values of maps: from SQL to codes, and back
 *
 *	 valuetype.c	the type of a call site's values: its class, how its values
 *					become texts, its names; why some types are refused
 *	 valuetext.c	a value to text, and back
 *	 memo.c			what a call site remembers of values and their texts
 *	 encode.c		values to words, and to texts of a dictionary
 *	 dictionary.c	these texts: collected, sorted, written
 *	 lookup.h		from the codes of a map to its values
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
 * The type of a call site's values.  It is an array or not, of values of a leaf
 * type or of ranges of these.  Elements may be of a domain: they are read as
 * values of the type beneath it, and the domain's constraints, which may call
 * any code, are checked afterwards.
 */
typedef struct RibbonValueType
{
	Oid declared; /* it may be a domain */
	Oid type;	  /* beneath all domains */
	RibbonValueClass value_class;
	int16 length;  /* of a value, as pg_type has it */
	bool by_value; /* likewise */
	bool is_text;  /* its bytes are its text */
	int32 typmod;  /* of values that are read, which a domain may have; or -1 */

	/* What may change from one command to the next: ribbon_valuetype_renew. */
	bool is_known;
	bool fixed_path; /* set search_path, too, when texts are made and read? */
	LocalTransactionId transaction;
	SubTransactionId subtransaction;
	CommandId command;
	MemoryContext context;		 /* of these members */
	struct memos_hash *memos;	 /* memo.c: by the bytes of a value */
	struct RibbonMemo **by_code; /* of texts; NULL: none */
	uint32 ncodes;				 /* that by_code has room for */
	size_t memo_bytes;
	FmgrInfo output;
	FmgrInfo input;
	Oid input_param;
	Oid element_domain;	  /* of an array of a domain; else InvalidOid */
	void *element_checks; /* domain_check's, of that domain */
	void *checks;		  /* domain_check's, of declared */

	/* how a dictionary of the type begins: its head */
	uint32 nhead;
	uint8 head[RIBBON_DICTIONARY_HEAD];
} RibbonValueType;

/*
 * Decide about the values of a call site, for as long as context lives.  Throws
 * if there is no such type any more.
 */
extern void ribbon_valuetype_init(RibbonValueType *value_type, Oid declared,
								  MemoryContext context);

/* The same for fcinfo's argument.  Throws if it cannot be a map's value. */
extern void ribbon_valuetype_decide_argument(RibbonValueType *value_type,
											 FunctionCallInfo fcinfo, int arg);

/*
 * In another command than before, look the type up again, and forget all texts.
 * Throws 42804, with a hint, if values of the type cannot be stored as text
 * (valuetype.c says why).
 */
extern void ribbon_valuetype_renew(RibbonValueType *value_type);

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

/* The bytes of a value or text, without its length word or terminating zero. */
typedef struct RibbonValueBytes
{
	const char *bytes;
	size_t nbytes;
} RibbonValueBytes;

/*
 * valuetext.c: both for a type that has been renewed
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

/*
 * memo.c: what a call site remembers, so that it makes few texts and reads few
 */

/* The text that was made of a value, or the value that was made of a text. */
typedef struct RibbonMemo
{
	RibbonValueBytes from;
	RibbonValueBytes made; /* aligned as a value */
	uint64 word;		   /* encode.c: of the text, in a dictionary */
	uint64 id;			   /* of this dictionary; 0: none yet */
} RibbonMemo;

/* Begin without memos, in value_type->context, which has been reset. */
extern void ribbon_memo_begin(RibbonValueType *value_type);

/* The memo of the value with these bytes, or NULL. */
extern RibbonMemo *ribbon_memo_find(RibbonValueType *value_type,
									RibbonValueBytes value);

/*
 * Remember the text of a value that ribbon_memo_find has not found (add), or
 * the value of the text that has this code (set).  Both are copied; long ones
 * are not remembered.  If there are too many memos then, the next renewal of
 * the type forgets all.
 */
extern void ribbon_memo_add(RibbonValueType *value_type, RibbonValueBytes value,
							RibbonValueBytes text);
extern void ribbon_memo_set(RibbonValueType *value_type, uint32 code,
							RibbonValueBytes text, RibbonValueBytes value);

/* The memo of this text, which has this code; or NULL. */
static inline const RibbonMemo *
ribbon_memo_get(const RibbonValueType *value_type, uint32 code,
				RibbonValueBytes text)
{
	const RibbonMemo *memo = code < value_type->ncodes ?
		value_type->by_code[code] :
		NULL;

	return memo != NULL && memo->from.nbytes == text.nbytes &&
			memcmp(memo->from.bytes, text.bytes, text.nbytes) == 0 ?
		memo :
		NULL;
}

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

/* Make a dictionary without texts, in context. */
extern RibbonDictionary *ribbon_dictionary_create(MemoryContext context,
												  const uint8 *head,
												  uint32 nhead);

/*
 * Add a text, unless it is there.  Returns its word.  Throws if there are too
 * many texts, or if another text has the same word.
 */
extern uint64 ribbon_dictionary_add(RibbonDictionary *dictionary,
									const char *text, size_t length,
									uint32 seed);

/* The text of this word, or NULL. */
extern const RibbonDictionaryText *ribbon_dictionary_find(const RibbonDictionary
															  *dictionary,
														  uint64 word);

/*
 * The next text, in any order; NULL at the end.  *at must be 0 at first.
 */
extern const RibbonDictionaryText *ribbon_dictionary_next(const RibbonDictionary
															  *dictionary,
														  uint32 *at);

/* Throw unless its values are of the type that has this head. */
extern void ribbon_dictionary_check_head(const RibbonDictionary *dictionary,
										 const uint8 *head, uint32 nhead);

/*
 * The order of texts in a map: by bytes; if one is the beginning of the other,
 * the shorter one is first.
 */
static inline int
ribbon_dictionary_compare(const char *a, uint32 na, const char *b, uint32 nb)
{
	int order = memcmp(a, b, Min(na, nb));

	return order != 0 ? order : (na > nb) - (na < nb);
}

/* Throw: values of one map are of two types. */
pg_noreturn extern void ribbon_dictionary_report_type(void);

/* What a map stores about its values. */
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
 * Codes for all numbers from least to greatest, if any; or for the texts of a
 * dictionary, which is sorted and written, and must stay.  If has_null, NULL
 * has a code, too.  Throws if 64 bits are not enough.
 */
extern RibbonValueCodes ribbon_valuecodes_of_numbers(bool any, int64 least,
													 int64 greatest,
													 bool has_null);
extern RibbonValueCodes ribbon_valuecodes_of_dictionary(const RibbonDictionary
															*dictionary,
														bool has_null);

/* The code of a word.  This is a RibbonCode; arg is a RibbonValueCodes. */
extern uint64_t ribbon_valuecodes_get(const void *arg, uint64_t word);

/*
 * encode.c
 */

/*
 * Add a value, which is not NULL and not a number, to a dictionary, and return
 * its word.  The dictionary must be of the value's type as it is now.  id is
 * not 0, and differs between all dictionaries that a call site uses.
 */
extern uint64 ribbon_encode_value(RibbonValueType *value_type, Datum value,
								  RibbonDictionary *dictionary, uint64 id,
								  uint32 seed);

#endif /* RIBBON_VALUE_H */
