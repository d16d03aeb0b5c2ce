/*
 * test_choices.c - what a build computes before there are bytes: sizes,
 * shapes, windows, codes
 *
 * The bytes of a set depend on all of these, so they are the same in every
 * release and on every machine.  Each function is asked over a grid of what it
 * may be given, up to its limits, and a digest stands for all of its answers;
 * "test_choices --each" prints them (answers.h).
 */
#include "compose/codebook.h"
#include "compose/exact_form.h"
#include "construct/cluster.h"
#include "construct/cut.h"
#include "construct/planes.h"
#include "construct/shape.h"
#include "construct/last_layer.h"
#include "format/format.h"
#include "format/result_bits.h"
#include "format/zones.h"
#include "set/blocks.h"
#include "answers.h"

#include "base/power.h"

static void
begin(const char *name)
{
	test(name);
	answers_begin();
}

static void
end(uint64_t expected)
{
	answers_end(test_name, expected);
}

static const double rates[] = {
	0x1p-32, 0x1.01p-32, 0x1p-31, 0x1.8p-31, 1e-9,	   0x1p-21, 0x1.8p-21,
	0x1p-20, 1e-5,		 0x1p-8,  0.01,		 0.03,	   0.07,	0.125,
	0.17,	 0.2,		 0.25,	  0.3,		 0.333333, 0.4,		0.5,
};

#define NRATES (sizeof(rates) / sizeof(rates[0]))

static const int widths[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};

/* Numbers of keys: small ones all, then ever fewer. */
static uint64_t
next_number(uint64_t n)
{
	return n + 1 + n / 7;
}

static void
test_sizes(void)
{
	begin("bytes that filters are expected to take");
	for (int kind = RIBBON_BURR; kind <= RIBBON_AUTO; kind++)
		for (int w = 0; w < 4; w++)
			for (size_t r = 0; r < NRATES; r++)
			{
				RibbonParams params = {.kind = (RibbonKind) kind,
									   .width = widths[w],
									   .fpr = rates[r],
									   .key_class = 1};

				answers_of("kind %d, w = %d, rate %a", kind, widths[w],
						   rates[r]);
				for (uint64_t n = 0; n < RIBBON_MAX_KEYS; n = next_number(n))
					add(ribbon_expected_bytes(&params, n));
				add(ribbon_expected_bytes(&params, RIBBON_MAX_KEYS));
			}
	end(UINT64_C(0xD95BBC274F513262));

	begin("bytes that planes of maps are expected to take");
	for (int w = 0; w < 4; w++)
		for (size_t r = 0; r <= NRATES; r += 3)
			for (unsigned bits = 0; bits <= 23; bits += 1 + bits / 3)
			{
				RibbonPlaneParams params =
					{.width = widths[w],
					 .check = ribbon_result_bits_for(r < NRATES ? rates[r] : 1),
					 .value_bits = bits};

				answers_of("w = %d, check %u.%u, %u value bits", widths[w],
						   params.check.bits, params.check.wide, bits);
				for (uint64_t n = 1; n < RIBBON_MAX_KEYS; n = next_number(n))
				{
					params.in_map = n % 2 == 0;
					add(ribbon_size_of_plane(&params, n));
				}
			}
	end(UINT64_C(0xA94EF925E73BD998));
}

/* All that is chosen for a layer of these columns. */
static void
add_shape(const RibbonPlaneParams *params)
{
	RibbonPlane plane;

	ribbon_plane_init_empty(&plane);
	for (uint64_t n = 1; n < RIBBON_MAX_KEYS; n = next_number(n))
	{
		answers_of("w = %d, check %u.%u, %u value bits, map %d, %" PRIu64
				   " keys",
				   params->width, params->check.bits, params->check.wide,
				   params->value_bits, params->in_map, n);
		plane.nkeys = n;
		ribbon_shape_choose(params, &plane);
		add(plane.width << 8 | plane.scheme << 4 |
			ribbon_shape_is_last_layer(&plane, plane.check.wide, n));
		for (unsigned attempt = 0; attempt < 8; attempt += 7)
			add(ribbon_shape_layer_slots(&plane, n + 1000, attempt));
		add(ribbon_shape_empty_limit(&plane, n));
		add(ribbon_shape_empty_expected(&plane, n));
		add(ribbon_shape_most_empty(&plane, n));
		add(ribbon_shape_bumped_limit(&plane, n));
	}
}

