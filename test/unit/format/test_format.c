/*
 * test_format.c - head.c, body.c: what is written is read back, and nothing
 * else is accepted
 */
#include "format/format.h"
#include "format/place.h"
#include "format/zones.h"
#include "built.h"

#include "keys/classes.h"

/* Filters of many shapes, to be damaged. */
static Built
sample(Random *random, int i)
{
	static const size_t sizes[] = {0, 1, 5, 70, 900, 4000, 30000};
	static const double fprs[] = {0.5, 0.3, 0.01, 1.0 / 256, 1e-6};
	size_t n = sizes[i % 7];
	uint64_t *keys = random_keys(random, n);
	Built built = build(test_kinds[i % 2], test_widths[i % 3], fprs[i % 5],
						keys, n);

	free(keys);
	return built;
}

/* Any probe of a filter that was opened must stay inside its bytes. */
static void
probe_all_over(const Built *built, Random *random)
{
	for (int i = 0; i < 300; i++)
		ribbon_contains(&built->filter, random_next(random));
	ribbon_contains(&built->filter, 0);
	ribbon_contains(&built->filter, UINT64_MAX);
	ribbon_fpr(&built->filter);
	count_slots(&built->filter);
}

/* Open a copy that ends exactly where its memory ends. */
static RibbonStatus
open_exact(Built *copy, const uint8_t *bytes, size_t nbytes)
{
	copy->bytes = malloc(nbytes > 0 ? nbytes : 1);
	copy->nbytes = nbytes;
	memcpy(copy->bytes, bytes, nbytes);
	copy->status = ribbon_open(copy->bytes, nbytes, &copy->filter);
	return copy->status;
}

static void
test_round_trip(void)
{
	Random random = {1};

	test("a header that was read is written back to the same bytes");
	for (int i = 0; i < 210; i++)
	{
		Built built = sample(&random, i);
		uint8_t header[RIBBON_MAX_HEADER];
		size_t size;

		CHECK(built.status == RIBBON_OK, "sample %d: %s", i,
			  ribbon_status_text(built.status));
		size = ribbon_format_encode(&ribbon_opened(&built.filter)->plane,
									built.filter.key_class, header);
		CHECK(size == header_size(&built.filter), "size");
		CHECK(memcmp(header, built.bytes, size) == 0, "bytes");
		CHECK(built.filter.key_class == 1, "key class");
		free(built.bytes);
	}
}

/* What is opened is said in one way only: no bit of a header may be any. */
static void
test_changed_headers(void)
{
	Random random = {8};
	int opened = 0;

	test("a header that is changed is refused, or is written as it was read");
	for (int i = 0; i < 70; i++)
	{
		Built built = sample(&random, i);
		size_t size = header_size(&built.filter);

		for (size_t at = 0; at < size; at++)
			for (unsigned change = 1; change < 256; change++)
			{
				uint8_t header[RIBBON_MAX_HEADER];
				RibbonFilter filter;

				built.bytes[at] ^= (uint8_t) change;
				if (ribbon_open(built.bytes, built.nbytes, &filter) ==
					RIBBON_OK)
				{
					opened++;
					CHECK(ribbon_format_encode(&ribbon_opened(&filter)->plane,
											   filter.key_class, header) ==
								  header_size(&filter) &&
							  memcmp(header, built.bytes,
									 header_size(&filter)) == 0,
						  "sample %d, byte %zu changed by %u", i, at, change);
				}
				built.bytes[at] ^= (uint8_t) change;
			}
		free(built.bytes);
	}
	CHECK(opened > 1000, "%d were opened", opened);
}

/* The same of a header that is not the first one of a value. */
static void
test_changed_bodies(void)
{
	Random random = {9};
	RibbonBodyStart start = {.role = RIBBON_ROLE_OWN_BYTE};
	int opened = 0;

	test("so is the header of another body");
	for (int i = 0; i < 70; i += 2) /* BuRR */
	{
		Built built = sample(&random, i);
		const RibbonPlane *known = &ribbon_opened(&built.filter)->plane;
		uint8_t header[RIBBON_MAX_HEADER], again[RIBBON_MAX_HEADER];
		size_t size = ribbon_plane_is_bare(known) ?
			0 :
			ribbon_format_encode_body(known, RIBBON_ROLE_OWN_BYTE, header);

		for (size_t at = 0; at < size; at++)
			for (unsigned change = 0; change < 256; change++)
			{
				RibbonPlane plane = *known;

				plane.nlayers = 0;
				plane.salted = false;
				header[at] ^= (uint8_t) change;
				if (ribbon_format_decode_body(header, size, start, &plane) ==
					RIBBON_OK)
				{
					opened++;
					CHECK(ribbon_format_encode_body(&plane,
													RIBBON_ROLE_OWN_BYTE,
													again) ==
								  plane.header_bytes &&
							  memcmp(header, again, plane.header_bytes) == 0,
						  "sample %d, byte %zu changed by %u", i, at, change);
				}
				header[at] ^= (uint8_t) change;
			}
		free(built.bytes);
	}
	CHECK(opened > 1000, "%d were opened", opened);
}

