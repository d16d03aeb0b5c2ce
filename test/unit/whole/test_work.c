/*
 * test_work.c - what calls ask of their caller: memory, looks for interrupts,
 * a file
 *
 * How often is the same on every machine, as it depends on what is done, not on
 * who does it.  So is how much memory, and in which order, on all that have
 * pointers of 64 bits.  What is tried once more than it was, or looked for less
 * often, memory that is larger, or given back later, a file that is read
 * elsewhere, and progress that is told wrongly, show here, even where the bytes
 * are the same.  A change that means to ask for more or less changes these
 * numbers: "test_work --write" prints them.
 */
#include "exact.h"
#include "hostile.h"
#include "kernels.h"
#include "sets.h"
#include "records.h"

#include "format/icml.h"
#include "set/sort.h"
#include "values/texts.h"

/*
 * Allocations, looks for interrupts, calls of a file, tasks for threads, the
 * most bytes of memory at a time; and a digest of all of these in their order,
 * with sizes and places, and of the progress that is told.
 */
typedef struct Work
{
	long allocations, looks, calls, tasks, most;
	uint64_t digest;
} Work;

/* In the order in which they are asked for. */
static const Work works[] = {
	/* while memory is cleared or copied, a look every 4 MB */
	/* sorting looks for interrupts every 65,536 elements of a pass */
	{0, 0, 0, 0, 0, UINT64_C(0xB4B2797457A0A6E4)},
	{0, 0, 0, 0, 0, UINT64_C(0xB4B2797457A0A6E4)},
	{1, 1, 0, 0, 136, UINT64_C(0x75B349859DA87772)},
	{1, 1, 0, 0, 272, UINT64_C(0x7BB1209420958BFE)},
	{1, 3, 0, 0, 524288, UINT64_C(0x2DD9D129CAA3BC65)},
	{1, 3, 0, 0, 1048576, UINT64_C(0x0E7E4CE87BAD41E3)},
	{1, 5, 0, 0, 524296, UINT64_C(0xA0F9BD13AE3A30B7)},
	{1, 5, 0, 0, 1048592, UINT64_C(0xE5223BEF921C7080)},
	{1, 14, 0, 0, 2400000, UINT64_C(0x7F3695C4C3183A57)},
	{1, 15, 0, 0, 4800000, UINT64_C(0xC429911F2C043B5C)},
	{1, 28, 0, 0, 2400000, UINT64_C(0x5DD8AA0EB088044B)},
	{1, 29, 0, 0, 4800000, UINT64_C(0x9C8AFBD6AD6E6E12)},
	{1, 28, 0, 0, 2400000, UINT64_C(0x5DD8AA0EB088044B)},
	{1, 29, 0, 0, 4800000, UINT64_C(0x9C8AFBD6AD6E6E12)},
	{1, 14, 0, 0, 2400000, UINT64_C(0x7F3695C4C3183A57)},
	{1, 15, 0, 0, 4800000, UINT64_C(0xC429911F2C043B5C)},
	{1, 14, 0, 0, 2400000, UINT64_C(0x7F3695C4C3183A57)},
	{1, 15, 0, 0, 4800000, UINT64_C(0xC429911F2C043B5C)},
	{1, 64, 0, 0, 2400000, UINT64_C(0x527E3186D8F7F50C)},
	{1, 65, 0, 0, 4800000, UINT64_C(0x97AE7EB75DD5D328)},
	/* so does dropping duplicates */
	{0, 1, 0, 0, 0, UINT64_C(0xFBF6D43D83A9F2BF)},
	{0, 4, 0, 0, 0, UINT64_C(0x92E4C16C2C127993)},
	{1, 26, 0, 0, 2097152, UINT64_C(0x7F12A851B552AD4F)},
	{1, 17, 0, 0, 2097160, UINT64_C(0x970EFEA33E1E1A00)},
	{1, 12, 0, 0, 1120000, UINT64_C(0x990DEFDF648EBC5A)},
	{0, 1, 0, 0, 0, UINT64_C(0xFBF6D43D83A9F2BF)},
	{0, 4, 0, 0, 0, UINT64_C(0x92E4C16C2C127993)},
	{1, 26, 0, 0, 4194304, UINT64_C(0x0C8A5CC7BF13C5CA)},
	{1, 18, 0, 0, 4194320, UINT64_C(0xB6F2F38B79F7FBB8)},
	{1, 12, 0, 0, 2240000, UINT64_C(0x75F7D493DEA73D68)},
	{0, 1, 0, 0, 0, UINT64_C(0xFBF6D43D83A9F2BF)},
	{0, 4, 0, 0, 0, UINT64_C(0x92E4C16C2C127993)},
	{1, 26, 0, 0, 4194304, UINT64_C(0x0C8A5CC7BF13C5CA)},
	{1, 18, 0, 0, 4194320, UINT64_C(0xB6F2F38B79F7FBB8)},
	{2, 32, 0, 0, 2240000, UINT64_C(0x5E6DACB82F481C00)},
	/* a set in a file is written and read in runs */
	{4, 5, 5, 0, 32928, UINT64_C(0xF1B3F0B770B23A60)},
	{7, 14, 13, 0, 640448, UINT64_C(0x995F6DFB2C318E64)},
	{778, 1807, 1536, 0, 1098416, UINT64_C(0x86231DB6034B4E14)},
	{523, 1551, 1536, 21, 3195568, UINT64_C(0x75CE303FFFF826F3)},
	{525, 1537, 1536, 8, 1098432, UINT64_C(0x09AFC9B2CBC1F463)},
	{778, 1283, 1024, 0, 3728896, UINT64_C(0x906AE3CD61245DCD)},
	{24, 32, 31, 0, 640448, UINT64_C(0x28199E8867633D3F)},
	{799, 2766, 2509, 0, 2583760, UINT64_C(0xB4669CA3FBD1F20B)},
	{12, 13, 10, 0, 48320, UINT64_C(0x4921A992FFDFF342)},
	{1553, 2309, 1796, 0, 2179944, UINT64_C(0xE87255C818A93309)},
	{1301, 2572, 2058, 0, 2301896, UINT64_C(0x153F24D1B3587D8F)},
	{1303, 2572, 2058, 0, 2370304, UINT64_C(0xF01360C0784578DC)},
	/* texts of a map */
	{5, 0, 0, 0, 856, UINT64_C(0x5711C797A16B8B43)},
	{5, 1, 0, 0, 903, UINT64_C(0xE46D532FE59ECCBA)},
	{8, 5, 0, 0, 1278, UINT64_C(0xBB222DA524F3C119)},
	{14, 49, 0, 0, 11880, UINT64_C(0x9BE831F87230B2FA)},
	{27, 3000, 0, 0, 715392, UINT64_C(0xCA33E6CACD88B28B)},
	/* filters */
	{1, 2, 0, 0, 8, UINT64_C(0x87907CC2238CDB3D)},
	{5, 8, 0, 0, 3541, UINT64_C(0xB944E9552E51CB2C)},
	{18, 13, 0, 0, 103586, UINT64_C(0xB5DB4C92582F6D2C)},
	{40, 360, 0, 0, 1200000, UINT64_C(0x00A622FDBF0E6ABC)},
	{1, 2, 0, 0, 8, UINT64_C(0x87907CC2238CDB3D)},
	{5, 8, 0, 0, 3541, UINT64_C(0xB944E9552E51CB2C)},
	{18, 13, 0, 0, 103586, UINT64_C(0xB5DB4C92582F6D2C)},
	{68, 180, 0, 0, 1200000, UINT64_C(0xC8AF7B5BEE51D3A3)},
	{1, 2, 0, 0, 8, UINT64_C(0x87907CC2238CDB3D)},
	{5, 8, 0, 0, 3541, UINT64_C(0xB944E9552E51CB2C)},
	{13, 15, 0, 0, 142826, UINT64_C(0x980703D1567E9BB6)},
	{24, 98, 0, 0, 1200000, UINT64_C(0xE87143110A8C7BD3)},
	{1, 2, 0, 0, 8, UINT64_C(0x87907CC2238CDB3D)},
	{7, 8, 0, 0, 55611, UINT64_C(0x15CAED4372B83E31)},
	{7, 10, 0, 0, 72596, UINT64_C(0x558A6FD81D4B76EB)},
	{7, 622, 0, 0, 1200000, UINT64_C(0x3D29227B045BD753)},
	{1, 2, 0, 0, 8, UINT64_C(0x87907CC2238CDB3D)},
	{7, 8, 0, 0, 55878, UINT64_C(0xC8EF389311D2A05E)},
	{7, 8, 0, 0, 84318, UINT64_C(0xD91D6BDDBCA25A30)},
	{7, 181, 0, 0, 1503123, UINT64_C(0xFDCF06BDAE7E1392)},
	{1, 2, 0, 0, 8, UINT64_C(0x87907CC2238CDB3D)},
	{7, 8, 0, 0, 56462, UINT64_C(0xB4DF9A6801957A50)},
	{7, 8, 0, 0, 108392, UINT64_C(0xFFC400C517ACFC6E)},
	{7, 115, 0, 0, 2701455, UINT64_C(0xF0A720F2C8A595F0)},
	{40, 593, 256, 0, 4738114, UINT64_C(0x2F132E3BF95C0087)},
	{54, 455, 256, 3, 6525100, UINT64_C(0x157520D0B8B23C1A)},
	{8, 713, 256, 0, 5375670, UINT64_C(0xEA41F12D67B037AB)},
	{13, 12, 0, 0, 57484, UINT64_C(0xCFE25C2D17D53AD7)},
	{7, 8, 0, 0, 66181, UINT64_C(0x346E7D89C0D1842C)},
	/* filters of keys that were chosen */
	{17, 16, 0, 0, 92255, UINT64_C(0xE1A16694EE298900)},
	{17, 25, 0, 0, 92318, UINT64_C(0xB50C8086B8F052D3)},
	{13, 14, 0, 0, 83159, UINT64_C(0x1CA299C38A50FAA8)},
	{13, 16, 0, 0, 82676, UINT64_C(0xD054A3AFB1DEAA8C)},
	{13, 14, 0, 0, 82676, UINT64_C(0x778269A44BCF47FE)},
	{13, 12, 0, 0, 82676, UINT64_C(0xB46B51165DD7D2EF)},
	{16, 17, 0, 0, 92780, UINT64_C(0x4B920D2A76377337)},
	{16, 16, 0, 0, 92612, UINT64_C(0xC4E4296BD5BA441E)},
	{13, 11, 0, 0, 83138, UINT64_C(0xD2B89FE4B5B49FA7)},
	{17, 14, 0, 0, 92507, UINT64_C(0xC10E7518ADE1EAC9)},
	{14, 20, 0, 0, 89590, UINT64_C(0x47A43D1B91C5E542)},
	{13, 11, 0, 0, 82655, UINT64_C(0xA4BC5C154EDB049F)},
	{14, 15, 0, 0, 83159, UINT64_C(0x12ED34C47970B356)},
	{13, 20, 0, 0, 82949, UINT64_C(0x2288EFF41468FDA1)},
	{13, 11, 0, 0, 82671, UINT64_C(0x53DCE4766B9086A4)},
	{17, 15, 0, 0, 92381, UINT64_C(0x02AF9A99D6011D67)},
	{13, 13, 0, 0, 82928, UINT64_C(0x2FF7540488A9EC64)},
	{15, 12, 0, 0, 76322, UINT64_C(0x8234498B38F62FCF)},
	{15, 12, 0, 0, 76322, UINT64_C(0x8234498B38F62FCF)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{15, 12, 0, 0, 76322, UINT64_C(0x8234498B38F62FCF)},
	{15, 12, 0, 0, 76322, UINT64_C(0x8234498B38F62FCF)},
	{15, 12, 0, 0, 76322, UINT64_C(0x8234498B38F62FCF)},
	{14, 11, 0, 0, 76322, UINT64_C(0xDBD8250356087874)},
	{14, 11, 0, 0, 76322, UINT64_C(0xDBD8250356087874)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	{15, 12, 0, 0, 76272, UINT64_C(0x26CA83C34CA31B01)},
	{15, 12, 0, 0, 76322, UINT64_C(0x8234498B38F62FCF)},
	{7, 8, 0, 0, 66722, UINT64_C(0x0BCE23B7C6155F17)},
	/* filters that shrink */
	{1, 1, 0, 0, 55, UINT64_C(0x2557A8B6F7AFD4B1)},
	{1, 1, 0, 0, 79491, UINT64_C(0xF0D66CF8ADEAA73A)},
	{1, 1, 0, 0, 61, UINT64_C(0xF746F6F12E6E83B2)},
	{1, 74, 0, 0, 87924, UINT64_C(0x75EBAEA32C6392A5)},
	/* maps */
	{8, 7, 0, 0, 73166, UINT64_C(0xB7AA6872D3938095)},
	{49, 69, 0, 0, 579141, UINT64_C(0x6CDE07A627D5213E)},
	{190, 177, 0, 0, 1246424, UINT64_C(0x4ADA00967DC6D5BC)},
	{80, 48, 0, 0, 813498, UINT64_C(0xF0CE546E6B04EEAD)},
	{184, 158, 0, 0, 1253353, UINT64_C(0x2FA3F2DAB6688A4B)},
	{28, 13, 0, 0, 73166, UINT64_C(0x8A4EBD3028C24AC3)},
	{63, 291, 256, 0, 13489745, UINT64_C(0xA79ABB42A644E0BC)},
	/* exact sets */
	{3, 4, 0, 0, 4800, UINT64_C(0xC9F42880CD8D796D)},
	{45, 64, 0, 0, 12174, UINT64_C(0xCBC3C1054D7B75A7)},
	{9, 10, 0, 0, 238319, UINT64_C(0x868064BA002C9CA3)},
	{48, 42, 0, 0, 117064, UINT64_C(0x6503EC354A9E5E72)},
	{10, 14, 0, 0, 57409, UINT64_C(0x7A49AD7A8AAFB87C)},
	{7, 10, 0, 0, 48000, UINT64_C(0x2BB4BDA91B49D7C7)},
	{34, 57, 0, 0, 4800000, UINT64_C(0x26F9BBDBCA5FD46B)},
	{35, 297, 256, 0, 7791669, UINT64_C(0x0CBCE58D90F5A1D7)},
};

#define NWORKS (sizeof(works) / sizeof(works[0]))

static size_t nworks;
static bool writing;

/* A world that notes what it is asked for. */
static RibbonDigest noted;

static void
begin_work(World *world, unsigned nthreads)
{
	world_init(world, nthreads);
	ribbon_digest_init(&noted);
	world->noted = &noted;
}

/* Has it asked for what comes next, and given all back? */
static void
check_work(const char *what, const World *world)
{
	Work work = {world->allocations, world->looks,
				 world->calls,		 world->tasks,
				 (long) world->most, ribbon_digest_end(&noted)};
	Work expected = {.allocations = -1};

	if (nworks < NWORKS)
		expected = works[nworks];
	if (sizeof(void *) < 8) /* what has pointers is smaller */
	{
		work.most = expected.most;
		work.digest = expected.digest;
	}
	CHECK(world->live == 0, "%s: %ld left", what, world->live);
	if (writing)
		printf("\t{%ld, %ld, %ld, %ld, %ld, UINT64_C(0x%016" PRIX64 ")},\n",
			   work.allocations, work.looks, work.calls, work.tasks, work.most,
			   work.digest);
	else
		CHECK(memcmp(&work, &expected, sizeof(work)) == 0,
			  "%s: {%ld, %ld, %ld, %ld, %ld, 0x%016" PRIX64 "}", what,
			  work.allocations, work.looks, work.calls, work.tasks, work.most,
			  work.digest);
	nworks++;
}

static void
begin(const char *name)
{
	if (writing)
		printf("\t/* %s */\n", name);
	else
		test(name);
}

/* Memory is cleared, copied and touched, 4 MB at a time. */
static void
test_memory(void)
{
	static const size_t around[] = {0, 4, 8, 12};
	const size_t most = (size_t) 13 << 20;
	uint8_t *to = malloc(most), *from = malloc(most);

	begin("while memory is cleared or copied, a look every 4 MB");
	memset(from, 5, most);
	for (int i = 0; i < 4; i++)
		for (size_t size = (around[i] << 20) - (i > 0);
			 size <= (around[i] << 20) + 1; size++)
		{
			long parts = (long) ((size + (4 << 20) - 1) >> 22);
			World world;

			world_init(&world, 1);
			memset(to, 7, most);
			CHECK(ribbon_zero(&world.env, to, size) == RIBBON_OK &&
					  world.looks == parts,
				  "%zu bytes: %ld", size, world.looks);
			CHECK((size == 0 || (to[0] == 0 && to[size - 1] == 0)) &&
					  to[size] == 7,
				  "%zu bytes", size);
			CHECK(ribbon_copy(&world.env, to, from, size) == RIBBON_OK &&
					  world.looks == 2 * parts,
				  "%zu bytes: %ld", size, world.looks);
			CHECK((size == 0 || (to[0] == 5 && to[size - 1] == 5)) &&
					  to[size] == 7,
				  "%zu bytes", size);
			world.looks = 0;
			CHECK(ribbon_touch(&world.env, to, size) == RIBBON_OK &&
					  world.looks == parts,
				  "%zu bytes: %ld", size, world.looks);
			for (long part = 1; part <= parts; part++)
			{
				world_init(&world, 1);
				world.interrupt_at = part;
				CHECK(ribbon_zero(&world.env, to, size) == RIBBON_INTERRUPTED &&
						  world.looks == part,
					  "%zu bytes, look %ld", size, part);
				world_init(&world, 1);
				world.interrupt_at = part;
				CHECK(ribbon_copy(&world.env, to, from, size) ==
							  RIBBON_INTERRUPTED &&
						  world.looks == part,
					  "%zu bytes, look %ld", size, part);
			}
		}
	free(to);
	free(from);
}

#define RANDOM (-1)
#define NESTED (-2)

/* Of these, half agree in a bit more, and so on: large pieces in large ones. */
static uint64_t
nested(Random *random)
{
	unsigned common = (unsigned) random_below(random, 64);

	return (random_next(random) | UINT64_C(1) << 63) >> common;
}

/* Sort n hashes of a family, or random ones; as records, too. */
static void
check_sort(int aim, size_t n)
{
	Random random = {n};

	for (int kind = RIBBON_HASHES; kind <= RIBBON_MAP_RECORDS; kind++)
	{
		Elements elements = elements_create((RibbonElementKind) kind, n);
		char what[100];
		World world;

		for (size_t i = 0; i < n; i++)
			elements_set(&elements, i,
						 aim == NESTED ? nested(&random) :
							 aim < 0   ? random_next(&random) :
										 hostile((Aim) aim, i, 0),
						 i);
		begin_work(&world, 1);
		CHECK(ribbon_sort(&world.env, ribbon_element_stride(elements.kind),
						  elements.words, n, NULL) == RIBBON_OK,
			  "sort");
		snprintf(what, sizeof(what), "%d, %zu %s", aim, n,
				 kind == RIBBON_HASHES ? "hashes" : "records");
		check_work(what, &world);
		free(elements.words);
	}
}

/* n elements, each of which comes so many times. */
static void
check_distinct(RibbonElementKind kind, size_t n, size_t times, bool sorted)
{
	Elements elements = elements_create(kind, n);
	uint64_t conflict[4];
	char what[100];
	World world;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t number = i / times + 1;

		elements_set(&elements, i,
					 sorted ? number << 40 : ribbon_mix(number % (n / times)),
					 2 * number);
	}
	if (kind == RIBBON_EXACT_RECORDS && sorted)
		for (size_t i = 0; i < n; i++)
			elements.words[2 * i + 1] = 2 * (i % times);
	begin_work(&world, 1);
	CHECK(ribbon_distinct(&world.env, kind, elements.words, &elements.n,
						  conflict) == RIBBON_OK,
		  "distinct");
	snprintf(what, sizeof(what), "kind %d, %zu elements, each %zu times", kind,
			 n, times);
	check_work(what, &world);
	free(elements.words);
}

/* A set in a file: filled, sealed, read. */
static void
check_set(RibbonElementKind kind, size_t n, unsigned nthreads, Adding how)
{
	Random random = {n};
	Elements elements = elements_random(&random, kind, n, 0);
	Elements read;
	World world;
	WorldFile file;
	RibbonSet set;
	char what[100];

	begin_work(&world, nthreads);
	world_file_init(&file, &world, 65536);
	CHECK(sets_fill(&world, &file, &elements, how, 1 + n / 3, &set) ==
			  RIBBON_OK,
		  "fill");
	read = sets_elements(&set, kind);
	CHECK(read.n == set.n, "%zu of %zu", read.n, (size_t) set.n);
	free(read.words);
	ribbon_set_close(&set);
	world_file_close(&file);
	snprintf(what, sizeof(what), "kind %d, %zu elements, %u threads, way %d",
			 kind, n, nthreads, how);
	check_work(what, &world);
	free(elements.words);
}

/* Ranges of a set in a file, with room or without, and all of it. */
static void
check_ranges(RibbonElementKind kind, size_t n)
{
	static const uint64_t ends[][2] = {
		{0, UINT64_MAX},
		{UINT64_C(0x1111) << 48, UINT64_C(0x5111) << 48},
		{UINT64_C(0x1011) << 48, UINT64_C(0x1012) << 48},
		{UINT64_C(0xFE11) << 48, UINT64_MAX},
		{5, 4},
	};
	Random random = {n};
	Elements elements = elements_random(&random, kind, n, 0);
	World world;
	WorldFile file;
	RibbonSet set;
	Elements read;
	char what[100];

	begin_work(&world, 1);
	world_file_init(&file, &world, 65536);
	CHECK(sets_fill(&world, &file, &elements, ADD, 1 + n / 3, &set) ==
			  RIBBON_OK,
		  "fill");
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		for (int with_room = 0; with_room < 2; with_room++)
		{
			RibbonSetRange range = {.room = NULL};

			RibbonStatus status =
				ribbon_set_read(&world.env, &set, ends[i][0], ends[i][1],
								with_room ? n / 3 : UINT64_MAX, &range);

			CHECK(status ==
					  (with_room && range.n > n / 3 ? RIBBON_TOO_MANY :
													  RIBBON_OK),
				  "read: %d", status);
			ribbon_digest_add(&noted, range.n);
			ribbon_range_free(&world.env, &range);
		}
	read = sets_elements(&set, kind);
	CHECK(read.n == set.n, "%zu of %zu", read.n, (size_t) set.n);
	free(read.words);
	ribbon_set_close(&set);
	world_file_close(&file);
	snprintf(what, sizeof(what), "kind %d, ranges of %zu elements", kind, n);
	check_work(what, &world);
	free(elements.words);
}

/* A set of a elements absorbs one of b, which are of one file, or of two. */
static void
check_absorb(size_t a, size_t b, bool same)
{
	Random random = {a + b};
	Elements elements = elements_random(&random, RIBBON_HASHES, a + b, 0);
	Elements other = elements_copy(&elements, a, b);
	World world;
	WorldFile files[2];
	RibbonSet set, from;
	char what[100];

	elements.n = a;
	begin_work(&world, 1);
	world_file_init(&files[0], &world, 32768);
	world_file_init(&files[1], &world, 32768);
	CHECK(sets_fill(&world, &files[0], &elements, ADD, 9000, &set) ==
				  RIBBON_OK &&
			  sets_fill(&world, &files[same ? 0 : 1], &other, COLLECT, 9000,
						&from) == RIBBON_OK &&
			  ribbon_set_absorb(&set, &from) == RIBBON_OK &&
			  ribbon_set_seal(&set) == RIBBON_OK,
		  "absorb");
	ribbon_set_close(&from);
	ribbon_set_close(&set);
	world_file_close(&files[0]);
	world_file_close(&files[1]);
	snprintf(what, sizeof(what), "%zu elements absorb %zu", a, b);
	check_work(what, &world);
	free(elements.words);
	free(other.words);
}

/* Texts of a map: collected, and put into a dictionary. */
static void
check_texts(uint32_t n, uint32_t size)
{
	static const uint8_t head[] = "\003abc\002de";
	Random random = {n};
	RibbonValues values = {.has_null = n % 2 == 0};
	RibbonTexts texts;
	char text[300], what[100];
	World world;

	begin_work(&world, 1);
	CHECK(ribbon_texts_init(&texts, &world.env, head, sizeof(head) - 1, 5) ==
			  RIBBON_OK,
		  "init");
	for (uint32_t i = 0; i < n; i++)
	{
		snprintf(text, sizeof(text), "%0*u", (int) size, i * 11 % n);
		CHECK(ribbon_texts_add(&texts, &world.env, random_next(&random), text,
							   size) == RIBBON_OK,
			  "add");
		ribbon_digest_add(&noted, texts.nslots);
	}
	CHECK(ribbon_texts_set_codes(&texts, &world.env, &values) == RIBBON_OK,
		  "codes");
	ribbon_digest_add(&noted, texts.nslots);
	for (size_t i = 0; i < values.ndictionary; i++)
		ribbon_digest_add(&noted, values.dictionary[i]);
	world_free(&world, (uint8_t *) values.dictionary);
	ribbon_texts_free(&texts, &world.env);
	snprintf(what, sizeof(what), "%u texts of %u bytes", n, size);
	check_work(what, &world);
}

/* Build of n elements, in an array or in a file. */
static void
check_build(const RibbonParams *params, const uint64_t *words, size_t n,
			unsigned nthreads, const char *what)
{
	size_t stride = ribbon_element_stride(ribbon_params_elements(params));
	uint64_t *copy = malloc((n + 1) * stride * sizeof(uint64_t));
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	WorldSet stored;
	World world;

	memcpy(copy, words, n * stride * sizeof(uint64_t));
	begin_work(&world, nthreads > 0 ? nthreads : 1);
	if (nthreads > 0)
		world_set_create(&stored, &world, ribbon_params_elements(params), words,
						 n);
	CHECK((nthreads > 0 ? ribbon_build(&world.env, params, &stored.set, 3,
									   &bytes, &nbytes) :
						  array_build(&world.env, params, copy, n, 3, &bytes,
									  &nbytes)) == RIBBON_OK,
		  "%s", what);
	world_free(&world, bytes);
	check_work(what, &world);
	if (nthreads > 0)
		world_set_close(&stored);
	free(copy);
}

static void
check_filter(RibbonKind kind, int width, double fpr, size_t n,
			 unsigned nthreads)
{
	Random random = {n};
	uint64_t *keys = random_keys(&random, n);
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = fpr,
						   .key_class = 1};
	char what[100];

	snprintf(what, sizeof(what), "%s, w = %d, rate %g, %zu keys, %u threads",
			 kind_name(kind), width, fpr, n, nthreads);
	check_build(&params, keys, n, nthreads, what);
	free(keys);
}

