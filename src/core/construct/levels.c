/*
 * levels.c - a map whose values have codes: a plane for each level of them
 *
 * A plane is built as any other, of the records that come to its level.  Behind
 * plane 0 these are copied: to an array, or if they are many to a store, when
 * there may be one.  In copies behind the first plane of codes, the value word
 * is the codeword (codebook.h).  The parts, a header and a body of each plane,
 * are put together in the end.
 */
#include "construct/levels.h"

#include "base/bits.h"
#include "construct/burr.h"
#include "construct/params.h"
#include "format/format.h"

#define MAX_PARTS (RIBBON_MAX_LEVELS + 2)

/* A plane that has been built. */
typedef struct Part
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t nheader;
	uint8_t *buffer;
	size_t body; /* its first byte in the buffer, */
	size_t size; /* and its bytes */
} Part;

/* A map under construction. */
typedef struct Levels
{
	const RibbonEnv *env;
	const RibbonParams *params;
	RibbonCodebook *book;
	const RibbonHashes *records;
	RibbonPlane first; /* plane 0, for the head */
	RibbonFilter front;
	unsigned nparts;
	Part parts[MAX_PARTS];
} Levels;

/*
 * Build a plane of the records, which stay, with what their supply says, and
 * check bits for fpr.
 */
static RibbonStatus
add_plane(Levels *b, const RibbonHashes *records, RibbonRole role, double fpr)
{
	Part *part = &b->parts[b->nparts];
	const RibbonSupply *supply = records->supply;
	RibbonResultBits columns = ribbon_params_check_bits(fpr);
	RibbonParams params = *b->params;
	RibbonPlane *plane = &b->first;
	RibbonRoom room = {.role = role, .plane = plane};
	RibbonHashes lent = *records;
	size_t size;
	RibbonStatus status;

	if (role != RIBBON_FIRST) /* what is there is still needed */
	{
		plane = ribbon_alloc(b->env, sizeof(*plane));
		if (plane == NULL)
			return RIBBON_OUT_OF_MEMORY;
		room.plane = plane;
	}
	lent.owned = false;
	params.fpr = fpr;
	params.values = NULL;
	columns.bits += supply->value_bits;
	if (params.width == RIBBON_DEFAULT_WIDTH)
		params.width = ribbon_params_map_width(columns, records->n);
	status = ribbon_burr_build(b->env, &params, &lent, &room, &part->buffer,
							   &size);
	if (status == RIBBON_OK)
	{
		part->nheader = ribbon_format_encode_body(plane, role, part->header);
		part->body = part->nheader;
		part->size = size - part->nheader;
		b->nparts++;
	}
	if (role != RIBBON_FIRST)
		ribbon_free(b->env, plane);
	return status;
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
	RibbonHashes records = *b->records;

	records.supply = &supply;
	if (check.bits + value_bits > 0)
		return add_plane(b, &records, RIBBON_FIRST, b->params->fpr);
	ribbon_format_init_empty(&b->first, b->params->key_class);
	b->first.nkeys = records.n;
	b->first.result_bits = 0;
	return RIBBON_OK;
}

/* Which of the records go on, and with which words. */
typedef struct Selection
{
	Levels *b;
	RibbonHashes *selected;
	uint64_t *room;	   /* for a part of them */
	bool rare;		   /* those without the dominant value, */
	bool behind_front; /* or those that pass the filter in front, */
	uint64_t npassed;  /* of which so many have the dominant value; */
	bool coded;		   /* else by codewords, which value words are already */
	unsigned length;   /* or become: codes that are longer than this */
} Selection;

static void
pass_front(Selection *selection, const uint64_t *records, size_t n, bool *pass)
{
	uint64_t hashes[256];

	for (size_t i = 0; i < n; i += 256)
	{
		size_t few = n - i < 256 ? n - i : 256;

		for (size_t k = 0; k < few; k++)
			hashes[k] = records[2 * (i + k)];
		ribbon_contains_batch(&selection->b->front, hashes, few, pass + i);
	}
}

