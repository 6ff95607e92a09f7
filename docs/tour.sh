#!/bin/sh
# Records a day with packd in a real terminal of 80 columns and renders it as docs/tour.svg.
#
#   docs/tour.sh            with target/release/packd
#   docs/tour.sh DIR        with the programs in DIR
#
# Needs script (util-linux), git, and Python with the package rich (it is put into a scratch environment if missing).
# Everything happens in a home of its own, which is gone afterwards.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
bin=$(cd "${1:-${CARGO_TARGET_DIR:-$here/target}/release}" && pwd)
scratch=$(mktemp -d)
cleanup() {
  PACKD_HOME=$scratch/state "$bin/packd" stop >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap cleanup EXIT

python=python3
if ! $python -c 'import rich' 2>/dev/null; then
  $python -m venv "$scratch/venv"
  "$scratch/venv/bin/pip" install --quiet 'rich>=13'
  python=$scratch/venv/bin/python
fi

# A project with something to remember.
mkdir -p "$scratch/shop/src"
cat >"$scratch/shop/src/login.rs" <<'RUST'
fn verify(token: &str) -> bool {
    !token.is_empty()
}
RUST
git -C "$scratch/shop" init -q

# What an agent does: the messages that an editor sends to packd-mcp, each after the answer to the one before.
cat >"$scratch/agent.py" <<'PYTHON'
import json, subprocess, sys
shim = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
number = 0
def ask(method, params):
    global number
    number += 1
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    shim.stdin.write(json.dumps(message) + "\n")
    shim.stdin.flush()
    while True:
        reply = json.loads(shim.stdout.readline())
        if reply.get("id") == number:
            return reply
def call(tool, **arguments):
    reply = ask("tools/call", {"name": tool, "arguments": arguments})
    if "error" in reply or reply["result"].get("isError"):
        sys.exit(json.dumps(reply))
ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "claude-code", "version": "1"}})
call("tasks_note", task="TASK-001", path="s:0", note="the token is checked in verify()")
call("input", action="create", title="How login works", name="login-flow", ttl_minutes=43200)
call("tasks_edit", task="TASK-001", priority="LOW")
shim.stdin.close()
shim.wait()
PYTHON

cat >"$scratch/session.sh" <<'SESSION'
cd "$SHOP"
type_it() {
  printf '\033[1;32m$\033[0m \033[1m%s\033[0m\n' "$1"
  sh -c "$1" || true
  echo
}
type_it "packd task add 'Ship OAuth' --step 'Wire the login flow' --test 'cargo test'"
"$PYTHON" "$AGENT" packd-mcp || exit 1
printf '\033[2m# An agent works; you look.\033[0m\n'
type_it "packd"
type_it "packd show"
printf '\033[2m# You take back what you do not like: here, all it did.\033[0m\n'
type_it "packd undo --by claude-code --since 1h --yes"
SESSION

env -i HOME="$scratch" PACKD_HOME="$scratch/state" PATH="$bin:$PATH" TERM=xterm-256color LANG=C.UTF-8 \
  SHOP="$scratch/shop" PYTHON="$python" AGENT="$scratch/agent.py" \
  script -qec "stty cols 80 rows 200; sh $scratch/session.sh" "$scratch/typescript" </dev/null >/dev/null

"$python" - "$scratch/typescript" "$here/docs/tour.svg" <<'PYTHON'
import re, sys
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text
recorded = open(sys.argv[1], encoding="utf-8", newline="").read().replace("\r\n", "\n")
lines = [l for l in recorded.split("\n") if not l.startswith(("Script started", "Script done"))]
text = Text.from_ansi("\n".join(lines).strip("\n"))
console = Console(record=True, width=80, file=open("/dev/null", "w"), force_terminal=True, color_system="truecolor")
console.print(text, soft_wrap=True)
svg = console.export_svg(title="packd", theme=MONOKAI, unique_id="tour")
# No font of somebody else's server: the reader's own monospace does.
svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S).replace("Fira Code", "ui-monospace, monospace")
open(sys.argv[2], "w", encoding="utf-8").write(svg)
PYTHON
echo "docs/tour.svg"
