/*
 * dictionary.c - the texts of a group's values, and their codes
 *
 * A value that is no number stands in the records of a map as the hash of its
 * text, 64 bits that are the same in every process.  So records need not be
 * rewritten when the states of processes are combined; their dictionaries are
 * joined.  Two texts with one hash are found when the second is added.
 *
 * The table of texts is addressed by the hashes mixed with a number that is not
 * known outside: values could be chosen so that their hashes agree in many
 * bits.
 *
 * When all texts are there, they are sorted by their bytes and written
 * (value.h), and each is told its place, which is its code.
 */
#include "value/value.h"

#include "base/bits.h"
#include "base/coding.h"
#include "base/hash.h"
#include "common/pg_prng.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#define FIRST_TEXTS	 2
#define FEW_TEXTS	 8
#define FIRST_BYTES	 32
#define MAX_BYTES	 (MaxAllocSize / 2)
#define VARINT_BYTES 10

/* Of this process; set once there is a dictionary. */
static uint64 secret = 0;

#define SH_PREFIX				texts
#define SH_ELEMENT_TYPE			RibbonDictionaryText
#define SH_KEY_TYPE				uint64
#define SH_KEY					word
#define SH_HASH_KEY(table, key) ((uint32) ribbon_mix((key) ^ secret))
#define SH_EQUAL(table, a, b)	((a) == (b))
#define SH_SCOPE				static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

RibbonDictionary *
ribbon_dictionary_create(MemoryContext context, const uint8 *head, uint32 nhead)
{
	RibbonDictionary *dictionary =
		MemoryContextAllocZero(context, sizeof(RibbonDictionary));

	if (secret == 0)
		secret = pg_prng_uint64(&pg_global_prng_state);
	dictionary->texts = texts_create(context, FIRST_TEXTS, NULL);
	dictionary->bytes.maxlen = (int) nhead + FIRST_BYTES;
	dictionary->bytes.data = MemoryContextAlloc(context,
												dictionary->bytes.maxlen);
	appendBinaryStringInfo(&dictionary->bytes, (const char *) head,
						   (int) nhead);
	dictionary->nhead = nhead;
	return dictionary;
}

void
ribbon_dictionary_check_head(const RibbonDictionary *dictionary,
							 const uint8 *head, uint32 nhead)
{
	if (unlikely(dictionary->nhead != nhead ||
				 memcmp(dictionary->bytes.data, head, nhead) != 0))
		ribbon_dictionary_report_type();
}

void
ribbon_dictionary_report_type(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type of the value of ribbon_map must not change within a group")));
	pg_unreachable();
}

/* Texts of 512 MB are as many as can be sent, written and read. */
static void
add_text(RibbonDictionary *dictionary, uint64 word, const char *text,
		 size_t length)
{
	StringInfo bytes = &dictionary->bytes;
	RibbonDictionaryText *added;
	bool found;

	if (dictionary->ntexts == RIBBON_DICTIONARY_VALUES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a ribbonmap cannot have more than %d different values of this type",
						RIBBON_DICTIONARY_VALUES),
				 errhint("Number the values in a table of their own, and map keys to these numbers.")));
	if (bytes->len + length > MAX_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the different values of a ribbonmap cannot have more than 512 MB of text"),
				 errhint("Number the values in a table of their own, and map keys to these numbers.")));

	added = texts_insert(dictionary->texts, word, &found);
	added->at = (uint32) bytes->len;
	added->length = (uint32) length;
	appendBinaryStringInfo(bytes, text, (int) length);
	dictionary->ntexts++;
}

uint64
ribbon_dictionary_add(RibbonDictionary *dictionary, const char *text,
					  size_t length, uint32 seed)
{
	uint64 word = ribbon_hash_bytes_seeded(text, length, seed);
	const RibbonDictionaryText *found = texts_lookup(dictionary->texts, word);

	if (found == NULL && word != RIBBON_VALUE_NULL)
		add_text(dictionary, word, text, length);
	else if (found == NULL || found->length != length ||
			 memcmp(dictionary->bytes.data + found->at, text, length) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("two values of ribbon_map have the same hash"),
				 errhint("Use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
						 seed + 1)));
	return word;
}

const RibbonDictionaryText *
ribbon_dictionary_find(const RibbonDictionary *dictionary, uint64 word)
{
	return texts_lookup(dictionary->texts, word);
}

const RibbonDictionaryText *
ribbon_dictionary_next(const RibbonDictionary *dictionary, uint32 *at)
{
	while (*at < dictionary->texts->size)
	{
		const RibbonDictionaryText *text = &dictionary->texts->data[(*at)++];

		if (text->status == texts_SH_IN_USE)
			return text;
	}
	return NULL;
}

