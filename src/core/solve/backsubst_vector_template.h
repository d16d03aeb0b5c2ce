/*
 * backsubst_vector_template.h - back substitution with vectors of bytes, for
 * one ribbon width
 *
 * Eight slots, an eight, are solved at a time, with the rows aligned to its
 * first slot.  Byte k of a row says which slots of the kth eight behind are
 * selected.  z0 .. z7 are the result rows to be found, y0 .. y7 the results in
 * the band:
 *
 *----------
 *	 slot   byte 0 (T)        byte 1, ... (X)
 *	   0    1 t t t t t t t   x x x x x x x x ...     z0         y0
 *	   1    . 1 t t t t t t   x x x x x x x x ...     :          y1
 *	   2    . . 1 t t t t t   x x x x x x x x ...     z7     =   y2
 *	   :                                              known      :
 *	   7    . . . . . . . 1   x x x x x x x x ...     :          y7
 *
 *	 T z + X known = y, so z = U (y + X known), where U is the inverse of T
 *----------
 *
 * A byte of X, or of U, selects which of eight result rows to add up.  That is
 * done for eight columns at a time, a byte of each result row: Sums are two
 * tables (vector_tables_part.h), one for each half of the byte that selects.
 *
 * U depends on no result, so the triangles T of a whole block are inverted
 * first, several at once.  If slot c is empty, row c of U is its own 1 alone,
 * and yc is a free variable, or 0.
 *
 * Template included by solver_vector.c.
 */
#define VECTOR_TASK RIBBON_GLUE(VectorTask, RIBBON_BITS, )
#define EIGHTS		(RIBBON_BITS / 8)		  /* of a block */
#define LINES		((RIBBON_BITS + 63) / 64) /* Lines of its result bytes */
#define MOST_SUMS	((RIBBON_MAX_COLUMNS + 7) / 8)

/*
 * A task, with what is known of the EIGHTS eights behind the one that is
 * solved, by number modulo EIGHTS, for each byte of columns.
 */
typedef struct VECTOR_TASK
{
	RibbonBacksubst *task;
	unsigned nsums;
	uint64_t bytes[MOST_SUMS][LINES * 8]; /* result rows of the block */
	Sums sums[MOST_SUMS][EIGHTS];
	uint64_t rows[EIGHTS][LINES * 8 + 1]; /* of the block's eights, by byte */
	uint64_t inverse[8 * LINES];
} VECTOR_TASK;

/* Empty slots before end get free variables, the last one first. */
static inline void
NAME(vector, set_free)(RibbonBacksubst *task, uint64_t slot, uint64_t filled,
					   unsigned nsums, uint64_t *bytes)
{
	uint64_t empty = ~filled & UINT64_C(0x0101010101010101);

	if (task->end - slot < 8)
		empty &= ribbon_low_mask(8 * (unsigned) (task->end - slot));
	while (empty != 0)
	{
		unsigned bit = ribbon_bit_length(empty) - 1;

		empty ^= UINT64_C(1) << bit;
		for (unsigned g = 0; g < nsums; g++)
			bytes[g] |= (task->free_row >> 8 * g & 0xFF) << bit;
		task->free_row = ribbon_backsubst_next_row(task->free_row,
												   task->system->ncolumns);
	}
}

/* The columns of the block behind the end. */
static KERNEL_TARGET __attribute__((noinline)) void
NAME(vector, begin)(VECTOR_TASK *p)
{
	ROW columns[RIBBON_MAX_COLUMNS];

	NAME(ribbon_icml, load)
	(p->task->system, p->task->end / RIBBON_BITS, p->task->slots, columns);
	for (unsigned g = 0; g < p->nsums; g++)
	{
		uint64_t words[LINES * 8] = {0};

		for (unsigned i = 0; i < 8; i++)
		{
			words[i] = ROW_FN(low)(columns[8 * g + i]);
			if (RIBBON_BITS == 128)
				words[8 * (LINES - 1) + i] = ROW_FN(high)(columns[8 * g + i]);
		}
		for (unsigned b = 0; b < LINES; b++)
			line_store(words + 8 * b, line_of_masks(line_load(words + 8 * b)));
		for (unsigned e = 0; e < EIGHTS; e++)
			p->sums[g][e] = sums_of(vector_all(words[e]));
	}
}

/* Store the block that has been solved. */
static KERNEL_TARGET __attribute__((noinline)) void
NAME(vector, store)(const VECTOR_TASK *p, uint64_t block)
{
	ROW columns[RIBBON_MAX_COLUMNS];

	for (unsigned g = 0; g < p->nsums; g++)
	{
		uint64_t words[LINES * 8];

		for (unsigned b = 0; b < LINES; b++)
			line_store(words + 8 * b,
					   line_masks(line_load(p->bytes[g] + 8 * b)));
		for (unsigned i = 0; i < 8; i++)
		{
			uint8_t row[16];

			ribbon_store64(row, words[i]);
			ribbon_store64(row + 8, words[8 * (LINES - 1) + i]);
			columns[8 * g + i] = ROW_FN(load)(row);
		}
	}
	NAME(ribbon_icml, store)(p->task->system, block, columns, p->task->slots);
}