static void
check_hostile(RibbonKind kind, Aim aim)
{
	const size_t n = 1200;
	uint64_t keys[1200];
	RibbonParams params = {.kind = kind, .fpr = 0.02, .key_class = 1};

	for (size_t i = 0; i < n; i++)
		keys[i] = hostile(aim, i, 0);
	check_build(&params, keys, n, 0, aims[aim]);
}

static void
check_map(Skew skew, double fpr, RibbonCoding coding, size_t n,
		  unsigned nthreads)
{
	Random random = {n};
	uint64_t *records = skewed_records(&random, skew, n);
	MapParams params = map_params(0, fpr, skewed_bits(skew));
	RibbonValues values;
	RibbonParams core;
	char what[100];

	params.coding = coding;
	core = maps_params(&params, &values);
	snprintf(what, sizeof(what), "%s, rate %g, coding %d, %zu keys",
			 skewed_name(skew), fpr, coding, n);
	check_build(&core, records, n, nthreads, what);
	free(records);
}

static void
check_exact_set(size_t n, size_t nmembers, double fpr, unsigned nthreads)
{
	Random random = {n};
	uint64_t *records = exact_records(&random, n, nmembers);
	RibbonParams params = exact_params(0);
	char what[100];

	params.fpr = fpr;
	snprintf(what, sizeof(what), "%zu members of %zu, rate %g", nmembers, n,
			 fpr);
	check_build(&params, records, n, nthreads, what);
	free(records);
}