static void
test_shapes(void)
{
	begin("layers: their width and buckets, slots and limits");
	for (int w = 0; w < 4; w++)
		for (int in_map = 0; in_map < 2; in_map++)
			for (size_t r = 0; r < NRATES; r++)
			{
				RibbonPlaneParams params =
					{.width = widths[w],
					 .check = ribbon_result_bits_for(rates[r]),
					 .in_map = in_map,
					 .value_bits = r % 4};

				add_shape(&params);
			}
	end(UINT64_C(0x1FED477D84AFC831));

	begin("from which number of keys on there are layers");
	for (int w = 1; w < 4; w++)
		for (unsigned bits = 1; bits <= 40; bits += 1 + bits / 8)
			for (unsigned wide = 0; wide < RIBBON_SHARES; wide += 512)
			{
				RibbonPlaneParams params = {.width = widths[w],
											.check = {0, wide},
											.value_bits = bits};
				RibbonPlane plane;
				uint64_t low = 0, high = 1 << 20;

				ribbon_plane_init_empty(&plane);
				ribbon_shape_choose(&params, &plane);
				while (low < high)
				{
					uint64_t middle = (low + high) / 2;

					if (ribbon_shape_is_last_layer(&plane, plane.check.wide,
												   middle))
						low = middle + 1;
					else
						high = middle;
				}
				answers_of("w = %d, %u value bits, %u wide", widths[w], bits,
						   wide);
				add(low);
			}
	end(UINT64_C(0xAD92DC42208FB2ED));
}

static void
test_slots(void)
{
	begin("slots of homogeneous systems, and P");
	for (int w = 0; w < 4; w++)
		for (size_t r = 0; r < NRATES; r++)
		{
			unsigned width = ribbon_homog_width(widths[w], rates[r]);

			answers_of("w = %d, rate %a", widths[w], rates[r]);
			add(width);
			for (uint64_t n = 1; n < 1 << 22; n = next_number(n))
			{
				uint64_t nslots = ribbon_homog_slots(width, rates[r], n);

				answers_of("w = %d, rate %a, %" PRIu64 " keys", widths[w],
						   rates[r], n);
				add(nslots);
				add_double(ribbon_homog_dependence(width, n, nslots));
				add_double(ribbon_homog_dependence(width, n, n + 998));
				add_double(ribbon_homog_dependence(width, n, n + 1000));
			}
		}
	end(UINT64_C(0xEF7AA427E6494645));

	begin("slots that zones have to spare, and how many zones there are");
	for (int w = 1; w < 4; w++)
	{
		unsigned width = (unsigned) widths[w];

		for (unsigned columns = 1; columns < 8; columns++)
		{
			answers_of("w = %u, %u columns", width, columns);
			for (uint64_t n = 0; n < 12000; n++)
				add(ribbon_zone_spare(width, columns, true, n) << 32 |
					ribbon_zone_spare(width, columns, false, n));
		}
		answers_of("w = %u, zones", width);
		for (uint64_t n = 0; n < 120000; n += 3)
			add(ribbon_zones_count(width, n, (unsigned) (n % 2049)) << 1 |
				ribbon_zones_fit(width, n));
	}
	end(UINT64_C(0x3D35F4BE15F67565));
}

static void
add_bits(RibbonResultBits bits)
{
	add((uint64_t) bits.bits << 32 | bits.wide);
}

