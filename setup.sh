#!/usr/bin/env bash
# Installs, builds and tests palimpsest on Debian or Ubuntu. See usage() below.
set -euo pipefail
exec < /dev/null  # Nothing here asks a question; stdin may be closed.

usage() {
  cat << END
usage: setup.sh [--cuda] [COMMAND]

  (none)    install what is missing, build, test
  install   install what is missing
  demo      install what is missing, build, and show examples/demo.sh
  test      install what is missing, build, and run every test; the last line
            is "N passed, N failed, N skipped"

  --cuda    first install a CUDA toolkit (nvcc and what it needs, 300 MB) from
            PyPI into .cache/cuda, where the build finds it. Without it, and
            without another toolkit, the build is one without CUDA

Packages come from apt, as root or through sudo. Where all are installed, apt
is not called and no network is needed.
END
}

packages=(
  g++ bazel-bootstrap bazel-rules-java bazel-rules-proto bazel-skylib python3
  libabsl-dev libbenchmark-dev libcli11-dev libgmock-dev
  libgtest-dev librapidcheck-dev nlohmann-json3-dev
)

# NVIDIA's wheels: nvcc, its parts, the runtime, CUB.
cuda_wheels=(
  nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85
)

die() {
  echo "setup.sh: $*" >&2
  exit 1
}

# Sets `missing` to the packages that are not installed.
find_missing() {
  missing=()
  command -v dpkg-query > /dev/null ||
    die "needs Debian or Ubuntu (no dpkg here), or these by other means: ${packages[*]}"
  local package status
  for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null || true)
    [[ $status == ?i* ]] || missing+=("$package")
  done
}

install_missing() {
  find_missing
  ((${#missing[@]})) || return 0
  command -v apt-get > /dev/null ||
    die "no apt-get here, and these packages are missing: ${missing[*]}"
  local as_root=()
  if ((EUID != 0)); then
    command -v sudo > /dev/null ||
      die "run as root to install, or: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  # Waits for another apt to finish rather than fail on its lock.
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
    apt-get -o DPkg::Lock::Timeout=300 -y)
  "${apt[@]}" update || true  # The lists at hand may do.
  "${apt[@]}" install --no-install-recommends "${missing[@]}" ||
    die "could not install: ${missing[*]} (all are in Debian 12's main)"
}

# Puts a CUDA toolkit into .cache/cuda, whole or not at all.
install_cuda() {
  [[ -x .cache/cuda/bin/nvcc ]] && return
  rm -rf .cache/cuda-wheels
  python3 -m pip install --quiet --no-deps --root-user-action=ignore \
    --target .cache/cuda-wheels "${cuda_wheels[@]}" ||
    die "could not install from PyPI: ${cuda_wheels[*]}"
  rm -rf .cache/cuda
  mv .cache/cuda-wheels/nvidia/cu13 .cache/cuda
  rm -rf .cache/cuda-wheels
  echo "setup.sh: $(.cache/cuda/bin/nvcc --version | grep release) in .cache/cuda"
  bazel shutdown  # It looks for a toolkit when it starts.
}

# Debian's Bazel, though another (Bazelisk) may come first in $PATH.
bazel() {
  if [[ -x /usr/bin/bazel ]]; then /usr/bin/bazel "$@"; else command bazel "$@"; fi
}

# Links the library from another workspace and runs the result: one test.
test_downstream() {
  local status=0
  echo "examples/downstream:"
  cd examples/downstream
  bazel run //:main || status=$?
  bazel shutdown  # It has a server of its own.
  return "$status"
}

run_tests() {
  local status=0 downstream=passed events
  events=$(mktemp)
  # shellcheck disable=SC2064
  trap "rm -f '$events'" EXIT
  bazel test --keep_going --build_event_json_file="$events" //... || status=$?
  (test_downstream) || downstream=failed
  python3 tests/count_results.py --bazel-status="$status" \
    --extra="examples/downstream=$downstream" "$events"
}

# Bazel takes links to another output base, as in a copied checkout, for packages.
remove_links() {
  find . examples/downstream -maxdepth 1 -type l -name 'bazel-*' -delete
}

# Packages, and a CUDA toolkit where one is asked for.
install_all() {
  install_missing
  [[ -z $with_cuda ]] || install_cuda
}

main() {
  with_cuda=
  cd "$(dirname "${BASH_SOURCE[0]}")"
  if [[ ${1-} == --cuda ]]; then
    shift
    with_cuda=1
    python3 -m pip --version > /dev/null 2>&1 || packages+=(python3-pip)
  fi
  if (($# > 1)); then
    usage >&2
    exit 2
  fi
  case "${1-all}" in
    -h | --help) usage ;;
    install) install_all ;;
    demo)
      install_all
      remove_links
      bazel build //tools:palimpsest
      examples/demo.sh
      ;;
    all | test)
      install_all
      remove_links
      run_tests
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
}

main "$@"