/* Shrink a filter, and check it. */
static void
check_shrink(RibbonKind kind, size_t n, double fpr)
{
	Random random = {n};
	uint64_t *keys = random_keys(&random, n);
	Built built = build(kind, 0, 0.001, keys, n);
	uint8_t *bytes = NULL;
	size_t nbytes;
	char what[100];
	World world;

	begin_work(&world, 1);
	CHECK(ribbon_check(&world.env, &built.filter) == RIBBON_OK &&
			  world.allocations == 0,
		  "check");
	CHECK(ribbon_shrink(&world.env, &built.filter, fpr, 0, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "shrink");
	world_free(&world, bytes);
	snprintf(what, sizeof(what), "%s, %zu keys, to %g", kind_name(kind), n,
			 fpr);
	check_work(what, &world);
	free(built.bytes);
	free(keys);
}

static void
test_sets(void)
{
	begin("sorting looks for interrupts every 65,536 elements of a pass");
	check_sort(RANDOM, 16);
	check_sort(RANDOM, 17);
	check_sort(RANDOM, 65536);
	check_sort(RANDOM, 65537);
	check_sort(RANDOM, 300000);
	check_sort(AIM_ONE_START, 300000);
	check_sort(AIM_PARTITION_16, 300000);
	check_sort(AIM_PLACES, 300000);
	check_sort(AIM_PEELED, 300000);
	check_sort(NESTED, 300000);

	begin("so does dropping duplicates");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
	{
		RibbonElementKind of = (RibbonElementKind) kind;

		check_distinct(of, 65536, 1, true);
		check_distinct(of, 262144, 1, true);
		check_distinct(of, 262144, 4, true);
		check_distinct(of, 262145, 5, false);
		check_distinct(of, 140000, 140000, true);
	}

	begin("a set in a file is written and read in runs");
	check_set(RIBBON_HASHES, 3, 1, ADD);
	check_set(RIBBON_HASHES, 40000, 1, ADD);
	check_set(RIBBON_HASHES, 400000, 1, ADD);
	check_set(RIBBON_HASHES, 400000, 3, COLLECT);
	check_set(RIBBON_MAP_RECORDS, 100000, 2, GROW);
	check_set(RIBBON_EXACT_RECORDS, 100000, 1, COLLECT);
	check_ranges(RIBBON_HASHES, 40000);
	check_ranges(RIBBON_MAP_RECORDS, 90000);
	check_absorb(100, 3000, false);
	check_absorb(3000, 40000, true);
	check_absorb(40000, 3000, false);
	check_absorb(40000, 30000, true);

	begin("texts of a map");
	check_texts(0, 3);
	check_texts(1, 9);
	check_texts(5, 7);
	check_texts(49, 4);
	check_texts(3000, 21);
}

static void
test_filters(void)
{
	begin("filters");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			check_filter(test_kinds[k], test_widths[w], 0.01, 0, 0);
			check_filter(test_kinds[k], test_widths[w], 0.01, 50, 0);
			check_filter(test_kinds[k], test_widths[w], 0.01, 3000, 0);
			check_filter(test_kinds[k], test_widths[w], 0.01, 150000, 0);
		}
	check_filter(RIBBON_BURR, 64, 0.01, 400000, 1);
	check_filter(RIBBON_BURR, 64, 0.01, 400000, 3);
	check_filter(RIBBON_HOMOGENEOUS, 64, 0.01, 400000, 2);

	check_filter(RIBBON_HOMOGENEOUS, 32, 1.3 * RIBBON_MIN_FPR, 125, 0);
	check_filter(RIBBON_HOMOGENEOUS, 64, RIBBON_MIN_FPR, 700, 0);

	begin("filters of keys that were chosen");
	for (int k = 0; k < 2; k++)
		for (int aim = 0; aim < AIM_COUNT; aim++)
		{
			check_hostile(test_kinds[k], (Aim) aim);
		}

	begin("filters that shrink");
	check_shrink(RIBBON_BURR, 50, 0.01);
	check_shrink(RIBBON_BURR, 100000, 0.013);
	check_shrink(RIBBON_HOMOGENEOUS, 50, 0.01);
	check_shrink(RIBBON_HOMOGENEOUS, 100000, 0.013);
}

