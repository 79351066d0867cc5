// Random well-formed functions that write in place: one for every tape, and a
// smaller one for a smaller tape.

#ifndef PALIMPSEST_TESTS_ORACLE_PROGRAM_GENERATOR_H_
#define PALIMPSEST_TESTS_ORACLE_PROGRAM_GENERATOR_H_

#include "ir/program.h"
#include "tests/oracle/gene.h"

namespace palimpsest {

enum class Use : unsigned char { kNever, kSometimes };

// What may appear. What is left at kNever in the default profile is what
// `resolve` refuses unless an option allows it.
struct GeneratorProfile {
  // Destinations that touch a byte twice, other than those of fill_.
  Use self_overlapping_writes = Use::kNever;
  // `mut` operands of calls that overlap another otherwise than by the same
  // map.
  Use overlapping_calls = Use::kNever;
  // Parameters, views and results with strides below zero.
  Use negative_strides = Use::kSometimes;
  // Views of a storage in another dtype than the one it was made in.
  Use dtype_puns = Use::kSometimes;
  // `empty`, buffers, and results with gaps: memory that nothing has written.
  Use undefined_memory = Use::kSometimes;
  Use calls = Use::kSometimes;
};

// Such a function verifies, and running it on random inputs finds no error:
// what decides where or whether to write (an index, a mask) is always defined,
// and in range.
Function GenerateProgram(const Tape& tape,
                         const GeneratorProfile& profile = {});

}  // namespace palimpsest

#endif  // PALIMPSEST_TESTS_ORACLE_PROGRAM_GENERATOR_H_
