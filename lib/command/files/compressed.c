/*
 * compressed.c - are bytes compressed, and what reads them?
 */
#include "compressed.h"

#include <string.h>

const char *
compression_of(const void *bytes, size_t size)
{
	static const struct
	{
		const char *magic;
		size_t size;
		const char *how; /* to have it read */
	} all[] = {
		{"\037\213", 2, "zcat"},
		{"\050\265\057\375", 4, "zstdcat"},
		{"\375"
		 "7zXZ",
		 6, "xzcat"},
		{"BZh", 3, "bzcat"},
		{"\004\042\115\030", 4, "lz4cat"},
		{"PK\003\004", 4, "unzip -p"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (size >= all[i].size &&
			memcmp(bytes, all[i].magic, all[i].size) == 0 &&
			(all[i].magic[0] != 'B' ||
			 (size >= 10 &&
			  memcmp((const char *) bytes + 4, "1AY&SY", 6) == 0)))
			return all[i].how;
	return NULL;
}
