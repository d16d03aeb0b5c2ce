/*
 * options.h - what follows the name of a subcommand
 */
#ifndef RIBBON_COMMAND_OPTIONS_H
#define RIBBON_COMMAND_OPTIONS_H

#include "command/base/say.h"

#include <stdio.h>

/* Digits that the name of a range of hashes has, and its lines lack. */
#define PREFIX_DIGITS 5

/* What records are. */
typedef struct Format
{
	char delimiter;	  /* unless another one is given */
	const char *null; /* likewise; NULL: no field is NULL */
	char mark;		  /* a backslash before a character, as COPY's text has it;
					   * a quote around a field, as CSV has it; or 0 */
	bool has_columns; /* also where nothing but a key is wanted */
	bool has_hashes;  /* keys are hashes, in hexadecimal digits */
} Format;

/* Those of --format, in the order of its names; the first is the default. */
extern const Format formats[];

/* How bytes are written. */
typedef enum Form
{
	FORM_RAW,
	FORM_HEX, /* \x0a..., as psql shows a ribbonfilter */
	FORM_COPY /* COPY ... (FORMAT binary), a row of one column */
} Form;

/* What records are, and what is in them. */
typedef struct InputOptions
{
	const char *subcommand; /* for messages */
	bool has_values; /* beside the key; of exact, whether it is a member */

	const Format *format;
	char delimiter;
	bool has_delimiter; /* it was given */
	bool has_header;
	bool zero_ends;			/* records end with a zero byte */
	const char *key_column; /* a number or a name; NULL: not set */
	const char *value_column;
	const char *null;	/* a field that is NULL; NULL: none is */
	const char *prefix; /* PREFIX_DIGITS digits; NULL: not set */

	int key_type;
	bool has_key_type;
	bool sql_ascii; /* texts are bytes of no known encoding */
	ribbon_value_type value_type;
	bool is_decade; /* values are 0 for 1 .. 9, 1 for 10 .. 99, and so on */
} InputOptions;

/* What is built; here and below an int has an enum's value, for set_name. */
typedef struct BuildOptions
{
	int kind; /* ribbon_kind */
	int code; /* ribbon_code */
	bool has_as_of;
	int64_t as_of;
	unsigned width;
	unsigned seed;
	bool has_memory;
	uint64_t memory;
	const char *directory;
	unsigned threads;
} BuildOptions;

/* What is written. */
typedef struct OutputOptions
{
	bool has_fpr;
	double fpr;
	const char *file; /* "-": standard output */
	int form;		  /* Form */
} OutputOptions;

/* What is printed of answers. */
typedef struct AnswerOptions
{
	bool count_only;
	bool invert;
	bool values_only;
	const char *null; /* what get prints where a value is NULL */
} AnswerOptions;

/* Names of files; "-": standard input. */
typedef struct FileNames
{
	const char **names;
	int n;
} FileNames;

typedef struct Options
{
	const struct Subcommand *subcommand;
	FileNames files;
	FileNames after; /* exact sets that this one corrects */
	bool quiet;
	bool wants_help; /* nothing else is set then */

	InputOptions input;	   /* of READS */
	BuildOptions build;	   /* of BUILDS */
	OutputOptions output;  /* of WRITES */
	AnswerOptions answers; /* of OF_TEST and OF_GET */
} Options;

/* Subcommands as bits. */
enum
{
	OF_BUILD = 1 << 0,
	OF_MAP = 1 << 1,
	OF_EXACT = 1 << 2,
	OF_TEST = 1 << 3,
	OF_GET = 1 << 4,
	OF_STATS = 1 << 5,
	OF_CHECK = 1 << 6,
	OF_SHRINK = 1 << 7,
	OF_ALL = (1 << 8) - 1,
	BUILDS = OF_BUILD | OF_MAP | OF_EXACT,
	READS = BUILDS | OF_TEST | OF_GET, /* records, of files or standard input */
	WRITES = BUILDS | OF_SHRINK
};

typedef struct Subcommand
{
	unsigned bit;
	const char *name;
	const char *arguments; /* as --help shows them */
	const char *what;
	int (*run)(const Options *options);
} Subcommand;

/* Read them, or end with a message; free them; options_read.c. */
extern void options_read(Options *options, const Subcommand *subcommand,
						 int argc, char **argv);
extern void options_free(Options *options);

/* Are they those of one of these subcommands? */
static inline bool
options_are_of(const Options *options, unsigned subcommands)
{
	return (options->subcommand->bit & subcommands) != 0;
}

/* What --help says of n subcommands; usage.c. */
extern void put_usage(FILE *file, const Subcommand *subcommands, size_t n);

#endif /* RIBBON_COMMAND_OPTIONS_H */
