/*
 * open.c - decode a filter's header, and make it ready to be probed
 */
#include "format/format.h"
#include "probe/query.h"

RibbonStatus
ribbon_open(const uint8_t *bytes, size_t nbytes, RibbonFilter *filter)
{
	return ribbon_open_header(bytes, nbytes, nbytes, filter);
}

RibbonStatus
ribbon_open_header(const uint8_t *bytes, size_t nheader, size_t nbytes,
				   RibbonFilter *filter)
{
	RibbonStatus status = ribbon_format_decode(bytes, nheader, nbytes, filter);

	if (status == RIBBON_OK)
		ribbon_query_prepare(filter);
	return status;
}
