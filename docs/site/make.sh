#!/bin/bash
#
# make.sh - make the site of docs/, in build/site/html
#
# usage: make site, docs/site/make.sh [test]
#
# With mkdocs and its theme "material", of Debian 12 or later.  With "test", looks at each page in
# Chromium, too (check.mjs).  The page that explains has the core in it.

. "$(dirname "$0")/../../test/lib/common.sh"

site=build/site
bash test/lib/setup.sh js page site
shown_make js-modules
node clients/js/tools/page.mjs --build
mkdir -p "$site"
"$python" docs/site/pages.py "$site"
(cd "$site" && PYTHONPATH=$OLDPWD/docs/site mkdocs build --quiet --clean)
echo "ok - the site is in $site/html"
if [ "${1:-}" = test ]; then
	bash test/lib/setup.sh browser
	node docs/site/check.mjs "$site/html"
fi
