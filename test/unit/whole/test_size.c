/*
 * test_size.c - the sizes that the documentation promises
 */
#include "maps.h"

#include "compose/codebook.h"
#include "compose/exact_form.h"
#include "construct/shape.h"
#include "format/zones.h"
#include "format/format.h"

static size_t
size_of(Random *random, RibbonKind kind, int width, double fpr, size_t n)
{
	uint64_t *keys = random_keys(random, n);
	Built built = build(kind, width, fpr, keys, n);
	size_t nbytes = built.nbytes;

	free(built.bytes);
	free(keys);
	return nbytes;
}

/*
 * Bytes of a map above 0.3 % of its bits and 16: how many more may there be?
 * None, but what the least number takes behind its first byte, and 13 where
 * there is a second plane.
 */
static void
check_map_size(Random *random, unsigned value_bits, double fpr, int64_t base,
			   size_t n)
{
	MapParams params = map_params(RIBBON_DEFAULT_WIDTH, fpr, value_bits);
	uint64_t doubled = (uint64_t) base << 1;
	uint64_t folded = base < 0 ? ~doubled : doubled;
	uint64_t *records = map_records(random, n, value_bits, base);
	double bits = value_bits + (fpr < 1 ? bits_of(fpr) : 0);
	double limit = 1.003 * (double) n * bits / 8 + 16;
	Built built;

	params.base = base;
	built = map_build(&params, records, n);
	for (; folded >= 0x80; folded >>= 7)
		limit++;
	if (map_nplanes(&built.filter) > 1)
		limit += 13;
	CHECK((double) built.nbytes <= limit,
		  "r %u, fpr %g, base %lld, %zu keys: %zu bytes, not %.1f", value_bits,
		  fpr, (long long) base, n, built.nbytes, limit);
	free(built.bytes);
	free(records);
}

static void
test_maps(void)
{
	static const unsigned value_bits[] = {1, 2, 3, 4, 8, 12, 16, 32, 64};
	static const double fprs[] = {1, 0.01, 0x1p-32};
	static const int64_t bases[] = {-5, 820000000000000, INT64_MIN};
	Random random = {2};

	test("maps: 0.3 %, 16 bytes, those of the least number, and of a plane more");
	for (unsigned i = 0; i < 9; i++)
		for (unsigned j = 0; j < 2; j++)
		{
			for (size_t n = 0; n <= 300; n++)
				check_map_size(&random, value_bits[i], fprs[j], bases[n % 3],
							   n);
			for (size_t n = 301; n < 20000; n = n * 5 / 4)
				check_map_size(&random, value_bits[i], fprs[j], -5, n);
		}
	for (size_t n = 0; n <= 300; n += 3)
		check_map_size(&random, 64, fprs[2], INT64_MIN, n);
}

/* The largest maps without a layer; their zones have few spare slots. */
static void
test_largest_zones(void)
{
	Random random = {4};

	test("maps of five and six bits: 0.3 % and 16 bytes up to where layers begin");
	for (unsigned value_bits = 1; value_bits <= 6; value_bits++)
		for (unsigned check_bits = 0; check_bits <= 5; check_bits++)
			if (value_bits + check_bits == 5 || value_bits + check_bits == 6)
				for (size_t n = 16000; n < 23000; n += 2000)
					check_map_size(&random, value_bits,
								   1.0 / (double) (1 << check_bits), 0, n);
}

/* Of those up to one in seven takes more at first, and is built again. */
static void
test_first_layers(void)
{
	static const struct
	{
		unsigned value_bits;
		double fpr;
		size_t n;
	} maps[] = {{4, 1, 22790}, {4, 0.1, 26544}, {1, 0.5, 36398}};
	Random random = {7};

	test("maps where layers begin: each of many within 0.3 % and 16 bytes");
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		for (int round = 0; round < 40; round++)
			check_map_size(&random, maps[i].value_bits, maps[i].fpr, 0,
						   maps[i].n);
}

