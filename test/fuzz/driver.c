/*
 * driver.c - run the fuzz targets without a fuzzer
 *
 * usage: driver				the test: what was once found, seeds, mutations
 *		  driver TARGET FILE...	these inputs
 *		  driver TARGET -l		print how many bytes an input has at most
 *		  driver TARGET -s DIR	write the target's seeds into a directory
 *		  driver TARGET -n N [SEED]	N mutations, of another random sequence
 *		  driver TARGET -m N SEED FILE	write these mutations into a file, each
 *						as its length, in four bytes, and itself
 *
 * An input is in build/fuzz/current-TARGET while it runs: if the program ends
 * early, that is the reproducer.
 */
#define _DEFAULT_SOURCE

#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define FOUND "test/fuzz/found"

static const FuzzTarget *const targets[] = {&fuzz_filter,  &fuzz_probe,
											&fuzz_build,   &fuzz_store,
											&fuzz_set,	   &fuzz_keys,
											&fuzz_map,	   &fuzz_exact,
											&fuzz_library, NULL};

/* A file that holds the current input even after a crash; NULL: cannot be. */
static uint8_t *
map_current(const FuzzTarget *target, int *fd)
{
	char name[100];
	void *p;

	snprintf(name, sizeof(name), "build/fuzz/current-%s", target->name);
	*fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (*fd < 0)
		return NULL;
	p = mmap(NULL, FUZZ_MAX_INPUT, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	return p == MAP_FAILED ? NULL : p;
}

static bool
run(const FuzzTarget *target, const uint8_t *input, size_t size)
{
	static const FuzzTarget *mapped;
	static uint8_t *current;
	static int fd;

	if (mapped != target)
		current = map_current(target, &fd);
	mapped = target;
	if (current != NULL && ftruncate(fd, (off_t) size) == 0 && size > 0)
		memcpy(current, input, size);
	return target->run(input, size);
}

static void
run_file(const FuzzTarget *target, const char *name)
{
	uint8_t *input = malloc(FUZZ_MAX_INPUT);
	FILE *file = fopen(name, "rb");
	size_t size;

	CHECK(file != NULL, "cannot open %s", name);
	size = fread(input, 1, FUZZ_MAX_INPUT, file);
	fclose(file);
	run(target, input, size);
	free(input);
}

/* Inputs in found/ whose names begin with the target's; how many. */
static unsigned
run_found(const FuzzTarget *target)
{
	DIR *dir = opendir(FOUND);
	struct dirent *entry;
	unsigned n = 0;

	CHECK(dir != NULL, "no " FOUND);
	while ((entry = readdir(dir)) != NULL)
	{
		size_t length = strlen(target->name);
		char name[400];

		if (strncmp(entry->d_name, target->name, length) != 0 ||
			entry->d_name[length] != '-')
			continue;
		snprintf(name, sizeof(name), FOUND "/%s", entry->d_name);
		run_file(target, name);
		n++;
	}
	closedir(dir);
	printf("ok - %s: %u inputs found earlier\n", target->name, n);
	return n;
}

/* All that is in found/, but for a page about it. */
static unsigned
count_found(void)
{
	DIR *dir = opendir(FOUND);
	struct dirent *entry;
	unsigned n = 0;

	CHECK(dir != NULL, "no " FOUND);
	while ((entry = readdir(dir)) != NULL)
		n += strstr(entry->d_name, ".bin") != NULL;
	closedir(dir);
	return n;
}

/*
 * Make the i-th mutation of that before it, which is there; each eighth is one
 * of a random seed.  Returns its size.
 */
static size_t
mutate_next(const FuzzTarget *target, Random *random, unsigned nseeds,
			uint64_t i, uint8_t *input, size_t size)
{
	if (i % 8 == 0)
		size = target->seed((unsigned) random_below(random, nseeds), input,
							FUZZ_MAX_INPUT);
	return target->mutate(random, input, size, FUZZ_MAX_INPUT);
}

/* All seeds, then mutations of them. */
static void
run_mutations(const FuzzTarget *target, uint64_t n, uint64_t sequence)
{
	uint8_t *input = malloc(FUZZ_MAX_INPUT);
	Random random = {sequence};
	uint64_t good = 0;
	unsigned nseeds = 0;
	size_t size;

	while ((size = target->seed(nseeds, input, FUZZ_MAX_INPUT)) > 0)
	{
		CHECK(run(target, input, size), "seed %u is not good", nseeds);
		nseeds++;
	}
	for (uint64_t i = 0; i < n; i++)
	{
		size = mutate_next(target, &random, nseeds, i, input, size);
		good += run(target, input, size);
	}
	CHECK(good > n / 20, "only %" PRIu64 " were of the right form", good);
	printf("ok - %s: %u seeds, %" PRIu64 " mutations, %" PRIu64
		   " of the right form\n",
		   target->name, nseeds, n, good);
	free(input);
}

static void
write_seeds(const FuzzTarget *target, const char *dir)
{
	uint8_t *seed = malloc(FUZZ_MAX_INPUT);
	size_t size;

	for (unsigned i = 0; (size = target->seed(i, seed, FUZZ_MAX_INPUT)) > 0;
		 i++)
	{
		char name[400];
		FILE *file;

		snprintf(name, sizeof(name), "%s/seed-%03u", dir, i);
		file = fopen(name, "wb");
		CHECK(file != NULL && fwrite(seed, 1, size, file) == size &&
				  fclose(file) == 0,
			  "%s", name);
	}
	free(seed);
}

/* Mutations as run_mutations makes them, for other programs to try. */
static void
write_mutations(const FuzzTarget *target, uint64_t n, uint64_t sequence,
				const char *name)
{
	uint8_t *input = malloc(FUZZ_MAX_INPUT);
	FILE *file = fopen(name, "wb");
	Random random = {sequence};
	unsigned nseeds = 0;
	size_t size = 0;

	while (target->seed(nseeds, input, FUZZ_MAX_INPUT) > 0)
		nseeds++;
	CHECK(file != NULL, "%s", name);
	for (uint64_t i = 0; i < n; i++)
	{
		size = mutate_next(target, &random, nseeds, i, input, size);
		for (unsigned k = 0; k < 4; k++)
			CHECK(fputc((int) (size >> 8 * k & 255), file) != EOF, "%s", name);
		CHECK(fwrite(input, 1, size, file) == size, "%s", name);
	}
	CHECK(fclose(file) == 0, "%s", name);
	free(input);
}

static const FuzzTarget *
find_target(const char *name)
{
	for (const FuzzTarget *const *t = targets; *t != NULL; t++)
		if (strcmp((*t)->name, name) == 0)
			return *t;
	fprintf(stderr, "there is no target %s\n", name);
	exit(2);
}

int
main(int argc, char **argv)
{
	const FuzzTarget *target;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc < 2)
	{
		unsigned nfound = 0;

		for (const FuzzTarget *const *t = targets; *t != NULL; t++)
		{
			nfound += run_found(*t);
			run_mutations(*t, (*t)->ntests, 1);
		}
		CHECK(nfound == count_found(), "%u of " FOUND, nfound);
		return 0;
	}
	target = find_target(argv[1]);
	if (argc > 2 && strcmp(argv[2], "-l") == 0)
		printf("%zu\n", target->most);
	else if (argc > 3 && strcmp(argv[2], "-s") == 0)
		write_seeds(target, argv[3]);
	else if (argc > 5 && strcmp(argv[2], "-m") == 0)
		write_mutations(target, strtoull(argv[3], NULL, 10),
						strtoull(argv[4], NULL, 10), argv[5]);
	else if (argc > 3 && strcmp(argv[2], "-n") == 0)
		run_mutations(target, strtoull(argv[3], NULL, 10),
					  argc > 4 ? strtoull(argv[4], NULL, 10) : 1);
	else
		for (int i = 2; i < argc; i++)
			run_file(target, argv[i]);
	return 0;
}
