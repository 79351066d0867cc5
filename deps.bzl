"""External repositories of palimpsest, all found on this machine (no downloads)."""

load("//third_party/absl:system_absl.bzl", "system_absl")
load("//third_party/bazel:coverage_tools_stub.bzl", "coverage_tools_stub")
load("//third_party/cuda:cuda_configure.bzl", "cuda_configure")
load("//third_party/rules_cc:rules_cc_stub.bzl", "rules_cc_stub")
load("//third_party/system:system_library.bzl", "system_library")

def _maybe(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def _system(name, build, **kwargs):
    _maybe(
        system_library,
        name,
        build_file = "@palimpsest//third_party/system:%s.BUILD" % build,
        **kwargs
    )

def palimpsest_deps():
    """What a workspace that links palimpsest needs; earlier definitions win."""

    # What @bazel_tools itself loads, as packaged by Debian or as stubs.
    _maybe(coverage_tools_stub, "remote_coverage_tools")
    _maybe(rules_cc_stub, "rules_cc")
    _maybe(native.local_repository, "rules_java", path = "/usr/share/bazel/rules/java")
    _maybe(native.local_repository, "rules_proto", path = "/usr/share/bazel/rules/proto")
    _maybe(native.local_repository, "bazel_skylib", path = "/usr/share/bazel/tools/skylib")

    _maybe(system_absl, "com_google_absl")
    _maybe(cuda_configure, "local_cuda")

def palimpsest_dev_deps():
    """What palimpsest's command, tests and benchmarks need on top."""
    _system(
        "cli11",
        build = "cli11",
        apt = "libcli11-dev",
        headers = ["CLI/CLI.hpp"],
    )
    _system(
        "nlohmann_json",
        build = "nlohmann_json",
        apt = "nlohmann-json3-dev",
        headers = ["nlohmann/json.hpp"],
    )
    _system(
        "com_google_googletest",
        build = "googletest",
        apt = "libgtest-dev libgmock-dev",
        libs = ["libgmock.a", "libgtest.a", "libgtest_main.a"],
    )
    _system(
        "com_google_benchmark",
        build = "benchmark",
        apt = "libbenchmark-dev",
        libs = ["libbenchmark.so", "libbenchmark_main.a"],
    )
    _system(
        "isl",  # Of a manual test: setup.sh does not install it.
        build = "isl",
        apt = "libisl-dev",
        headers = ["isl/set.h"],
        libs = ["libisl.so"],
    )
    _system(
        "rapidcheck",
        build = "rapidcheck",
        apt = "librapidcheck-dev",
        libs = ["librapidcheck.a"],
    )
