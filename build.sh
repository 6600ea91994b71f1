#!/usr/bin/env bash
# The only entry point of the repository: it builds, starts, checks and measures Dakiya.
# Works from any folder, as root or not, and needs nothing but the package registries.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

usage() {
  cat <<'EOF_USAGE'
./build.sh run      build what is missing and start Dakiya on http://127.0.0.1:8080
./build.sh dev      the same while working on it: a change shows in the open browser by itself
./build.sh build    build the browser bundle, the rendering bundle and the release binary
./build.sh check    the fast part of the tests: format, lint, types, unit tests
./build.sh test     everything: check, integration on SQLite and Postgres, browser journeys
./build.sh bench    measure: rates, render, pages, peers, history, bookings, engine, sealing, or one
./build.sh prove    the proofs too slow for every commit, or some of them: ignored, promises, walks,
                    looks, picture, attacks, requests, cluster, upgrade, phonepe, karrio,
                    buckets, packages; in fresh clones run, without_v8, test
./build.sh wire     write ui/src/wire.ts anew from the types of the server
./build.sh v8       build the V8 library from source (two hours on two cores)
EOF_USAGE
}

# Without QPSG SQLite parses each statement with `limit $n` anew whenever it is run, to plan for the
# number it is given (sqlite.org/queryplanner-ng.html#qpstab). The others spare the locks by which
# connections share one cache of pages and count their memory, and checks of what rusqlite ensures.
# The last ones leave out what nothing here uses: a third of the compiler's work on it.
export LIBSQLITE3_FLAGS="-DSQLITE_ENABLE_QPSG -DSQLITE_DEFAULT_MEMSTATUS=0 \
-USQLITE_ENABLE_MEMORY_MANAGEMENT -USQLITE_ENABLE_API_ARMOR -USQLITE_ENABLE_DBSTAT_VTAB \
-USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 \
-USQLITE_ENABLE_LOAD_EXTENSION -USQLITE_ENABLE_RTREE -USQLITE_ENABLE_STAT4 -USQLITE_SOUNDEX"

source .ci/product
source .ci/tests
source .ci/bench
source .ci/prove

case ${1:-} in
  run) run "${@:2}" ;;
  dev) dev ;;
  build) build ;;
  check) check ;;
  test) test_all ;;
  bench) bench "${@:2}" ;;
  prove) prove "${@:2}" ;;
  wire) wire ;;
  v8) exec .ci/v8 ;;
  *)
    usage
    [[ $# -eq 0 || $1 == help || $1 == --help ]] || exit 2
    ;;
esac
