/*
 * store.c - keys that do not fit into memory, in temporary files
 *
 * Hashes (or records of a hash and a value word) come in any order.  Those that
 * are written together are sorted, and cut into 256 parts by their highest
 * bits: of each part the file has extents, one for each time.
 *
 *	 unsorted   | 02.. | 8f.. 8f.. | d1.. |  02.. 02.. | 8f.. |
 *	 sorted     | 02.. 02.. 02.. | 8f.. 8f.. 8f.. | d1.. |
 *
 * Sealing sorts part after part in memory, several by as many threads, and
 * writes them to a second file; what has been read of the first is given back
 * to the file system, where that is possible.  A part that is too large is cut
 * by its next eight bits, and so on: keys may have been chosen so that hashes
 * begin alike.  Once all bits are used up, a part is one hash, once for each
 * time that it was written; that fits.
 *
 * The second file is in order from end to end (sorted.c).
 */
#define _GNU_SOURCE		  /* fallocate */
#define _FILE_OFFSET_BITS 64
#include "internal.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define PARTS	  256
#define PART_BITS 8
#define TOP_SHIFT (64 - PART_BITS)

/* Words that a store of the core's collects; that a large part is read by. */
#define COLLECTED_WORDS ((size_t) 256 * 1024)
#define CHUNK_WORDS		((size_t) 512 * 1024)

/* Bytes that are written between two looks for a cancel. */
#define STEP_BYTES ((size_t) 4 << 20)

typedef struct Extent
{
	uint64_t at; /* byte */
	size_t nwords;
} Extent;

typedef struct Part
{
	Extent *extents;
	size_t nextents;
	size_t capacity;
	uint64_t nwords;
} Part;

typedef struct Store
{
	RibbonStore store;
	RibbonSpill *spill;
	unsigned words; /* of an element */
	bool is_first;	/* whose sealing is reported */
	int unsorted;	/* a file, or -1 */
	RibbonSorted sorted;
	uint64_t end; /* of the unsorted file, in bytes */
	Part parts[PARTS];
	uint64_t *collected;
	size_t ncollected;
} Store;

/* A part that is read and sorted by a thread. */
typedef struct Job
{
	const Store *store;
	const Part *part;
	uint64_t *words;
	size_t n; /* elements */
	RibbonStatus status;
	int failed; /* errno of reading; 0: none */
	uint64_t conflict[4];
} Job;

static RibbonStatus store_add(RibbonStore *store, const uint64_t *words,
							  size_t n);
static RibbonStatus store_seal(RibbonStore *store, uint64_t *n);
static RibbonStatus store_read(RibbonStore *store, uint64_t first,
							   uint64_t last, uint64_t *words, size_t room,
							   size_t *n);
static void store_close(RibbonStore *store);
static RibbonStatus seal_parts(Store *store, Part *parts, int shift);

RibbonStore *
ribbon_store_create(RibbonSpill *spill, unsigned words, size_t buffered)
{
	Store *store = calloc(1, sizeof(Store));

	if (store == NULL)
		return NULL;
	store->store = (RibbonStore){.add = store_add,
								 .seal = store_seal,
								 .read = store_read,
								 .close = store_close};
	store->spill = spill;
	store->words = words;
	store->is_first = buffered == 0;
	store->unsorted = -1;
	store->sorted = (RibbonSorted){.fd = -1, .words = words};
	if (buffered > 0)
		store->collected = malloc(buffered * sizeof(uint64_t));
	if (buffered > 0 && store->collected == NULL)
	{
		free(store);
		return NULL;
	}
	return &store->store;
}

RibbonStatus
ribbon_store_open(void *arg, uint64_t nexpected, unsigned words,
				  RibbonStore **store)
{
	RibbonWork *work = arg;

	(void) nexpected;
	*store = ribbon_store_create(work->spill, words, COLLECTED_WORDS);
	return *store != NULL ? RIBBON_OK : RIBBON_OUT_OF_MEMORY;
}

