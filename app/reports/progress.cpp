// SPDX-License-Identifier: Apache-2.0
#include "app/reports/progress.hpp"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tdz::app {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kInterval{100};  // nobody can read a faster line
constexpr std::string_view kEraseLine = "\r\x1B[K";
constexpr double kNoLongForecast = 100.0 * 60 * 60;

/// Not through the log: this is not a whole line, and errors are ignored.
void put(std::string_view text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// "0:07", "12:30", "3:05:09".
std::string clock_text(double seconds) {
  const auto all = static_cast<std::uint64_t>(std::llround(seconds));
  const auto hours = all / 3600, minutes = all / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, all % 60)
                   : fmt::format("{}:{:02}", minutes, all % 60);
}

}  // namespace

std::string progress_text(const ProgressState& state, std::string_view name, std::size_t width,
                          Letters letters) {
  std::string text;
  const double total = static_cast<double>(state.total.value_or(0));
  const double done = static_cast<double>(state.done);
  if (total > 0) text += fmt::format("{:3.0f} %  ", std::min(100.0, 100 * done / total));
  if (state.original) {
    text += fmt::format("{:.0f} MB/s  ",
                        static_cast<double>(*state.original) / 1e6 / std::max(state.seconds, 1e-3));
  }
  const double left = done > 0 ? state.seconds * (total - done) / done : 0;
  if (total > done && done > 0 && left < kNoLongForecast) text += clock_text(left) + " left  ";
  text += name;
  return clipped(text, width, letters);
}

/// With `auto` there is no line if results go to standard output: it would disturb a terminal or a pager, and
/// tar expects no output.
ProgressStyle progress_style(const Reporting& reporting, StandardOutput output) {
  constexpr milliseconds kShortJob{200};
  if (reporting.progress == ProgressChoice::always) return {.visible = true};
  const bool wanted = reporting.progress == ProgressChoice::automatic && !reporting.quiet &&
                      output == StandardOutput::unused && isatty(STDERR_FILENO) && obeys(std::getenv("TERM"));
  return {.visible = wanted, .first_after = kShortJob};
}

ProgressLine::ProgressLine(std::string name, std::optional<std::uint64_t> total, ProgressStyle style)
    : name_(std::move(name)),
      total_(total),
      visible_(style.visible),
      begin_(Clock::now()),
      next_(begin_ + style.first_after) {}

ProgressLine::~ProgressLine() {
  erase();
}

void ProgressLine::update(std::uint64_t done, std::optional<std::uint64_t> original) {
  if (!visible_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  // One column stays free, because a full line would wrap.
  const Screen screen = screen_of(STDERR_FILENO);  // each time: a window changes its width
  const auto text = progress_text({done, total_, original, seconds}, name_,
                                  std::max<std::size_t>(screen.columns.value_or(80), 2) - 1, screen.letters);
  put(fmt::format("{}{}", kEraseLine, text));
  drawn_ = true;
}

void ProgressLine::erase() {
  if (drawn_) put(kEraseLine);
  drawn_ = false;
}

}  // namespace tdz::app