/* ribbon_expected_bytes against filters of random sets. */
static void
check_expected(Random *random, RibbonKind kind, int width, double fpr, size_t n)
{
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = fpr,
						   .key_class = 0};
	double share = kind == RIBBON_BURR ? 0.005 : 0.04;
	double real = (double) size_of(random, kind, width, fpr, n);
	double expected = (double) ribbon_expected_bytes(&params, n);

	CHECK(fabs(expected - real) <= share * real + 12,
		  "%s w %d f %g, %zu keys: %.0f bytes expected, %.0f taken",
		  kind_name(kind), width, fpr, n, expected, real);
}

static void
test_expected(void)
{
	static const int widths[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};
	static const double fprs[] = {0.5,	 0.3,		0.1,  0.05,	  0.01,
								  0.001, 1.0 / 256, 1e-6, 0x1p-32};
	static const size_t n[] = {0,	 1,	   2,	 10,   30,	  100,	300,
							   1000, 1500, 3000, 7000, 20000, 50000};
	Random random = {3};

	test("the bytes expected are those taken: BuRR 0.5 % and 12, homogeneous 4 % and 12");
	for (int kind = RIBBON_BURR; kind <= RIBBON_AUTO; kind++)
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 9; j++)
				for (size_t k = 0; k < sizeof(n) / sizeof(n[0]); k++)
					check_expected(&random, (RibbonKind) kind, widths[i],
								   fprs[j], n[k]);
	for (int kind = RIBBON_BURR; kind <= RIBBON_AUTO; kind++)
	{
		check_expected(&random, (RibbonKind) kind, 0, 0.01, 1000000);
		check_expected(&random, (RibbonKind) kind, 0, 0.2, 300000);
	}
}

/*
 * Of some maps each size of layer 0 leaves too many slots empty, and zones take
 * all keys.  They have as many wide keys as the rate asks for, not as a layer.
 */
static void
test_zones_instead(void)
{
	const RibbonResultBits check = {6, 389}; /* a layer may have 388 */
	MapParams params = map_params(RIBBON_DEFAULT_WIDTH,
								  ribbon_result_bits_fpr(check), 40);
	unsigned nzones = 0;
	Random random = {9};

	test("zones that are taken instead of a layer have the rate asked for");
	for (int i = 0; i < 100; i++)
	{
		uint64_t *records = map_records(&random, 5681, 40, 0);
		const RibbonPlane *plane;
		Built built;

		built = map_build(&params, records, 5681);
		plane = &ribbon_opened(&built.filter)->plane;
		nzones += plane->nlayers == 0;
		CHECK(plane->nlayers > 0 || plane->check.wide == check.wide,
			  "%u layers, %u wide", plane->nlayers, plane->check.wide);
		free(built.bytes);
		free(records);
	}
	/* of the first size alone there would be 39 */
	CHECK(nzones > 0 && nzones < 10, "%u maps of zones", nzones);
}

/*
 * A layer whose sizes are all expected to leave too many slots empty is kept as
 * it is, for zones cannot take its keys: else they would be the last layer.
 */
static void
test_empty_slots(void)
{
	test("zones take the keys of a layer that would leave too many slots");
	for (int w = 0; w < 3; w++)
		for (unsigned bits = 1; bits <= 96; bits++)
			for (unsigned wide = 0; wide < RIBBON_SHARES; wide += 97)
			{
				int width = test_widths[w];
				RibbonResultBits check = {bits < 31 ? bits : 31, wide};
				RibbonPlaneParams params = {.width = width,
											.check = check,
											.value_bits = bits - check.bits};
				RibbonPlane plane;

				ribbon_plane_init_empty(&plane);
				ribbon_shape_choose(&params, &plane);
				for (uint64_t n = 50;
					 ribbon_zones_count(width, n, RIBBON_SHARES) <
					 RIBBON_MAX_ZONES;
					 n += n / 20 + 1)
					CHECK(ribbon_shape_is_last_layer(&plane, plane.check.wide,
													 n) ||
							  ribbon_shape_empty_limit(&plane, n) >=
								  ribbon_shape_empty_expected(&plane, n),
						  "w %d, %u bits, %u, n %d", width, bits, wide,
						  (int) n);
			}
}

