#!/bin/sh
# Makes everything a release consists of, from the one version in Cargo.toml, into one directory:
# a tarball with both programs, completions and manual pages, a Debian package, an MCP bundle, the MCP registry entry
# that points to it, the source archive, a Homebrew formula for that, and checksums of all of them.
#
#   packaging/release.sh                    into target/dist
#   packaging/release.sh --out DIR          elsewhere
#   packaging/release.sh --base URL         where the files will be downloaded from
#   packaging/release.sh --bin DIR          of programs that are built already
#   packaging/release.sh --fast             with little compression, to try it out
#
# What cannot be made here (no zip, no cargo-deb, no git) is said to be skipped, by name.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
cd "$here"
target=${CARGO_TARGET_DIR:-$here/target}
out=$target/dist
base=https://example.org/packd/releases
bin=
level=9
fast=
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift 2 ;;
    --base) base=$2; shift 2 ;;
    --bin) bin=$2; shift 2 ;;
    --fast) level=1 fast=--fast; shift ;;
    *) echo "usage: release.sh [--out DIR] [--base URL] [--bin DIR] [--fast]" >&2; exit 2 ;;
  esac
done

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
platform=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
name=packd-$version-$platform
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}

if [ -z "$bin" ]; then
  cargo build --release --locked
  bin=$target/release
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
bin=$(cd "$bin" && pwd)
rm -f "$out"/packd* "$out"/server.json "$out"/SHA256SUMS
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# The programs, without symbols; an editor waits for the shim, so it should load no library.
mkdir -p "$stage/$name/bin"
for program in packd packd-mcp; do
  cp "$bin/$program" "$stage/$name/bin/$program"
  if command -v strip >/dev/null; then strip "$stage/$name/bin/$program"; else echo "skipped: strip ($program)"; fi
done
if command -v ldd >/dev/null && ldd "$stage/$name/bin/packd-mcp" 2>/dev/null | grep -q '=>'; then
  echo "packd-mcp is linked to shared libraries here; a static libc makes it start faster."
fi
"$stage/$name/bin/packd" --version

# Completions and manual pages as this very program says them.
share=$stage/$name/share
mkdir -p "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
  "$share/fish/vendor_completions.d" "$share/doc/packd"
"$stage/$name/bin/packd" man "$share/man/man1" >/dev/null
"$stage/$name/bin/packd" completions bash >"$share/bash-completion/completions/packd"
"$stage/$name/bin/packd" completions zsh >"$share/zsh/site-functions/_packd"
"$stage/$name/bin/packd" completions fish >"$share/fish/vendor_completions.d/packd.fish"
cp README.md CHANGELOG.md LICENSE "$share/doc/packd/"

# The same input gives the same bytes: names in order, nobody's user, the commit's time.
pack() {
  tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$stage" -cf - "$1" | gzip "-n$level" >"$2"
}
pack "$name" "$out/$name.tar.gz"

if cargo deb --version >/dev/null 2>&1; then
  profile=release
  case $bin in */debug) profile=dev ;; esac
  # shellcheck disable=SC2086 # Nothing, or one flag.
  CARGO_TARGET_DIR=$(dirname "$bin") cargo deb --quiet --no-build $fast --profile "$profile" \
    --output "$out/packd_${version}_$platform.deb"
else
  echo "skipped: cargo deb (cargo install cargo-deb)"
fi

fill() {
  sed -e "s|@VERSION@|$version|g" -e "s|@BASE@|$base|g" -e "s|@HOMEPAGE@|$base|g" "$@"
}
sum() {
  if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}
digest() {
  sum "$1" | cut -d ' ' -f 1
}

# The bundle that MCP hosts install, and the registry entry that names it: it starts packd-mcp.
if command -v zip >/dev/null; then
  mkdir -p "$stage/mcpb/server"
  fill packaging/mcpb/manifest.json.in >"$stage/mcpb/manifest.json"
  # Both: the shim starts the daemon that lies beside it.
  cp "$stage/$name/bin/packd" "$stage/$name/bin/packd-mcp" "$stage/mcpb/server/"
  (cd "$stage/mcpb" && zip "-qrX$level" "$out/$name.mcpb" .)
  fill -e "s|@MCPB@|$name.mcpb|g" -e "s|@MCPB_SHA256@|$(digest "$out/$name.mcpb")|g" \
    packaging/mcp/server.json.in >"$out/server.json"
else
  echo "skipped: zip (the MCP bundle and the registry entry that names it)"
fi

# The sources as they are committed, and the formula that builds them.
if git rev-parse --verify -q HEAD >/dev/null 2>&1; then
  git archive --format=tar --prefix="packd-$version/" HEAD | gzip -n9 >"$out/packd-$version-src.tar.gz"
  fill -e "s|@URL@|$base/packd-$version-src.tar.gz|g" -e "s|@SHA256@|$(digest "$out/packd-$version-src.tar.gz")|g" \
    packaging/homebrew/packd.rb.in >"$out/packd.rb"
else
  echo "skipped: git (the source archive and the Homebrew formula)"
fi

(cd "$out" && for file in packd* server.json; do if [ -f "$file" ]; then sum "$file"; fi; done >SHA256SUMS)
echo "$out:"
cat "$out/SHA256SUMS"