/* Remember what errno says of a file, and end the build. */
static RibbonStatus
file_failed(const Store *store, const char *what)
{
	store->spill->work->failed = ribbon_error_file(what,
												   store->spill->directory);
	return RIBBON_BAD_STORE;
}

static RibbonStatus
create_file(Store *store, int *fd)
{
	errno = ribbon_tempfile_create(store->spill->directory, fd);
	return errno == 0 ? RIBBON_OK :
						file_failed(store, "create a temporary file in");
}

/* By steps, between which the build may be cancelled. */
static RibbonStatus
write_bytes(Store *store, int fd, const void *from, size_t size, uint64_t at)
{
	for (size_t done = 0; done < size; done += STEP_BYTES)
	{
		size_t step = size - done < STEP_BYTES ? size - done : STEP_BYTES;

		errno = ribbon_tempfile_write(fd, (const char *) from + done, step,
									  at + done);
		if (errno != 0)
			return file_failed(store, "write a temporary file in");
		if (ribbon_work_report(store->spill->work, 0))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

static RibbonStatus
read_failed(const Store *store, int failed)
{
	errno = failed;
	return file_failed(store, "read a temporary file in");
}

/* Add words at the end of a part. */
static RibbonStatus
add_extent(Store *store, Part *part, const uint64_t *words, size_t nwords)
{
	RibbonStatus status = RIBBON_OK;

	if (nwords == 0)
		return RIBBON_OK;
	if (part->nextents == part->capacity)
	{
		size_t capacity = part->capacity > 0 ? 2 * part->capacity : 8;
		Extent *extents = realloc(part->extents, capacity * sizeof(Extent));

		if (extents == NULL)
			return RIBBON_OUT_OF_MEMORY;
		part->extents = extents;
		part->capacity = capacity;
	}
	if (store->unsorted < 0)
		status = create_file(store, &store->unsorted);
	if (status == RIBBON_OK)
		status = write_bytes(store, store->unsorted, words,
							 nwords * sizeof(uint64_t), store->end);
	if (status != RIBBON_OK)
		return status;
	part->extents[part->nextents++] = (Extent){.at = store->end,
											   .nwords = nwords};
	part->nwords += nwords;
	store->end += nwords * sizeof(uint64_t);
	return RIBBON_OK;
}

RibbonStatus
ribbon_store_distinct(const RibbonEnv *env, const RibbonSpill *spill,
					  unsigned words, uint64_t *elements, size_t *n,
					  uint64_t conflict[4])
{
	return ribbon_distinct(env, words == 1 ? RIBBON_HASHES : spill->records,
						   elements, n, conflict);
}

/* Sort elements, and add them to the parts that eight bits of theirs name. */
static RibbonStatus
scatter(Store *store, Part *parts, int shift, uint64_t *words, size_t *n)
{
	RibbonEnv env = ribbon_work_env(store->spill->work);
	unsigned each = store->words;
	RibbonStatus status = ribbon_store_distinct(&env, store->spill, each, words,
												n, store->spill->conflict);
	size_t begin = 0;

	while (status == RIBBON_OK && begin < *n)
	{
		unsigned p = (unsigned) (words[begin * each] >> shift) & (PARTS - 1);
		size_t end = begin;

		while (end < *n &&
			   ((unsigned) (words[end * each] >> shift) & (PARTS - 1)) == p)
			end++;
		status = add_extent(store, &parts[p], words + begin * each,
							(end - begin) * each);
		begin = end;
	}
	return status;
}

RibbonStatus
ribbon_store_write(RibbonStore *store, uint64_t *words, size_t *n)
{
	Store *ours = (Store *) store;

	return scatter(ours, ours->parts, TOP_SHIFT, words, n);
}

static RibbonStatus
write_collected(Store *store)
{
	size_t n = store->ncollected / store->words;

	store->ncollected = 0;
	return scatter(store, store->parts, TOP_SHIFT, store->collected, &n);
}

static RibbonStatus
store_add(RibbonStore *store, const uint64_t *words, size_t n)
{
	Store *ours = (Store *) store;
	size_t nwords = n * ours->words;

	while (nwords > 0)
	{
		size_t room = COLLECTED_WORDS - ours->ncollected;
		size_t now = nwords < room ? nwords : room;

		memcpy(ours->collected + ours->ncollected, words,
			   now * sizeof(uint64_t));
		ours->ncollected += now;
		words += now;
		nwords -= now;
		if (ours->ncollected == COLLECTED_WORDS)
		{
			RibbonStatus status = write_collected(ours);

			if (status != RIBBON_OK)
				return status;
		}
	}
	return RIBBON_OK;
}

/* Add elements, which are greater than all before, to the sorted file. */
static RibbonStatus
append_sorted(Store *store, const uint64_t *words, size_t n)
{
	uint64_t size = store->words * sizeof(uint64_t);
	uint64_t at = store->sorted.n * size;

	if (!ribbon_sorted_add(&store->sorted, words, n))
		return RIBBON_OUT_OF_MEMORY;
	return write_bytes(store, store->sorted.fd, words, (size_t) (n * size), at);
}

/* The file system may have back what the part had. */
static void
drop_part(Store *store, Part *part)
{
	for (size_t i = 0; i < part->nextents; i++)
		ribbon_tempfile_drop(store->unsorted, part->extents[i].at,
							 part->extents[i].nwords * sizeof(uint64_t));
	free(part->extents);
	memset(part, 0, sizeof(*part));
}

/* Read a part, which fits into memory, and sort it; for a thread. */
static void
read_part(const RibbonEnv *env, Job *job)
{
	const Part *part = job->part;
	uint64_t *at;

	job->words = ribbon_alloc_array(env, part->nwords, sizeof(uint64_t));
	job->status = job->words != NULL ? RIBBON_OK : RIBBON_OUT_OF_MEMORY;
	at = job->words;
	for (size_t i = 0; i < part->nextents && job->status == RIBBON_OK; i++)
	{
		job->failed = ribbon_tempfile_read(job->store->unsorted, at,
										   part->extents[i].nwords *
											   sizeof(uint64_t),
										   part->extents[i].at);
		if (job->failed != 0)
			job->status = RIBBON_BAD_STORE;
		else if (ribbon_interrupted(env))
			job->status = RIBBON_INTERRUPTED;
		at += part->extents[i].nwords;
	}
	job->n = (size_t) (part->nwords / job->store->words);
	if (job->status == RIBBON_OK)
		job->status = ribbon_store_distinct(env, job->store->spill,
											job->store->words, job->words,
											&job->n, job->conflict);
}

static RibbonStatus
run_job(const RibbonEnv *env, void *arg, unsigned i)
{
	Job *jobs = arg;

	read_part(env, &jobs[i]);
	return jobs[i].status;
}

/* Read and sort some parts at once, and write them in their order. */
static RibbonStatus
seal_batch(Store *store, Part **parts, unsigned n)
{
	Job jobs[RIBBON_MAX_THREADS];
	RibbonStatus status;

	for (unsigned i = 0; i < n; i++)
		jobs[i] = (Job){.store = store, .part = parts[i]};
	status = ribbon_work_run(store->spill->work, n, run_job, jobs);
	for (unsigned i = 0; i < n; i++)
	{
		if (status != RIBBON_OK && jobs[i].failed != 0)
			status = read_failed(store, jobs[i].failed);
		if (status == RIBBON_CONFLICT && jobs[i].status == RIBBON_CONFLICT)
			memcpy(store->spill->conflict, jobs[i].conflict,
				   sizeof(jobs[i].conflict));
		if (status == RIBBON_OK)
			status = append_sorted(store, jobs[i].words, jobs[i].n);
		free(jobs[i].words);
		drop_part(store, parts[i]);
	}
	return status;
}

/* Read a part by chunks, and cut it by the eight bits from shift on. */
static RibbonStatus
seal_large(Store *store, Part *part, int shift)
{
	Part *parts = calloc(PARTS, sizeof(Part));
	uint64_t *words = malloc(CHUNK_WORDS * sizeof(uint64_t));
	RibbonStatus status = parts != NULL && words != NULL ? RIBBON_OK :
														   RIBBON_OUT_OF_MEMORY;

	for (size_t e = 0; e < part->nextents; e++)
	{
		Extent rest = part->extents[e];

		while (status == RIBBON_OK && rest.nwords > 0)
		{
			size_t now = rest.nwords < CHUNK_WORDS ? rest.nwords : CHUNK_WORDS;
			size_t n = now / store->words;
			int failed = ribbon_tempfile_read(store->unsorted, words,
											  now * sizeof(uint64_t), rest.at);

			rest.at += now * sizeof(uint64_t);
			rest.nwords -= now;
			status = failed != 0 ? read_failed(store, failed) :
								   scatter(store, parts, shift, words, &n);
		}
	}
	drop_part(store, part);
	free(words);
	if (status == RIBBON_OK)
		status = seal_parts(store, parts, shift);
	for (int p = 0; parts != NULL && p < PARTS; p++)
		free(parts[p].extents);
	free(parts);
	return status;
}

/*
 * Sort parts whose hashes agree in the bits from shift + 8 on: several at once,
 * if they fit into memory together.
 */
static RibbonStatus
seal_parts(Store *store, Part *parts, int shift)
{
	RibbonWork *work = store->spill->work;
	uint64_t room = store->spill->memory / (2 * sizeof(uint64_t));
	RibbonStatus status = RIBBON_OK;

	for (int p = 0; p < PARTS && status == RIBBON_OK;)
	{
		Part *batch[RIBBON_MAX_THREADS];
		uint64_t total = 0;
		unsigned n = 0;

		while (p < PARTS && n < work->nthreads &&
			   (total + parts[p].nwords <= room || (n == 0 && shift == 0)))
		{
			total += parts[p].nwords;
			if (parts[p].nwords > 0)
				batch[n++] = &parts[p];
			p++;
		}
		if (n > 0)
			status = seal_batch(store, batch, n);
		else if (p < PARTS)
			status = seal_large(store, &parts[p++], shift - PART_BITS);
		if (store->is_first && shift == TOP_SHIFT && status == RIBBON_OK &&
			ribbon_work_report(work, (double) p / PARTS))
			status = RIBBON_INTERRUPTED;
	}
	return status;
}

static RibbonStatus
store_seal(RibbonStore *store, uint64_t *n)
{
	Store *ours = (Store *) store;
	RibbonStatus status = RIBBON_OK;

	if (ours->ncollected > 0)
		status = write_collected(ours);
	free(ours->collected);
	ours->collected = NULL;
	if (status == RIBBON_OK)
		status = create_file(ours, &ours->sorted.fd);
	if (status == RIBBON_OK)
		status = seal_parts(ours, ours->parts, TOP_SHIFT);
	if (ours->unsorted >= 0)
		(void) close(ours->unsorted);
	ours->unsorted = -1;
	*n = ours->sorted.n;
	return status;
}

static RibbonStatus
store_read(RibbonStore *store, uint64_t first, uint64_t last, uint64_t *words,
		   size_t room, size_t *n)
{
	Store *ours = (Store *) store;
	uint64_t size = ours->words * sizeof(uint64_t);
	uint64_t begin, end;
	int failed = ribbon_sorted_range(&ours->sorted, first, last, &begin, &end);

	if (failed != 0)
		return read_failed(ours, failed);
	*n = end - begin < SIZE_MAX ? (size_t) (end - begin) : SIZE_MAX;
	if (*n > room)
		return RIBBON_OK;
	failed = ribbon_tempfile_read(ours->sorted.fd, words, *n * size,
								  begin * size);
	return failed == 0 ? RIBBON_OK : read_failed(ours, failed);
}

static void
store_close(RibbonStore *store)
{
	Store *ours = (Store *) store;

	for (int p = 0; p < PARTS; p++)
		free(ours->parts[p].extents);
	if (ours->unsorted >= 0)
		(void) close(ours->unsorted);
	ribbon_sorted_close(&ours->sorted);
	free(ours->collected);
	free(ours);
}
