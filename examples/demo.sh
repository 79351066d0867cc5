#!/usr/bin/env bash
# Shows the KV-cache programs before and after `palimpsest resolve`, and what
# `palimpsest check` says of the two. Build first: ./setup.sh demo does both.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

palimpsest=bazel-bin/tools/palimpsest
[[ -x $palimpsest ]] || {
  echo "demo.sh: $palimpsest is not built; run ./setup.sh demo" >&2
  exit 1
}
resolved=$(mktemp --suffix=.pal)
trap 'rm -f "$resolved"' EXIT

indent() { sed 's/^/    /'; }

# show FILE, TEXT..: the program, its pure form and the verdict on both.
show() {
  local file=$1
  shift
  printf '\n== %s\n' "$file"
  printf '%s\n' "$@"
  printf '\nBefore:\n\n'
  indent < "$file"
  "$palimpsest" resolve "$file" -o "$resolved"
  printf '\nAfter (palimpsest resolve):\n\n'
  indent < "$resolved"
  printf '\nDo both do the same? (palimpsest check)\n\n'
  "$palimpsest" check "$file" "$resolved" | indent
}

cat << END
Each program below updates a key-value cache in place, through views of it.
"resolve" makes it pure: every op makes a new value, and a "commit" at the end
says what the caller's memory must hold. "check" then looks for a proof that
both programs do the same for all inputs.
END

show examples/kv_cache.pal \
  'Two lanes of a cache of 16 are written, each through a view of a view.' \
  'Only these lanes are committed.'
show examples/programs/kv_rows.pal \
  'A cache is written one half at a time.'
show examples/programs/kv_flat_index_copy.pal \
  'The same cache, written through a flattened view.'
show examples/programs/kv_flat_index_put.pal \
  'Sixteen elements of the cache, put through a flat view.'
show examples/programs/kv_slice_then_index.pal \
  'A write through a slice, then one by index.'
show examples/programs/kv_permuted.pal \
  'An index write through a permuted view.'
show examples/programs/kv_one_storage.pal \
  'Keys and values are the halves of one storage.'
