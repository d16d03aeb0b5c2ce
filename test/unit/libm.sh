#!/bin/bash
#
# libm.sh - no function of libm has a say in the bytes of a filter
#
# usage: test/unit/libm.sh [DIRECTORY]
#
# Looks at the objects of the core in DIRECTORY (build/unit) for functions of <math.h>, whose
# results differ from one C library to the next (src/core/base/power.h), and at
# base/test_power.o, which has some, to see that it finds them.

set -euo pipefail

directory=${1:-build/unit}

functions='(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|hypot|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|erf|erfc|lgamma|tgamma|ldexp|frexp|scalbn|floor|ceil|round|trunc|rint|nearbyint|lround|lrint|fmod|fma|fmin|fmax|nextafter)[fl]?(_finite)?(@.*)?'

# found OBJECT...: the functions of libm that these ask for
found()
{
	nm -u "$@" | sed -nE "s/^ +U (__)?($functions)\$/\2/p" | sort -u
}

objects=()
for source in src/core/*/*.c; do
	source=${source#src/core/}
	objects+=("$directory/${source%.c}.o")
done

status=0
asked=$(found "${objects[@]}")
if [ -z "$asked" ]; then
	echo "ok - the core asks for nothing of libm"
else
	echo "# $(echo "$asked" | tr '\n' ' ')"
	echo "not ok - the core asks for nothing of libm"
	status=1
fi

if found "$directory/base/test_power.o" | grep -qx 'log2l'; then
	echo "ok - what is asked of libm is seen"
else
	echo "not ok - what is asked of libm is seen"
	status=1
fi
exit $status