static void
test_maps(void)
{
	begin("maps");
	check_map(SKEW_UNIFORM, 1, RIBBON_CODE_PLAIN, 400, 0);
	check_map(SKEW_FAR, 0.01, RIBBON_CODE_PLAIN, 20000, 0);
	check_map(SKEW_GEOMETRIC, 0.1, RIBBON_CODE_ENTROPY, 20000, 0);
	check_map(SKEW_MOSTLY, 1, RIBBON_CODE_ENTROPY, 20000, 0);
	check_map(SKEW_ZIPF, 0.01, RIBBON_CODE_AUTO, 20000, 0);
	check_map(SKEW_UNIFORM, 1, RIBBON_CODE_AUTO, 400, 0);
	check_map(SKEW_RARE, 1, RIBBON_CODE_AUTO, 300000, 2);

	begin("exact sets");
	check_exact_set(300, 0, 1, 0);
	check_exact_set(300, 5, 1, 0);
	check_exact_set(3000, 1500, 1, 0);
	check_exact_set(3000, 2900, 1, 0);
	check_exact_set(3000, 30, 0.01, 0);
	check_exact_set(3000, 30, 1e-6, 0);
	check_exact_set(300000, 4000, 1, 0);
	check_exact_set(300000, 4000, 0.2, 2);
}

int
main(int argc, char **argv)
{
	writing = argc > 1 && strcmp(argv[1], "--write") == 0;
	/* other kernels solve other numbers of rows at a time */
	ribbon_kernel_use(RIBBON_KERNEL_PORTABLE);
	test_memory();
	test_sets();
	test_filters();
	test_maps();
	CHECK(writing || nworks == NWORKS, "%zu, not %zu", nworks, NWORKS);
	return test_done();
}
