#!/bin/sh
# The steps of the container image, and of any other clean Debian 12: install.sh SOURCE TARGET
# SOURCE is a checkout; the program is TARGET/bin/archiver. Where packages come from is pip's business (PIP_INDEX_URL,
# PIP_FIND_LINKS, PIP_NO_INDEX); the lock has the hash of each.
set -eu
source=$1
target=$2

if ! python3 -c 'import ensurepip, ssl' 2> /dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates python3 python3-venv
    rm -rf /var/lib/apt/lists/*
fi

python3 -m venv "$target"
"$target/bin/pip" install -q --disable-pip-version-check --no-cache-dir --no-deps --require-hashes \
    -r "$source/requirements-container.lock"
"$target/bin/pip" install -q --disable-pip-version-check --no-cache-dir --no-deps --no-build-isolation "$source"
# What installs is of no use to what runs.
"$target/bin/pip" uninstall -q -y --disable-pip-version-check editables hatchling pathspec pluggy trove-classifiers
"$target/bin/python" -m pip uninstall -q -y pip setuptools
"$target/bin/archiver" --help > /dev/null
