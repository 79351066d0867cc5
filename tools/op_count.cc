#include "tools/op_count.h"

#include <cstdint>

#include "ir/op.h"
#include "ir/program.h"

namespace palimpsest {

bool IsCounted(OpKind kind) {
  return kind != OpKind::kView && kind != OpKind::kCommit &&
         kind != OpKind::kBind;
}

int64_t CountOps(const Function& function) {
  int64_t ops = 0;
  for (const Op& op : function.ops) ops += IsCounted(op.kind) ? 1 : 0;
  return ops;
}

}  // namespace palimpsest
