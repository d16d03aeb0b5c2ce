/*
 * texts.c - the texts of a group's values
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
 * When all texts are there, they are sorted by their bytes and written, and
 * each is told its place, which is its code.
 */
#include "value/texts.h"

#include "base/hash.h"
#include "common/pg_prng.h"
#include "utils/memutils.h"
#include "values/dictionary.h"

#define FIRST_TEXTS 2
#define FEW_TEXTS	8
#define FIRST_BYTES 32
#define MAX_BYTES	(MaxAllocSize / 2)

/* Of this process; set once there are texts. */
static uint64 secret = 0;

#define SH_PREFIX				texts
#define SH_ELEMENT_TYPE			RibbonGroupText
#define SH_KEY_TYPE				uint64
#define SH_KEY					word
#define SH_HASH_KEY(table, key) ((uint32) ribbon_mix((key) ^ secret))
#define SH_EQUAL(table, a, b)	((a) == (b))
#define SH_SCOPE				static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

RibbonTexts *
ribbon_texts_create(MemoryContext context, const uint8 *head, uint32 nhead)
{
	RibbonTexts *texts = MemoryContextAllocZero(context, sizeof(RibbonTexts));

	if (secret == 0)
		secret = pg_prng_uint64(&pg_global_prng_state);
	texts->table = texts_create(context, FIRST_TEXTS, NULL);
	texts->bytes.maxlen = (int) nhead + FIRST_BYTES;
	texts->bytes.data = MemoryContextAlloc(context, texts->bytes.maxlen);
	appendBinaryStringInfo(&texts->bytes, (const char *) head, (int) nhead);
	texts->nhead = nhead;
	return texts;
}

void
ribbon_texts_check_head(const RibbonTexts *texts, const uint8 *head,
						uint32 nhead)
{
	if (unlikely(texts->nhead != nhead ||
				 memcmp(texts->bytes.data, head, nhead) != 0))
		ribbon_texts_report_type();
}

void
ribbon_texts_report_type(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type of the value of ribbon_map must not change within a group")));
	pg_unreachable();
}

/* Texts of 512 MB are as many as can be sent, written and read. */
static void
add_text(RibbonTexts *texts, uint64 word, const char *text, size_t length)
{
	StringInfo bytes = &texts->bytes;
	RibbonGroupText *added;
	bool found;

	if (texts->ntexts == RIBBON_DICTIONARY_VALUES)
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

	added = texts_insert(texts->table, word, &found);
	added->at = (uint32) bytes->len;
	added->length = (uint32) length;
	appendBinaryStringInfo(bytes, text, (int) length);
	texts->ntexts++;
}

uint64
ribbon_texts_add(RibbonTexts *texts, const char *text, size_t length,
				 uint32 seed)
{
	uint64 word = ribbon_hash_bytes_seeded(text, length, seed);
	const RibbonGroupText *found = texts_lookup(texts->table, word);

	if (found == NULL && word != RIBBON_NULL_WORD)
		add_text(texts, word, text, length);
	else if (found == NULL || found->length != length ||
			 memcmp(texts->bytes.data + found->at, text, length) != 0)
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("two values of ribbon_map have the same hash"),
				 errhint("Use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
						 seed + 1)));
	return word;
}

const RibbonGroupText *
ribbon_texts_find(const RibbonTexts *texts, uint64 word)
{
	return texts_lookup(texts->table, word);
}

const RibbonGroupText *
ribbon_texts_next(const RibbonTexts *texts, uint32 *at)
{
	while (*at < texts->table->size)
	{
		const RibbonGroupText *text = &texts->table->data[(*at)++];

		if (text->status == texts_SH_IN_USE)
			return text;
	}
	return NULL;
}

/* Returns the dictionary: *nbytes bytes. */
static uint8 *
write_dictionary(RibbonTexts *texts, size_t *nbytes)
{
	uint32 n = texts->ntexts;
	size_t length = (size_t) texts->bytes.len - texts->nhead;
	RibbonText *sorted = palloc(Max(n, 1) * sizeof(RibbonText));
	const RibbonGroupText *text;
	uint32 at = 0;
	uint8 *bytes;

	for (uint32 i = 0; (text = ribbon_texts_next(texts, &at)) != NULL; i++)
		sorted[i] = (RibbonText){texts->bytes.data + text->at, text->length,
								 at - 1};

	*nbytes = ribbon_dictionary_size(texts->nhead, n, length);
	bytes = palloc(*nbytes);
	ribbon_dictionary_write((const uint8 *) texts->bytes.data, texts->nhead,
							sorted, n, length, bytes);
	for (uint32 code = 0; code < n; code++)
		texts->table->data[sorted[code].number].code = code;
	pfree(sorted);
	return bytes;
}

/*
 * The code of a word: a RibbonCode.  A word that was not announced, as a
 * made-up partial state may have, must do no harm: it gets any code.
 */
static uint64_t
code_of_word(const void *arg, uint64_t word)
{
	const RibbonTexts *texts = arg;
	const RibbonGroupText *text;

	if (word == RIBBON_NULL_WORD)
		return texts->null_code;
	text = texts_lookup(texts->table, word);
	return text != NULL ? text->code : 0;
}

void
ribbon_texts_set_codes(RibbonTexts *texts, RibbonValues *values)
{
	uint64 n = texts->ntexts;

	/* each record's word will be looked up: room, so that few texts collide */
	if (texts->table->size < 4 * Max(n, FEW_TEXTS))
		texts_grow(texts->table, 4 * Max(n, FEW_TEXTS));
	values->bits = ribbon_number_code_bits(n > 0, n - 1, values->has_null);
	values->dictionary = write_dictionary(texts, &values->ndictionary);
	values->code = code_of_word;
	values->code_arg = texts;
	texts->null_code = ribbon_number_null_code(values->bits);
}