/* P is a probability, the less the more slots there are. */
static void
test_dependence(void)
{
	test("the expected share of dependent equations is 1 at most");
	for (int w = 0; w < 3; w++)
		for (uint64_t n = 200; n < 10000000; n *= 7)
		{
			double last = 1;

			for (uint64_t nslots = n; nslots < n + n / 4;
				 nslots += 1 + (nslots - n) / 8)
			{
				double p = ribbon_homog_dependence(test_widths[w], n, nslots);

				CHECK(p >= 0 && p <= last, "w %d, %d keys, %d slots: %g",
					  test_widths[w], (int) n, (int) nslots, p);
				last = p;
			}
			CHECK(last < 0.5, "w %d, %d keys: %g", test_widths[w], (int) n,
				  last);
		}
}

static void
test_huge(void)
{
	static const double rates[] = {0.5, 0.01, RIBBON_MIN_FPR};
	uint64_t most = RIBBON_MAX_KEYS;

	test("2^48 keys: seven layers, and little more than the least bytes");
	for (int i = 0; i < 3; i++)
	{
		RibbonParams params = {.kind = RIBBON_BURR, .fpr = rates[i]};
		double least = ribbon_least_bytes(&params, most);
		double expected = (double) ribbon_expected_bytes(&params, most);

		CHECK(expected > least && expected < 1.02 * least, "rate %g: %g of %g",
			  rates[i], expected, least);
	}

	test("one member of 2^41 keys: a filter of 32 bits");
	{
		RibbonParams params = {.kind = RIBBON_EXACT, .fpr = 1};
		RibbonSides sides = {&params, {0, 0}, 1, UINT64_C(1) << 41};
		RibbonResultBits forms[RIBBON_MAX_EXACT_FORMS];

		CHECK(ribbon_exact_forms(&sides, forms) == 1 && forms[0].bits == 32 &&
				  forms[0].wide == 0,
			  "%u bits", forms[0].bits);
	}

	test("with a rate, one of 31 bits, which leave a bit for masks");
	{
		RibbonParams params = {.kind = RIBBON_EXACT, .fpr = 0.01};
		RibbonSides sides = {&params, ribbon_result_bits_for(0.01), 1,
							 UINT64_C(1) << 41};
		RibbonResultBits forms[RIBBON_MAX_EXACT_FORMS];

		CHECK(ribbon_exact_forms(&sides, forms) == 1 && forms[0].bits == 31 &&
				  forms[0].wide == 0,
			  "%u bits", forms[0].bits);
	}

	test("one rare value of 2^45 keys: a filter of 32 bits in front");
	{
		RibbonCounted values[] = {{0, UINT64_C(1) << 45}, {1, 1}};
		RibbonHistogram histogram = {.n = 2,
									 .plain = {.value_bits = 1},
									 .values = values};
		RibbonResultBits no_check = {0, 0};
		RibbonCodebook book;

		CHECK(ribbon_codebook_create(&ribbon_malloc_env, &book, &histogram,
									 values[0].count + 1) == RIBBON_OK &&
				  ribbon_codebook_choose(&ribbon_malloc_env, &book,
										 RIBBON_DEFAULT_WIDTH,
										 no_check) == RIBBON_OK,
			  "choose");
		CHECK(book.front_bits == 32 && book.codes.front &&
				  book.expected.nbytes < 1200,
			  "%u bits, %d bytes", book.front_bits, (int) book.expected.nbytes);
		ribbon_codebook_free(&ribbon_malloc_env, &book);
	}
}

