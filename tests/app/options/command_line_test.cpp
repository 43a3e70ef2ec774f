// SPDX-License-Identifier: Apache-2.0
// Does a command line become the right command, with a verb and with flags?
#include "app/options/command_line.hpp"

#include <doctest/doctest.h>

#include "app/options/table/verb_rows.hpp"

using namespace tdz;
using namespace tdz::app;
using Words = std::vector<std::string>;

namespace {

template <class T>
T parsed(const Words& words) {
  auto command = parse_command_line(words);
  REQUIRE_MESSAGE(command, (command ? "" : command.error().message));
  REQUIRE(std::holds_alternative<T>(*command));
  return std::get<T>(*command);
}

std::string refusal(const Words& words) {
  const auto command = parse_command_line(words);
  if (command) return "";
  CHECK(command.error().kind == ErrorKind::usage);
  return command.error().message;
}

}  // namespace

TEST_CASE("protect is an option of compress, and a verb") {
  CHECK(parsed<CompressCommand>({"x"}).codec.protect == 0);
  CHECK(parsed<CompressCommand>({"--protect", "7", "x"}).codec.protect == 7);
  CHECK(parsed<ProtectCommand>({"protect", "x"}).codec.percent == kDefaultProtect);
  CHECK(parsed<ProtectCommand>({"protect", "--protect", "0", "x"}).codec.percent == 0);
  CHECK(parsed<RecoverCommand>({"recover", "--archive", "x", "-o", "y"}).archive);
  CHECK(refusal({"protect"}) == "protect reads its FILE more than once, and writes it anew; name a file");
  CHECK(refusal({"--protect", "101", "x"}) != "");
  CHECK(refusal({"protect", "x", "y", "-o", "z"}) != "");
  CHECK(refusal({"recover", "--archive", "--map", "m", "x", "-o", "y"}) != "");
}

TEST_CASE("without words, standard input is compressed") {
  const auto command = parsed<CompressCommand>({});
  CHECK(command.files == Words{"-"});
  REQUIRE(command.codec.search);
  CHECK(command.codec.search->effort == Effort::normal);
  CHECK_FALSE(command.codec.search->word);
  CHECK(command.codec.level == 0);  // the level of the effort: 3
  CHECK(command.codec.threads == 0);
}

TEST_CASE("only the first word may be a verb") {
  CHECK(parsed<InfoCommand>({"info"}).files == Words{"-"});
  CHECK(parsed<InfoCommand>({"info", "info"}).files == Words{"info"});
  CHECK(parsed<CompressCommand>({"--rm", "info"}).files == Words{"info"});
  CHECK(parsed<CompressCommand>({"--", "info"}).files == Words{"info"});
  CHECK(parsed<CompressCommand>({"./verify"}).files == Words{"./verify"});
  CHECK(parsed<VerifyCommand>({"verify", "--", "-x"}).files == Words{"-x"});
}

TEST_CASE("a verb may follow options, if no file has its name") {
  const auto first = [](Words words, bool is_file = false) {
    return with_verb_first(std::move(words), [=](const std::string&) { return is_file; });
  };
  CHECK(first({"-v", "verify", "x"}) == Words{"verify", "-v", "x"});
  CHECK(first({"-v", "verify", "x"}, true) == Words{"-v", "verify", "x"});
  CHECK(first({"verify", "-v", "info"}) == Words{"verify", "-v", "info"});
  CHECK(first({"-T", "2", "--words=2", "--orders", "1", "bench", "verify"}) ==
        Words{"bench", "-T", "2", "--words=2", "--orders", "1", "verify"});
  CHECK(first({"-o", "verify", "x"}) == Words{"-o", "verify", "x"});
  CHECK(first({"-cT2", "-9", "info"}) == Words{"info", "-cT2", "-9"});
  for (const Words& words :
       {Words{}, Words{"-v"}, Words{"x", "verify"}, Words{"--", "verify"}, Words{"-v", "./verify"}})
    CHECK(first(words) == words);
}

TEST_CASE("the place of the verb is that of the first word that is no option") {
  CHECK(place_of_verb(Words{"-v", "-o", "y", "x", "z"}) == 3u);
  CHECK(place_of_verb(Words{"x"}) == 0u);
  CHECK_FALSE(place_of_verb(Words{"-v", "--", "x"}));
  CHECK_FALSE(place_of_verb(Words{"-o"}));
}