/* A class of keys with parts takes two bytes more. */
static void
test_parts(void)
{
	uint64_t hashes[3] = {1, 2, 3};
	RibbonParams params = {.kind = RIBBON_BURR,
						   .width = 64,
						   .fpr = 0.01,
						   .key_class = 1};
	size_t without = 0;

	test("the classes of parts are kept, but not by an empty filter");
	for (int i = 0; i < 4; i++)
	{
		static const int classes[] = {1, 23 | 2 << 5,
									  25 | 24 << 5 | 23 << 10 | 31 << 15,
									  26 | 0 << 5 | 1 << 10 | 2 << 15};
		RibbonFilter filter = {0};
		uint8_t *bytes = NULL;
		size_t nbytes = 0;

		params.key_class = classes[i];
		for (size_t n = 0; n <= 3; n += 3)
		{
			CHECK(array_build(&ribbon_malloc_env, &params, hashes, n, 0, &bytes,
							  &nbytes) == RIBBON_OK &&
					  ribbon_open(bytes, nbytes, &filter) == RIBBON_OK,
				  "built");
			CHECK(filter.key_class ==
					  (n > 0 ? classes[i] :
							   ribbon_key_class_proper(classes[i])),
				  "class %d", filter.key_class);
			if (i == 0)
				without = nbytes;
			CHECK(n == 0 || nbytes == without + (i > 0 ? 2 : 0), "%zu bytes",
				  nbytes);
			if (n > 0 && i > 0 && i < 3)
			{
				bytes[6] |= 0x80; /* the highest bit of the parts */
				CHECK(ribbon_open(bytes, nbytes, &filter) == RIBBON_CORRUPT,
					  "a bit beyond");
				bytes[6] = 0x7F;
				bytes[5] = 1; /* class 1 with parts */
				CHECK(ribbon_open(bytes, nbytes, &filter) == RIBBON_CORRUPT,
					  "parts of what has none");
			}
			free(bytes);
		}
	}
}

static void
test_lengths(void)
{
	Random random = {2};

	test("a value of any other length is refused");
	for (int i = 0; i < 42; i++)
	{
		Built built = sample(&random, i);
		Built copy;
		uint8_t *longer = calloc(1, built.nbytes + 1);

		memcpy(longer, built.bytes, built.nbytes);
		CHECK(open_exact(&copy, longer, built.nbytes + 1) == RIBBON_CORRUPT,
			  "one byte more");
		free(copy.bytes);
		for (size_t cut = 0; cut < built.nbytes;
			 cut += 1 + (cut > 64 ? built.nbytes / 50 : 0))
		{
			CHECK(open_exact(&copy, built.bytes, cut) == RIBBON_TRUNCATED,
				  "sample %d cut to %zu of %zu: %s", i, cut, built.nbytes,
				  ribbon_status_text(copy.status));
			free(copy.bytes);
		}
		free(longer);
		free(built.bytes);
	}
}

static void
test_damage(void)
{
	Random random = {3};
	unsigned accepted = 0;

	test("damaged values are refused or harmless");
	for (int i = 0; i < 42; i++)
	{
		Built built = sample(&random, i);
		size_t header = header_size(&built.filter);

		for (int k = 0; k < 1500; k++)
		{
			uint8_t *bytes = malloc(built.nbytes);
			unsigned nchanges = 1 + (unsigned) random_below(&random, 3);
			size_t nbytes = built.nbytes;
			Built copy;

			memcpy(bytes, built.bytes, built.nbytes);
			for (unsigned c = 0; c < nchanges; c++)
				bytes[random_below(&random, c ? header : built.nbytes)] ^=
					(uint8_t) (1 + random_below(&random, 255));
			if (random_below(&random, 4) == 0)
				nbytes = 1 + random_below(&random, nbytes);
			if (open_exact(&copy, bytes, nbytes) == RIBBON_OK)
			{
				probe_all_over(&copy, &random);
				accepted++;
			}
			free(copy.bytes);
			free(bytes);
		}
		free(built.bytes);
	}
	CHECK(accepted > 0, "nothing was ever accepted");

	test("random bytes are refused or harmless");
	for (int i = 0; i < 200000; i++)
	{
		uint8_t bytes[48];
		size_t nbytes = random_below(&random, sizeof(bytes) + 1);
		Built copy;

		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t) random_next(&random);
		bytes[0] = (uint8_t) ((bytes[0] & 0xF0) | RIBBON_FORMAT_VERSION);
		bytes[4] &= (uint8_t) (i % 2 ? 0x1F : 0xFF);
		if (open_exact(&copy, bytes, nbytes) == RIBBON_OK)
			probe_all_over(&copy, &random);
		free(copy.bytes);
	}
}

