/*
 * main.c - ribbon: filters and maps from the shell
 */
#include "command.h"

#include "command/files/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Subcommand subcommands[] = {
	{OF_BUILD, "build", "[OPTION]... [FILE]...", "build a filter of keys",
	 command_build},
	{OF_MAP, "map", "[OPTION]... [FILE]...", "build a map from keys to values",
	 command_build},
	{OF_EXACT, "exact", "[OPTION]... [FILE]...",
	 "build an exact set: right about all these keys", command_build},
	{OF_TEST, "test", "[OPTION]... FILTER [FILE]...",
	 "print the lines whose keys may be in it", command_ask},
	{OF_GET, "get", "[OPTION]... MAP [FILE]...",
	 "print lines, each with the value of its key", command_ask},
	{OF_STATS, "stats", "FILTER...", "describe filters and maps",
	 command_stats},
	{OF_CHECK, "check", "FILTER...", "look for damage", command_check},
	{OF_SHRINK, "shrink", "--fpr RATE [OPTION]... FILTER",
	 "make a smaller filter, at a higher rate", command_shrink},
};

#define NSUBCOMMANDS (sizeof(subcommands) / sizeof(subcommands[0]))

/* Ends if there is none of this name. */
static const Subcommand *
subcommand_named(const char *name)
{
	char names[128] = "";

	for (size_t i = 0; i < NSUBCOMMANDS; i++)
	{
		if (strcmp(name, subcommands[i].name) == 0)
			return &subcommands[i];
		(void) strcat(strcat(names,
							 i == 0					   ? "" :
								 i + 1 == NSUBCOMMANDS ? " and " :
														 ", "),
					  subcommands[i].name);
	}
	die("there is no subcommand \"%s\", only %s", name, names);
}

static int
run_subcommand(const Subcommand *subcommand, int argc, char **argv)
{
	Options options;
	int status = STATUS_YES;

	options_read(&options, subcommand, argc, argv);
	if (options.wants_help)
		put_usage(stdout, subcommand, 1);
	else
		status = subcommand->run(&options);
	options_free(&options);
	return status;
}

static void
put_version(void)
{
	int version = ribbon_library_version();

	(void) printf("ribbon %d.%d.%d\n", version / 10000, version / 100 % 100,
				  version % 100);
}

/*
 * Where the standard streams are closed, no file that is opened is to be taken
 * for one of them: in their place is what can be neither read nor written.
 */
static void
open_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			exit(STATUS_ERROR);
}

int
main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int status = STATUS_YES;

	open_streams();
	output_guard();
	if (argc <= 1)
	{
		put_usage(stderr, subcommands, NSUBCOMMANDS);
		return STATUS_ERROR;
	}
	if (strcmp(name, "--version") == 0)
		put_version();
	else if (strcmp(name, "--help") != 0 && strcmp(name, "-h") != 0 &&
			 strcmp(name, "help") != 0)
		status = run_subcommand(subcommand_named(name), argc - 1, argv + 1);
	else if (argc > 2)
		put_usage(stdout, subcommand_named(argv[2]), 1);
	else
		put_usage(stdout, subcommands, NSUBCOMMANDS);
	if (fflush(stdout) != 0 || ferror(stdout))
		die_errno("could not write to standard output");
	return status;
}
