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
./build.sh bench    measure here: rates, render, pages, peers, history, bookings, or one of them
./build.sh prove    the proofs too slow for every commit: fresh clones, long runs, or one of them:
                    promises, walks, looks, attacks, requests, phonepe, karrio
./build.sh wire     write ui/src/wire.ts anew from the types of the server
./build.sh v8       build the V8 library from source (two hours on two cores)
EOF_USAGE
}

target=${CARGO_TARGET_DIR:-target}
logs=artefacts/logs
v8_ready=.v8                 # the V8 library as cargo links it: unpacked, or built here
# Without QPSG SQLite parses each statement with `limit $n` anew whenever it is run, to plan for the
# number it is given (sqlite.org/queryplanner-ng.html#qpstab). The others spare the locks by which
# connections share one cache of pages and count their memory, and checks of what rusqlite ensures.
# The last ones leave out what nothing here uses: a third of the compiler's work on it.
export LIBSQLITE3_FLAGS="-DSQLITE_ENABLE_QPSG -DSQLITE_DEFAULT_MEMSTATUS=0 \
-USQLITE_ENABLE_MEMORY_MANAGEMENT -USQLITE_ENABLE_API_ARMOR -USQLITE_ENABLE_DBSTAT_VTAB \
-USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 \
-USQLITE_ENABLE_LOAD_EXTENSION -USQLITE_ENABLE_RTREE -USQLITE_ENABLE_STAT4 -USQLITE_SOUNDEX"
tests_dir=''                 # what tests write, while they run
features=()                  # of the product on this machine; set by find_v8
features_for_tests=()
features_for_dev=()          # without `embed`: a changed screen then compiles nothing anew

say() { printf '%s\n' "$*" >&2; }
die() { say "build.sh: $*"; exit 1; }

# shellcheck source=.ci/postgres
source .ci/postgres
# shellcheck source=.ci/browser
source .ci/browser

# --- tools -----------------------------------------------------------------------------------

need() { command -v "$1" >/dev/null || die "$1 is missing. $2"; }

check_tools() {
  need cargo "Install Rust with rustup, or the packages rustc and cargo."
  need cc "Install a C compiler (Debian: apt-get install build-essential)."
  need node "Install Node.js 20.19 or newer; it builds the front end and never runs the product."
  need npm "It usually comes with Node.js (Debian: apt-get install npm)."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number);
           process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    die "Node.js $(node --version) is too old: the front-end tools need 20.19 or newer."
}

# What this machine is called by compilers.
host() { rustc -vV | sed -n 's/^host: //p'; }

# Installs Debian packages where that is possible; the caller looks again afterwards.
install_debian() {
  [[ $EUID -eq 0 ]] && command -v apt-get >/dev/null || return 0
  say "Installing $* with apt-get"
  apt-get update -qq || true
  DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "$@" >/dev/null || true
}

# --- front end -------------------------------------------------------------------------------

npm_packages() {
  local installed=node_modules/.installed-lock
  cmp -s package-lock.json "$installed" && return
  say "Installing npm packages"
  npm ci --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json "$installed"
}

# Whether the first file is missing or older than anything in the other paths.
stale() {
  local output=$1
  shift
  [[ ! -e $output ]] || [[ -n $(find "$@" -newer "$output" -print -quit 2>/dev/null) ]]
}

