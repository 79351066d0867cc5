// Reads and updates by index and by mask of the host.

#include "cuda/host_launcher.h"
#include "cuda/kernels/index.h"

namespace palimpsest::kernels {

const char* HostAddIndex(Type type, const AddIndexCall& call) {
  return AddIndex<HostLauncher>(type, call);
}
const char* HostIndexed(IndexedAction action, Type type,
                        const IndexedCall& call) {
  return Indexed<HostLauncher>(action, type, call);
}
const char* HostMaskedMove(Type type, const MaskedMoveCall& call) {
  return MaskedMove<HostLauncher>(type, call);
}
const char* HostMaskPositions(const MaskPositionsCall& call) {
  return MaskPositions<HostLauncher>(call);
}
const char* HostMaskedScatter(Type type, const MaskedScatterCall& call) {
  return MaskedScatter<HostLauncher>(type, call);
}

}  // namespace palimpsest::kernels