/* That are needed for codes up to this one. */
static unsigned
count_bits(uint64 code)
{
	return code == 0 ? 0 : (unsigned) pg_leftmost_one_pos64(code) + 1;
}

RibbonValueCodes
ribbon_valuecodes_of_numbers(bool any, int64 least, int64 greatest,
							 bool has_null)
{
	RibbonValueCodes codes = {.has_null = has_null};
	uint64 range = any ? (uint64) greatest - (uint64) least : 0;

	if (has_null && range == PG_UINT64_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("values of ribbon_map are out of range"),
				 errdetail("Their range takes all 64 bits, which leaves no code for NULL."),
				 errhint("Cast the values to text, if at most %d of them are different.",
						 RIBBON_DICTIONARY_VALUES)));
	codes.base = any ? (uint64) least : 0;
	codes.value_bits = count_bits(range + (any && has_null ? 1 : 0));
	return codes;
}

static int
compare_texts(const void *a, const void *b, void *arg)
{
	const RibbonDictionaryText *left = *(RibbonDictionaryText *const *) a;
	const RibbonDictionaryText *right = *(RibbonDictionaryText *const *) b;
	const char *bytes = arg;

	return ribbon_dictionary_compare(bytes + left->at, left->length,
									 bytes + right->at, right->length);
}

static void
write_bytes(RibbonValueCodes *codes, const RibbonDictionary *dictionary,
			RibbonDictionaryText **sorted)
{
	uint32 n = dictionary->ntexts;
	uint32 length = (uint32) dictionary->bytes.len - dictionary->nhead;
	unsigned size = length <= PG_UINT8_MAX ? 1 :
		length <= PG_UINT16_MAX			   ? 2 :
											 4;
	uint32 end = 0;
	uint8 *out;

	codes->bytes = palloc0(dictionary->nhead + VARINT_BYTES + 1 +
						   (size_t) n * size + length);
	memcpy(codes->bytes, dictionary->bytes.data, dictionary->nhead);
	out = ribbon_write_varint(codes->bytes + dictionary->nhead, n);
	*out++ = (uint8) size;
	for (uint32 i = 0; i < n; i++)
	{
		end += sorted[i]->length;
		ribbon_or_bits(out, 0, 8 * size, end);
		out += size;
	}
	for (uint32 i = 0; i < n; i++)
	{
		memcpy(out, dictionary->bytes.data + sorted[i]->at, sorted[i]->length);
		out += sorted[i]->length;
	}
	codes->nbytes = (size_t) (out - codes->bytes);
}

RibbonValueCodes
ribbon_valuecodes_of_dictionary(const RibbonDictionary *dictionary,
								bool has_null)
{
	RibbonValueCodes codes = {.has_null = has_null, .dictionary = dictionary};
	uint32 n = dictionary->ntexts;
	RibbonDictionaryText **sorted = palloc(Max(n, 1) *
										   sizeof(RibbonDictionaryText *));
	uint32 at = 0;

	/* each record's word will be looked up: room, so that few texts collide */
	if (dictionary->texts->size < 4 * Max((uint64) n, FEW_TEXTS))
		texts_grow(dictionary->texts, 4 * Max((uint64) n, FEW_TEXTS));
	for (uint32 i = 0; i < n; i++)
		sorted[i] = (RibbonDictionaryText *) ribbon_dictionary_next(dictionary,
																	&at);
	qsort_arg(sorted, n, sizeof(*sorted), compare_texts,
			  dictionary->bytes.data);
	for (uint32 code = 0; code < n; code++)
		sorted[code]->code = code;
	codes.value_bits = count_bits(n - (n > 0 && !has_null ? 1 : 0));
	write_bytes(&codes, dictionary, sorted);
	pfree(sorted);
	return codes;
}

/*
 * A word that was not announced, as a made-up partial state may have, must do
 * no harm: it gets any code.
 */
uint64_t
ribbon_valuecodes_get(const void *arg, uint64_t word)
{
	const RibbonValueCodes *codes = arg;
	const RibbonDictionaryText *text;
	uint64 all_bits = ribbon_value_null_code(codes->value_bits);

	if (codes->has_null && word == RIBBON_VALUE_NULL)
		return all_bits;
	if (codes->dictionary == NULL)
		return (word - codes->base) & all_bits;
	text = texts_lookup(codes->dictionary->texts, word);
	return text != NULL ? text->code : 0;
}
