#!/bin/sh
# Builds packd from this checkout and installs it for this user.
#
#   packaging/install.sh                     into ~/.local
#   PREFIX=/usr/local packaging/install.sh   elsewhere
#   packaging/install.sh --uninstall         takes the programs away again; the data stays
set -eu

prefix=${PREFIX:-$HOME/.local}
here=$(cd "$(dirname "$0")/.." && pwd)
bash_dir=$prefix/share/bash-completion/completions
zsh_dir=$prefix/share/zsh/site-functions
fish_dir=$prefix/share/fish/vendor_completions.d
man_dir=$prefix/share/man/man1

case ${1:-} in
  "") ;;
  --uninstall)
    rm -f "$prefix/bin/packd" "$prefix/bin/packd-mcp" "$bash_dir/packd" "$zsh_dir/_packd" "$fish_dir/packd.fish"
    rm -f "$man_dir/packd.1" "$man_dir"/packd-*.1
    echo "packd is removed from $prefix. Its data stays (by default in ~/.local/state/packd)."
    exit 0
    ;;
  *) echo "usage: install.sh [--uninstall]" >&2; exit 2 ;;
esac

command -v cargo >/dev/null || { echo "cargo is needed: https://rustup.rs" >&2; exit 1; }
cargo build --release --locked --manifest-path "$here/Cargo.toml"
target=${CARGO_TARGET_DIR:-$here/target}/release

mkdir -p "$prefix/bin" "$bash_dir" "$zsh_dir" "$fish_dir" "$man_dir"
for program in packd packd-mcp; do
  # Renamed into place: a program that runs cannot be written to, but it can be replaced.
  cp "$target/$program" "$prefix/bin/.$program.new"
  mv "$prefix/bin/.$program.new" "$prefix/bin/$program"
done
cp "$here/packaging/completions/packd.bash" "$bash_dir/packd"
cp "$here/packaging/completions/_packd" "$zsh_dir/_packd"
cp "$here/packaging/completions/packd.fish" "$fish_dir/packd.fish"
cp "$here"/packaging/man/*.1 "$man_dir/"

# A daemon of the version before would go on running; editors notice nothing of the change.
if "$prefix/bin/packd" status 2>/dev/null | grep -q 'is running'; then "$prefix/bin/packd" restart; fi

echo "packd is in $prefix/bin."
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "Put that directory on your PATH." ;;
esac
echo "Next: packd up, then packd setup."
