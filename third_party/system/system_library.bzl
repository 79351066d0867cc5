"""A repository made of libraries that the system's C++ compiler can find."""

def _cc(ctx):
    return ctx.os.environ.get("CC", "cc")

def _not_found(file, apt):
    fail("%s not found; run ./setup.sh install, or: apt-get install %s" % (file, apt))

def find_library(ctx, file, apt):
    """The path of a system library, from `cc -print-file-name`."""
    found = ctx.execute([_cc(ctx), "-print-file-name=" + file]).stdout.strip()
    if not found.startswith("/"):
        _not_found(file, apt)
    return ctx.path(found)

def _check_header(ctx, header, apt):
    """Fails unless `#include <header>` finds a file."""
    ctx.file("has_header.cc", "#if !__has_include(<%s>)\n#error\n#endif\n" % header)
    if ctx.execute([_cc(ctx), "-E", "has_header.cc"]).return_code:
        _not_found(header, apt)

def _system_library_impl(ctx):
    for header in ctx.attr.headers:
        _check_header(ctx, header, ctx.attr.apt)
    for file in ctx.attr.libs:
        ctx.symlink(find_library(ctx, file, ctx.attr.apt), "lib/" + file)
    ctx.symlink(ctx.attr.build_file, "BUILD.bazel")

system_library = repository_rule(
    implementation = _system_library_impl,
    attrs = {
        "apt": attr.string(mandatory = True),
        "build_file": attr.label(mandatory = True, allow_single_file = True),
        "headers": attr.string_list(doc = "Looked for only; they are included from where they lie."),
        "libs": attr.string_list(),
    },
    environ = ["CC"],
    local = True,
)