static void
test_rates(void)
{
	begin("result bits of rates, and rates of result bits");
	for (double fpr = RIBBON_MIN_FPR; fpr < 1; fpr *= 1.0009)
	{
		RibbonResultBits bits = ribbon_result_bits_for(fpr);

		answers_of("rate %a", fpr);
		add_bits(bits);
		add_double(ribbon_result_bits_mean(bits));
		add_double(ribbon_result_bits_fpr(bits));
		for (double p = 0x1p-40; p < fpr; p *= 50)
		{
			add_double(ribbon_result_bits_chance_beside(fpr, p));
			add_bits(ribbon_result_bits_beside(fpr, p));
			add(ribbon_dependence_encode(p));
		}
	}
	for (unsigned p = 0; p <= RIBBON_NOT_DEPENDENT; p++)
	{
		answers_of("dependence %u", p);
		add_double(ribbon_dependence_decode(p));
		add(ribbon_dependence_encode(ribbon_dependence_decode(p)));
	}
	end(UINT64_C(0xCB2828FA130DA634));

	begin("value bits that there is room for");
	for (unsigned left = 0; left <= 64; left++)
	{
		answers_of("%u bits left", left);
		for (unsigned check = 0; check <= 32; check++)
			for (unsigned wide = 0; wide < 3; wide++)
				add(ribbon_format_value_bits(left,
											 (RibbonResultBits){check, wide}));
	}
	end(UINT64_C(0xC4D460E86E0F16E4));
}

static void
add_cut(const RibbonCut *cut)
{
	add(cut->nwindows);
	add(cut->unit << 32 | cut->skip);
	add(ribbon_cut_most_slots(cut));
	for (uint64_t g = 0; g <= cut->nwindows; g++)
	{
		RibbonExtent at = ribbon_cut_extent(cut, g);

		add(at.begin);
		add(at.end);
		add(at.seam_end);
		add(at.first_bucket);
		add(at.tail_bucket);
		add(at.end_bucket);
		add(ribbon_extent_is_last(&at));
		if (g < cut->nwindows)
			add(ribbon_cut_least_hash(cut, g));
	}
}

static void
test_cuts(void)
{
	static const uint64_t around[] = {200,	  RIBBON_CUT_SLOTS,
									  262144, RIBBON_CUT_GROUPED,
									  655360, 1048576,
									  1572864};

	begin("windows of layers and of homogeneous systems");
	for (int w = 1; w < 4; w++)
		for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++)
			for (uint64_t n = around[i] - 66; n < around[i] + 70; n += 5)
			{
				unsigned width = (unsigned) widths[w];
				RibbonResultBits columns = {3, 0};
				RibbonSystem system;
				RibbonBuckets buckets;
				RibbonCut cut;

				ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, n, width,
								   columns, 0);
				for (unsigned s = 0; s < RIBBON_BUCKET_SCHEMES; s++)
				{
					answers_of("w = %u, %" PRIu64 " slots, buckets' scheme %u",
							   width, n, s);
					buckets = ribbon_buckets_of_scheme(width, s);
					cut = ribbon_cut_layer(&system, &buckets);
					add(ribbon_cut_is_whole(&buckets, n));
					add_cut(&cut);
				}
				ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, n, width,
								   columns, 0);
				answers_of("w = %u, %" PRIu64 " slots, homogeneous", width, n);
				cut = ribbon_cut_homogeneous(&system);
				add_cut(&cut);
			}
	end(UINT64_C(0xF565E0287D30D978));
}

