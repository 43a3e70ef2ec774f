// SPDX-License-Identifier: Apache-2.0
#include "app/bench/html_style.hpp"

namespace tdz::app::bench {
namespace {

// The steps h0 to h9 are those of heat.hpp, in light and dark alike: what a colour means does not change. The
// lines' colours keep apart without red and green, and each has its own dashes.
constexpr std::string_view kStyle = R"css(
:root {
  --paper: #ffffff; --ink: #1b1f24; --soft: #57606a; --rule: #d0d7de; --panel: #f6f8fa; --link: #0550ae;
  --alarm: #b00020; --alarm-paper: #ffebe9;
  --kernel: #0072b2; --zstd: #e69f00; --digest: #7a7f87; --copy: #009e73;
  --l0: #0072b2; --l1: #d55e00; --l2: #009e73; --l3: #b5468b; --l4: #7a5c00; --l5: #2b9fd9; --l6: #6b3fa0; --l7: #444444;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #11151a; --ink: #e6e9ed; --soft: #9aa4af; --rule: #353c45; --panel: #1a2027; --link: #7cb7ff;
    --alarm: #ff8d85; --alarm-paper: #3d1518;
    --kernel: #4aa8de; --zstd: #f0b429; --digest: #8d96a0; --copy: #35c49a;
    --l0: #4fb3ee; --l1: #ff8f4a; --l2: #35c49a; --l3: #ec92c8; --l4: #e8d44d; --l5: #a5d8ff; --l6: #b99aef; --l7: #c8cdd3;
  }
}
* { box-sizing: border-box; }
html { color-scheme: light dark; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 1280px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif;
}
h1 { margin: .5rem 0; font-size: 1.7rem; }
h2 { margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--rule); font-size: 1.3rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1.05rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; max-width: 75ch; overflow-wrap: anywhere; }
a { color: var(--link); }
nav ul, .legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .5rem 0; padding: 0; list-style: none; }
pre { margin: .5rem 0; padding: .6rem .8rem; background: var(--panel); border-radius: 6px; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 13px/1.45 ui-monospace, monospace; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .1rem 1rem; margin: .5rem 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
@media (min-width: 900px) { dl { grid-template-columns: max-content minmax(0, 1fr) max-content minmax(0, 1fr); } }
.alarm { margin: 1rem 0; padding: .6rem .9rem; border-left: 5px solid var(--alarm); background: var(--alarm-paper); }
.alarm strong { color: var(--alarm); }
.alarm ul { margin: .3rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.note, figcaption { color: var(--soft); }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .25rem 0; font-weight: 600; overflow-wrap: anywhere; }
summary:focus-visible, button:focus-visible, .scroll:focus-visible, a:focus-visible { outline: 2px solid var(--link); }
.maps { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: flex-start; }
figure { margin: .25rem 0 .75rem; max-width: 100%; min-width: 0; }
figcaption { font-size: .85rem; margin-bottom: .25rem; }
.scroll { max-width: 100%; overflow-x: auto; }
svg { display: block; font: 12px system-ui, sans-serif; fill: var(--ink); }
svg .axis { fill: var(--soft); font-size: 11px; }
svg .tick { text-anchor: middle; fill: var(--soft); }
svg .end { text-anchor: end; fill: var(--soft); }
svg .power { font-size: 9px; }
svg .grid { stroke: var(--rule); stroke-width: 1; fill: none; }
.cell text { text-anchor: middle; fill: #fff; }
.cell:hover rect { stroke: var(--ink); stroke-width: 2; }
.h0 rect { fill: #440154; } .h1 rect { fill: #482878; } .h2 rect { fill: #3e4989; } .h3 rect { fill: #31688e; }
.h4 rect { fill: #26828e; } .h5 rect { fill: #1f9e89; } .h6 rect { fill: #35b779; } .h7 rect { fill: #6ece58; }
.h8 rect { fill: #b5de2b; } .h9 rect { fill: #fde725; }
.h4 text, .h5 text, .h6 text, .h7 text, .h8 text, .h9 text { fill: #000; }
.none rect { fill: var(--panel); } .cell.none text { fill: var(--soft); }
.cell.wrong rect { fill: #b00020; stroke: var(--ink); stroke-width: 2; } .cell.wrong text { font-size: 9.5px; font-weight: 700; }
.scale { display: inline-flex; vertical-align: -3px; }
.scale span { width: 1.4em; height: 1em; }
.line { fill: none; stroke-width: 1.75; }
.line .point { stroke: none; }
.line .point.wrong { fill: #b00020; stroke: var(--ink); stroke-width: 2; }
.l0 { stroke: var(--l0); stroke-width: 3; } .l0 .point { fill: var(--l0); }
.l1 { stroke: var(--l1); } .l1 .point { fill: var(--l1); } .l1 polyline { stroke-dasharray: 7 3; }
.l2 { stroke: var(--l2); } .l2 .point { fill: var(--l2); } .l2 polyline { stroke-dasharray: 2 3; }
.l3 { stroke: var(--l3); } .l3 .point { fill: var(--l3); } .l3 polyline { stroke-dasharray: 9 3 2 3; }
.l4 { stroke: var(--l4); } .l4 .point { fill: var(--l4); }
.l5 { stroke: var(--l5); } .l5 .point { fill: var(--l5); } .l5 polyline { stroke-dasharray: 4 2; }
.l6 { stroke: var(--l6); } .l6 .point { fill: var(--l6); } .l6 polyline { stroke-dasharray: 12 3; }
.l7 { stroke: var(--l7); } .l7 .point { fill: var(--l7); } .l7 polyline { stroke-dasharray: 1 3; }
.copy { stroke: var(--soft); stroke-width: 4; opacity: .45; }
.limit { stroke: var(--ink); stroke-width: 1.25; } .limit polyline { stroke-dasharray: 1 4; stroke-linecap: round; }
.sample { display: inline-block; }
.s-kernel { fill: var(--kernel); background: var(--kernel); } .s-zstd { fill: var(--zstd); background: var(--zstd); }
.s-digest { fill: var(--digest); background: var(--digest); } .s-copy { fill: var(--copy); background: var(--copy); }
.swatch { display: inline-block; width: 1em; height: .8em; }
.swatch.whole { width: 3px; height: 1.1em; background: var(--ink); vertical-align: -3px; }
path.whole { stroke: var(--ink); stroke-width: 2; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: .15rem .5rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; }
td { max-width: 32ch; overflow: hidden; text-overflow: ellipsis; }
th { background: var(--panel); vertical-align: bottom; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid var(--link); }
th[aria-sort=ascending] button::after { content: " \25B2"; }
th[aria-sort=descending] button::after { content: " \25BC"; }
.t1 :is(th, td):nth-child(-n+1), .t4 :is(th, td):nth-child(-n+4), .t5 :is(th, td):nth-child(-n+5) { text-align: left; }
tbody tr:hover { background: var(--panel); }
@page { size: landscape; margin: 12mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  h2, h3, summary { break-after: avoid; }
  figure, tr, .alarm, dl, .group { break-inside: avoid; }
  dl { grid-template-columns: max-content minmax(0, 1fr) max-content minmax(0, 1fr); }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  svg { max-width: 100%; height: auto; }
  .maps { gap: .5rem 2%; } .maps .map { max-width: 32%; } .maps .curve { max-width: 48%; }
  table { font-size: 6pt; } th, td { padding: .05rem .12rem; } th { white-space: normal; } td { max-width: 15ch; }
  .h0, .h1, .h2, .scale, .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)css";

// What is empty stays last, whichever way. Pictures are opened for paper; tables of raw numbers only if a
// reader did.
constexpr std::string_view kScript = R"js(
'use strict';
(function () {
  function compare(a, b, numeric) {
    return numeric ? Number(a) - Number(b) : a.localeCompare(b, 'en', {numeric: true});
  }
  function sort(table, column, descending) {
    const rows = Array.from(table.tBodies[0].rows, function (row) {
      return {row: row, key: row.cells[column].textContent};
    });
    const numeric = rows.every(function (entry) { return entry.key === '' || !Number.isNaN(Number(entry.key)); });
    rows.sort(function (a, b) {
      if (a.key === '' || b.key === '') return (a.key === '') - (b.key === '');
      return descending ? compare(b.key, a.key, numeric) : compare(a.key, b.key, numeric);
    });
    table.tBodies[0].append.apply(table.tBodies[0], rows.map(function (entry) { return entry.row; }));
  }
  document.addEventListener('click', function (event) {
    const button = event.target.closest('table.sortable th button');
    if (!button) return;
    const head = button.parentElement;
    const descending = head.getAttribute('aria-sort') === 'ascending';
    sort(head.closest('table'), head.cellIndex, descending);
    for (const other of head.parentElement.cells) other.setAttribute('aria-sort', 'none');
    head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
  });
  window.addEventListener('beforeprint', function () {
    for (const group of document.querySelectorAll('details.group')) group.open = true;
  });
})();
)js";

}  // namespace

std::string_view page_style() {
  return kStyle;
}

std::string_view page_script() {
  return kScript;
}

}  // namespace tdz::app::bench
