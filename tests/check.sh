#!/usr/bin/env bash
# Run before every commit: format, line budget, build and tests.
#   tests/check.sh             all of it
#   tests/check.sh --no-tests  format and line budget only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Tracked files and new ones, but none that git ignores.
sources() {
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    [[ -f $file ]] && echo "$file"
  done
}

check_format() {
  if ! command -v clang-format > /dev/null; then
    echo "check.sh: no clang-format here; format not checked"
    return
  fi
  local files
  mapfile -t files < <(sources '*.h' '*.cc' '*.cu')
  ((${#files[@]} == 0)) || clang-format --dry-run -Werror "${files[@]}" || {
    echo "check.sh: format with: clang-format -i FILE.." >&2
    return 1
  }
}

# A source file has about 120 lines; 300 call for a look, 500 are too many.
check_lines() {
  local file lines status=0
  while read -r file; do
    lines=$(wc -l < "$file")
    if ((lines > 500)); then
      echo "$file: $lines lines, more than 500" >&2
      status=1
    elif ((lines > 300)); then
      echo "$file: warning: $lines lines, more than 300"
    fi
  done < <(sources '*.h' '*.cc' '*.cu' '*.def' '*.bzl' '*.py' '*.sh' BUILD '*/BUILD')
  return "$status"
}

status=0
check_format || status=1
check_lines || status=1
((status == 0)) || exit "$status"
[[ ${1-} == --no-tests ]] || ./setup.sh test
