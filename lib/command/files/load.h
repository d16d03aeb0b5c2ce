/*
 * load.h - a filter from a file
 */
#ifndef RIBBON_COMMAND_LOAD_H
#define RIBBON_COMMAND_LOAD_H

#include "command/base/say.h"

typedef struct Loaded
{
	ribbon_filter *filter; /* NULL where load_any fails */
	void *mapped;		   /* with its size; or NULL */
	size_t mapped_size;
	void *allocated; /* or NULL */
} Loaded;

/* Open a file, or standard input for "-"; ends if it is no filter. */
extern void load(Loaded *loaded, const char *name);

/*
 * The same, but it does not end: STATUS_NO are bytes that are no filter, or are
 * damaged, as ribbon_error_text says, and STATUS_ERROR is a file without any,
 * with a message.  It is to be unloaded, too.
 */
extern int load_any(Loaded *loaded, const char *name);

extern void unload(Loaded *loaded);

/* What has no keys may have no type. */
static inline bool
takes_any_keys(const ribbon_filter *filter)
{
	return ribbon_filter_key_type(filter) == RIBBON_KEY_ANY &&
		ribbon_filter_count(filter) == 0;
}

/* End, for its keys are of another type than this one. */
extern void die_of_key_type(const ribbon_filter *filter, const char *name,
							int key_type) __attribute__((noreturn));

/* The name of a filter's type of keys, which may be newer than this command. */
static inline const char *
key_type_name(int key_type)
{
	const char *name = ribbon_key_type_name(key_type);

	return name != NULL ? name : "unknown";
}

#endif /* RIBBON_COMMAND_LOAD_H */
