/*
 * dictionary.c - the texts of a group's values, and their codes
 *
 * A value that is no number stands in the records of a map as the hash of its
 * text, 64 bits that are the same in every process.  So records need not be
 * rewritten when the states of processes are combined; their dictionaries are
 * joined.  Two texts with one hash are found when the second is added.
 *
 * Tables are addressed by the hashes mixed with a number that is not known
 * outside: values could be chosen so that their hashes agree in many bits.
 *
 * When all texts are there, they are sorted by their bytes and written
 * (value.h), and a table is made from their hashes to their places.
 */
#include "value/value.h"

#include "base/hash.h"
#include "common/pg_prng.h"
#include "port/pg_bitutils.h"
#include "utils/memutils.h"

#define FEW_TEXTS	 8 /* that are looked through without a table */
#define FIRST_SLOTS	 32
#define FIRST_BYTES	 32
#define MAX_BYTES	 (MaxAllocSize / 2)
#define VARINT_BYTES 10
#define FREE_CODE	 PG_UINT64_MAX

/* A slot of the table of RibbonValueCodes. */
typedef struct RibbonCodeSlot
{
	uint64 word;
	uint64 code; /* FREE_CODE: the slot is free */
} RibbonCodeSlot;

static unsigned count_bits(uint64 code);
static void insert_slot(RibbonDictionary *dictionary, uint32 text);
static void add_text(RibbonDictionary *dictionary, uint64 word,
					 const char *text, size_t length);
static void make_table(RibbonDictionary *dictionary);
static void check_bytes(const RibbonDictionary *dictionary, size_t more);
static void write_bytes(RibbonValueCodes *codes,
						const RibbonDictionary *dictionary,
						const RibbonDictionaryText **sorted);
static void fill_table(RibbonValueCodes *codes,
					   const RibbonDictionaryText **sorted, uint32 n);
static int compare_texts(const void *a, const void *b, void *arg);
static void set_null(RibbonValueCodes *codes, bool has_null);

/* Of this process; set once there is a dictionary. */
static uint64 secret = 0;

/* Where to begin to look for a word. */
static inline uint32
first_slot(const RibbonDictionary *dictionary, uint64 word)
{
	return (uint32) ribbon_mix(word ^ secret) & (dictionary->nslots - 1);
}

static inline uint64
first_code_slot(const RibbonValueCodes *codes, uint64 word)
{
	return ribbon_mix(word ^ secret) & codes->mask;
}

RibbonDictionary *
ribbon_dictionary_create(MemoryContext context, const uint8 *head, uint32 nhead)
{
	RibbonDictionary *dictionary =
		MemoryContextAllocZero(context, sizeof(RibbonDictionary));

	if (secret == 0)
		secret = pg_prng_uint64(&pg_global_prng_state);
	dictionary->context = context;
	dictionary->bytes_capacity = nhead + FIRST_BYTES;
	dictionary->bytes = MemoryContextAlloc(context, dictionary->bytes_capacity);
	memcpy(dictionary->bytes, head, nhead);
	dictionary->nhead = dictionary->nbytes = nhead;
	return dictionary;
}

void
ribbon_dictionary_check_head(const RibbonDictionary *dictionary,
							 const uint8 *head, uint32 nhead)
{
	if (unlikely(dictionary->nhead != nhead ||
				 memcmp(dictionary->bytes, head, nhead) != 0))
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

uint64
ribbon_dictionary_add(RibbonDictionary *dictionary, const char *text,
					  size_t length, uint32 seed)
{
	uint64 word = ribbon_hash_bytes_seeded(text, length, seed);
	const RibbonDictionaryText *found = ribbon_dictionary_find(dictionary,
															   word);

	if (found == NULL && word != RIBBON_VALUE_NULL)
		add_text(dictionary, word, text, length);
	else if (found == NULL || found->length != length ||
			 memcmp(dictionary->bytes + found->at, text, length) != 0)
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
	if (dictionary->slots == NULL)
	{
		for (uint32 i = 0; i < dictionary->ntexts; i++)
			if (dictionary->texts[i].word == word)
				return &dictionary->texts[i];
		return NULL;
	}
	for (uint32 slot = first_slot(dictionary, word);
		 dictionary->slots[slot] != 0;
		 slot = (slot + 1) & (dictionary->nslots - 1))
	{
		const RibbonDictionaryText *text =
			&dictionary->texts[dictionary->slots[slot] - 1];

		if (text->word == word)
			return text;
	}
	return NULL;
}

RibbonValueCodes
ribbon_valuecodes_of_numbers(bool any, int64 least, int64 greatest,
							 bool has_null)
{
	RibbonValueCodes codes = {0};
	uint64 range = any ? (uint64) greatest - (uint64) least : 0;

	if (has_null && range == PG_UINT64_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
				 errmsg("values of ribbon_map are out of range"),
				 errdetail("They are all over 64 bits, which leaves none for NULL.")));
	codes.base = any ? (uint64) least : 0;
	codes.value_bits = count_bits(range + (any && has_null ? 1 : 0));
	set_null(&codes, has_null);
	return codes;
}

