/*
 * command.h - what the files of the command ribbon share
 *
 *	 main.c		which subcommand
 *	 usage.c	the options of each, and --help
 *	 options.c	what they are set to
 *	 reader.c	records and their fields, from lines and CSV
 *	 keys.c		keys and values from fields
 *	 output.c	a file that is there when it is whole
 *	 progress.c	how far it is, on a terminal
 *	 load.c		the bytes of a filter, in the forms that files have
 *	 build.c	ribbon build, ribbon map, ribbon exact
 *	 conflict.c	which key has two values
 *	 chain.c	exact sets that correct each other: --after
 *	 ask.c		ribbon test, ribbon get
 *	 about.c	ribbon stats, ribbon check, ribbon shrink
 *
 * The command is a program like any other that uses the library's header.  It
 * ends at the first error, with status 2 and a message; nothing is freed then
 * but an output file that is not whole.
 */
#ifndef RIBBON_COMMAND_H
#define RIBBON_COMMAND_H

#include "include/ribbon.h"

#include <stdio.h>

/* Statuses, as grep has them. */
#define STATUS_YES	 0 /* some line was selected */
#define STATUS_NO	 1
#define STATUS_ERROR 2

/* What lines are. */
typedef enum Format
{
	FORMAT_LINES, /* a key each; of maps key, delimiter, value */
	FORMAT_TEXT,  /* as COPY has them, with backslashes */
	FORMAT_CSV,
	FORMAT_SHA1 /* hexadecimal digits, a colon, a count */
} Format;

/* How bytes are written. */
typedef enum Form
{
	FORM_RAW,
	FORM_HEX, /* \x0a..., as psql shows a ribbonfilter */
	FORM_COPY /* COPY ... (FORMAT binary), a row of one column */
} Form;

/* What a value of a map is, and how it is read. */
typedef enum ValueForm
{
	VALUE_PLAIN,
	VALUE_DECADE /* 0 for 1 .. 9, 1 for 10 .. 99, and so on */
} ValueForm;

typedef struct Options
{
	const char *command;
	double fpr;
	bool has_fpr;
	int key_type;
	bool has_key_type;
	ribbon_kind kind;
	ribbon_code code;
	int width;
	uint32_t seed;
	uint64_t memory; /* 0: not set */
	const char *directory;
	unsigned threads;

	Format format;
	char delimiter;
	bool sql_ascii; /* texts are bytes of no known encoding */
	bool has_header;
	bool zero_ends;			/* records end with a zero byte */
	const char *key_column; /* a number or a name; NULL: not set */
	const char *value_column;
	const char *null;	/* a field that is NULL; NULL: none but CSV's */
	const char *prefix; /* of hashes in hexadecimal digits; NULL: not set */

	bool is_map;
	bool is_exact; /* values say whether a key is a member */
	bool has_as_of;
	int64_t as_of;
	ribbon_value_type value_type;
	ValueForm value_form;
	const char **after; /* nafter exact sets that this one corrects */
	int nafter;

	const char *output; /* NULL: standard output */
	Form form;
	bool quiet;
	bool wants_help; /* nothing else is set then */

	bool count_only;
	bool invert;
	bool values_only;

	char **files; /* nfiles of them */
	int nfiles;
} Options;

