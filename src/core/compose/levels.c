/*
 * levels.c - a map whose values have codes: a plane for each level of them
 *
 *----------
 *	 all keys
 *	   |--------- plane 0: check bits, and the bits of level 0
 *	   |
 *	   |	or, with a filter in front:
 *	   |--------- plane 0: check bits, if there are any
 *	   |--------- filter of the keys without the dominant value
 *	 keys that pass it
 *	   |
 *	 keys whose codes go on: plane of level 1
 *	   |
 *	 keys whose codes go on: plane of level 2, and so on
 *----------
 *
 * A plane is built as any other, of the records that come to its level.  Behind
 * plane 0 these are copied: to an array, or if they are many, and in a file, to
 * that.  In copies behind the first plane of codes, the value word is the
 * codeword (codebook.h).
 */
#include "compose/build.h"

#include "base/bits.h"
#include "compose/passing.h"
#include "set/derive.h"

/* A map under construction. */
typedef struct Levels
{
	const RibbonBuild *build;
	RibbonCodebook *book;
	const RibbonSet *records;
	RibbonAssembly assembly;
	unsigned weight; /* of the planes so far (format/codes.h) */
} Levels;

/*
 * Add a plane: ribbon_assembly_add.  RIBBON_TOO_MANY: there is no room for one
 * behind those so far.
 */
static RibbonStatus
add_plane(Levels *levels, const RibbonSet *keys, const RibbonSupply *supply,
		  RibbonResultBits check, RibbonRole role)
{
	RibbonAssembly *assembly = &levels->assembly;
	RibbonStatus status;

	if (levels->weight > RIBBON_MAX_WEIGHT)
		return RIBBON_TOO_MANY;
	status = ribbon_assembly_add(assembly, keys, supply, check, role);
	if (status == RIBBON_OK)
		levels->weight += ribbon_codes_weight(role == RIBBON_ROLE_FIRST ?
												  &assembly->first :
												  &assembly->last);
	return status;
}

/*
 * Plane 0: check bits, and of codes those of level 0, which are none if there
 * is a filter in front, and always few enough (format/head.c).
 */
static RibbonStatus
add_first_plane(Levels *levels)
{
	RibbonResultBits check = levels->build->check;
	unsigned value_bits = ribbon_codes_level_bits(&levels->book->codes, 0);
	RibbonSupply supply = {.check_bits = check.bits,
						   .value_bits = value_bits,
						   .shift = ribbon_codeword_shift(value_bits),
						   .code = ribbon_codebook_word,
						   .code_arg = levels->book};

	return add_plane(levels, levels->records, &supply, check,
					 RIBBON_ROLE_FIRST);
}

/* The hashes of keys that do not have the dominant value (RibbonDerive). */
static size_t
select_rare(void *arg, const uint64_t *words, size_t n, uint64_t *rare)
{
	const RibbonRecord *records = (const RibbonRecord *) words;
	const RibbonCodebook *book = arg;
	const RibbonHistogram *histogram = book->histogram;
	uint64_t dominant = histogram->values[book->dominant].code;
	size_t nrare = 0;

	for (size_t i = 0; i < n; i++)
	{
		rare[nrare] = records[i].hash;
		nrare += ribbon_supply_value(&histogram->plain, records[i].word) !=
			dominant;
	}
	return nrare;
}

/* The records whose codes are longer than this go on, with codewords. */
typedef struct Selection
{
	const RibbonCodebook *book;
	unsigned length;
	bool coded; /* are value words codewords already? */
} Selection;

/* A RibbonDerive. */
static size_t
select_longer(void *arg, const uint64_t *words, size_t n, uint64_t *selected)
{
	const Selection *selection = arg;
	const RibbonRecord *records = (const RibbonRecord *) words;
	RibbonRecord *out = (RibbonRecord *) selected;
	size_t nout = 0;

	for (size_t i = 0; i < n; i++)
	{
		out[nout] = records[i];
		if (!selection->coded)
			out[nout].word = ribbon_codebook_word(selection->book,
												  records[i].word);
		nout += ribbon_codeword_length(out[nout].word) > selection->length;
	}
	return nout;
}

/*
 * How many more keys than are expected may pass the filter in front by chance:
 * a 16th and 1024 are 16 standard deviations, or more, of any number.  With
 * more, codes of another filter would do better: the map gets plain ones.
 */
#define CHANCE_SHARE 16
#define CHANCE_MORE	 1024

/*
 * Build the filter in front, set *behind to the records of the keys that pass
 * it, and assign codes to their values.
 */
