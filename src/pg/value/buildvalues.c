/*
 * buildvalues.c - the values of a map's keys, while its group is collected;
 * their way to another process; and what is said if a key has two
 *
 * Of numbers the least and the greatest are known, others are texts
 * (values/texts.h of the core), in the group's memory.  Both cover the values
 * of all keys of the state, from any process: a value is added before its key,
 * and each record that a state has is in the map.
 *
 * A call site remembers the texts of values, for all groups (memo.h); and each
 * group has the texts of its own values.  So a remembered text is added to the
 * group's, unless this is also the group in which the value came last.
 */
#include "value/buildvalues.h"

#include <limits.h>

#include "common/pg_prng.h"
#include "keys/hashes.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "server/server.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "value/value.h"
#include "values/utf8.h"

/* Bytes of a value that a message shows. */
#define SHOWN_BYTES 100

/* Throw what values/ of the core says about them. */
static void
check_status(const RibbonBuildValues *values, RibbonStatus status)
{
	if (unlikely(status == RIBBON_SAME_WORD))
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("two values of ribbon_map have the same hash"),
				 errhint("Use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
						 values->seed + 1)));
	if (unlikely(status == RIBBON_NUMBER_LIKE_NULL))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value %s of ribbon_map is out of range where there are NULLs",
						ribbon_decode_number(values->value_class,
											 (int64) RIBBON_NULL_WORD)),
				 errdetail("While a map is built, this number stands for NULL.")));
	ribbon_error_check(RIBBON_SQL_MAP, status);
}

/* Memory beside the texts. */
static RibbonEnv
env_of(const RibbonTexts *texts)
{
	return ribbon_env_memory(GetMemoryChunkContext((void *) texts));
}

/*
 * Begin with no value, of this class.  If the head is not empty, they are in a
 * dictionary that begins with it (valuetype.h), in context.
 */
static void
init_values(RibbonBuildValues *values, MemoryContext context, uint32 seed,
			RibbonValueClass value_class, RibbonValueBytes head)
{
	static uint64 last_id = 0;
	static uint64 secret = 0; /* of this process */
	RibbonEnv env;

	values->id = ++last_id;
	values->seed = seed;
	values->value_class = (uint8) value_class;
	values->texts = NULL;
	if (head.nbytes == 0)
		return;
	if (secret == 0)
		secret = pg_prng_uint64(&pg_global_prng_state);
	values->texts = MemoryContextAlloc(context, sizeof(RibbonTexts));
	env = env_of(values->texts);
	check_status(values,
				 ribbon_texts_init(values->texts, &env,
								   (const uint8 *) head.bytes,
								   (uint32) head.nbytes, secret));
}

void
ribbon_buildvalues_begin(RibbonBuildValues *values, MemoryContext context,
						 uint32 seed, RibbonValueType *value_type)
{
	RibbonValueBytes head = {0};

	if (value_type->value_class == RIBBON_VALUES_DICTIONARY)
		head = ribbon_valuetype_refresh(value_type)->head;
	init_values(values, context, seed, value_type->value_class, head);
}

/*
 * Add a text in UTF-8, unless it is there.  Returns its word.  Throws if there
 * are too many texts, or if another text has the same word.
 */
static uint64
add_text(RibbonBuildValues *values, RibbonValueBytes text)
{
	uint64 word = ribbon_hash_bytes_seeded(text.bytes, text.nbytes,
										   values->seed);
	RibbonEnv env = env_of(values->texts);

	check_status(values,
				 ribbon_texts_add(values->texts, &env, word, text.bytes,
								  text.nbytes));
	return word;
}

/* Throw: values of one map are of two types. */
pg_noreturn static void
report_type(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type of the value of ribbon_map must not change within a group")));
}

/* Throw unless the values are texts of the type that has this head. */
static void
check_head(const RibbonBuildValues *values, RibbonValueBytes head)
{
	if (unlikely(values->texts->nhead != head.nbytes ||
				 memcmp(values->texts->bytes, head.bytes, head.nbytes) != 0))
		report_type();
}

