"""cuda_library: kernels compiled by nvcc and, always, as plain C++ too."""

load("@local_cuda//:defs.bzl", "NVCC")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# Machine code for these GPUs, and PTX of the last for later ones.
_ARCHS = ["80", "90"]

def _nvcc_objects_impl(ctx):
    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]
    headers = depset(ctx.files.hdrs, transitive = [c.headers for c in contexts])
    objects = []
    for src in ctx.files.srcs:
        obj = ctx.actions.declare_file("%s/%s.pic.o" % (ctx.label.name, src.basename))
        args = ctx.actions.args()
        args.add("-c", src)
        args.add("-o", obj)
        args.add("-std=c++17")
        args.add_all(["-Xcompiler=-fPIC,-Wall,-Wextra", "--expt-relaxed-constexpr"])

        # No fused multiply-adds, on either side: the host's results, bit for bit.
        args.add_all(["-fmad=false", "-Xcompiler=-ffp-contract=off"])
        for arch in _ARCHS:
            args.add("-gencode=arch=compute_{0},code=sm_{0}".format(arch))
        args.add("-gencode=arch=compute_{0},code=compute_{0}".format(_ARCHS[-1]))
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

def cuda_library(name, srcs, hdrs = [], deps = [], **kwargs):
    """A cc_library of .cu files.

    Each source is compiled as C++ (namespace emulated, see kernel.h) and, where
    there is a CUDA toolkit, by nvcc (namespace device) with the CUDA runtime.
    """
    deps = deps + ["@local_cuda//:cudart"]
    compiled = []
    for src in srcs:
        native.genrule(
            name = src + "_emulated",
            outs = [src + ".emulated.cc"],
            cmd = "echo '#include \"%s/%s\"' > $@" % (native.package_name(), src),
        )
        compiled.append(src + ".emulated.cc")
    if NVCC:
        _nvcc_objects(name = name + "_nvcc", srcs = srcs, hdrs = hdrs, deps = deps)
        compiled.append(name + "_nvcc")
    cc_library(
        name = name,
        srcs = compiled,
        hdrs = hdrs,
        textual_hdrs = srcs,
        deps = deps,
        **kwargs
    )
