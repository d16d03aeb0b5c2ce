/*
 * output.c - a file that is there when it is whole
 *
 * What is written goes to a file of another name in the same folder, which is
 * renamed at the end: whoever has the old file open keeps it, and whoever opens
 * the name finds the old one or the new one.  Devices and pipes are written to
 * directly, and a link is followed.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "output.h"

#include "forms.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file that is not whole yet; a signal handler deletes it. */
static char *volatile unfinished;

void
output_abandon(void)
{
	if (unfinished != NULL)
		(void) unlink(unfinished);
	unfinished = NULL;
}

/* Signals that end the command, and whose handler deletes that file. */
static const int fatal_signals[] = {SIGHUP,	 SIGINT,  SIGQUIT, SIGPIPE,
									SIGALRM, SIGTERM, SIGXCPU};

#define NFATAL (sizeof(fatal_signals) / sizeof(fatal_signals[0]))

static void
end_by_signal(int signal_number)
{
	output_abandon();
	(void) signal(signal_number, SIG_DFL);
	(void) raise(signal_number);
}

void
output_guard(void)
{
	(void) atexit(output_abandon);
	for (size_t i = 0; i < NFATAL; i++)
	{
		/* not one that we were told to ignore, as nohup does */
		if (signal(fatal_signals[i], end_by_signal) == SIG_IGN)
			(void) signal(fatal_signals[i], SIG_IGN);
	}

	/* a file that becomes too large is an error of writing to it */
	(void) signal(SIGXFSZ, SIG_IGN);
}

/* Create the file, which a signal finds created and known, or neither. */
static int
create_unfinished(char *name)
{
	sigset_t signals;
	sigset_t old;
	int fd;
	int saved;

	(void) sigemptyset(&signals);
	for (size_t i = 0; i < NFATAL; i++)
		(void) sigaddset(&signals, fatal_signals[i]);
	(void) sigprocmask(SIG_BLOCK, &signals, &old);
	fd = mkostemp(name, O_CLOEXEC);
	saved = errno;
	if (fd >= 0)
		unfinished = name;
	(void) sigprocmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	return fd;
}

static bool
is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The name of a file in the same folder, for mkostemp; to be freed. */
static char *
name_beside(const char *name)
{
	static const char unfinished_name[] = ".ribbon.XXXXXX";
	const char *slash = strrchr(name, '/');
	size_t folder = slash == NULL ? 0 : (size_t) (slash - name) + 1;
	char *beside = need(malloc(folder + sizeof(unfinished_name)));

	memcpy(beside, name, folder);
	memcpy(beside + folder, unfinished_name, sizeof(unfinished_name));
	return beside;
}

/* May a file be made in the same folder?  Ends if not. */
static void
check_folder(const char *name)
{
	char *beside = name_beside(name);
	char *slash = strrchr(beside, '/');
	struct stat other;
	bool possible = lstat(beside, &other) == 0 || errno == ENOENT;

	if (slash != NULL)
		slash[slash == beside ? 1 : 0] = '\0';
	if (!possible || access(slash == NULL ? "." : beside, W_OK | X_OK) != 0)
		die_errno("could not create a file beside \"%s\"", name);
	free(beside);
}

/* Before the work, not after it: may it be written? */
static void
check_file(const char *name)
{
	struct stat output;
	struct stat link;
	char *target;

	if (name[0] == '\0')
		die("the name of the output file is empty");
	if (stat(name, &output) != 0)
	{
		int saved = errno;
		bool is_link = lstat(name, &link) == 0;

		errno = saved;
		if (is_link)
			die_errno("could not follow the link \"%s\"", name);
		if (saved != ENOENT)
			die_errno("could not create \"%s\"", name);
		check_folder(name);
	}
	else if (S_ISDIR(output.st_mode))
		die("\"%s\" is a directory", name);
	else if (S_ISREG(output.st_mode))
	{
		target = realpath(name, NULL);
		check_folder(target != NULL ? target : name);
		free(target);
	}
}

static void
check_inputs(const FileNames *inputs, const struct stat *output,
			 const char *hint)
{
	for (int i = 0; i < inputs->n; i++)
	{
		const char *name = inputs->names[i];
		struct stat input;

		if ((strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &input) :
									  stat(name, &input)) == 0 &&
			is_same_file(&input, output))
			die("input \"%s\" is the output, too%s", name, hint);
	}
}

void
output_check_inputs(const FileNames *files, const FileNames *after,
					const char *hint)
{
	struct stat output;

	if (fstat(STDOUT_FILENO, &output) != 0 || !S_ISREG(output.st_mode))
		return;
	check_inputs(files, &output, hint);
	check_inputs(after, &output, hint);
}

void
output_check(const OutputOptions *output, const FileNames *files,
			 const FileNames *after)
{
	if (strcmp(output->file, "-") != 0)
	{
		check_file(output->file);
		return;
	}
	if (isatty(STDOUT_FILENO) && output->form == FORM_RAW)
		die("bytes are not for a terminal: use -o FILE, or > FILE");
	output_check_inputs(files, after, ": use -o FILE");
}

/* The mode of a new file, or that of the one it replaces. */
static mode_t
mode_of(const char *target)
{
	struct stat old;
	mode_t mask;

	if (stat(target, &old) == 0)
		return old.st_mode & 0777;
	mask = umask(0);
	(void) umask(mask);
	return 0666 & ~mask;
}

void
output_write(const OutputOptions *output, const void *bytes, size_t size)
{
	struct stat old;
	char *target;
	char *name;
	int fd;

	if (strcmp(output->file, "-") == 0)
	{
		form_write(output->form, STDOUT_FILENO, "standard output", bytes, size);
		return;
	}
	if (stat(output->file, &old) == 0 && !S_ISREG(old.st_mode))
	{
		fd = open(output->file, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			die_errno("could not open \"%s\"", output->file);
		form_write(output->form, fd, output->file, bytes, size);
		if (close(fd) != 0)
			die_errno("could not write to \"%s\"", output->file);
		return;
	}

	target = realpath(output->file, NULL);
	if (target == NULL)
		target = need(strdup(output->file));
	name = name_beside(target);
	fd = create_unfinished(name);
	if (fd < 0)
		die_errno("could not create a file beside \"%s\"", output->file);
	form_write(output->form, fd, output->file, bytes, size);
	if (fchmod(fd, mode_of(target)) != 0 || fsync(fd) != 0 || close(fd) != 0)
		die_errno("could not write to \"%s\"", output->file);
	if (rename(name, target) != 0)
		die_errno("could not rename \"%s\" to \"%s\"", name, target);
	unfinished = NULL;
	free(name);
	free(target);
}
