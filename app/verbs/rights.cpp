// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/verbs/verbs.hpp"

namespace tdz::app {
namespace {

/// A driver of NVIDIA's GPUs is loaded, or stands outside of WSL.
bool may_start_gpu(BackendChoice backend) {
  if (backend != BackendChoice::automatic) return backend == BackendChoice::cuda;
  const auto there = [](const char* name) { return access(name, F_OK) == 0; };
  return there("/dev/nvidiactl") || there("/proc/driver/nvidia") || there("/dev/dxg");
}

/// Sources too: --rm removes them, and one that a killed run hid gets its name back.
class WrittenFolders {
 public:
  void add_sources(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      if (file == kStandardInput) continue;
      if (std::error_code ignored; std::filesystem::is_directory(file, ignored)) add(file);  // --recursive
      add(std::filesystem::path(file).parent_path().string());
    }
  }
  void add_result(const std::string& file) {
    std::error_code ignored;
    const auto status = std::filesystem::symlink_status(file, ignored);
    // A device, or a link such as /dev/stdout.
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) add(file);
    add(std::filesystem::path(file).parent_path().string());
  }
  void add_output(const OutputOptions& output) {
    if (output.file) add_result(*output.file);
    if (output.tree) add(*output.tree);
  }
  std::vector<std::string> take() && {
    std::ranges::sort(folders_);
    folders_.erase(std::unique(folders_.begin(), folders_.end()), folders_.end());
    return std::move(folders_);
  }

 private:
  void add(std::string folder) { folders_.push_back(folder.empty() ? "." : std::move(folder)); }

  std::vector<std::string> folders_;
};

/// Of a command that writes beside its sources. Lists name files that nobody knows yet.
FileRights rights_to_write(const std::vector<std::string>& files, const FileSelection& selection,
                           const OutputOptions& output) {
  if (!selection.lists.empty()) return {};
  WrittenFolders folders;
  folders.add_sources(files);
  folders.add_output(output);
  return {std::move(folders).take()};
}

std::optional<FileRights> rights(const CompressCommand& command) {
  if (may_start_gpu(command.codec.backend)) return std::nullopt;
  return rights_to_write(command.files, command.selection, command.output);
}

std::optional<FileRights> rights(const DecompressCommand& command) {
  if (may_start_gpu(command.codec.backend)) return std::nullopt;
  return rights_to_write(command.files, command.selection, command.output);
}

std::optional<FileRights> rights(const RecoverCommand& command) {
  FileRights rights = rights_to_write(command.files, {}, command.output);
  if (!command.map) return rights;
  WrittenFolders folders;
  folders.add_result(*command.map);
  for (std::string& folder : std::move(folders).take()) rights.written->push_back(std::move(folder));
  return rights;
}

/// A link stays, and what it leads to is replaced.
std::optional<FileRights> rights(const ProtectCommand& command) {
  std::vector<std::string> files = command.files;
  for (const std::string& file : command.files) {
    std::error_code ignored;
    if (auto path = std::filesystem::canonical(file, ignored); !ignored) files.push_back(path.string());
  }
  return rights_to_write(files, command.selection, command.output);
}

std::optional<FileRights> rights(const VerifyCommand& command) {
  if (may_start_gpu(command.codec.backend)) return std::nullopt;
  return FileRights{.written = std::vector<std::string>{}};
}

std::optional<FileRights> rights(const InfoCommand&) {
  return FileRights{.written = std::vector<std::string>{}};
}

std::optional<FileRights> rights(const AnalyzeCommand&) {
  return FileRights{.written = std::vector<std::string>{}};
}

std::optional<FileRights> rights(const auto&) {
  return std::nullopt;
}

}  // namespace

std::optional<FileRights> rights_of(const Command& command) {
  return std::visit(
      [](const auto& options) -> std::optional<FileRights> {
        return options.reporting.no_sandbox ? std::nullopt : rights(options);
      },
      command);
}

}  // namespace tdz::app