static void
test_versions(void)
{
	static const uint8_t empty[] = {0x11, 1, 0, 0, 0};
	static const uint8_t not_canonical[][5] = {
		{0x21, 1, 0, 0, 0},	   {0x51, 1, 0, 0, 0}, {0x11, 0x21, 0, 0, 0},
		{0x11, 1, 1, 0, 0},	   {0x91, 1, 0, 0, 0}, {0x31, 1, 0, 0, 0},
		{0x11, 0x81, 0, 0, 0},
	};
	uint8_t other[] = {0x11, 1, 0, 0, 0};
	Built copy;

	test("other format versions are refused as such");
	for (unsigned version = 0; version < 16; version++)
	{
		other[0] = (uint8_t) (0x10 | version);
		CHECK(open_exact(&copy, other, sizeof(other)) ==
				  (version == RIBBON_FORMAT_VERSION ? RIBBON_OK :
													  RIBBON_BAD_VERSION),
			  "version %u", version);
		free(copy.bytes);
	}

	test("the empty filter has one form");
	CHECK(open_exact(&copy, empty, sizeof(empty)) == RIBBON_OK, "empty");
	CHECK(copy.filter.nkeys == 0 && !ribbon_contains(&copy.filter, 42), "no");
	free(copy.bytes);
	for (size_t i = 0; i < sizeof(not_canonical) / 5; i++)
	{
		CHECK(open_exact(&copy, not_canonical[i], 5) != RIBBON_OK, "form %zu",
			  i);
		free(copy.bytes);
	}
}

static void
test_header_size(void)
{
	Random random = {4};

	test("the header takes at most 16 bytes up to 3,000 keys, 40 up to 10^6");
	for (size_t n = 1; n < 1000000; n = n * 5 / 3 + 1)
	{
		uint64_t *keys = random_keys(&random, n);
		Built built = build(RIBBON_BURR, 64, 0.01, keys, n);

		CHECK(header_size(&built.filter) <= (n <= 3000 ? 16 : 40), "n %zu: %zu",
			  n, header_size(&built.filter));
		free(built.bytes);
		free(keys);
	}
}

/*
 * A homogeneous filter of 2^35 + 64 keys and as many slots of one bit: 4 GiB
 * and 8 bytes, which a 32-bit size would take for 8 bytes.
 */
static void
test_huge_header(void)
{
	static const uint8_t header[] = {0x41, 1,	 0,	   0,	 0xC0, 0x80, 0x80,
									 0x80, 0x80, 0x01, 0x00, 0,	   0};
	uint8_t bytes[40] = {0};
	Built copy;

	test("a header that calls for more than there can be is refused");
	memcpy(bytes, header, sizeof(header));
	CHECK(bytes_called_for(bytes, sizeof(header)) ==
			  (UINT64_C(1) << 32) + 8 + sizeof(header),
		  "bytes");
	for (size_t n = sizeof(header); n <= sizeof(bytes); n++)
	{
		CHECK(open_exact(&copy, bytes, n) == RIBBON_TRUNCATED, "%zu bytes: %s",
			  n, ribbon_status_text(copy.status));
		free(copy.bytes);
	}
}

/*
 * The most slots that zones may have to spare, and one more: a header states
 * them together with the rotation, if some keys are wide.
 */
static void
test_spare_slots(void)
{
	test("zones with as many slots as a header may call for");
	for (unsigned wide = 0; wide <= 900; wide += 900)
		for (unsigned more = 0; more < 2; more++)
		{
			uint8_t bytes[RIBBON_MAX_HEAD + RIBBON_MAX_HEADER];
			RibbonPlane plane;
			uint64_t nslots, called_for;

			ribbon_plane_init_empty(&plane);
			ribbon_plane_set_check(&plane, (RibbonResultBits){7, wide});
			plane.nkeys = plane.layer_keys[0] = 100;
			nslots = plane.nkeys + RIBBON_MAX_KEYS + more;
			ribbon_zones_set(&plane, plane.nkeys);
			for (unsigned z = 0; z < ribbon_plane_nzones(&plane); z++)
			{
				plane.systems[z].seed = 0;
				plane.systems[z].nslots = z + 1 < ribbon_plane_nzones(&plane) ?
					ribbon_zones_expected_slots(&plane, z, nslots) :
					nslots;
				nslots -= plane.systems[z].nslots;
			}
			plane.header_bytes = ribbon_format_encode(&plane, 1, bytes);
			ribbon_place_systems(&plane);
			called_for = bytes_called_for(bytes, plane.header_bytes);
			CHECK(called_for == (more > 0 ? 0 : plane.total_bytes),
				  "%u wide, %u more: %" PRIu64 " bytes", wide, more,
				  called_for);
		}
}

int
main(void)
{
	test_round_trip();
	test_changed_headers();
	test_changed_bodies();
	test_parts();
	test_lengths();
	test_damage();
	test_versions();
	test_header_size();
	test_huge_header();
	test_spare_slots();
	return test_done();
}
