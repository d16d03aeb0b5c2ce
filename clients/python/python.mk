# python.mk - make python, make wheel, make sdist: the package ribbonfilter, of clients/python
#
# Included by commands.mk.  "make python" leaves a package in build/python/lib
# that PYTHONPATH may name; "make wheel" a wheel in build/python, for pip.  Both are
# for the Python that PYTHON names, the system's own unless told.  "make sdist" leaves
# a source distribution there, with the C inside.

PYTHON = /usr/bin/python3
PYTHON_DIR = build/python
PYTHON_SETUP = cd clients/python && BUILD=$(abspath $(PYTHON_DIR)) LIBRIBBON=$(abspath $(LIBRIBBON)) \
	CC="$(CC)" $(PYTHON) -W ignore setup.py --quiet egg_info --egg-base $(abspath $(PYTHON_DIR)) \
	build --build-lib $(abspath $(PYTHON_DIR))/lib --build-temp $(abspath $(PYTHON_DIR))/objects
LIBRIBBON = build/lib/libribbon.a

.PHONY: python python-package python-sdist python-wheel sdist wheel
python:
	@bash test/lib/setup.sh python
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

sdist:
	@bash test/lib/setup.sh python
	@$(MAKE) --no-print-directory python-sdist

python-sdist:
	@mkdir -p $(PYTHON_DIR)
	@cd clients/python && BUILD=$(abspath $(PYTHON_DIR)) $(PYTHON) -W ignore setup.py --quiet \
		egg_info --egg-base $(abspath $(PYTHON_DIR)) sdist --formats=gztar --dist-dir $(abspath $(PYTHON_DIR))
	@ls $(PYTHON_DIR)/*.tar.gz
