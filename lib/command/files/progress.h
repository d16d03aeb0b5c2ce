/*
 * progress.h - how far it is, on standard error if that is a terminal
 */
#ifndef RIBBON_COMMAND_PROGRESS_H
#define RIBBON_COMMAND_PROGRESS_H

#include "command/options/options.h"

typedef struct Progress
{
	bool on;
	double next;	/* when to show it again, in seconds */
	uint64_t total; /* bytes of all input; 0: not known */
	uint64_t read;
	uint64_t nkeys;
} Progress;

/* Of a build from these files; quiet: nothing is shown. */
extern void progress_init(Progress *progress, const FileNames *files,
						  bool quiet);
extern void progress_read(Progress *progress, uint64_t read, uint64_t nkeys);

/* A ribbon_progress. */
extern bool progress_build(void *progress, double share);

#endif /* RIBBON_COMMAND_PROGRESS_H */