TEST_CASE("words of other programs mean a verb") {
  CHECK(verb_meant_by("list") == Verb::info);
  CHECK(verb_meant_by("test") == Verb::verify);
  CHECK(verb_meant_by("uncompress") == Verb::decompress);
  for (const auto* word : {"", " ", "list ls", "lis", "ist", "info"}) CHECK_FALSE(verb_meant_by(word));
}

TEST_CASE("flags may replace verbs") {
  CHECK(parsed<DecompressCommand>({"-d", "x"}).files == Words{"x"});
  CHECK(parsed<VerifyCommand>({"x", "-t"}).files == Words{"x"});
  CHECK(parsed<VerifyCommand>({"verify", "--sum", "x"}).codec.compare_digest);
  CHECK(parsed<InfoCommand>({"-l", "--json", "x"}).json);
  CHECK_FALSE(refusal({"-d", "-l"}).empty());
}

TEST_CASE("options mean the same in both forms") {
  for (const Words& verb : {Words{"compress"}, Words{}}) {
    Words words = verb;
    for (const auto* word : {"--type",   "i16x2",      "--order",   "3",       "--zigzag",   "off",
                             "--layout", "bit-planes", "--row",     "640",     "--best",     "--big-endian",
                             "--offset", "1K",         "-19",       "--chunk", "2MiB",       "--frame=64K",
                             "--flush",  "1.5",        "-T7",       "-o",      "y",          "-f",
                             "--rm",     "--verify",   "--backend", "cpu",     "--progress", "never",
                             "-v",       "--log-file", "l",         "x"}) {
      words.emplace_back(word);
    }
    const auto command = parsed<CompressCommand>(words);
    CHECK(command.files == Words{"x"});
    REQUIRE(command.codec.search);
    const SearchOptions& said = *command.codec.search;
    CHECK(said.word == 2);
    CHECK(said.tuple == 2u);
    CHECK(said.order == 3);
    CHECK(said.zigzag == false);
    CHECK(said.layout == Layout::bit_planes);
    CHECK(said.row == 640u);
    CHECK(said.big_endian);
    CHECK(said.effort == Effort::best);
    CHECK(command.codec.type == "i16x2");
    CHECK(command.codec.raw_prefix == 1024);
    CHECK(command.codec.level == 19);
    CHECK(command.codec.chunk_bytes == 2u << 20);
    CHECK(command.codec.frame_bytes == 65536);
    CHECK(command.codec.flush_after == std::chrono::milliseconds(1500));
    CHECK(command.codec.threads == 7);
    CHECK(command.codec.backend == BackendChoice::cpu);
    CHECK(command.output.file == "y");
    CHECK(command.output.force);
    CHECK(command.output.remove_source);
    CHECK(command.verify);
    CHECK(command.reporting.verbose);
    CHECK(command.reporting.progress == ProgressChoice::never);
    CHECK(command.reporting.log_file == "l");
  }
}

TEST_CASE("options of another verb are refused, except options for compressing with -d") {
  CHECK(refusal({"decompress", "--type", "i16", "x"}).find("--type") != std::string::npos);
  CHECK(refusal({"verify", "-c"}).find("-c") != std::string::npos);
  CHECK(refusal({"info", "-T2"}).find("-T") != std::string::npos);
  CHECK(refusal({"compress", "-d"}).find("-d") != std::string::npos);
  CHECK(parsed<DecompressCommand>({"-9", "--type", "i16", "-d"}).files == Words{"-"});
  CHECK(parsed<VerifyCommand>({"-9", "-tk", "-T2", "x"}).codec.threads == 2);
  CHECK(parsed<InfoCommand>({"--best", "-lk", "-T2", "--json", "x"}).json);
  CHECK(parsed<VerifyCommand>({"-t", "--max-output", "1", "x"}).codec.max_output == 1);
  CHECK(parsed<InfoCommand>({"info", "--max-output", "1", "--memory", "1M", "x"}).codec.max_output == 1);
  CHECK(parsed<InfoCommand>({"-l", "--memory", "1M", "x"}).codec.memory == 1 << 20);
  for (const Words& words :
       {Words{"--range", "0:1", "-o", "y", "x"}, Words{"--max-output", "1", "x"}, Words{"--sparse", "x"},
        Words{"--chunks", "x"}, Words{"--json", "x"}, Words{"-t", "--rm", "x"}, Words{"-t", "-o", "y", "x"},
        Words{"-l", "--output-dir", "y", "x"}, Words{"-l", "--range", "0:1", "x"},
        Words{"-d", "--sum", "x"}}) {
    CAPTURE(words[1]);
    CHECK(refusal(words).find(" is not an option of ") != std::string::npos);
  }
  CHECK(refusal({"--sparse", "x"}) == "--sparse is not an option of compress; see tdz compress --help");
  CHECK(refusal({"analyze", "--memory", "1", "x"}).find("--memory") != std::string::npos);
  CHECK(refusal({"--nonsense", "x"}).find("unknown option --nonsense") != std::string::npos);
}

