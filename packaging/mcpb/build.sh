#!/bin/sh
# Packs packd.mcpb for this machine's platform: the manifest and both programs, in a zip archive.
set -eu
cd "$(dirname "$0")/../.."
command -v zip >/dev/null || { echo "zip is needed" >&2; exit 1; }
cargo build --release
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/server"
cp packaging/mcpb/manifest.json "$stage/"
# Both: the shim starts the daemon that lies beside it.
cp target/release/packd target/release/packd-mcp "$stage/server/"
rm -f target/packd.mcpb
out=$PWD/target/packd.mcpb
(cd "$stage" && zip -qr "$out" .)
echo "$out"
