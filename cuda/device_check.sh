#!/usr/bin/env bash
# Checks the device back end on a machine with a CUDA GPU, in under 8 minutes
# once it is built.
# The last line is "N passed, N failed, N skipped". See usage() below.
set -euo pipefail

usage() {
  cat << END
usage: device_check.sh              build with Bazel, then check
       device_check.sh --pack TAR   build, and put all that the check needs into
                                    an archive, for a machine without Bazel
       device_check.sh --from TAR   check what is in one

Checks: every op, dtype and layout, device against host; the recorded programs
(conformance); both llama programs, original against resolved; some of that
under compute-sanitizer, where it is installed; and bytes a second.
END
}

targets=(
  //tools:palimpsest //tests/cuda:device_test //bench:bandwidth_benchmark
)

# What the checks read, laid out as in the checkout.
stage() {
  local dir=$1 target file
  bazel build --config=cuda "${targets[@]}" >&2
  for target in "${targets[@]}"; do
    file=${target#//}
    file=${file/://}
    install -D "bazel-bin/$file" "$dir/$file"
  done
  strip "$dir/tools/palimpsest" "$dir/tests/cuda/device_test" "$dir/bench/bandwidth_benchmark"
  mkdir -p "$dir/tests/conformance" "$dir/examples/programs" "$dir/lib"
  cp tests/conformance/*.jsonl "$dir/tests/conformance/"
  cp examples/programs/llama_*.pal "$dir/examples/programs/"
  # Debian has the benchmark library as a shared one alone.
  ldd "$dir/bench/bandwidth_benchmark" | awk '/libbenchmark/ {print $3}' |
    xargs -r -I{} cp {} "$dir/lib/"
}

passed=0 failed=0 skipped=0

# check SECONDS NAME COMMAND..: counts it, and shows the end of its output.
check() {
  local limit=$1 name=$2 log start=$SECONDS status=0
  shift 2
  log=$(mktemp)
  timeout "$limit" "$@" > "$log" 2>&1 < /dev/null || status=$?
  if ((status == 0)); then
    ((passed += 1))
    echo "passed  $name ($((SECONDS - start)) s): $(tail -n 1 "$log")"
  else
    ((failed += 1))
    echo "FAILED  $name ($((SECONDS - start)) s, exit status $status):"
    tail -n 40 "$log"
  fi
  rm -f "$log"
}

skip() {
  ((skipped += 1))
  echo "skipped $1: $2"
}

# A test that skips for want of a device does not pass here.
device_test() {
  local output
  output=$(tests/cuda/device_test "$@") || {
    echo "$output"
    return 1
  }
  echo "$output"
  ! grep -q '^\[  SKIPPED \]' <<< "$output"
}

llama() {
  tools/palimpsest resolve "examples/programs/$1.pal" -o "$1.pure.pal"
  tools/palimpsest check "examples/programs/$1.pal" "$1.pure.pal" \
    --backend=cuda --no-proof --samples=1
}

sanitized() {
  compute-sanitizer --error-exitcode=99 "$@"
}

run_checks() {
  local filter='*/index_add:*/index_put:*/scatter_add:*/masked_scatter:*/sum:*/matmul:*/copy:*/add'
  export LD_LIBRARY_PATH=$PWD/lib:${LD_LIBRARY_PATH-}
  export -f device_test llama sanitized
  if command -v nvidia-smi > /dev/null; then
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || true
  fi
  if ! printf 'func @f(%%x: f32[1]) {\n  return %%x\n}\n' |
    tools/palimpsest run - --backend=cuda > /dev/null; then
    echo "0 passed, 1 failed, 0 skipped"
    return 1
  fi
  check 60 "device against host" bash -c device_test
  check 60 "conformance" tools/palimpsest conform --backend=cuda tests/conformance/*.jsonl
  check 40 "llama, 2 layers" bash -c 'llama llama_2_layers'
  check 90 "llama, 16 layers" bash -c 'llama llama_16_layers'
  if command -v compute-sanitizer > /dev/null; then
    check 60 "memcheck" bash -c "sanitized tests/cuda/device_test --gtest_filter='$filter'"
    check 30 "racecheck" bash -c \
      "sanitized --tool racecheck tests/cuda/device_test --gtest_filter='*/index_add'"
  else
    skip "memcheck" "no compute-sanitizer here"
    skip "racecheck" "no compute-sanitizer here"
  fi
  check 40 "bytes a second" bench/bandwidth_benchmark --benchmark_min_time=0.2 \
    --benchmark_out=bandwidth.json --benchmark_out_format=json
  [[ ! -f bandwidth.json ]] || awk -F'[:,]' '
    /"name"/ { name = $0; sub(/.*"name": "/, "", name); sub(/\/real_time.*/, "", name) }
    /"bytes_per_second"/ { printf "  %-36s %8.1f GB/s\n", name, $2 / 1e9 }' bandwidth.json
  echo "$passed passed, $failed failed, $skipped skipped"
  ((failed == 0))
}

main() {
  local archive dir
  if [[ ${1-} == --pack || ${1-} == --from ]] && (($# != 2)); then
    usage >&2
    exit 2
  fi
  archive=${2:+$(realpath -m -- "$2")}
  cd "$(dirname "${BASH_SOURCE[0]}")/.."
  dir=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$dir'" EXIT
  case "${1-}" in
    "") stage "$dir" ;;
    --pack)
      stage "$dir"
      tar -C "$dir" -czf "${archive:?}" .
      ls -l "$archive"
      return
      ;;
    --from) tar -C "$dir" -xzf "${archive:?}" ;;
    *)
      usage
      exit 2
      ;;
  esac
  cd "$dir"
  run_checks
}

main "$@"