/* What is expected of sets is what they take in the mean. */
static void
test_mean(void)
{
	static const double fprs[] = {0.3, 0.01, 0.001};
	const size_t n = 3000, nsets = 40;

	test("the expected bytes are the mean of those of random sets");
	for (int width = 64; width <= 128; width *= 2)
		for (int f = 0; f < 3; f++)
		{
			RibbonParams params = {.kind = RIBBON_BURR,
								   .width = width,
								   .fpr = fprs[f]};
			double expected = (double) ribbon_expected_bytes(&params, n);
			Random random = {5};
			double sum = 0;

			for (size_t i = 0; i < nsets; i++)
			{
				uint64_t *keys = random_keys(&random, n);
				Built built = build(RIBBON_BURR, width, fprs[f], keys, n);

				sum += (double) built.nbytes;
				free(built.bytes);
				free(keys);
			}
			CHECK(fabs(sum / (double) nsets - expected) < 2,
				  "w %d, rate %g: %g, not %g", width, fprs[f],
				  sum / (double) nsets, expected);
		}
}

/*
 * Behind a filter, of one bit too, codes are those of the keys that pass it: a
 * value whose keys it turns away has the longest.
 */
static void
test_front(void)
{
	RibbonCounted values[] = {{0, 1000}, {1, 100}, {2, 90}};
	RibbonHistogram histogram = {.n = 3,
								 .plain = {.value_bits = 2},
								 .values = values};
	RibbonCodebook book;

	test("codes behind a filter of any size are those of what passes it");
	CHECK(ribbon_codebook_create(&ribbon_malloc_env, &book, &histogram, 1190) ==
			  RIBBON_OK,
		  "create");
	for (unsigned bits = 0; bits <= 3; bits++)
	{
		CHECK(ribbon_codebook_assign(&ribbon_malloc_env, &book, bits, 0) ==
					  RIBBON_OK &&
				  book.codes.front == (bits > 0),
			  "%u bits", bits);
		for (int i = 0; i < 3; i++)
			CHECK(ribbon_codeword_length(book.words[i]) ==
					  ((bits > 0 ? i == 1 : i == 0) ? 1 : 2),
				  "%u bits: value %d", bits, i);
		CHECK(book.level_keys[0] == (bits > 0 ? 190 : 1190), "%u bits", bits);
	}
	ribbon_codebook_free(&ribbon_malloc_env, &book);
}

/* Which result bits a rate takes, above 0.5 too. */
static void
test_result_bits(void)
{
	static const struct
	{
		double fpr;
		RibbonResultBits expected;
	} cases[] = {
		{0x1p-32, {32, 0}}, {0.01, {6, 1475}}, {0.25, {2, 0}},
		{0.375, {1, 1024}}, {0.5, {1, 0}},	   {0.50001, {1, 0}},
		{0.75, {0, 1024}},	{0.9999, {0, 0}},  {1, {0, 0}},
	};

	test("result bits of rates, up to 1");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		RibbonResultBits bits = ribbon_result_bits_for(cases[i].fpr);

		CHECK(bits.bits == cases[i].expected.bits &&
				  bits.wide == cases[i].expected.wide,
			  "%g: %u and %u", cases[i].fpr, bits.bits, bits.wide);
	}
}

/* RIBBON_AUTO is a BuRR filter, since that is the smaller one. */
static void
test_auto(void)
{
	Random random = {4};

	test("no homogeneous filter is smaller than the one chosen");
	for (size_t n = 1; n < 100000; n = n * 2 + 1)
		for (int w = 0; w < 3; w++)
			for (double fpr = 0.5; fpr > 1e-9; fpr /= 7)
				CHECK(size_of(&random, RIBBON_AUTO, test_widths[w], fpr, n) <=
						  size_of(&random, RIBBON_HOMOGENEOUS, test_widths[w],
								  fpr, n),
					  "w %d, %zu keys, %g", test_widths[w], n, fpr);
}

