/*
 * sort_template.h - the radix sort of sort.c, for one kind of element
 *
 * Included once per kind.  ELEMENT is its type, a hash or a record, and HASH(e)
 * an element's hash.  SORT_FN(verb) is a function's name, SORT_FN(sort) that of
 * ribbon_sort for these elements.
 */

/*
 * Takes time in proportion to how far the hashes are from their places.  Sets
 * *repeated if two are equal.
 */
static void
SORT_FN(insertion_sort)(ELEMENT *elements, size_t n, bool *repeated)
{
	for (size_t i = 1; i < n; i++)
	{
		ELEMENT element = elements[i];
		size_t j = i;

		if (RIBBON_LIKELY(HASH(elements[j - 1]) < HASH(element)))
			continue;
		for (; j > 0 && HASH(elements[j - 1]) > HASH(element); j--)
			elements[j] = elements[j - 1];
		elements[j] = element;
		*repeated |= j > 0 && HASH(elements[j - 1]) == HASH(element);
	}
}

/* Set *bits to the number of the lowest bits in which the hashes differ. */
static RibbonStatus
SORT_FN(find_bits_left)(const RibbonEnv *env, const ELEMENT *elements, size_t n,
						unsigned *bits)
{
	uint64_t different = 0;

	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			different |= HASH(elements[i]) ^ HASH(elements[0]);
		if (i < n && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*bits = ribbon_bit_length(different);
	return RIBBON_OK;
}

/*
 * Copy n hashes from one array to the other, in the order of their digit.
 * *few: no digit has FEW hashes or more.
 */
static RibbonStatus
SORT_FN(scatter)(const RibbonEnv *env, const ELEMENT *from, ELEMENT *to,
				 size_t n, const RibbonDigit *of, bool *few)
{
	unsigned shift = of->shift;
	size_t *end = of->end;
	size_t ndigits = (size_t) 1 << of->bits;
	size_t mask = ndigits - 1;
	size_t any_bits = 0; /* those that are set in any count */
	size_t sum = 0;

	memset(end, 0, ndigits * sizeof(size_t));
	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
			end[HASH(from[i]) >> shift & mask]++;
		if (i < n && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	for (size_t digit = 0; digit < ndigits; digit++)
	{
		size_t count = end[digit];

		any_bits |= count;
		end[digit] = sum;
		sum += count;
	}
	*few = any_bits < FEW; /* a power of 2, so as the largest count is */
	for (size_t i = 0; i < n;)
	{
		for (size_t stop = chunk_end(i, n); i < stop; i++)
		{
			ELEMENT *place = to + end[HASH(from[i]) >> shift & mask]++;

			*place = from[i];
			__builtin_prefetch((const void *) ((uintptr_t) place +
											   AHEAD * sizeof(ELEMENT)),
							   1);
		}
		if (n >= INTERRUPT_HASHES && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* n sorted hashes: leave them at from (in_place), or copy them to other. */
static RibbonStatus
SORT_FN(deliver)(const RibbonEnv *env, const ELEMENT *from, ELEMENT *other,
				 size_t n, bool in_place)
{
	if (in_place)
		return RIBBON_OK;
	if (n >= INTERRUPT_HASHES)
		return ribbon_copy(env, other, from, n * sizeof(ELEMENT));
	memcpy(other, from, n * sizeof(ELEMENT));
	return RIBBON_OK;
}

/*
 * Sort as sort_piece does, digit by digit from the lowest one on: each pass
 * leaves hashes of equal digits in the order in which it finds them.
 */
static RibbonStatus
SORT_FN(sort_from_low)(const RibbonEnv *env, ELEMENT *from, ELEMENT *other,
					   size_t n, unsigned bits_left, bool in_place)
{
	size_t end[1 << LOW_BITS];
	RibbonDigit digit = {.bits = LOW_BITS_FEW, .end = end};

	while (digit.bits < LOW_BITS && n >> digit.bits > 0)
		digit.bits++;
	for (; digit.shift < bits_left; digit.shift += digit.bits)
	{
		bool few;
		RibbonStatus status = SORT_FN(scatter)(env, from, other, n, &digit,
											   &few);
		ELEMENT *to = other;

		if (status != RIBBON_OK)
			return status;
		other = from;
		from = to;
		in_place = !in_place;
	}
	return SORT_FN(deliver)(env, from, other, n, in_place);
}

static RibbonStatus SORT_FN(sort_piece)(const RibbonEnv *env, ELEMENT *from,
										ELEMENT *other, size_t n,
										unsigned bits_left, bool in_place,
										Passes passes);

/*
 * Sort the pieces that a pass has made, one for each digit: the hashes of a
 * piece agree in all but the bits below.
 */
static RibbonStatus
SORT_FN(sort_pieces)(const RibbonEnv *env, ELEMENT *from, ELEMENT *other,
					 const RibbonDigit *digit, bool in_place, Passes passes)
{
	const size_t *end = digit->end;
	size_t npieces = (size_t) 1 << digit->bits;
	size_t usual = end[npieces - 1] / npieces;
	size_t sum = 0;
	size_t begin = 0;

	for (size_t p = 0; p < npieces; begin = end[p++])
	{
		size_t count = end[p] - begin;
		Passes next = {passes.left - 1, passes.large, passes.repeated};
		unsigned left = digit->shift;
		RibbonStatus status = RIBBON_OK;

		if (count == 0)
			continue;
		if (RIBBON_UNLIKELY(count > FEW + LARGE * usual))
		{
			next.left = passes.large ? 0 : next.left;
			next.large = true;
			if (left > 0)
				status = SORT_FN(find_bits_left)(env, from + begin, count,
												 &left);
		}
		if (status == RIBBON_OK)
			status = SORT_FN(sort_piece)(env, from + begin, other + begin,
										 count, left, in_place, next);
		sum += count;
		if (status == RIBBON_OK && sum >= INTERRUPT_HASHES)
		{
			sum = 0;
			if (ribbon_interrupted(env))
				status = RIBBON_INTERRUPTED;
		}
		if (status != RIBBON_OK)
			return status;
	}
	return RIBBON_OK;
}

/*
 * Sort n hashes at from, which agree in all but their lowest bits_left bits,
 * into from (in_place) or into other (!in_place).
 */
static RibbonStatus
SORT_FN(sort_piece)(const RibbonEnv *env, ELEMENT *from, ELEMENT *other,
					size_t n, unsigned bits_left, bool in_place, Passes passes)
{
	size_t end[1 << MAX_RADIX_BITS];
	RibbonDigit digit = {.end = end};
	bool few;
	RibbonStatus status;

	if (n <= (passes.left > 0 ? FEW : FEW_FROM_LOW))
	{
		SORT_FN(insertion_sort)(from, n, passes.repeated);
		return SORT_FN(deliver)(env, from, other, n, in_place);
	}
	if (bits_left == 0 || passes.left == 0)
		*passes.repeated = true; /* or perhaps */
	if (bits_left == 0)
		return SORT_FN(deliver)(env, from, other, n, in_place);
	if (passes.left == 0)
		return SORT_FN(sort_from_low)(env, from, other, n, bits_left, in_place);

	digit.bits = radix_bits(n, bits_left);
	digit.shift = bits_left - digit.bits;
	status = SORT_FN(scatter)(env, from, other, n, &digit, &few);
	if (status != RIBBON_OK)
		return status;

	/* many small pieces are one nearly sorted run */
	if (few)
	{
		SORT_FN(insertion_sort)(other, n, passes.repeated);
		return SORT_FN(deliver)(env, other, from, n, !in_place);
	}
	return SORT_FN(sort_pieces)(env, other, from, &digit, !in_place, passes);
}

static RibbonStatus
SORT_FN(sort)(const RibbonEnv *env, uint64_t *words, size_t n, bool *repeated)
{
	ELEMENT *elements = (ELEMENT *) words;
	bool any;
	Passes passes = {MAX_PASSES, false, repeated != NULL ? repeated : &any};
	ELEMENT *scratch;
	RibbonStatus status;

	*passes.repeated = false;
	if (n <= FEW)
	{
		SORT_FN(insertion_sort)(elements, n, passes.repeated);
		return RIBBON_OK;
	}
	scratch = ribbon_alloc_array(env, n, sizeof(ELEMENT));
	if (scratch == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_touch(env, scratch, n * sizeof(ELEMENT));
	if (status == RIBBON_OK)
		status = SORT_FN(sort_piece)(env, elements, scratch, n, 64, true,
									 passes);
	ribbon_free(env, scratch);
	return status;
}

#undef ELEMENT
#undef HASH
#undef SORT_FN
