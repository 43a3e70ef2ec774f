// SPDX-License-Identifier: Apache-2.0
// Tables as values. The terminal, Markdown and CSV print the same ones.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tdz::app::bench {

struct Cell {
  std::string text;
  std::optional<std::size_t> step{};  ///< of kHeat: the terminal's colour
  bool wrong = false;                 ///< shown as wrong, on every step of the scale
  std::string brief{};                ///< in a brief table, instead of the text
};

struct Column {
  std::string name;
  std::string full_name{};  ///< where there is room for it
};

struct Table {
  std::vector<Column> columns;
  std::size_t keys = 1;                 ///< so many columns name the row; the others are figures
  std::vector<std::vector<Cell>> rows;  ///< each as long as the columns
  std::vector<std::size_t> brief{};     ///< the columns of the brief table, in its order; empty: all
};

/// A table under its title. Notes may be empty.
struct TitledTable {
  std::string title;
  std::string note;
  std::string brief_note;  ///< of the brief table, instead of the note
  Table table;
};

/// Tables of one kind, and how to read them.
struct Section {
  std::string note;
  std::vector<TitledTable> tables;
};

}  // namespace tdz::app::bench