static void
test_forms(void)
{
	static const double outside[] = {1, 0.5, 0.3, 0.01, 1e-6, 0x1p-32};

	begin("forms of exact sets that are built");
	for (size_t i = 0; i < 6; i++)
		for (int w = 0; w < 4; w++)
			for (uint64_t nrare = 1; nrare < 1 << 21; nrare += 1 + nrare / 2)
				for (uint64_t n = 1; n < 1 << 28; n += 1 + n / 3)
				{
					RibbonParams params = {.kind = RIBBON_EXACT,
										   .width = widths[w],
										   .fpr = outside[i]};
					RibbonSides sides = {&params,
										 ribbon_result_bits_for(params.fpr),
										 nrare, n};
					RibbonResultBits forms[RIBBON_MAX_EXACT_FORMS];
					unsigned nforms = ribbon_exact_forms(&sides, forms);

					answers_of("rate %a, w = %d, %" PRIu64 " and %" PRIu64,
							   outside[i], widths[w], nrare, n);
					add(nforms);
					for (unsigned f = 0; f < nforms; f++)
					{
						add_bits(forms[f]);
						add(ribbon_exact_expect_passed(&sides, forms[f]));
						add(ribbon_exact_needs_column(&sides, forms[f], n % 2));
					}
					add(ribbon_exact_try_filter(&sides));
					add_bits(sides.rate);
				}
	end(UINT64_C(0x0BE841F6429C3D8F));
}

#define MOST_VALUES 300

/* How many keys have value i. */
static uint64_t
count_of(unsigned skew, unsigned i)
{
	switch (skew)
	{
		case 0:
			return 1 + i % 3;
		case 1:
			return i == 1 ? 1000000 : 1 + i;
		case 2: /* a code of each length, and longer than any may be */
			return i < 44 ? UINT64_C(1) << i : 1;
		default:
			return 1 + 5000000 / ((i + 1) * (uint64_t) (i + 1));
	}
}

static void
add_book(const RibbonCodebook *book, uint64_t npassed, uint64_t nbytes,
		 uint64_t behind)
{
	const RibbonCounted *values = book->histogram->values;
	uint8_t table[MOST_VALUES * 4];

	ribbon_codebook_write_table(book, table);
	add(nbytes);
	add(behind);
	add(book->front_bits << 16 | book->dominant);
	add(book->codes.nlevels);
	for (unsigned level = 0; level < book->codes.nlevels; level++)
		add(book->level_keys[level]);
	for (uint32_t i = 0; i < book->histogram->n; i++)
	{
		add(i == book->dominant && book->front_bits > 0 ? npassed :
														  values[i].count);
		add(book->words[i]);
	}
	for (uint64_t i = 0; i < ribbon_codes_table_bytes(&book->codes); i++)
		add(table[i]);
}

static void
test_codebooks(void)
{
	RibbonCounted values[MOST_VALUES];

	begin("codes by frequency, and filters in front of them");
	for (unsigned skew = 0; skew < 4; skew++)
		for (uint32_t n = 2; n <= MOST_VALUES; n += 1 + n / 3)
			for (size_t r = 0; r < NRATES + 1; r += 4)
			{
				RibbonHistogram histogram = {.n = n,
											 .plain = {.value_bits = 11},
											 .values = values};
				RibbonParams params = {.width = widths[r % 4],
									   .fpr = r == 0 ? 1 : rates[r - 1]};
				RibbonCodebook book;
				uint64_t nkeys = 0;

				for (uint32_t i = 0; i < n; i++)
				{
					values[i] = (RibbonCounted){5 * i + 1, count_of(skew, i)};
					nkeys += values[i].count;
				}
				CHECK(ribbon_codebook_create(&ribbon_malloc_env, &book,
											 &histogram, nkeys) == RIBBON_OK &&
						  ribbon_codebook_choose(&ribbon_malloc_env, &book,
												 params.width,
												 ribbon_result_bits_for(params
																			.fpr)) ==
							  RIBBON_OK,
					  "choose");
				answers_of("skew %u, %u values, rate %a", skew, n, params.fpr);
				add_book(&book,
						 ribbon_codebook_expect_passed(&book, book.front_bits),
						 book.expected.nbytes, book.expected.behind);
				for (unsigned bits = 0; bits < 3; bits++)
				{
					uint64_t passed = ribbon_codebook_expect_passed(&book,
																	bits);

					answers_of("skew %u, %u values, rate %a, %u bits in front",
							   skew, n, params.fpr, bits);
					CHECK(ribbon_codebook_assign(&ribbon_malloc_env, &book,
												 bits,
												 passed / (r + 1)) == RIBBON_OK,
						  "assign");
					add_book(&book, passed / (r + 1), passed,
							 book.expected.behind);
				}
				ribbon_codebook_free(&ribbon_malloc_env, &book);
			}
	end(UINT64_C(0xBD4D8C9CA8119C3B));
}

