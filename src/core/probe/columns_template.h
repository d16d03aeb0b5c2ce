/*
 * columns_template.h - the result bits of eight columns, one after the other,
 * for one ribbon width
 *
 * For a CPU that counts bits; see probes.h.
 */
KERNEL_INLINE uint32_t
NAME(probe, columns)(const uint8_t *low, const uint8_t *high, ROW row,
					 uint64_t start)
{
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	ROW head = ROW_FN(head)(row, offset);
	ROW tail = ROW_FN(tail)(row, offset);
	uint32_t bits = 0;

#if RIBBON_BITS == 64 && KERNEL_SIZE != KERNEL_LEAST
	RIBBON_UNROLL_8
#endif
	for (int i = 7; i >= 0; i--)
	{
		ROW a = ROW_FN(load)(low + i * (RIBBON_BITS / 8));
		ROW b = ROW_FN(load)(high + i * (RIBBON_BITS / 8));

		bits = bits * 2 + ROW_FN(dot_pair)(a, head, b, tail);
	}
	return bits;
}