/* What tells a value from others.  One that is out of line is fetched. */
static RibbonValueBytes
value_bytes(const RibbonValueType *value_type, Datum *value)
{
	if (value_type->by_value)
		return (RibbonValueBytes){(const char *) value, sizeof(Datum)};
	if (value_type->length == -1)
		*value = PointerGetDatum(ribbon_detoast((struct varlena *)
													DatumGetPointer(*value)));
	return (RibbonValueBytes){DatumGetPointer(*value),
							  datumGetSize(*value, false, value_type->length)};
}

/* Add a text of a call site's type.  Returns its word. */
static uint64
add_own_text(RibbonBuildValues *values, RibbonValueType *value_type,
			 RibbonValueBytes text)
{
	check_head(values, ribbon_valuetype_refresh(value_type)->head);
	return add_text(values, text);
}

uint64
ribbon_buildvalues_add_other(RibbonBuildValues *values,
							 RibbonValueType *value_type, Datum value)
{
	RibbonMemos *memos = &ribbon_valuetype_refresh(value_type)->memos;
	RibbonValueBytes bytes = value_bytes(value_type, &value);
	uint32 number = ribbon_memo_number(bytes);
	RibbonMemo *memo = ribbon_memo_find(memos, number, bytes);

	if (unlikely(memo == NULL))
	{
		RibbonValueBytes text = ribbon_valuetext_get(value_type, value);

		ribbon_memo_add(memos, number, bytes, text);
		return add_own_text(values, value_type, text);
	}
	if (unlikely(memo->group != values->id))
	{
		memo->word = add_own_text(values, value_type, memo->made);
		memo->group = values->id;
	}
	return memo->word;
}

void
ribbon_buildvalues_join(RibbonBuildValues *values, MemoryContext context,
						const RibbonBuildValues *others)
{
	const RibbonRange *range = &others->range;
	const RibbonTexts *texts = others->texts;
	RibbonValueBytes head = {0};
	const RibbonText *text;
	uint32 at = 0;

	if (texts != NULL)
		head = (RibbonValueBytes){texts->bytes, texts->nhead};
	if (values->id == 0)
		init_values(values, context, others->seed,
					(RibbonValueClass) others->value_class, head);
	if (values->value_class != others->value_class)
		report_type();

	values->range.has_null |= range->has_null;
	values->range.has_number_like_null |= range->has_number_like_null;
	if (range->has_numbers)
	{
		ribbon_range_widen(&values->range, range->least);
		ribbon_range_widen(&values->range, range->greatest);
	}

	if (texts == NULL)
		return;
	check_head(values, head);
	while ((text = ribbon_texts_next(texts, &at)) != NULL)
		(void) add_text(values,
						(RibbonValueBytes){texts->bytes + text->at,
										   text->size});
}

/* Values on the way to another process, before their texts. */
typedef struct SentValues
{
	union
	{
		RibbonRange range;
		uint64 words[3]; /* its size, also where words have 32 bits */
	};
	uint32 ntexts; /* the head of a dictionary, and its texts; else 0 */
	uint32 value_class;
} SentValues;

StaticAssertDecl(sizeof(SentValues) == 32,
				 "states are as large on machines of 32 bits");

static void
append_text(StringInfo out, const char *text, uint32 length)
{
	appendBinaryStringInfo(out, (const char *) &length, sizeof(length));
	appendBinaryStringInfo(out, text, (int) length);
}

void
ribbon_buildvalues_put(StringInfo out, const RibbonBuildValues *values)
{
	const RibbonTexts *texts = values->texts;
	const RibbonText *text;
	SentValues sent;
	uint32 at = 0;

	memset(&sent, 0, sizeof(sent));
	sent.range = values->range;
	sent.value_class = values->value_class;
	sent.ntexts = texts == NULL ? 0 : 1 + texts->nvalues;
	appendBinaryStringInfo(out, (const char *) &sent, sizeof(sent));
	if (texts == NULL)
		return;
	append_text(out, texts->bytes, texts->nhead);
	while ((text = ribbon_texts_next(texts, &at)) != NULL)
		append_text(out, texts->bytes + text->at, text->size);
}

/* A byte of what may be any bytes. */
static bool
is_bool(const bool *value)
{
	return *(const uint8 *) value <= 1;
}

