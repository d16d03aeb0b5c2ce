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
 * that.  In copies behind the first plane of codes, the value word
 * is the codeword (codebook.h).  The first plane's buffer takes the bodies of
 * all, and in the end what is in front of them.
 */
#include "compose/build.h"

#include "base/bits.h"
#include "compose/passing.h"
#include "construct/params.h"
#include "construct/size.h"
#include "set/derive.h"

/* A map under construction. */
typedef struct Levels
{
	const RibbonEnv *env;
	const RibbonParams *params;
	RibbonCodebook *book;
	const RibbonSet *records;
	size_t room;	   /* in front of the bodies */
	uint64_t expected; /* bytes of all bodies */
	RibbonBytes bodies;
	RibbonPlane first;	 /* plane 0, for the head */
	RibbonPlane plane;	 /* any other one */
	RibbonFilter opened; /* in the end, to see that it can be */
	size_t nheaders;	 /* bytes of the headers so far */
	uint8_t headers[]; /* RIBBON_MAX_HEADER for each plane that there may be */
} Levels;

/*
 * Build a plane of records, with what their supply says, or of hashes, with
 * check bits alone.  The records are not changed.  If it is the first plane
 * that has a body, its buffer will be that of the map: room gets what the other
 * planes need.
 */
static RibbonStatus
build_plane(const Levels *b, RibbonParams *params, const RibbonSet *records,
			const RibbonSupply *supply, RibbonRoom *room, RibbonBytes *bytes)
{
	RibbonResultBits columns = ribbon_params_check_bits(params->fpr);

	if (supply != NULL)
		columns.bits += supply->value_bits;
	params->width = ribbon_params_width(params->width, RIBBON_IN_MAP, columns,
										records->n);
	if (b->bodies.buffer == NULL)
	{
		uint64_t own = ribbon_size_of_plane(params->width, RIBBON_IN_MAP,
											columns, records->n);

		room->head = b->room;
		room->tail = (size_t) (b->expected - ribbon_min64(own, b->expected)) +
			256;
	}
	return ribbon_burr_build(b->env, params, records, supply, room, bytes);
}

/* Add the header of a plane, and the bytes behind it, to the others. */
static RibbonStatus
add_body(Levels *b, const RibbonPlane *plane, RibbonRole role,
		 const RibbonBytes *bytes)
{
	b->nheaders += ribbon_format_encode_body(plane, role,
											 b->headers + b->nheaders);
	return ribbon_bytes_add(b->env, &b->bodies, bytes);
}

/* Build a plane of the records, with check bits for fpr, and add it. */
static RibbonStatus
add_plane(Levels *b, const RibbonSet *records, const RibbonSupply *supply,
		  RibbonRole role, double fpr)
{
	RibbonPlane *plane = role == RIBBON_FIRST ? &b->first : &b->plane;
	RibbonParams params = *b->params;
	RibbonRoom room = {.plane = plane};
	RibbonBytes bytes = {.buffer = NULL};
	RibbonStatus status;

	params.fpr = fpr;
	params.values = NULL;
	status = build_plane(b, &params, records, supply, &room, &bytes);
	return status == RIBBON_OK ? add_body(b, plane, role, &bytes) : status;
}

/* Plane 0: check bits, and of codes those of level 0, if there are any. */
static RibbonStatus
add_first(Levels *b, unsigned value_bits)
{
	RibbonResultBits check = ribbon_params_check_bits(b->params->fpr);
	RibbonSupply supply = {.check_bits = check.bits,
						   .value_bits = value_bits,
						   .shift = ribbon_codeword_shift(value_bits) & 63,
						   .code = ribbon_codebook_word,
						   .code_arg = b->book};

	if (check.bits + value_bits > 0)
		return add_plane(b, b->records, &supply, RIBBON_FIRST, b->params->fpr);
	ribbon_plane_init_empty(&b->first, b->params->key_class);
	b->first.nkeys = b->records->n;
	b->first.check.bits = 0;
	return RIBBON_OK;
}

