// Where there is no CUDA toolkit to build with.

#include <memory>
#include <string>

#include "cuda/backend.h"
#include "cuda/device_backend.h"

namespace palimpsest::kernels {

std::unique_ptr<Backend> OpenDevice(std::string* why) {
  *why = "this build is without CUDA";
  return nullptr;
}

}  // namespace palimpsest::kernels