TEST_CASE("standard input has no name to remove or to mirror") {
  CHECK(refusal({"--rm", "-o", "y"}).find("standard input") != std::string::npos);
  CHECK(refusal({"-d", "--rm", "-o", "y", "-"}).find("standard input") != std::string::npos);
  CHECK(refusal({"--output-dir", "d", "x", "-"}).find("standard input") != std::string::npos);
}

TEST_CASE("the last of equal options counts") {
  CHECK(parsed<CompressCommand>({"-1", "-9", "x"}).codec.level == 9);
  CHECK(parsed<CompressCommand>({"-T1", "--threads", "3", "-T2"}).codec.threads == 2);
  CHECK(parsed<CompressCommand>({"-v", "-v", "-f", "-f"}).reporting.verbose);
}

TEST_CASE("a range is in bytes or in values") {
  const auto range = [](const char* text) {
    return parsed<DecompressCommand>({"-dc", "--range", text}).codec.range.value();
  };
  CHECK(range("1K:20v").offset.count == 1024);
  CHECK_FALSE(range("1K:20v").offset.values);
  CHECK(range("1K:20v").length->count == 20);
  CHECK(range("1K:20v").length->values);
  CHECK_FALSE(range("0v:").length);
  CHECK_FALSE(parsed<DecompressCommand>({"-d"}).codec.range);
  CHECK(refusal({"-d", "--range", "0:9", "x"}).find("-o") != std::string::npos);
}

TEST_CASE("several devices are for files, not for grids") {
  const auto numbers = [](const char* text) {
    return parsed<VerifyCommand>({"verify", "a.tdz", "--device", text}).codec.device.numbers;
  };
  CHECK(numbers("3") == std::vector{3});
  CHECK(numbers("0,1") == std::vector{0, 1});
  CHECK(numbers("2-3,2") == std::vector{2, 3});
  CHECK(numbers("all").empty());
  CHECK(refusal({"verify", "a.tdz", "--device", "256"}).find("--device") != std::string::npos);
  for (const std::string verb : {"bench", "roundtrip"}) {
    CHECK(parse_command_line(Words{verb, "a", "--device", "1"}));
    for (const std::string text : {"0,1", "all"})
      CHECK(refusal({verb, "a", "--device", text}).find("take the number of one GPU") != std::string::npos);
  }
}

TEST_CASE("--keep wins over --rm") {
  CHECK_FALSE(parsed<CompressCommand>({"-k", "--rm", "x"}).output.remove_source);
  CHECK_FALSE(parsed<CompressCommand>({"--rm", "-k", "x"}).output.remove_source);
}

TEST_CASE("names are not changed") {
  const Words names = {"[a,b]", "{}", "", " ", "a=b", "%%", "-", "\xFF"};
  Words words = {"-f", "--"};
  words.insert(words.end(), names.begin(), names.end());
  CHECK(parsed<CompressCommand>(words).files == names);
  CHECK(parsed<CompressCommand>({"-o", "[a,b]", "x"}).output.file == "[a,b]");
}