/* The hashes of keys that do not have the dominant value (RibbonDerive). */
static size_t
select_rare(void *arg, const uint64_t *records, size_t n, uint64_t *rare)
{
	const RibbonCodebook *book = arg;
	const RibbonHistogram *histogram = book->histogram;
	uint64_t dominant = histogram->codes[book->dominant];
	size_t nrare = 0;

	for (size_t i = 0; i < n; i++)
	{
		rare[nrare] = records[2 * i];
		nrare += ribbon_supply_value(&histogram->plain, records[2 * i + 1]) !=
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
select_longer(void *arg, const uint64_t *records, size_t n, uint64_t *selected)
{
	const Selection *selection = arg;
	uint64_t *out = selected;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t word = records[2 * i + 1];

		if (!selection->coded)
			word = ribbon_codebook_word(selection->book, word);
		out[0] = records[2 * i];
		out[1] = word;
		out += ribbon_codeword_length(word) > selection->length ? 2 : 0;
	}
	return (size_t) (out - selected) / 2;
}

/*
 * Build the filter in front, set *behind to the records of the keys that pass
 * it, and assign codes to their values.  *built is false if they are too many.
 */
static RibbonStatus
go_behind_front(Levels *b, RibbonSet *behind, bool *built)
{
	RibbonCodebook *book = b->book;
	RibbonParams params = {.key_class = b->params->key_class,
						   .width = b->params->width,
						   .fpr = 1.0 / ((uint64_t) 1 << book->front_bits)};
	RibbonRoom room = {.plane = &b->plane};
	RibbonPlan filter;
	uint64_t nrare = ribbon_codebook_rare_keys(book);
	uint64_t chance = ribbon_codebook_guess_passed(book, book->front_bits);
	uint64_t most = nrare + chance + chance / 16 + 1024; /* that may pass */
	RibbonBytes bytes = {.buffer = NULL};
	RibbonSet keys;
	RibbonPassing passing = {.filter = &filter, .sure = 1}; /* none is */
	RibbonStatus status = ribbon_set_derive(b->env, b->records, select_rare,
											book, RIBBON_HASHES, nrare, &keys);

	if (status == RIBBON_OK)
		status = build_plane(b, &params, &keys, NULL, &room, &bytes);
	ribbon_set_close(&keys);
	if (status == RIBBON_OK)
	{
		ribbon_passing_open(&b->plane, bytes.buffer + bytes.begin, &filter);
		status = ribbon_set_derive(b->env, b->records, ribbon_pass_records,
								   &passing, RIBBON_MAP_RECORDS, most, behind);
	}
	if (status != RIBBON_OK)
	{
		ribbon_free(b->env, bytes.buffer);
		return status;
	}
	*built = behind->n <= most;
	status = add_body(b, &b->plane, RIBBON_FRONT, &bytes);
	return status == RIBBON_OK ?
		ribbon_codebook_assign(b->env, book, book->front_bits,
							   behind->n - nrare) :
		status;
}

/*
 * Build the planes of the levels behind level 0, to which these records have
 * come; *left, zeroed at first, has those of the last level then.
 */
static RibbonStatus
add_levels(Levels *b, const RibbonSet *records, RibbonSet *left)
{
	const RibbonCodes *codes = &b->book->codes;
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 1; i < codes->nlevels && status == RIBBON_OK; i++)
	{
		unsigned length = codes->levels[i].length;
		RibbonSupply supply = {.value_bits = ribbon_codes_level_bits(codes, i),
							   .shift = ribbon_codeword_shift(length)};
		Selection selection = {b->book, codes->levels[i - 1].length, i > 1};
		RibbonSet next;

		status = ribbon_set_derive(b->env, records, select_longer, &selection,
								   RIBBON_MAP_RECORDS, b->book->level_keys[i],
								   &next);
		ribbon_set_close(left);
		*left = next;
		records = left;
		if (status == RIBBON_OK)
			status = add_plane(b, records, &supply, RIBBON_LEVEL, 1);
	}
	return status;
}

static RibbonStatus
add_all(Levels *b, bool *built)
{
	RibbonCodebook *book = b->book;
	bool front = book->front_bits > 0;
	RibbonSet behind = {.n = 0};
	RibbonStatus status = RIBBON_OK;

	if (front)
	{
		status = add_first(b, 0);
		if (status == RIBBON_OK)
			status = go_behind_front(b, &behind, built);
		ribbon_codebook_finish(book);
	}
	else
	{
		ribbon_codebook_finish(book);
		status = add_first(b, book->codes.levels[0].length);
	}
	if (status == RIBBON_OK && *built)
		status = add_levels(b, front ? &behind : b->records, &behind);
	ribbon_set_close(&behind);
	return status;
}

/* Head, dictionary, table and all headers, and the bodies behind them. */
static RibbonStatus
put_together(Levels *b, size_t headroom)
{
	const RibbonCodes *codes = &b->book->codes;
	uint64_t ntable = ribbon_codes_table_bytes(codes);
	uint8_t *table = ribbon_alloc(b->env, ntable);
	uint8_t head[RIBBON_MAX_HEAD];
	RibbonPrefix prefixes[4];
	RibbonStatus status;

	if (table == NULL)
		return RIBBON_OUT_OF_MEMORY;
	ribbon_codebook_write_table(b->book, table);
	ribbon_bytes_of_head(&b->first, b->params->values, codes, head, prefixes);
	prefixes[2] = (RibbonPrefix){table, (size_t) ntable};
	prefixes[3] = (RibbonPrefix){b->headers, b->nheaders};
	status = ribbon_bytes_finish(b->env, &b->bodies, headroom, prefixes, 4);
	ribbon_free(b->env, table);
	return status;
}

RibbonStatus
ribbon_levels_build(const RibbonEnv *env, const RibbonParams *params,
					RibbonCodebook *book, const RibbonSet *records,
					uint64_t expected, size_t headroom, RibbonBytes *bytes)
{
	/* behind a filter there may be other levels than are expected */
	uint64_t nlevels = ribbon_min64(book->codes.front ? book->codes.ncodes :
														book->codes.nlevels,
									RIBBON_MAX_LEVELS);
	/* of levels, plane 0, and the filter in front */
	uint64_t nheaders = (nlevels + 2) * RIBBON_MAX_HEADER;
	Levels *b = ribbon_alloc(env, sizeof(*b) + nheaders);
	bool built = true;
	RibbonStatus status;

	if (b == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memset(b, 0, sizeof(*b));
	b->env = env;
	b->params = params;
	b->book = book;
	b->records = records;
	b->expected = expected + expected / 64;
	b->room = headroom + RIBBON_MAX_HEAD + params->values->ndictionary +
		(size_t) (ribbon_codes_table_bytes(&book->codes) + nheaders);
	status = add_all(b, &built);
	if (status == RIBBON_OK && built)
		status = put_together(b, headroom);
	if (status == RIBBON_OK && built &&
		ribbon_open(b->bodies.buffer + headroom, b->bodies.end - headroom,
					&b->opened) == RIBBON_OK)
		*bytes = b->bodies;
	else
		ribbon_free(env, b->bodies.buffer);
	ribbon_free(env, b);
	return status;
}
