#!/usr/bin/env bash
# The steps of the action: `action.sh install`, and `action.sh check FORMAT`.
#
# They start in the checkout of a repository that nobody has to trust: nothing of it is run, imported or taken for a
# configuration, and neither the checker nor what makes it is given a token.
set -euf -o pipefail
unset GITHUB_TOKEN GH_TOKEN ACTIONS_RUNTIME_TOKEN ACTIONS_ID_TOKEN_REQUEST_TOKEN ACTIONS_ID_TOKEN_REQUEST_URL

place="$RUNNER_TEMP/skills-bundle"

# Unpacks a wheel whose digest is the one that the workflow names.
from_wheel() {
  case "$WHEEL" in
    /* | [A-Za-z]:*) wheel="$WHEEL" ;;
    *) wheel="$PWD/$WHEEL" ;;
  esac
  # Python looks for modules, and cargo for configurations, where they are started.
  cd "$RUNNER_TEMP"
  for python in python3 python; do "$python" -I -c "" 2>/dev/null && break; done
  # A copy cannot be exchanged once it was looked at.
  copy="$RUNNER_TEMP/skills-wheel/$(basename "$wheel")"
  mkdir -p "$RUNNER_TEMP/skills-wheel"
  cp "$wheel" "$copy"
  found=$("$python" -I -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$copy")
  if [ "$found" != "$SHA256" ]; then
    echo "::error::the wheel has the SHA-256 $found, not \`$SHA256\`"
    exit 1
  fi
  # A directory of its own needs no environment, which takes longer to make than the rest.
  "$python" -I -m pip install --quiet --disable-pip-version-check --no-index --no-deps --target "$place" "$copy"
}

# Builds the program from the source that came with the action: no registry has it yet.
from_source() {
  cd "$GITHUB_ACTION_PATH"
  cargo install --quiet --locked --path tools/skills-cli --no-default-features --bin skills \
    --root "$place" --target-dir "$RUNNER_TEMP/skills-target"
}

case "$1" in
  install)
    if [ -n "$WHEEL" ]; then from_wheel; else from_source; fi
    echo "$place/bin" >> "$GITHUB_PATH"
    ;;
  check)
    # Several arguments are meant by one input.
    # shellcheck disable=SC2086
    "$place/bin/skills" check --format "$2" $ARGUMENTS -- "$CHECKED"
    ;;
esac