/* A RibbonTakePart. */
static RibbonStatus
select_part(void *arg, const uint64_t *records, size_t n)
{
	Selection *selection = arg;
	const RibbonCodebook *book = selection->b->book;
	uint64_t dominant = book->histogram->codes[book->dominant];
	uint64_t *out = selection->room;
	bool pass[256];

	for (size_t i = 0; i < n; i++)
	{
		uint64_t word = records[2 * i + 1];
		bool goes_on;

		if (selection->behind_front && i % 256 == 0)
			pass_front(selection, records + 2 * i,
					   (size_t) ribbon_min64(n - i, 256), pass);
		if (selection->rare || selection->behind_front)
		{
			bool is_dominant = ribbon_plain_code(book->histogram->values,
												 word) == dominant;

			goes_on = selection->rare ? !is_dominant : pass[i % 256];
			selection->npassed += goes_on && is_dominant;
		}
		else
		{
			if (!selection->coded)
				word = ribbon_codebook_word(book, word);
			goes_on = ribbon_codeword_length(word) > selection->length;
		}
		out[0] = records[2 * i];
		out[1] = word;
		out += goes_on ? 2 : 0;
	}
	return ribbon_hashes_add(selection->selected, selection->room,
							 (size_t) (out - selection->room) / 2);
}

/*
 * Copy those of the records that go on, in their order, most of which there can
 * be; if there are more, *selected only counts them.  The caller frees
 * *selected, after a failure too.
 */
static RibbonStatus
select_records(Selection *selection, const RibbonHashes *records, uint64_t most,
			   RibbonHashes *selected)
{
	const RibbonEnv *env = selection->b->env;
	RibbonStatus status = ribbon_hashes_create(env, selected, most,
											   records->supply);

	selection->selected = selected;
	selection->room = ribbon_alloc_array(env, RIBBON_PART_HASHES,
										 RIBBON_RECORD_WORDS *
											 sizeof(uint64_t));
	if (status == RIBBON_OK && selection->room == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	if (status == RIBBON_OK)
		status = ribbon_hashes_each(env, records, select_part, selection);
	ribbon_free(env, selection->room);
	if (status == RIBBON_OK && selected->store != NULL && selected->n <= most)
		status = ribbon_hashes_seal(env, selected);
	return status;
}

/* Build the filter in front, and open it. */
static RibbonStatus
add_front(Levels *b)
{
	RibbonCodebook *book = b->book;
	Part *part = &b->parts[b->nparts];
	RibbonResultBits columns = {book->front_bits, 0};
	RibbonSupply supply = {.check_bits = book->front_bits};
	RibbonParams params = {.key_class = b->params->key_class,
						   .width = b->params->width,
						   .fpr = 1.0 / ((uint64_t) 1 << book->front_bits)};
	Selection selection = {.b = b, .rare = true};
	RibbonRoom room = {.role = RIBBON_FIRST};
	const RibbonPlane *plane = ribbon_plane(&b->front);
	RibbonHashes rare;
	size_t size;
	RibbonStatus status = select_records(&selection, b->records,
										 ribbon_codebook_rare_keys(book),
										 &rare);

	if (params.width == RIBBON_DEFAULT_WIDTH)
		params.width = ribbon_params_map_width(columns, rare.n);
	rare.supply = &supply;
	if (status == RIBBON_OK)
		status = ribbon_burr_build(b->env, &params, &rare, &room, &part->buffer,
								   &size);
	ribbon_hashes_free(b->env, &rare);
	if (status != RIBBON_OK)
		return status;
	b->nparts++;
	status = ribbon_open(part->buffer, size, &b->front);
	if (status != RIBBON_OK)
		return status;
	part->nheader = ribbon_format_encode_body(plane, RIBBON_FRONT,
											  part->header);
	part->body = (size_t) plane->at + plane->header_bytes;
	part->size = size - part->body;
	return RIBBON_OK;
}

/*
 * The most keys that may pass the filter in front: those that do by chance, and
 * the rare ones.
 */
static uint64_t
most_behind_front(const RibbonCodebook *book)
{
	uint64_t expected = ribbon_codebook_guess_passed(book, book->front_bits);

	return ribbon_codebook_rare_keys(book) + expected + expected / 16 + 1024;
}

/*
 * Set *behind to the records of the keys that pass the filter, and assign
 * codes to their values.  *built is false if they are too many.
 */
static RibbonStatus
go_behind_front(Levels *b, RibbonHashes *behind, bool *built)
{
	Selection selection = {.b = b, .behind_front = true};
	uint64_t most = most_behind_front(b->book);
	RibbonStatus status = select_records(&selection, b->records, most, behind);

	if (status != RIBBON_OK)
		return status;
	*built = behind->n <= most;
	return ribbon_codebook_assign(b->env, b->book, b->book->front_bits,
								  selection.npassed);
}

/*
 * Build the planes of the levels behind level 0, to which these records, which
 * are freed if they are owned, have come.
 */
static RibbonStatus
add_levels(Levels *b, RibbonHashes *records, bool coded)
{
	const RibbonCodes *codes = &b->book->codes;
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 1; i < codes->nlevels && status == RIBBON_OK; i++)
	{
		unsigned length = codes->levels[i].length;
		RibbonSupply supply = {.value_bits = ribbon_codes_level_bits(codes, i),
							   .shift = ribbon_codeword_shift(length)};
		Selection selection = {.b = b,
							   .coded = coded,
							   .length = codes->levels[i - 1].length};
		RibbonHashes left;

		status = select_records(&selection, records, b->book->level_keys[i],
								&left);
		ribbon_hashes_free(b->env, records);
		*records = left;
		records->supply = &supply;
		coded = true;
		if (status == RIBBON_OK)
			status = add_plane(b, records, RIBBON_LEVEL, 1);
		records->supply = b->records->supply;
	}
	ribbon_hashes_free(b->env, records);
	return status;
}

