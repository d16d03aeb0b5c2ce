/*
 * buildvalues.c - the values of a map's keys, while its group is collected, and
 * what is said if a key has two
 *
 * Of numbers the least and the greatest are known, others are texts
 * (values/texts.h of the core), in the group's memory.  Both cover the values
 * of all keys of the state, from any process: a value is added before its key,
 * and each record that a state has is in the map.
 *
 * A text of a value that the call site remembers (memo.h) must be put among the
 * group's, too, unless it was the same group that the value came for last.
 */
#include "value/buildvalues.h"

#include "common/pg_prng.h"
#include "keys/hashes.h"
#include "mb/pg_wchar.h"
#include "server/server.h"
#include "set/element.h"
#include "utils/memutils.h"
#include "value/value.h"

/* Bytes of a value that a message shows. */
#define SHOWN_BYTES 100

/* Throw what values/ of the core says about values that have this seed. */
static void
check_status(const RibbonBuildValues *values, RibbonStatus status, uint32 seed)
{
	if (unlikely(status == RIBBON_SAME_WORD))
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("two values of ribbon_map have the same hash"),
				 errhint("Use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
						 seed + 1)));
	if (unlikely(status == RIBBON_NUMBER_LIKE_NULL))
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("value %s of ribbon_map is out of range where there are NULLs",
						ribbon_decode_number(values->range.value_class,
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

void
ribbon_buildvalues_init(RibbonBuildValues *values, MemoryContext context,
						RibbonValueClass value_class, const uint8 *head,
						uint32 nhead)
{
	static uint64 last_id = 0;
	static uint64 secret = 0; /* of this process */
	RibbonEnv env;

	values->id = ++last_id;
	values->range.value_class = (uint8) value_class;
	values->texts = NULL;
	if (nhead == 0)
		return;
	if (secret == 0)
		secret = pg_prng_uint64(&pg_global_prng_state);
	values->texts = MemoryContextAlloc(context, sizeof(RibbonTexts));
	env = env_of(values->texts);
	check_status(values,
				 ribbon_texts_init(values->texts, &env, head, nhead, secret),
				 0);
}

void
ribbon_buildvalues_begin(RibbonBuildValues *values, MemoryContext context,
						 RibbonValueType *value_type)
{
	const RibbonValueHead *head;

	if (value_type->value_class != RIBBON_VALUES_DICTIONARY)
	{
		ribbon_buildvalues_init(values, context, value_type->value_class, NULL,
								0);
		return;
	}
	head = &ribbon_valuetype_now(value_type)->head;
	ribbon_buildvalues_init(values, context, RIBBON_VALUES_DICTIONARY,
							head->bytes, head->nbytes);
}

uint64
ribbon_buildvalues_add_text(RibbonBuildValues *values, const char *text,
							size_t length, uint32 seed)
{
	uint64 word = ribbon_hash_bytes_seeded(text, length, seed);
	RibbonEnv env = env_of(values->texts);

	check_status(values,
				 ribbon_texts_add(values->texts, &env, word, text, length),
				 seed);
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
check_head(const RibbonBuildValues *values, const uint8 *head, uint32 nhead)
{
	if (unlikely(values->texts->nhead != nhead ||
				 memcmp(values->texts->bytes, head, nhead) != 0))
		report_type();
}

/* What tells a value from others.  One that is out of line is fetched. */
static RibbonValueBytes
value_bytes(const RibbonValueType *value_type, Datum *value)
{
	const char *bytes = DatumGetPointer(*value);

	if (value_type->by_value)
		return (RibbonValueBytes){(const char *) value, sizeof(Datum)};
	if (value_type->length == -1)
	{
		struct varlena *varlena = ribbon_detoast((struct varlena *) bytes);

		*value = PointerGetDatum(varlena);
		return (RibbonValueBytes){VARDATA_ANY(varlena),
								  VARSIZE_ANY_EXHDR(varlena)};
	}
	return (RibbonValueBytes){bytes,
							  value_type->length > 0 ?
								  (size_t) value_type->length :
								  strlen(bytes)};
}

/* Add a text to those of a group of the type, unless it is there; its word. */
static uint64
add_text(const RibbonValueHead *head, RibbonBuildValues *values,
		 RibbonValueBytes text, uint32 seed)
{
	check_head(values, head->bytes, head->nbytes);
	return ribbon_buildvalues_add_text(values, text.bytes, text.nbytes, seed);
}

uint64
ribbon_buildvalues_add_other(RibbonValueType *value_type, Datum value,
							 RibbonBuildValues *values, uint32 seed)
{
	RibbonValueNow *now = ribbon_valuetype_now(value_type);
	RibbonValueBytes bytes = value_bytes(value_type, &value);
	RibbonMemo *memo = ribbon_memo_find_value(&now->memos, bytes);

	if (unlikely(memo == NULL))
	{
		RibbonValueBytes text = ribbon_valuetext_get(value_type, value);

		ribbon_memo_add_value(&now->memos, bytes, text);
		return add_text(&now->head, values, text, seed);
	}
	if (unlikely(memo->group != values->id))
	{
		memo->word = add_text(&now->head, values, memo->made, seed);
		memo->group = values->id;
	}
	return memo->word;
}

void
ribbon_buildvalues_join(RibbonBuildValues *values, MemoryContext context,
						const RibbonBuildValues *others, uint32 seed)
{
	const RibbonRange *range = &others->range;
	const RibbonTexts *texts = others->texts;
	const uint8 *head = texts == NULL ? NULL : (const uint8 *) texts->bytes;
	uint32 nhead = texts == NULL ? 0 : texts->nhead;
	const RibbonAddedText *text;
	uint32 at = 0;

	if (values->id == 0)
		ribbon_buildvalues_init(values, context,
								(RibbonValueClass) range->value_class, head,
								nhead);
	if (values->range.value_class != range->value_class ||
		(values->texts == NULL) != (texts == NULL))
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
	check_head(values, head, nhead);
	while ((text = ribbon_texts_next(texts, &at)) != NULL)
		(void) ribbon_buildvalues_add_text(values, texts->bytes + text->at,
										   text->size, seed);
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

	core->value_class = values->range.value_class;
	core->has_null = values->range.has_null;
	if (values->texts == NULL)
		check_status(values, ribbon_range_set_codes(&values->range, core), 0);
	else
	{
		env = env_of(values->texts);
		check_status(values, ribbon_texts_set_codes(values->texts, &env, core),
					 0);
	}
}

/* The value of a word, as a message shows it. */
static const char *
value_text(const RibbonBuildValues *values, uint64 word)
{
	const RibbonAddedText *text;
	const char *bytes;
	int length;
	char *utf8;

	if (ribbon_range_is_null(&values->range, word))
		return "NULL";
	if (values->texts == NULL)
		return ribbon_decode_number(values->range.value_class, (int64) word);
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
							  const uint64_t *two_records, uint32 seed,
							  const char *key)
{
	const char *first = value_text(values,
								   ribbon_conflict_word(two_records, 0));
	const char *second = value_text(values,
									ribbon_conflict_word(two_records, 1));
	bool in_order = strcmp(first, second) < 0;

	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_map has two values"),
			 errdetail("%s  The values are %s and %s.", key,
					   in_order ? first : second, in_order ? second : first),
			 errhint("Aggregate first, so that each key has one value. If two keys have the same hash by chance, use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
					 seed + 1)));
}