/* Are these of a class that there is, and has such numbers, or texts? */
static bool
is_valid(const SentValues *sent)
{
	const RibbonRange *range = &sent->range;

	if (!is_bool(&range->has_null) || !is_bool(&range->has_numbers) ||
		!is_bool(&range->has_number_like_null))
		return false;
	if (sent->value_class == RIBBON_VALUES_DICTIONARY)
		return sent->ntexts > 0 && !range->has_numbers &&
			!range->has_number_like_null;
	return sent->value_class < RIBBON_KNOWN_VALUE_CLASSES &&
		sent->ntexts == 0 && range->least <= range->greatest &&
		(!range->has_numbers ||
		 (ribbon_values_is_valid(sent->value_class, range->least) &&
		  ribbon_values_is_valid(sent->value_class, range->greatest)));
}

/* Set *text, which stays in the message; false if it is none in UTF-8. */
static bool
get_text(StringInfo in, RibbonValueBytes *text)
{
	uint32 length;

	pq_copymsgbytes(in, (char *) &length, sizeof(length));
	if (length > INT_MAX)
		return false;
	*text = (RibbonValueBytes){pq_getmsgbytes(in, (int) length), length};
	return ribbon_is_utf8(text->bytes, text->nbytes);
}

bool
ribbon_buildvalues_get(StringInfo in, RibbonBuildValues *values,
					   MemoryContext context, uint32 seed)
{
	SentValues sent;
	RibbonValueBytes text = {0};

	pq_copymsgbytes(in, (char *) &sent, sizeof(sent));
	if (!is_valid(&sent))
		return false;
	if (sent.ntexts > 0 &&
		(!get_text(in, &text) ||
		 !ribbon_dictionary_is_head((const uint8 *) text.bytes, text.nbytes)))
		return false;
	init_values(values, context, seed, (RibbonValueClass) sent.value_class,
				text);
	values->range = sent.range;
	for (uint32 i = 1; i < sent.ntexts; i++)
	{
		if (!get_text(in, &text))
			return false;
		(void) add_text(values, text);
	}
	return true;
}

bool
ribbon_buildvalues_has(const RibbonBuildValues *values, uint64 word)
{
	const RibbonRange *range = &values->range;
	int64 number = (int64) word;

	if (word == RIBBON_NULL_WORD && range->has_null)
		return true;
	if (values->texts != NULL)
		return ribbon_texts_find(values->texts, word) != NULL;
	return range->has_numbers && number >= range->least &&
		number <= range->greatest;
}

void
ribbon_buildvalues_set_codes(const RibbonBuildValues *values,
							 RibbonValues *core)
{
	RibbonEnv env;

	core->value_class = values->value_class;
	core->has_null = values->range.has_null;
	core->seed = values->seed;
	if (values->texts == NULL)
		check_status(values, ribbon_range_set_codes(&values->range, core));
	else
	{
		env = ribbon_env_create(GetMemoryChunkContext(values->texts));
		check_status(values, ribbon_texts_set_codes(values->texts, &env, core));
	}
}

/* The value of a word, as a message shows it. */
static const char *
value_text(const RibbonBuildValues *values, uint64 word)
{
	const RibbonText *text;
	const char *bytes;
	int length;
	char *utf8;

	if (ribbon_range_is_null(&values->range, word))
		return "NULL";
	if (values->texts == NULL)
		return ribbon_decode_number(values->value_class, (int64) word);
	text = ribbon_texts_find(values->texts, word);
	if (text == NULL)
		return "unknown";

	bytes = values->texts->bytes + text->at;
	length = pg_encoding_mbcliplen(PG_UTF8, bytes, (int) text->size,
								   SHOWN_BYTES);
	utf8 = psprintf("\"%.*s%s\"", length, bytes,
					(uint32) length < text->size ? "..." : "");
	return pg_any_to_server(utf8, (int) strlen(utf8), PG_UTF8);
}

void
ribbon_buildvalues_report_two(const RibbonBuildValues *values,
							  const RibbonRecord *two_records, const char *key)
{
	const char *first = value_text(values, two_records[0].word);
	const char *second = value_text(values, two_records[1].word);
	bool in_order = strcmp(first, second) < 0;

	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_map has two values"),
			 errdetail("%s  The values are %s and %s.", key,
					   in_order ? first : second, in_order ? second : first),
			 errhint("Aggregate first, so that each key has one value.  If two keys have the same hash by chance, use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
					 values->seed + 1)));
}