static RibbonStatus
add_all(Levels *b, bool *built)
{
	RibbonCodebook *book = b->book;
	RibbonHashes records = *b->records;
	RibbonStatus status = RIBBON_OK;

	records.owned = false;
	if (book->front_bits > 0)
	{
		status = add_first(b, 0);
		if (status == RIBBON_OK)
			status = add_front(b);
		if (status == RIBBON_OK)
			status = go_behind_front(b, &records, built);
		ribbon_codebook_finish(book);
	}
	else
	{
		ribbon_codebook_finish(book);
		status = add_first(b, book->codes.levels[0].length);
	}
	if (status != RIBBON_OK || !*built)
	{
		ribbon_hashes_free(b->env, &records);
		return status;
	}
	return add_levels(b, &records, false);
}

/* Head, dictionary, table, all headers, all bodies. */
static RibbonStatus
put_together(Levels *b, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	const RibbonValues *values = b->params->values;
	uint8_t head[RIBBON_MAX_HEAD];
	size_t at = headroom;
	size_t nhead = ribbon_format_encode_head(&b->first, values, &b->book->codes,
											 head);
	uint64_t ntable = ribbon_codes_table_bytes(&b->book->codes);
	uint64_t total = nhead + values->ndictionary + ntable;
	RibbonStatus status;
	uint8_t *out;

	for (unsigned i = 0; i < b->nparts; i++)
		total += b->parts[i].nheader + b->parts[i].size;
	out = ribbon_alloc(b->env, headroom + total);
	if (out == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(out + at, head, nhead);
	at += nhead;
	status = ribbon_copy(b->env, out + at, values->dictionary,
						 values->ndictionary);
	at += values->ndictionary;
	ribbon_codebook_write_table(b->book, out + at);
	at += (size_t) ntable;
	for (unsigned i = 0; i < b->nparts; at += b->parts[i++].nheader)
		memcpy(out + at, b->parts[i].header, b->parts[i].nheader);
	for (unsigned i = 0; i < b->nparts && status == RIBBON_OK; i++)
	{
		Part *part = &b->parts[i];

		status = ribbon_copy(b->env, out + at, part->buffer + part->body,
							 part->size);
		at += part->size;
		ribbon_free(b->env, part->buffer);
		part->buffer = NULL;
	}
	if (status != RIBBON_OK)
		ribbon_free(b->env, out);
	*bytes = out;
	*nbytes = (size_t) total;
	return status;
}

RibbonStatus
ribbon_levels_build(const RibbonEnv *env, const RibbonParams *params,
					RibbonCodebook *book, const RibbonHashes *records,
					size_t headroom, bool *built, uint8_t **bytes,
					size_t *nbytes)
{
	Levels *b = ribbon_alloc(env, sizeof(*b));
	RibbonStatus status;

	*built = true;
	*bytes = NULL;
	if (b == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memset(b, 0, offsetof(Levels, front));
	b->nparts = 0;
	b->env = env;
	b->params = params;
	b->book = book;
	b->records = records;
	status = add_all(b, built);
	if (status == RIBBON_OK && *built)
	{
		status = put_together(b, headroom, bytes, nbytes);
		if (status == RIBBON_OK &&
			ribbon_open(*bytes + headroom, *nbytes, &b->front) != RIBBON_OK)
		{
			ribbon_free(env, *bytes);
			*bytes = NULL;
			*built = false;
		}
	}
	for (unsigned i = 0; i < b->nparts; i++)
		ribbon_free(env, b->parts[i].buffer);
	ribbon_free(env, b);
	return status;
}
