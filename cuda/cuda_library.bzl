"""cuda_library: a cc_library of .cu files, which nvcc compiles."""

load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _nvcc_objects_impl(ctx):
    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]
    headers = depset(ctx.files.hdrs, transitive = [c.headers for c in contexts])

    # --define=PALIMPSEST_CUDA_ARCHS=80,90: machine code for these GPUs, and PTX
    # of the last for later ones.
    archs = ctx.var.get("PALIMPSEST_CUDA_ARCHS", "90").split(",")
    objects = []
    for src in ctx.files.srcs:
        obj = ctx.actions.declare_file("%s/%s.pic.o" % (ctx.label.name, src.basename))
        args = ctx.actions.args()
        args.add("-c", src)
        args.add("-o", obj)
        args.add("-std=c++17")
        args.add_all(["-Xcompiler=-fPIC,-Wall,-Wextra", "--expt-relaxed-constexpr"])

        # Compares unsigned integers with 0, as generic code must.
        args.add("-diag-suppress=186")

        # No fused multiply-adds, on either side: the host's results, bit for bit.
        args.add_all(["-fmad=false", "-Xcompiler=-ffp-contract=off"])
        for arch in archs[:-1]:
            args.add("-gencode=arch=compute_{0},code=sm_{0}".format(arch))
        args.add("-gencode=arch=compute_{0},code=[sm_{0},compute_{0}]".format(archs[-1]))
        if ctx.var["COMPILATION_MODE"] == "opt":
            args.add("-O3")
        elif ctx.var["COMPILATION_MODE"] == "dbg":
            args.add_all(["-g", "-lineinfo"])

        # nvcc has no -iquote.
        args.add("-I.")
        for c in contexts:
            args.add_all(c.defines, before_each = "-D")
            args.add_all(c.quote_includes, before_each = "-I")
            args.add_all(c.includes, before_each = "-I")
            args.add_all(c.system_includes, before_each = "-isystem")
        ctx.actions.run(
            executable = NVCC,
            arguments = [args],
            inputs = depset([src], transitive = [headers]),
            outputs = [obj],
            mnemonic = "NvccCompile",
            progress_message = "Compiling %s with nvcc" % src.short_path,
            use_default_shell_env = True,
        )
        objects.append(obj)
    return [DefaultInfo(files = depset(objects))]

_nvcc_objects = rule(
    implementation = _nvcc_objects_impl,
    attrs = {
        "deps": attr.label_list(providers = [CcInfo]),
        "hdrs": attr.label_list(allow_files = True),
        "srcs": attr.label_list(allow_files = [".cu"]),
    },
)

def cuda_library(name, srcs, without_cuda, hdrs = [], private_hdrs = [], deps = [], **kwargs):
    """A cc_library of .cu files, or where there is no CUDA toolkit of others.

    Args:
      name: of the library.
      srcs: .cu files.
      without_cuda: sources that stand for them all.
      hdrs: of the library.
      private_hdrs: that only srcs include.
      deps: cc_librarys.
      **kwargs: of the cc_library.
    """
    if NVCC:
        deps = deps + ["@local_cuda//:cudart"]
        _nvcc_objects(
            name = name + "_nvcc",
            srcs = srcs,
            hdrs = hdrs + private_hdrs,
            deps = deps,
        )
        cc_library(name = name, srcs = [name + "_nvcc"], hdrs = hdrs, deps = deps, **kwargs)
    else:
        cc_library(name = name, srcs = without_cuda, hdrs = hdrs, deps = deps, **kwargs)
