/*
 * grouptexts.c - the texts of a group's values: the core's, in the group's
 * memory, and what is thrown
 */
#include "value/value.h"

#include "common/pg_prng.h"
#include "server/server.h"
#include "utils/memutils.h"

#define NUMBER_THEM \
	"Number the values in a table of their own, and map keys to these numbers."

static void *
allocate(void *context, size_t size)
{
	return MemoryContextAllocHuge(context, size);
}

static void
release(void *context, void *memory)
{
	(void) context;
	pfree(memory);
}

/* Memory beside the texts, which throws if there is none. */
static RibbonEnv
env_of(const RibbonTexts *texts)
{
	return (RibbonEnv){.alloc = allocate,
					   .free = release,
					   .arg = GetMemoryChunkContext((void *) texts)};
}

RibbonTexts *
ribbon_grouptexts_create(MemoryContext context, const uint8 *head, uint32 nhead)
{
	static uint64 secret = 0; /* of this process */
	RibbonTexts *texts = MemoryContextAlloc(context, sizeof(RibbonTexts));
	RibbonEnv env = env_of(texts);
	RibbonStatus status;

	if (secret == 0)
		secret = pg_prng_uint64(&pg_global_prng_state);
	status = ribbon_texts_init(texts, &env, head, nhead, secret);
	if (status != RIBBON_OK)
		ribbon_error_throw(RIBBON_SQL_MAP, status);
	return texts;
}

void
ribbon_grouptexts_check_head(const RibbonTexts *texts, const uint8 *head,
							 uint32 nhead)
{
	if (unlikely(texts->nhead != nhead ||
				 memcmp(texts->bytes, head, nhead) != 0))
		ribbon_grouptexts_report_type();
}

void
ribbon_grouptexts_report_type(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("type of the value of ribbon_map must not change within a group")));
	pg_unreachable();
}

uint64
ribbon_grouptexts_add(RibbonTexts *texts, const char *text, size_t length,
					  uint32 seed)
{
	uint64 word = ribbon_hash_bytes_seeded(text, length, seed);
	RibbonEnv env = env_of(texts);
	RibbonStatus status = ribbon_texts_add(texts, &env, word, text, length);

	switch (status)
	{
		case RIBBON_OK:
			break;
		case RIBBON_TOO_MANY_TEXTS:
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("a ribbonmap cannot have more than %d different values of this type",
							RIBBON_DICTIONARY_VALUES),
					 errhint(NUMBER_THEM)));
			break;
		case RIBBON_TEXTS_TOO_LARGE:
			ereport(ERROR,
					(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					 errmsg("the different values of a ribbonmap cannot have more than 512 MB of text"),
					 errhint(NUMBER_THEM)));
			break;
		case RIBBON_SAME_WORD:
			ereport(ERROR,
					(errcode(ERRCODE_CARDINALITY_VIOLATION),
					 errmsg("two values of ribbon_map have the same hash"),
					 errhint("Use another seed, as in ribbon_map(key, value, 0.01, 'seed=%u').",
							 seed + 1)));
			break;
		default:
			ribbon_error_throw(RIBBON_SQL_MAP, status);
	}
	return word;
}

void
ribbon_grouptexts_set_codes(RibbonTexts *texts, RibbonValues *values)
{
	RibbonEnv env = env_of(texts);
	RibbonStatus status = ribbon_texts_set_codes(texts, &env, values);

	if (status != RIBBON_OK)
		ribbon_error_throw(RIBBON_SQL_MAP, status);
}
