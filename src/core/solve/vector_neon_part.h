/*
 * vector_neon_part.h - what C cannot say of vectors, in NEON
 *
 * vector_avx2_part.h says what each function does.
 */
KERNEL_INLINE Vector
vector_shuffle(Vector table, Vector index)
{
	return (Vector) vqtbl1q_u8((uint8x16_t) table, (uint8x16_t) index);
}

KERNEL_INLINE Vector
vector_or_across(Vector x)
{
	return x;
}

KERNEL_INLINE Line
line_transpose_bytes(Line x)
{
	uint8x16_t a[4], b[4];
	uint16x8_t c[4];

	/* rows i and i + 4, then i and i + 2, then i and i + 1 */
	for (unsigned i = 0; i < 4; i++)
		a[i] = (uint8x16_t) x.v[i];
	b[0] = vzip1q_u8(a[0], a[2]); /* 0 4: 8 bytes of each */
	b[1] = vzip2q_u8(a[0], a[2]); /* 1 5 */
	b[2] = vzip1q_u8(a[1], a[3]); /* 2 6 */
	b[3] = vzip2q_u8(a[1], a[3]); /* 3 7 */
	a[0] = vzip1q_u8(b[0], b[2]); /* 0 2 4 6: bytes 0 - 3 of each */
	a[1] = vzip2q_u8(b[0], b[2]); /* bytes 4 - 7 */
	a[2] = vzip1q_u8(b[1], b[3]); /* 1 3 5 7 */
	a[3] = vzip2q_u8(b[1], b[3]);
	c[0] = (uint16x8_t) vzip1q_u8(a[0], a[2]); /* all: bytes 0, 1 */
	c[1] = (uint16x8_t) vzip2q_u8(a[0], a[2]);
	c[2] = (uint16x8_t) vzip1q_u8(a[1], a[3]);
	c[3] = (uint16x8_t) vzip2q_u8(a[1], a[3]);
	for (unsigned i = 0; i < 4; i++)
		x.v[i] = (Vector) c[i];
	return x;
}

KERNEL_INLINE uint64_t
line_nonzero(Line x)
{
	const uint8x16_t bits =
		(uint8x16_t) vdupq_n_u64(UINT64_C(0x8040201008040201));
	uint8x16_t a[4];

	for (unsigned i = 0; i < 4; i++)
		a[i] = vandq_u8(vtstq_u8((uint8x16_t) x.v[i], (uint8x16_t) x.v[i]),
						bits);
	a[0] = vpaddq_u8(vpaddq_u8(a[0], a[1]), vpaddq_u8(a[2], a[3]));
	return vgetq_lane_u64((uint64x2_t) vpaddq_u8(a[0], a[0]), 0);
}

KERNEL_INLINE Sums
sums_of(Vector x)
{
	const Vector bits01 = vector_all(UINT64_C(0x0302010003020100));
	const Vector bits23 = {UINT64_C(0x0505050504040404),
						   UINT64_C(0x0707070706060606)};
	Vector a = vector_shuffle(x, vector_all(UINT64_C(0x02FF02FF00FF00FF))) ^
		vector_shuffle(x, vector_all(UINT64_C(0x0303FFFF0101FFFF)));
	Vector b = vector_shuffle(x, vector_all(UINT64_C(0x06FF06FF04FF04FF))) ^
		vector_shuffle(x, vector_all(UINT64_C(0x0707FFFF0505FFFF)));
	Sums sums;

	sums.v[0] = vector_shuffle(a, bits01) ^ vector_shuffle(a, bits23);
	sums.v[1] = vector_shuffle(b, bits01) ^ vector_shuffle(b, bits23);
	return sums;
}

KERNEL_INLINE RowSums
rows_of(Vector bytes)
{
	Sums sums = sums_of(bytes);

	return (RowSums){sums.v[0], sums.v[1]};
}

KERNEL_INLINE Vector
vector_nibbles(uint64_t word)
{
	const int64x2_t shift = {0, -4};
	Vector x = (Vector) vshlq_u64((uint64x2_t) vector_all(word), shift);

	x &= vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
	return x | vector_repeat(0, UINT64_C(0x1010101010101010));
}

KERNEL_INLINE Vector
sums_at(Sums sums, Vector nibbles)
{
	const uint8x16x2_t tables = {
		{(uint8x16_t) sums.v[0], (uint8x16_t) sums.v[1]}};

	return (Vector) vqtbl2q_u8(tables, (uint8x16_t) nibbles);
}

KERNEL_INLINE Vector
vector_fold(Vector x)
{
	return x ^ (Vector) vextq_u64((uint64x2_t) x, (uint64x2_t) x, 1);
}