static RibbonStatus
go_behind_front(Levels *levels, RibbonSet *behind)
{
	RibbonCodebook *book = levels->book;
	RibbonOpened filter;
	uint64_t nrare = ribbon_codebook_rare_keys(book);
	uint64_t chance = ribbon_codebook_expect_passed(book, book->front_bits);
	uint64_t most = nrare + chance + chance / CHANCE_SHARE + CHANCE_MORE;
	RibbonSet keys = {.n = 0};
	RibbonPassing passing = {.filter = &filter, .sure = 1}; /* none is */
	RibbonStatus status = ribbon_set_derive(levels->build->env, levels->records,
											select_rare, book, RIBBON_HASHES,
											nrare, &keys);

	if (status == RIBBON_OK)
		status = add_plane(levels, &keys, NULL, ribbon_codebook_front(book),
						   RIBBON_ROLE_FRONT);
	ribbon_set_close(&keys);
	if (status != RIBBON_OK)
		return status;
	ribbon_passing_open(&levels->assembly, &filter);
	status = ribbon_set_derive(levels->build->env, levels->records,
							   ribbon_pass_records, &passing,
							   RIBBON_MAP_RECORDS, most, behind);
	return status == RIBBON_OK ?
		ribbon_codebook_assign(levels->build->env, book, book->front_bits,
							   behind->n - nrare) :
		status;
}

/*
 * Build the planes of the levels behind level 0.  *come has the records that
 * passed the filter in front; without one it is zeroed, and all have come.  The
 * records of each level take the place of those before.
 */
static RibbonStatus
add_levels(Levels *levels, RibbonSet *come)
{
	const RibbonCodes *codes = &levels->book->codes;
	const RibbonSet *records = codes->front ? come : levels->records;
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 1; i < codes->nlevels && status == RIBBON_OK; i++)
	{
		unsigned length = codes->levels[i].length;
		RibbonSupply supply = {.value_bits = ribbon_codes_level_bits(codes, i),
							   .shift = ribbon_codeword_shift(length)};
		Selection selection = {levels->book, codes->levels[i - 1].length,
							   i > 1};
		RibbonSet next = {.n = 0};

		status = ribbon_set_derive(levels->build->env, records, select_longer,
								   &selection, RIBBON_MAP_RECORDS,
								   levels->book->level_keys[i], &next);
		ribbon_set_close(come);
		*come = next;
		records = come;
		if (status == RIBBON_OK)
			status = add_plane(levels, records, &supply, ribbon_no_check,
							   RIBBON_ROLE_LEVEL);
	}
	return status;
}

/* Set *bytes to the map. */
static RibbonStatus
finish_map(Levels *levels, RibbonBytes *bytes)
{
	const RibbonEnv *env = levels->build->env;
	const RibbonCodes *codes = &levels->book->codes;
	uint8_t *table = ribbon_alloc(env, ribbon_codes_table_bytes(codes));
	RibbonStatus status;

	if (table == NULL)
		return RIBBON_OUT_OF_MEMORY;
	ribbon_codebook_write_table(levels->book, table);
	status = ribbon_assembly_finish(&levels->assembly, codes, table, bytes);
	ribbon_free(env, table);
	return status;
}

RibbonStatus
ribbon_levels_build(const RibbonBuild *build, RibbonCodebook *book,
					const RibbonSet *records, RibbonBytes *bytes)
{
	/* behind a filter there may be other levels than are expected */
	uint64_t nlevels = ribbon_min64(book->codes.front ? book->codes.ncodes :
														book->codes.nlevels,
									RIBBON_MAX_LEVELS);
	uint64_t nheaders = nlevels + 1; /* and of the filter in front */
	RibbonRoom room = {ribbon_codes_table_bytes(&book->codes) +
						   nheaders * RIBBON_MAX_HEADER,
					   (size_t) book->expected.behind};
	RibbonSet come = {.n = 0};
	RibbonStatus status;
	Levels levels;

	levels.build = build;
	levels.book = book;
	levels.records = records;
	levels.weight = 0;
	ribbon_assembly_begin(&levels.assembly, build, room);
	status = add_first_plane(&levels);
	if (status == RIBBON_OK && book->codes.front)
		status = go_behind_front(&levels, &come);
	if (status == RIBBON_OK)
		status = add_levels(&levels, &come);
	ribbon_set_close(&come);
	if (status == RIBBON_OK)
		status = finish_map(&levels, bytes);
	ribbon_assembly_free(&levels.assembly);
	return status;
}
