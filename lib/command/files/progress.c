/*
 * progress.c - how far it is, on standard error if that is a terminal
 */
#define _FILE_OFFSET_BITS 64
#include "progress.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PERIOD 0.2 /* seconds */
#define BAR	   30  /* characters */

static double
now(void)
{
	struct timespec time;

	(void) clock_gettime(CLOCK_MONOTONIC, &time);
	return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

void
progress_init(Progress *progress, const FileNames *files, bool quiet)
{
	memset(progress, 0, sizeof(*progress));
	progress->on = !quiet && isatty(STDERR_FILENO);
	for (int i = 0; i < files->n; i++)
	{
		const char *name = files->names[i];
		struct stat stat_of;

		if ((strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &stat_of) :
									  stat(name, &stat_of)) != 0 ||
			!S_ISREG(stat_of.st_mode))
		{
			progress->total = 0;
			return;
		}
		progress->total += (uint64_t) stat_of.st_size;
	}
}

/* Is it time to show it? */
static bool
is_due(Progress *progress)
{
	double time;

	if (!progress->on)
		return false;
	time = now();
	if (time < progress->next)
		return false;
	progress->next = time + PERIOD;
	return true;
}

static void
show_bar(const char *what, double share, uint64_t nkeys)
{
	char bar[BAR + 1];
	int full = (int) (share * BAR);

	for (int i = 0; i < BAR; i++)
		bar[i] = i < full ? '#' : '.';
	bar[BAR] = '\0';
	say_passing("%s [%s] %3d %%  %" PRIu64 " keys ", what, bar,
				(int) (share * 100), nkeys);
}

void
progress_read(Progress *progress, uint64_t read, uint64_t nkeys)
{
	progress->read += read;
	progress->nkeys = nkeys;
	if (!is_due(progress))
		return;
	if (progress->total == 0)
		say_passing("reading  %" PRIu64 " keys, %.1f MB ", nkeys,
					(double) progress->read * 1e-6);
	else
		show_bar("reading ",
				 progress->read < progress->total ?
					 (double) progress->read / (double) progress->total :
					 1,
				 nkeys);
}

bool
progress_build(void *arg, double share)
{
	Progress *progress = arg;

	/* while keys are read, that is what is shown */
	if (share > 0 && is_due(progress))
		show_bar("building", share, progress->nkeys);
	return false;
}
