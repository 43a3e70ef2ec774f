// SPDX-License-Identifier: Apache-2.0
// The verbs of the program. Each verb takes its options as a plain value, logs its errors, and returns the
// largest exit code of its files.
#pragma once

#include <optional>

#include "app/exit_code.hpp"
#include "app/files/interrupts.hpp"
#include "app/files/system_calls.hpp"
#include "app/options/options.hpp"
#include "app/reports/log.hpp"

namespace tdz::app {

/// What every verb gets besides its options.
struct Session {
  Interrupts& interrupts;
  Log& log;
};

ExitCode run(const CompressCommand& command, Session& session);
ExitCode run(const DecompressCommand& command, Session& session);
ExitCode run(const VerifyCommand& command, Session& session);
ExitCode run(const InfoCommand& command, Session& session);
ExitCode run(const AnalyzeCommand& command, Session& session);
ExitCode run(const RecoverCommand& command, Session& session);
ExitCode run(const ProtectCommand& command, Session& session);
ExitCode run(const BenchCommand& command, Session& session);
ExitCode run(const RoundtripCommand& command, Session& session);
ExitCode run(const DevicesCommand& command, Session& session);
ExitCode run(const VersionCommand& command, Session& session);
ExitCode run(const TextCommand& command, Session& session);

/// Which rights does a command need after its command line was read? Nothing: the command keeps all of its
/// rights. So do --no-sandbox, the verbs that measure and test this machine, and commands for which a GPU may
/// start: its driver needs files and executable memory.
std::optional<FileRights> rights_of(const Command& command);

}  // namespace tdz::app