TEST_CASE("standard output has several names") {
  for (const Words& words :
       {Words{"-c", "x"}, Words{"-o", "-", "x"}, Words{"-o", "/dev/stdout", "x"}, Words{"--stdout", "x"}}) {
    const auto output = parsed<CompressCommand>(words).output;
    CHECK(output.to_stdout);
    CHECK_FALSE(output.file);
  }
}

TEST_CASE("help and version win over all other options") {
  CHECK(parsed<TextCommand>({"--help"}).text.starts_with("Usage"));
  CHECK(parsed<TextCommand>({"info", "-h"}).text.find("tdz info") != std::string::npos);
  CHECK(parsed<TextCommand>({"-d", "-h", "x"}).text.starts_with("Usage"));
  parsed<VersionCommand>({"-V"});
  parsed<VersionCommand>({"compress", "--version"});
}

TEST_CASE("an error names the option and what it expects") {
  CHECK(refusal({"--order", "9"}) == "--order 9: expected a number from 0 to 8");
  CHECK(refusal({"-T-1"}) == "--threads -1: expected a number from 0 to 1024");
  CHECK(refusal({"--tuple="}) == "--tuple '': expected a number from 1 to 4294967295");
  CHECK(refusal({"--chunk"}) == "--chunk needs a value; see tdz --help");
  CHECK(refusal({"--bogus"}) == "unknown option --bogus; see tdz --help");
  CHECK(refusal({"--type", "i12"}).starts_with("--type: unknown type 'i12'"));
  CHECK(refusal({"--chunk", "\x1B"}).starts_with("--chunk: '\\x1b' is"));
}

TEST_CASE("one effort is allowed, and a level replaces its level") {
  CHECK(parsed<CompressCommand>({"--fast", "x"}).codec.search->effort == Effort::fast);
  CHECK(parsed<CompressCommand>({"--best", "x"}).codec.search->effort == Effort::best);
  CHECK(parsed<CompressCommand>({"--best", "-5", "x"}).codec.level == 5);
  CHECK_FALSE(refusal({"--fast", "--best", "x"}).empty());
}

TEST_CASE("analyze takes the options by which compress chooses steps") {
  const auto command = parsed<AnalyzeCommand>({"analyze", "--json", "--type", "f32", "--fast", "x"});
  CHECK(command.json);
  CHECK(command.files == Words{"x"});
  REQUIRE(command.codec.search);
  CHECK(command.codec.search->word == 4);
  CHECK(command.codec.search->effort == Effort::fast);
  CHECK_FALSE(refusal({"analyze", "--rm", "x"}).empty());
}

TEST_CASE("every verb that takes many files finds them in the same way") {
  const Words words = {"-r",        "--filelist", "l",   "--exclude", "[a,b]", "--filelist0=z",
                       "--exclude", "{x}",        "tree"};
  const auto check = [](const auto& command) {
    CHECK(command.files == Words{"tree"});
    CHECK(command.selection.recursive);
    CHECK(command.selection.exclude == Words{"[a,b]", "{x}"});
    REQUIRE(command.selection.lists.size() == 2);
    CHECK(command.selection.lists[0].file == "l");
    CHECK(command.selection.lists[0].separator == '\n');
    CHECK(command.selection.lists[1].file == "z");
    CHECK(command.selection.lists[1].separator == '\0');
  };
  const auto with = [&](const char* first) {
    Words all = {first};
    all.insert(all.end(), words.begin(), words.end());
    return all;
  };
  check(parsed<CompressCommand>(words));
  check(parsed<CompressCommand>(with("compress")));
  check(parsed<DecompressCommand>(with("-d")));
  check(parsed<VerifyCommand>(with("verify")));
  check(parsed<InfoCommand>(with("-l")));
}

TEST_CASE("a list of names replaces standard input") {
  CHECK(parsed<CompressCommand>({"--filelist", "l"}).files.empty());
  CHECK_FALSE(parsed<CompressCommand>({}).selection.looks_for_files());
  CHECK(refusal({"--filelist", "-", "-"}).find("list of names") != std::string::npos);
  CHECK(refusal({"-r"}).find("folder") != std::string::npos);
}

TEST_CASE("--sparse is only for restoring") {
  CHECK(parsed<DecompressCommand>({"-d", "--sparse", "x"}).output.sparse);
  CHECK_FALSE(refusal({"compress", "--sparse", "x"}).empty());
}
