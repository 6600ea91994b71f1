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
v8_ready=.v8                 # the V8 library as cargo links it: unpacked, or built here
# Without QPSG SQLite parses each statement with `limit $n` anew whenever it is run, to plan for the
# number it is given (sqlite.org/queryplanner-ng.html#qpstab). The others spare the locks by which
# connections share one cache of pages and count their memory, and checks of what rusqlite ensures.
# The last ones leave out what nothing here uses: a third of the compiler's work on it.
export LIBSQLITE3_FLAGS="-DSQLITE_ENABLE_QPSG -DSQLITE_DEFAULT_MEMSTATUS=0 \
-USQLITE_ENABLE_MEMORY_MANAGEMENT -USQLITE_ENABLE_API_ARMOR -USQLITE_ENABLE_DBSTAT_VTAB \
-USQLITE_ENABLE_FTS3 -USQLITE_ENABLE_FTS3_PARENTHESIS -USQLITE_ENABLE_FTS5 \
-USQLITE_ENABLE_LOAD_EXTENSION -USQLITE_ENABLE_RTREE -USQLITE_ENABLE_STAT4 -USQLITE_SOUNDEX"
features=()                  # of the product on this machine; set by find_v8
features_for_tests=()
features_for_dev=()          # without `embed`: a changed screen then compiles nothing anew

say() { printf '%s\n' "$*" >&2; }
die() { say "build.sh: $*"; exit 1; }

# shellcheck source=.ci/postgres
source .ci/postgres
# shellcheck source=.ci/browser
source .ci/browser
# shellcheck source=.ci/tests
source .ci/tests

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

# --- proofs, and what is made from the product -----------------------------------------------

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
