// The end of a resolution: what becomes of the caller's storages and results.

#ifndef PALIMPSEST_TRANSFORMS_EPILOGUE_H_
#define PALIMPSEST_TRANSFORMS_EPILOGUE_H_

#include "absl/types/span.h"
#include "ir/program.h"
#include "transforms/pure_emitter.h"
#include "transforms/window_reader.h"

namespace palimpsest {

// Appends commits of what was written to the caller's storages, binds, and the
// returns of `source`. `states` are those of source's storages at its end.
void EmitEpilogue(const Function& source, absl::Span<StorageState> states,
                  WindowReader& reader, PureEmitter& emitter);

}  // namespace palimpsest

#endif  // PALIMPSEST_TRANSFORMS_EPILOGUE_H_