/* Say "ribbon: ..." and end with STATUS_ERROR. */
extern void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* The same with what errno says behind it. */
extern void die_errno(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Say "ribbon: ...", and go on. */
extern void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Memory, or the end. */
extern void *need(void *p);

extern void options_read(Options *options, int argc, char **argv);

/*
 * usage.c
 */

/* Options without a short form are these numbers, others their letters. */
enum
{
	OPTION_LONG = 256,
	OPTION_KIND,
	OPTION_AS_OF,
	OPTION_AFTER,
	OPTION_CODE,
	OPTION_WIDTH,
	OPTION_SEED,
	OPTION_TMP,
	OPTION_THREADS,
	OPTION_FORMAT,
	OPTION_VALUE_COLUMN,
	OPTION_HEADER,
	OPTION_SQL_ASCII,
	OPTION_NULL,
	OPTION_PREFIX,
	OPTION_AS,
	OPTION_COUNT,
	OPTION_INVERT,
	OPTION_VALUES
};

typedef struct KnownOption
{
	const char *name;
	const char *argument; /* what --help calls it; NULL: takes none */
	int letter;
	const char *commands; /* letters of subcommands; NULL: a heading */
	const char *help;
} KnownOption;

/* The last one has no name. */
extern const KnownOption known_options[];

#define MAX_OPTIONS 40 /* more than there are */

/* The letter of a subcommand, which tables name it by; 0: there is none. */
extern char command_letter(const char *name);

/* What --help says, of one subcommand or (0) of all. */
extern void put_usage(FILE *file, char letter);

/* The name of a filter's type of keys, which may be newer than this command. */
static inline const char *
type_name(int key_type)
{
	const char *name = ribbon_key_type_name(key_type & 31);

	return name != NULL ? name : "unknown";
}

/* The names of types of values that --value takes; its index is the type. */
extern const char *const value_names[8];

/*
 * progress.c
 */

typedef struct Progress
{
	const Options *options;
	bool on;
	bool shown;
	double next;	/* when to show it again, in seconds */
	uint64_t total; /* bytes of all input; 0: not known */
	uint64_t read;
	uint64_t nkeys;
} Progress;

extern void progress_init(Progress *progress, const Options *options);
extern void progress_read(Progress *progress, uint64_t read, uint64_t nkeys);

/* A ribbon_progress. */
extern bool progress_build(void *progress, double share);

/* Take away what is shown. */
extern void progress_end(Progress *progress);

/*
 * reader.c
 */

typedef struct Record
{
	const char *text; /* in the reader's buffer, until the next read */
	size_t size;	  /* without the end of the line */
	uint64_t line;	  /* its first one */
} Record;

typedef struct Field
{
	const char *text;
	size_t size;
	bool is_null;
} Field;

#define MAX_FIELDS 2 /* that are wanted of a record */

/* What it takes to read an input again. */
typedef struct Kept
{
	int64_t at;	 /* where a file was begun; -1: it is a pipe */
	char *bytes; /* of a pipe */
	size_t size;
	bool is_whole; /* all of it is there */
} Kept;

typedef struct Reader
{
	const Options *options;
	const char *name; /* for messages */
	int fd;
	char *buffer;
	size_t capacity;
	size_t begin; /* of what has not been given out */
	size_t end;
	size_t scanned; /* how far its end has been looked for */
	bool in_quotes; /* at that place */
	bool at_end;
	uint64_t line; /* of begin */
	uint64_t lines_scanned;
	uint64_t read; /* bytes */
	char *unquoted[MAX_FIELDS];
	size_t unquoted_capacity[MAX_FIELDS];

	Kept *kept;		  /* or NULL */
	const char *from; /* what is read instead of a file; or NULL */
	size_t nfrom;
	bool warned;	/* of keys that look like something else */
	char prefix[6]; /* that a range of hashes is named for; or empty */

	/* called before the buffer is overwritten */
	void (*before_read)(void *arg);
	void *arg;
} Reader;

/* Letters behind COPY's backslashes, and the bytes that they stand for. */
#define NCOPY_LETTERS 6
extern const char copy_letters[];
extern const char copy_meant[];

/* What a hexadecimal digit is worth, or -1. */
extern int hex_digit(char c);

/* Open a file, or standard input for "-". */
extern void reader_open(Reader *reader, const Options *options,
						const char *name);
extern void reader_close(Reader *reader);

/* Keep what it takes to read it again, before the first record. */
extern void reader_keep(Reader *reader, Kept *kept);

/* Open it again, if it is whole. */
extern void reader_open_again(Reader *reader, const Options *options,
							  const char *name, const Kept *kept);

/* What reads these bytes if they are compressed; else NULL. */
extern const char *compression_of(const void *bytes, size_t size);

/* The next record; false at the end. */
extern bool reader_next(Reader *reader, Record *record);

/*
 * Field number column (1, ...; 0: all of it) of a record, to place i of those
 * that are wanted, without quotes or backslashes; false if there is none.
 */
extern bool reader_field(Reader *reader, const Record *record, unsigned column,
						 int i, Field *field);

/*
 * keys.c
 */

/* Which columns have keys and values; 0: the whole record is the key. */
typedef struct Columns
{
	unsigned key;
	unsigned value;
} Columns;

/* Find out, from the options and the header, which is read if there is one. */
extern Columns columns_of(Reader *reader);

/*
 * The key of a record; false if it is NULL.  Warns of keys that are taken for
 * what they hardly are.
 */
extern bool key_of(Reader *reader, const Record *record, const Columns *columns,
				   int key_type, ribbon_key *key);

/* A value: NULL, or a number, or (of maps of texts) a text. */
typedef struct Value
{
	bool is_null;
	int64_t number;
	Field text;
} Value;

extern Value value_of(Reader *reader, const Record *record,
					  const Columns *columns);

/* Say "ribbon: FILE:LINE: ..." and end. */
extern void die_at(const Reader *reader, const Record *record,
				   const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));

/* Is it a number of bytes with its unit, B to TB?  And is it a number? */
extern bool parse_size(const char *text, uint64_t *size);
extern bool parse_count(const char *text, uint64_t most, uint64_t *number);

/*
 * output.c
 */

/*
 * Before work begins: can it be written, and is it none of the files that are
 * read?
 */
extern void output_check(const Options *options);

/* Is standard output, if it is a file, none of those that are read? */
extern void output_check_inputs(const Options *options);

extern void output_write(const Options *options, const void *bytes,
						 size_t size);

/* Delete what has been written of a file that is not whole. */
extern void output_abandon(void);

/* Do so, too, if a signal ends the command. */
extern void output_guard(void);

/*
 * load.c
 */

typedef struct Loaded
{
	ribbon_filter *filter;
	void *mapped; /* with its size; or NULL */
	size_t mapped_size;
	void *allocated; /* or NULL */
} Loaded;

extern void load(Loaded *loaded, const char *name);
extern void unload(Loaded *loaded);

/*
 * chain.c
 */

/* The exact sets before this one, n of them; see chain.c. */
typedef struct Chain
{
	Loaded *parts;
	int n;
} Chain;

extern void chain_open(Chain *chain, const Options *options);
extern void chain_close(Chain *chain);

/* End if it is no exact set. */
extern void chain_need_exact(const ribbon_filter *filter, const char *name);

/* Is a key a member, as far as they know?  Without any: no. */
extern bool chain_has(const Chain *chain, ribbon_key key);

/* The same of n keys, to turn round what is selected; space is for n more. */
extern void chain_correct(const Chain *chain, const ribbon_keys *keys,
						  bool *selected, bool *space, size_t n);

/*
 * conflict.c
 */

/*
 * Say which key of the files, which can be read again from what is kept, has
 * two values; and end.
 */
extern void die_of_conflict(const Options *options,
							const ribbon_builder *builder, const Kept *kept)
	__attribute__((noreturn));

/*
 * The subcommands; they return the status.
 */
extern int command_build(const Options *options);
extern int command_test(const Options *options);
extern int command_get(const Options *options);
extern int command_stats(const Options *options);
extern int command_check(const Options *options);
extern int command_shrink(const Options *options);

#endif /* RIBBON_COMMAND_H */