#define LATTICE	   40000
#define NOT_TO_END 36000 /* so many hashes leave room to move them apart */

/*
 * Hashes as far from each other as they are on average, but for k of them from
 * number k on, which are so far; do they cluster?  In cells there are LATTICE.
 */
static bool
cluster(unsigned k, uint64_t distance, bool in_cells)
{
	static uint64_t hashes[LATTICE];
	unsigned n = in_cells ? LATTICE : NOT_TO_END;
	uint64_t at = 0;

	for (unsigned i = 0; i < n; i++)
	{
		hashes[i] = at;
		at += i >= k && i < 2 * k ? distance : UINT64_MAX / LATTICE;
	}
	return in_cells ? ribbon_cluster_is_possible(hashes, 1, n, 2 * LATTICE) :
					  ribbon_cluster_exists(hashes, 1, n, at, LATTICE);
}

/* Do they, if the last k are so far from each other and the end? */
static bool
end_clusters(unsigned k, uint64_t distance)
{
	static uint64_t hashes[NOT_TO_END];
	uint64_t at = 0;

	for (unsigned i = 0; i < NOT_TO_END; i++)
	{
		hashes[i] = at;
		at += i + k >= NOT_TO_END ? distance : UINT64_MAX / LATTICE;
	}
	return ribbon_cluster_exists(hashes, 1, NOT_TO_END, at, LATTICE);
}

/* Where hashes are moved. */
typedef enum Place
{
	INSIDE,
	IN_CELLS,
	AT_END
} Place;

static bool
ask_cluster(Place place, unsigned k, uint64_t distance)
{
	return place == AT_END ? end_clusters(k, distance) :
							 cluster(k, distance, place == IN_CELLS);
}

/* Add the distance, between two, at which they begin or cease to cluster. */
static void
add_limit(Place place, unsigned k, uint64_t low, uint64_t high)
{
	bool answer = ask_cluster(place, k, low);

	answers_of("place %d, %u hashes, %" PRIu64 " to %" PRIu64, place, k, low,
			   high);
	CHECK(answer != ask_cluster(place, k, high), "%d, %u", place, k);
	while (high - low > 1)
	{
		uint64_t middle = low + (high - low) / 2;

		if (ask_cluster(place, k, middle) == answer)
			low = middle;
		else
			high = middle;
	}
	add(high);
}

static void
test_clusters(void)
{
	static const unsigned scales[] = {8, 32, 1024, 16384};
	static const double far[] = {8, 3.5, 1.4, 1.1};
	uint64_t mean = UINT64_MAX / LATTICE;

	begin("from which distance on hashes cluster");
	for (int s = 0; s < 4; s++)
	{
		add_limit(INSIDE, scales[s], 0, mean);
		add_limit(IN_CELLS, scales[s], 0, mean);
		add_limit(INSIDE, scales[s], mean, (uint64_t) (far[s] * (double) mean));
	}
	add_limit(AT_END, 1, mean, 30 * mean);
	add_limit(AT_END, 9, mean, 6 * mean);
	end(UINT64_C(0x20BEA7BACB84F9F7));
}

/* Refuse memory, but note how much a set asks for. */
static void *
note_size(void *asked, size_t size)
{
	*(size_t *) asked = size;
	return NULL;
}