/* Where 128 is the default width, thresholds would take a large share. */
static void
test_default_width(void)
{
	static const struct
	{
		bool in_map;
		uint64_t nkeys; /* 0: of a homogeneous filter */
		unsigned bits;	/* the least for which it is 64 */
	} least[] = {{false, 0, 3},
				 {false, 1000000, 6},
				 {true, 1000000, 7},
				 {false, 1000, 4},
				 {true, 1000, 4}};

	test("the default width is 128 where slots have few bits");
	for (size_t i = 0; i < sizeof(least) / sizeof(least[0]); i++)
		for (unsigned bits = 1; bits <= 12; bits++)
		{
			RibbonPlaneParams params = {.width = RIBBON_DEFAULT_WIDTH,
										.check = {bits, 0},
										.in_map = least[i].in_map};
			RibbonPlane plane = {.nkeys = least[i].nkeys};

			if (plane.nkeys == 0)
				plane.width =
					ribbon_homog_width(params.width,
									   ribbon_result_bits_fpr(params.check));
			else
				ribbon_shape_choose(&params, &plane);
			CHECK(plane.width == (bits < least[i].bits ? 128 : 64),
				  "%zu, %u bits: %u", i, bits, plane.width);
		}
}

int
main(void)
{
	static const size_t n[] = {10, 100, 1000, 10000};
	static const size_t at_most[] = {22, 113, 1014, 10076};
	Random random = {1};

	test_default_width();
	test("10, 100, 1000, 10000 keys at 2^-8: as promised, varlena header and all");
	for (int i = 0; i < 4; i++)
		for (int round = 0; round < 50; round++)
		{
			size_t nbytes = size_of(&random, RIBBON_BURR, 64, 1.0 / 256, n[i]);

			CHECK(nbytes <= at_most[i], "%zu keys: %zu", n[i], nbytes);
		}

	test("bits(FPR) per key, 0.3 % and 12 bytes hold small sets");
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 9; j++)
		{
			static const double fprs[] = {0.3, 0.15, 0.05, 0.01, 1e-5};
			static const size_t few[] = {1,	  7,	50,	  200,	300,
										 700, 2000, 7000, 10000};
			double a = floor(log2(1 / fprs[i]));
			double bits = a + 2 - fprs[i] * exp2(a + 1);
			double limit = 1.003 * (double) few[j] * bits / 8 + 12;

			for (int round = 0; round < 5; round++)
			{
				size_t nbytes = size_of(&random, RIBBON_BURR, 0, fprs[i],
										few[j]);

				CHECK((double) nbytes <= limit, "f %g, %zu keys: %zu", fprs[i],
					  few[j], nbytes);
			}
		}

	test("10^6 keys: overhead over log2(1/FPR), by kind and width");
	for (int i = 0; i < 4; i++)
	{
		static const struct
		{
			RibbonKind kind;
			int width;
			double fpr, overhead;
		} rows[] = {
			{RIBBON_BURR, 64, 0.01, 0.015},
			{RIBBON_BURR, 64, 1.0 / 256, 0.0022},
			{RIBBON_BURR, 128, 1.0 / 256, 0.0008},
			{RIBBON_HOMOGENEOUS, 64, 0.01, 0.13},
		};
		double bits = 8e-6 *
			(double) size_of(&random, rows[i].kind, rows[i].width, rows[i].fpr,
							 1000000);
		double overhead = bits / log2(1 / rows[i].fpr) - 1;

		CHECK(overhead <= rows[i].overhead, "%s w %d f %g: %.4f",
			  kind_name(rows[i].kind), rows[i].width, rows[i].fpr, overhead);
	}
	test_maps();
	test_largest_zones();
	test_first_layers();
	test_expected();
	test_zones_instead();
	test_empty_slots();
	test_dependence();
	test_huge();
	test_mean();
	test_front();
	test_result_bits();
	test_auto();
	return test_done();
}