front_end() {
  npm_packages
  local shared=(ui/src ui/tsconfig.json package.json package-lock.json)
  if stale ui/dist/.vite/manifest.json "${shared[@]}" ui/public ui/vite.config.ts; then
    npm run --silent build:client >&2
  fi
  if stale ssr-bundle/dist/ssr.js "${shared[@]}" ssr-bundle/*.*; then
    npm run --silent build:ssr >&2
  fi
}

# --- the V8 library --------------------------------------------------------------------------

# Decides where V8's static library comes from and so which engines this build gets.
find_v8() {
  features=(--features v8)
  features_for_tests=(--all-features)
  features_for_dev=(--no-default-features --features v8)
  local triple version library url
  triple=$(host)
  version=$(sed -n '/^name = "v8"$/{n;s/version = "\(.*\)"/\1/p;}' Cargo.lock)
  library=v8-$version-$triple.a
  if [[ -n ${RUSTY_V8_ARCHIVE:-} ]]; then
    [[ -f $RUSTY_V8_ARCHIVE || $RUSTY_V8_ARCHIVE == http*://* ]] ||
      die "RUSTY_V8_ARCHIVE names no file: $RUSTY_V8_ARCHIVE"
    return
  fi
  if [[ ! -f $v8_ready/$library && -f server/v8/$library.br ]]; then
    say "Unpacking V8"
    node server/v8/library.mjs unpack "server/v8/$library.br" "$v8_ready/$library"
  fi
  if [[ -f $v8_ready/$library ]]; then
    unset RUSTY_V8_MIRROR
    tell_cargo "$v8_ready/$library"
    return
  fi
  forget_in_cargo
  url=${RUSTY_V8_MIRROR:-https://github.com/denoland/rusty_v8/releases/download}
  v8_downloaded "$url/v$version/librusty_v8_release_$triple.a.gz" && return
  features=(--no-default-features --features embed,quickjs)
  features_for_tests=(--no-default-features --features embed,quickjs,faults)
  features_for_dev=(--no-default-features --features quickjs)
  say "No V8 library here and upstream cannot be reached: building with the engine quickjs."
}

cargo_config=.cargo/config.toml
cargo_config_mark='# Written by build.sh: where V8 is.'

# Lets plain `cargo build` find the library too. Settings of your own stay as they are.
tell_cargo() {
  if [[ -f $cargo_config ]] && ! grep -qxF "$cargo_config_mark" "$cargo_config"; then
    export RUSTY_V8_ARCHIVE=$PWD/$1
    return
  fi
  local content
  content=$(printf '%s\n' "$cargo_config_mark" '[env]' \
    "RUSTY_V8_ARCHIVE = { value = \"$1\", relative = true }" \
    '# What SQLite is compiled with.' \
    "LIBSQLITE3_FLAGS = \"$LIBSQLITE3_FLAGS\"")
  [[ $(cat "$cargo_config" 2>/dev/null) == "$content" ]] && return
  mkdir -p "${cargo_config%/*}"
  printf '%s\n' "$content" >"$cargo_config"
}

forget_in_cargo() {
  ! grep -qxF "$cargo_config_mark" "$cargo_config" 2>/dev/null || rm "$cargo_config"
}

# Whether cargo already fetched upstream's library, or could: asked for a few seconds.
v8_downloaded() {
  local fetched
  for fetched in "$target"/{release,debug}/gn_out/obj/librusty_v8; do
    [[ -f $fetched.a && $(cat "$fetched.sum" 2>/dev/null) == "$1" ]] && return
  done
  command -v curl >/dev/null &&
    curl --silent --fail --head --location --max-time 5 --output /dev/null "$1"
}

build() {
  check_tools
  front_end
  find_v8
  cargo build --release --locked "${features[@]}"
  node .ci/materials.mjs write "$target/release/dakiya.cdx.json"
}

# --- tests -----------------------------------------------------------------------------------

# Runs one stage of the tests, keeps its output and remembers its time.
run_stage() {
  local stage=$1 log=$logs/${1// /-} began=$SECONDS
  shift
  say "== $stage"
  printf '%s\n' "$stage" >"$log.unfinished"
  "$@" 2>&1 | tee "$log.log" || return
  printf '%6d s  %s\n' $((SECONDS - began)) "$stage" >>"$logs/times"
  rm "$log.unfinished"
}

# What every runner counted, as one line, after the tests that went well only the second time.
totals() {
  sed -n -e 's/^ *✓ \(.*[^ ]\)  *[0-9]*ms (retry x[0-9]*)$/SECOND TRY: \1/p' \
    -e '/^SECOND TRY: /p' "$logs"/*.log
  awk '
    /^SECOND TRY: / { failed -= 1 }
    /^test result:/ { passed += $4; failed += $6; skipped += $8 }
    /^ *Tests  / { for (i = 1; i < NF; i++) {
      if ($(i + 1) == "passed") passed += $i
      if ($(i + 1) == "failed") failed += $i
      if ($(i + 1) == "skipped") skipped += $i } }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }' "$logs"/*.log
}

# On every way out: nothing of ours stays, and the summary is told.
finish_tests() {
  local status=$?
  stop_postgres
  rm -rf "$tests_dir"
  cat "$logs/times" 2>/dev/null || true
  [[ $status -eq 0 ]] ||
    printf 'FAILED in stage: %s\n' "$(cat "$logs"/*.unfinished 2>/dev/null || echo preparation)"
  [[ ! -e $logs/times ]] || totals
  exit "$status"
}

begin_tests() {
  trap finish_tests EXIT
  export NO_COLOR=1 RUSTC_WORKSPACE_WRAPPER=$PWD/.ci/clippy
  rm -rf "$logs"
  mkdir -p "$logs"
  check_tools
  fetch_crates &
  front_end
  find_v8
}

# While npm unpacks its packages. What goes wrong here cargo says when it builds.
fetch_crates() {
  cargo fetch --quiet --locked --target "$(host)" 2>/dev/null || true
}

# The compiler is waited for: these take what it leaves. The unit tests do not, as each must end
# within five seconds.
ui_checks() {
  run_stage "ui format" nice npm run --silent format:check
  run_stage "ui types" nice npm run --silent typecheck
  run_stage "ui lint" nice npm run --silent lint
}

ui_unit_tests() { run_stage "ui unit tests" npm run --silent test:unit; }

# One profile for all, and one compilation: clippy's findings are errors while it builds.
rust_stages() {
  run_stage "rust format" cargo fmt --check
  run_stage "rust build with clippy" cargo_test --no-run --all-targets
  run_stage "licences, sources and known holes" materials
}

# What may be in the product, by deny.toml, and whether it has known holes.
materials() {
  node .ci/materials.mjs check
  node .ci/materials.mjs holes
  ! cargo deny --version >/dev/null 2>&1 || {
    cargo deny --offline --all-features check bans licenses sources
    crates_holes
  }
}

# Without a network the list of holes cannot be brought up to date: that is said, and no fault.
crates_holes() {
  if timeout 120 cargo deny --all-features fetch db >/dev/null 2>&1; then
    cargo deny --offline --all-features check advisories
  else
    echo "The list of crates' known holes cannot be fetched: not checked"
  fi
}

# What needs no database and no browser. A compiler leaves room for the front end.
static_stages() {
  local checks tests
  ui_checks &
  checks=$!
  ui_unit_tests &
  tests=$!
  rust_stages
  wait "$checks"
  wait "$tests"
}

unit_tests() { run_stage "rust unit tests" cargo_test --lib --bins; }

cargo_test() { cargo test --locked "${features_for_tests[@]}" "$@"; }

# More failures than a busy machine can be blamed for.
second_tries_max=3

# Runs tests, and a few that fail once more, alone. Those that only failed beside others are named
# at the end. Proofs get no second try: what a race breaks once, it breaks.
cargo_test_twice() {
  local log failed
  log=$(mktemp)
  if cargo_test "$@" 2>&1 | tee "$log"; then
    rm "$log"
    return
  fi
  # The names stand in the last list of that title.
  mapfile -t failed < <(tac "$log" | awk '/^failures:$/ { exit }
                                          /^    [a-z0-9_:]+$/ { print $1 }')
  rm "$log"
  ((${#failed[@]} > 0 && ${#failed[@]} <= second_tries_max)) || return 1
  cargo_test --test it -- --exact --test-threads 1 "${failed[@]}" || return 1
  printf 'SECOND TRY: %s\n' "${failed[@]}"
}

check() {
  begin_tests
  static_stages
  unit_tests
}

# Proofs mostly wait, for what was killed to come back and for what is slow on purpose, so that many
# of them do at once, beside the other tests. Fifteen thousand pages begin with them: nobody else
# would be left to work beside their last minute.
proofs=(--test-threads 6 proof_ ledger:: faults:: ssr::memory::)
cores=$(getconf _NPROCESSORS_ONLN)
without_proofs=(--test-threads $((2 * cores)) --skip proof_ --skip ledger:: --skip faults:: \
  --skip ssr::memory::)

# Everything on one database. Both parts end, whichever fails.
test_on() {
  local database=$1 proving failed=0
  shift
  run_stage "proofs on $database" cargo_test --test it -- "${proofs[@]}" "$@" &
  proving=$!
  run_stage "rust on $database" cargo_test_twice --test it -- "${without_proofs[@]}" "$@" ||
    failed=1
  wait "$proving" || failed=1
  return "$failed"
}

tools_for_tests() {
  need_postgres
  need_chromium
  need_pdf_readers
}

test_all() {
  local tools units
  begin_tests
  # What is missing comes over the network, which leaves the processors to the compiler.
  tools_for_tests &
  tools=$!
  static_stages
  wait "$tools"
  # Found again, as only this shell can tell the journeys where.
  need_chromium
  start_postgres
  tests_dir=$(mktemp -d "$(memory_folder)/dakiya-tests.XXXXXX")
  export TMPDIR=$tests_dir
  # Beside the others, as their last seconds are those of one test.
  unit_tests &
  units=$!
  test_on sqlite
  wait "$units"
  # What never asks Postgres need not run again: the faulty disk and the log are SQLite's, and what
  # is wrong with a file or with a cell of a rate card no database says.
  DAKIYA_TEST_DATABASE_URL=$postgres_url test_on postgres --skip ssr:: --skip gateway:: \
    --skip partners:: --skip tidy:: --skip proof_disk --skip proof_log \
    --skip each_file_of_the_corpus --skip a_pdf_that_would --skip every_cell_of_the_sample_cards
  DAKIYA_BINARY=$target/debug/dakiya run_stage "browser journeys" npm run --silent test:e2e
}

# The front end's wire types, made anew from the server's.
wire() {
  local types
  check_tools
  npm_packages
  find_v8
  types=$(cargo run --quiet --locked "${features_for_dev[@]}" -- openapi | node ui/wire.mjs)
  printf '%s\n' "$types" >ui/src/wire.ts
}

# As the product is built: what runs for hours is worth it.
cargo_prove() { cargo test --release --locked "${features_for_tests[@]}" "$@"; }

# The promises of server/docs/money.md with their full counts, on both databases.
prove_promises() {
  trap stop_postgres EXIT
  start_postgres
  local proofs=(--test it -- --nocapture --test-threads 1 proof ledger::)
  DAKIYA_PROVE=1 cargo_prove "${proofs[@]}"
  DAKIYA_PROVE=1 DAKIYA_TEST_DATABASE_URL=$postgres_url cargo_prove "${proofs[@]}" \
    --skip proof_disk --skip proof_log
}

# Every attack at once on the program as it is built, while ten customers do what they came for.
prove_attacks() {
  trap stop_postgres EXIT
  start_postgres
  local attacks=(--test it -- --nocapture --test-threads 1 attacks::)
  DAKIYA_PROVE=1 cargo_prove "${attacks[@]}"
  DAKIYA_PROVE=1 DAKIYA_TEST_DATABASE_URL=$postgres_url cargo_prove "${attacks[@]}"
}

# Random walks over the booking wizard, in a browser against the product as it is built.
prove_walks() {
  need_chromium
  cargo build --release --locked "${features[@]}"
  DAKIYA_PROVE=walks DAKIYA_BINARY=$target/release/dakiya \
    npm run --silent test:e2e -- wizard-walks
}

# Every journey, with a picture of each state in each size and by night, for people to look at.
prove_looks() {
  need_chromium
  need_pdf_readers
  [[ -n ${DAKIYA_BINARY:-} ]] || cargo build --release --locked "${features[@]}"
  DAKIYA_PROVE=looks DAKIYA_BINARY=${DAKIYA_BINARY:-$target/release/dakiya} \
    npm run --silent test:e2e
}

# Ten thousand requests over every call of the API, on both databases.
prove_requests() {
  trap stop_postgres EXIT
  start_postgres
  [[ -n ${DAKIYA_BINARY:-} ]] || cargo build --release --locked "${features[@]}"
  local binary=${DAKIYA_BINARY:-$target/release/dakiya}
  .ci/requests "$binary"
  DATABASE_URL=$postgres_url .ci/requests "$binary"
}

# What the Node server of `bench peers` needs besides the front end's packages.
peer_packages() {
  DAKIYA_PEER_PACKAGES=$(realpath -m "$target")/peer/node_modules
  export DAKIYA_PEER_PACKAGES
  [[ -d $DAKIYA_PEER_PACKAGES/better-sqlite3 ]] ||
    npm install --silent --no-audit --no-fund --prefix "$target/peer" better-sqlite3@12 >&2 ||
    say "No better-sqlite3: our dashboards are not compared with Node's"
}

# The slow tests, the promises, the walks, then what only a fresh clone can show.
prove() {
  check_tools
  front_end
  find_v8
  case $* in
    promises) prove_promises ;;
    walks) prove_walks ;;
    looks) prove_looks ;;
    attacks) prove_attacks ;;
    requests) prove_requests ;;
    phonepe)
      [[ -n ${DAKIYA_BINARY:-} ]] || cargo build --release --locked "${features[@]}"
      .ci/phonepe "${DAKIYA_BINARY:-$target/release/dakiya}"
      ;;
    karrio)
      .ci/karrio cargo test --release --locked "${features_for_tests[@]}" --test it -- \
        --ignored --nocapture real_karrio
      ;;
    '')
      cargo_prove -- --ignored
      prove_promises
      prove_walks
      prove_looks
      prove_attacks
      prove_requests
      .ci/prove
      ;;
    *) .ci/prove "$@" ;;
  esac
}

case ${1:-} in
  run)
    build
    shift
    exec "$target/release/dakiya" "$@"
    ;;
  dev)
    check_tools
    npm_packages
    find_v8
    exec node ui/dev.mjs "${features_for_dev[@]}"
    ;;
  build) build ;;
  check) check ;;
  test) test_all ;;
  bench)
    check_tools
    front_end
    find_v8
    [[ ${2:-peers} != peers ]] || peer_packages
    cargo bench --locked "${features[@]}" --features quickjs --bench bench -- "${@:2}"
    ;;
  prove) prove "${@:2}" ;;
  v8) exec .ci/v8 "$v8_ready" ;;
  wire) wire ;;
  *)
    usage
    [[ $# -eq 0 || $1 == help || $1 == --help ]] || exit 2
    ;;
esac