RibbonValueCodes
ribbon_valuecodes_of_dictionary(const RibbonDictionary *dictionary,
								bool has_null)
{
	RibbonValueCodes codes = {0};
	uint32 n = dictionary->ntexts;
	const RibbonDictionaryText **sorted =
		palloc(Max(n, 1) * sizeof(RibbonDictionaryText *));

	for (uint32 i = 0; i < n; i++)
		sorted[i] = &dictionary->texts[i];
	qsort_arg(sorted, n, sizeof(*sorted), compare_texts, dictionary->bytes);
	codes.value_bits = count_bits(n - (n > 0 && !has_null ? 1 : 0));
	set_null(&codes, has_null);
	write_bytes(&codes, dictionary, sorted);
	fill_table(&codes, sorted, n);
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

	if (codes->has_null && word == RIBBON_VALUE_NULL)
		return codes->null_code;
	if (codes->slots == NULL)
		return (word - codes->base) & ribbon_value_null_code(codes->value_bits);
	for (uint64 i = first_code_slot(codes, word);
		 codes->slots[i].code != FREE_CODE; i = (i + 1) & codes->mask)
		if (codes->slots[i].word == word)
			return codes->slots[i].code;
	return 0;
}

static void
add_text(RibbonDictionary *dictionary, uint64 word, const char *text,
		 size_t length)
{
	RibbonDictionaryText *added;

	if (dictionary->ntexts == RIBBON_DICTIONARY_VALUES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a ribbonmap cannot have more than %d different values of this type",
						RIBBON_DICTIONARY_VALUES),
				 errhint("Number the values in a table of their own, and map keys to these numbers.")));
	check_bytes(dictionary, length);

	if (dictionary->ntexts == dictionary->capacity)
	{
		uint32 capacity = Max(2 * dictionary->capacity, 2);
		Size size = capacity * sizeof(RibbonDictionaryText);

		if (dictionary->texts == NULL)
			dictionary->texts = MemoryContextAlloc(dictionary->context, size);
		else
			dictionary->texts = repalloc(dictionary->texts, size);
		dictionary->capacity = capacity;
	}
	if (dictionary->nbytes + length > dictionary->bytes_capacity)
	{
		uint32 capacity = dictionary->bytes_capacity;

		while (dictionary->nbytes + length > capacity)
			capacity = Min(2 * capacity, MaxAllocSize);
		dictionary->bytes = repalloc(dictionary->bytes, capacity);
		dictionary->bytes_capacity = capacity;
	}

	added = &dictionary->texts[dictionary->ntexts];
	added->word = word;
	added->at = dictionary->nbytes;
	added->length = (uint32) length;
	memcpy(dictionary->bytes + added->at, text, length);
	dictionary->nbytes += (uint32) length;
	dictionary->ntexts++;

	if (dictionary->ntexts > FEW_TEXTS &&
		2 * dictionary->ntexts > dictionary->nslots)
		make_table(dictionary);
	else if (dictionary->slots != NULL)
		insert_slot(dictionary, dictionary->ntexts - 1);
}

/* Texts of 512 MB are as many as can be sent, written and read. */
static void
check_bytes(const RibbonDictionary *dictionary, size_t more)
{
	if (dictionary->nbytes + more > MAX_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the different values of a ribbonmap cannot have more than 512 MB of text"),
				 errhint("Number the values in a table of their own, and map keys to these numbers.")));
}

