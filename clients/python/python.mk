# python.mk - make python, make wheel: the package ribbonfilter, of clients/python
#
# Included by test/commands.mk.  "make python" leaves a package in build/python/lib
# that PYTHONPATH may name; "make wheel" a wheel in build/python, for pip.  Both are
# for the Python that PYTHON names, the system's own unless told.

PYTHON = /usr/bin/python3
PYTHON_DIR = build/python
PYTHON_SETUP = cd clients/python && BUILD=$(abspath $(PYTHON_DIR)) LIBRIBBON=$(abspath $(LIBRIBBON)) \
	CC="$(CC)" $(PYTHON) -W ignore setup.py --quiet egg_info --egg-base $(abspath $(PYTHON_DIR)) \
	build --build-lib $(abspath $(PYTHON_DIR))/lib --build-temp $(abspath $(PYTHON_DIR))/objects
LIBRIBBON = build/lib/libribbon.a

.PHONY: python python-package python-wheel wheel
python:
	@test/lib/setup.sh python
	@$(MAKE) --no-print-directory python-package

python-package: $(LIBRIBBON)
	@mkdir -p $(PYTHON_DIR)
	@$(PYTHON_SETUP)

wheel: python
	@$(MAKE) --no-print-directory python-wheel

python-wheel: python-package
	@$(PYTHON_SETUP) bdist_wheel --skip-build \
		--bdist-dir $(abspath $(PYTHON_DIR))/wheel --dist-dir $(abspath $(PYTHON_DIR))
	@ls $(PYTHON_DIR)/*.whl