/* Load n eights of rows from this slot of the band on, and invert them. */
static KERNEL_TARGET __attribute__((noinline)) void
NAME(vector, load)(VECTOR_TASK *p, uint64_t first, unsigned n)
{
	const ROW *rows = (const ROW *) p->task->band->coeff + first;

	memset(p->inverse, 0, sizeof(p->inverse));
	for (unsigned e = 0; e < n; e++)
	{
		p->rows[e][EIGHTS] = rows_to_bytes(rows + 8 * e, RIBBON_BITS,
										   p->rows[e]);
		p->inverse[e] = p->rows[e][0];
	}
	for (unsigned v = 0; v < EIGHTS; v += VECTOR_WORDS)
		vector_store(p->inverse + v,
					 vector_invert(vector_load(p->inverse + v)));
}

/* Solve a block, the last eight first. */
KERNEL_INLINE void
NAME(vector, solve)(VECTOR_TASK *p, uint64_t block, unsigned nsums)
{
	const RibbonBand *band = p->task->band;
	uint64_t first = block * RIBBON_BITS - band->first;
	unsigned n = (unsigned)
		ribbon_min64(EIGHTS, (p->task->end - block * RIBBON_BITS + 7) / 8);

	NAME(vector, load)(p, first, n);
	for (unsigned e = n; e-- > 0;)
	{
		const uint64_t *bytes = p->rows[e];
		uint64_t filled = word_diagonal(bytes[0]);
		uint64_t result[8];

		results_to_bytes(band, first + 8 * e, filled, nsums, result);
		if (p->task->free_row != 0 && filled != UINT64_MAX)
			NAME(vector, set_free)
		(p->task, block * RIBBON_BITS + 8 * e, filled, nsums, result);
		for (unsigned g = 0; g < nsums; g++)
		{
			Vector sum = {0};

			RIBBON_UNROLL_8
			for (unsigned k = EIGHTS; k > 0; k--)
				sum ^= sums_at(p->sums[g][(e + k) % EIGHTS],
							   vector_nibbles(bytes[k]));
			/* y + X known, then U times that */
			sum = vector_fold(sum) ^ vector_all(result[g]);
			sum = vector_fold(sums_at(sums_of(sum),
									  vector_nibbles(p->inverse[e])));
			p->sums[g][e] = sums_of(sum);
			p->bytes[g][e] = sum[0];
		}
	}
}

/* Solve the blocks first .. task->end, and make first the task's end. */
KERNEL_INLINE RibbonStatus
NAME(vector, backsubst)(const RibbonEnv *env, RibbonBacksubst *task,
						uint64_t first, unsigned nsums)
{
	uint64_t block = (task->end + RIBBON_BITS - 1) / RIBBON_BITS;
	VECTOR_TASK p;

	if (block <= first)
		return RIBBON_OK;
	p.task = task;
	p.nsums = nsums;
	memset(p.bytes, 0, sizeof(p.bytes));
	NAME(vector, begin)(&p);
	while (block-- > first)
	{
		NAME(vector, solve)(&p, block, nsums);
		NAME(vector, store)(&p, block);
		if (block * RIBBON_BITS % RIBBON_INTERRUPT_KEYS == 0 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	task->end = first * RIBBON_BITS;
	return RIBBON_OK;
}

/* The same; as a constant, the usual number of sums takes less. */
static KERNEL_TARGET RibbonStatus
NAME(vector, backsubst_to)(const RibbonEnv *env, RibbonBacksubst *task,
						   uint64_t first, unsigned nsums)
{
	return nsums == 1 ? NAME(vector, backsubst)(env, task, first, 1) :
						NAME(vector, backsubst)(env, task, first, nsums);
}

/* RibbonSolveLoop: wide blocks may take a byte of columns more */
RibbonStatus
NAME(ribbon_vector, backsubst)(const RibbonEnv *env, RibbonBacksubst *task)
{
	const RibbonSystem *system = task->system;
	uint64_t first = task->begin / RIBBON_BITS, end = task->end;
	uint64_t wide = system->wide_block > first ? system->wide_block : first;
	RibbonStatus status = NAME(vector, backsubst_to)(env, task, wide,
													 system->ncolumns / 8 + 1);

	if (status == RIBBON_OK)
		status = NAME(vector, backsubst_to)(env, task, first,
											(system->ncolumns + 7) / 8);
	task->end = end;
	return status;
}

#undef VECTOR_TASK
#undef EIGHTS
#undef LINES
#undef MOST_SUMS