/* A larger table, with all texts in it. */
static void
make_table(RibbonDictionary *dictionary)
{
	uint32 nslots = Max(4 * dictionary->nslots, FIRST_SLOTS);
	uint32 *slots = MemoryContextAllocZero(dictionary->context,
										   nslots * sizeof(uint32));

	if (dictionary->slots != NULL)
		pfree(dictionary->slots);
	dictionary->slots = slots;
	dictionary->nslots = nslots;
	for (uint32 i = 0; i < dictionary->ntexts; i++)
		insert_slot(dictionary, i);
}

static void
insert_slot(RibbonDictionary *dictionary, uint32 text)
{
	uint32 mask = dictionary->nslots - 1;
	uint32 slot = first_slot(dictionary, dictionary->texts[text].word);

	while (dictionary->slots[slot] != 0)
		slot = (slot + 1) & mask;
	dictionary->slots[slot] = text + 1;
}

/* By their bytes; of two that begin alike, the shorter one first. */
static int
compare_texts(const void *a, const void *b, void *arg)
{
	const RibbonDictionaryText *left = *(RibbonDictionaryText *const *) a;
	const RibbonDictionaryText *right = *(RibbonDictionaryText *const *) b;
	const uint8 *bytes = arg;
	int order = memcmp(bytes + left->at, bytes + right->at,
					   Min(left->length, right->length));

	if (order != 0)
		return order;
	return left->length < right->length ? -1 : left->length > right->length;
}

/* Numbers of one to four bytes, little-endian. */
static uint8 *
put_number(uint8 *out, uint32 number, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		*out++ = (uint8) (number >> 8 * i);
	return out;
}

static uint8 *
put_varint(uint8 *out, uint64 number)
{
	for (; number > 127; number >>= 7)
		*out++ = (uint8) (number | 128);
	*out++ = (uint8) number;
	return out;
}

static void
write_bytes(RibbonValueCodes *codes, const RibbonDictionary *dictionary,
			const RibbonDictionaryText **sorted)
{
	uint32 n = dictionary->ntexts;
	uint32 length = dictionary->nbytes - dictionary->nhead;
	unsigned size = length <= PG_UINT8_MAX ? 1 :
		length <= PG_UINT16_MAX			   ? 2 :
											 4;
	uint32 end = 0;
	uint8 *out;

	codes->bytes = palloc(dictionary->nhead + VARINT_BYTES + 1 +
						  (size_t) n * size + length);
	memcpy(codes->bytes, dictionary->bytes, dictionary->nhead);
	out = put_varint(codes->bytes + dictionary->nhead, n);
	*out++ = (uint8) size;
	for (uint32 i = 0; i < n; i++)
	{
		end += sorted[i]->length;
		out = put_number(out, end, size);
	}
	for (uint32 i = 0; i < n; i++)
	{
		memcpy(out, dictionary->bytes + sorted[i]->at, sorted[i]->length);
		out += sorted[i]->length;
	}
	codes->nbytes = (size_t) (out - codes->bytes);
}

static void
fill_table(RibbonValueCodes *codes, const RibbonDictionaryText **sorted,
		   uint32 n)
{
	uint64 nslots = FIRST_SLOTS;

	while (nslots < 2 * (uint64) n)
		nslots *= 2;
	codes->mask = nslots - 1;
	codes->slots = palloc(nslots * sizeof(RibbonCodeSlot));
	for (uint64 i = 0; i < nslots; i++)
		codes->slots[i].code = FREE_CODE;
	for (uint32 code = 0; code < n; code++)
	{
		uint64 i = first_code_slot(codes, sorted[code]->word);

		while (codes->slots[i].code != FREE_CODE)
			i = (i + 1) & codes->mask;
		codes->slots[i].word = sorted[code]->word;
		codes->slots[i].code = code;
	}
}

/* That are needed for codes up to this one. */
static unsigned
count_bits(uint64 code)
{
	return code == 0 ? 0 : (unsigned) pg_leftmost_one_pos64(code) + 1;
}

static void
set_null(RibbonValueCodes *codes, bool has_null)
{
	codes->has_null = has_null;
	codes->null_code = ribbon_value_null_code(codes->value_bits);
}
