#!/usr/bin/env bash
# Runs every fuzz target, or those named, for 60 seconds each (FUZZ_SECONDS changes that).
# Needs a nightly compiler and cargo-fuzz (`cargo install cargo-fuzz`). What breaks a target is left in
# fuzz/artifacts/TARGET; what it learns goes to fuzz/gathered/TARGET, and the kept corpus stays as it is.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds="${FUZZ_SECONDS:-60}"
if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
  echo "skipped: cargo fuzz (rustup toolchain install nightly; cargo install cargo-fuzz)"
  exit 0
fi
if [ "$#" -gt 0 ]; then targets=("$@"); else mapfile -t targets < <(cargo +nightly fuzz list); fi
failed=()
for target in "${targets[@]}"; do
  echo "== $target, $seconds s"
  mkdir -p "fuzz/gathered/$target"
  cargo +nightly fuzz run "$target" "fuzz/gathered/$target" "fuzz/corpus/$target" -- \
    -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
    || failed+=("$target")
done
if [ "${#failed[@]}" -gt 0 ]; then
  echo "broken: ${failed[*]}; the inputs are in fuzz/artifacts"
  exit 1
fi
echo "nothing broke in ${#targets[@]} targets"
