#ifndef PALIMPSEST_CUDA_HOST_MATMUL_H_
#define PALIMPSEST_CUDA_HOST_MATMUL_H_

#include "cuda/backend.h"
#include "cuda/host_launcher.h"

namespace palimpsest::kernels {

// The same bits as MatmulKernel gives (kernels/matmul.h), sooner.
const char* HostMatmul(const HostLauncher& launcher, Type type,
                       const MatmulCall& call);

}  // namespace palimpsest::kernels

#endif  // PALIMPSEST_CUDA_HOST_MATMUL_H_