/* To grow is to ask for more than there is; to go to a file, for less. */
static void
add_growth(RibbonSet set, size_t n)
{
	size_t asked = 0;

	set.env.alloc = note_size;
	set.env.arg = &asked;
	add((uint64_t) ribbon_set_make_room(&set, n));
	add(asked > set.room * sizeof(uint64_t) ? asked : 0);
	add(set.in_file);
}

static void
test_growth(void)
{
	static const size_t limits[] = {SIZE_MAX, 300000, 5000};
	RibbonFile file = {.whole_words = SIZE_MAX};
	uint64_t *words = calloc(5 * RIBBON_SET_CHUNK, sizeof(uint64_t));

	begin("room that sets get");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_MAP_RECORDS; kind++)
		for (int in = 0; in < 6; in++)
			for (size_t room = 0; room < 3 * RIBBON_SET_CHUNK;
				 room = 3 * room / 2 + 512)
				for (size_t n = 0; n < 2000000; n = 2 * n + 511)
				{
					RibbonSet set =
						ribbon_set_growing(&ribbon_malloc_env,
										   (RibbonElementKind) kind);

					set.array = words;
					set.room = room;
					set.narray = n % 2 == 0 ? 0 : room / 2 * 2;
					ribbon_set_limit(&set, limits[in / 2],
									 in == 0 ? NULL : &file);
					if (in % 2 == 1)
						ribbon_set_enter_file(&set, &file);
					answers_of("kind %d, limit %d, room %zu, %zu more", kind,
							   in, room, n);
					add_growth(set, n);
					add_growth(set,
							   (room - set.narray) / ribbon_set_stride(&set));
				}
	free(words);
	end(UINT64_C(0x4A254E5C0580E701));
}

/* Which of all parameters are refused, and what for. */
static void
test_params(void)
{
	static const int tried_widths[] = {0, 1, 31, 32, 33, 64, 127, 128, 129};
	static const double tried_rates[] =
		{-1,		   0, 0x0.FFFFFFp-32, 0x1p-32, 0.01,
		 0x0.FFFFFFp0, 1, 0x1.000001p0,	  9};
	static const int64_t tried_times[] = {INT64_MIN, -1, 0, INT64_MAX};
	static const uint8_t dictionary[1];

	begin("parameters that are refused");
	for (int kind = -1; kind <= RIBBON_EXACT + 1; kind++)
		for (size_t i = 0; i < 9 * 9; i++)
		{
			RibbonParams params = {.kind = (RibbonKind) kind,
								   .width = tried_widths[i % 9],
								   .fpr = tried_rates[i / 9],
								   .key_class = 1};
			RibbonValues values = {.bits = 3};

			answers_of("kind %d, w = %d, rate %a", kind, params.width,
					   params.fpr);
			add((uint64_t) ribbon_params_check(&params));
			for (int key_class = -1; key_class < 300; key_class++)
			{
				params.key_class = key_class;
				add((uint64_t) ribbon_params_check(&params));
			}
			params.key_class = 1;
			params.has_as_of = true;
			for (int t = 0; t < 4; t++)
			{
				params.as_of = tried_times[t];
				add((uint64_t) ribbon_params_check(&params));
			}
			params.has_as_of = false;
			params.values = &values;
			for (unsigned v = 0; v < 200; v++)
			{
				values.bits = v % 2 == 0 ? v / 2 : 3;
				values.value_class = v % 3 == 0 ? v : 0;
				values.coding = (RibbonCoding) (v % 5);
				values.dictionary = v % 7 == 0 ? dictionary : NULL;
				values.ndictionary = v % 7 == 0 || v % 11 == 0;
				add((uint64_t) ribbon_params_check(&params));
			}
		}
	end(UINT64_C(0xCD669C5A1135D1C8));
}

int
main(int argc, char **argv)
{
	answers_init(argc, argv);
	test_params();
	test_sizes();
	test_shapes();
	test_slots();
	test_rates();
	test_cuts();
	test_forms();
	test_codebooks();
	test_clusters();
	test_growth();
	return test_done();
}
