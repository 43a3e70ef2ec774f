// SPDX-License-Identifier: Apache-2.0
// Runs in a copy of the page, behind it; `report` is its JSON. Leaves what it found in the title, for --dump-dom to show.
'use strict';
(function () {
  const failures = window.pageErrors;  // filled from before the page's own script on
  let checks = 0;
  function check(good, what) {
    checks += 1;
    if (!good) failures.push(what);
  }
  function count(selector) {
    return document.querySelectorAll(selector).length;
  }

  function cellsAreThere() {
    check(count('g.cell') === 3 * (report.codec.length + report.scans.length), 'cells: ' + count('g.cell'));
    const wrong = report.codec.concat(report.scans).filter((result) => result.fault !== null).length;
    check(count('g.cell.wrong') === 3 * wrong, 'wrong cells: ' + count('g.cell.wrong'));
    const timed = report.curves.filter((point) => point.kernel.median > 0).length;
    check(count('circle.point') === timed, 'points: ' + count('circle.point'));
    check(count('g.bar') === report.codec.length, 'bars: ' + count('g.bar'));
  }

  // The map that shows a scan: each has its order, its tuple and its share, in a cell that is as wide as its text.
  function sharesAreRight() {
    const shown = Array.from(document.querySelectorAll('svg[data-map=share] .cell'), (cell) => cell.dataset.value).sort();
    const wanted = report.scans.map((scan) => scan.share === null ? 0 : scan.share);
    const far = shown.map(Number).sort((a, b) => a - b).filter((value, i) =>
      Math.abs(value - wanted.slice().sort((a, b) => a - b)[i]) > 0.001 * Math.max(value, 1));
    check(far.length === 0 && shown.length === wanted.length, 'shares differ: ' + far.length);
  }

  function textFitsItsCell() {
    for (const cell of document.querySelectorAll('details[open] g.cell')) {
      const text = cell.querySelector('text').getBBox().width, room = cell.querySelector('rect').getBBox().width;
      if (text > room) return check(false, 'too wide for its cell: ' + cell.textContent);
    }
    check(true);
  }

  function ascends(keys) {
    const filled = keys.filter((key) => key !== '');
    if (filled.some((key, i) => key !== keys[i])) return false;  // what is empty is last
    const numeric = filled.every((key) => !Number.isNaN(Number(key)));
    return filled.every((key, i) => i === 0 ||
      (numeric ? Number(filled[i - 1]) <= Number(key) : filled[i - 1].localeCompare(key, 'en', {numeric: true}) <= 0));
  }

  function sorts(table, column) {
    const head = table.tHead.rows[0].cells[column], name = table.id + ', ' + head.textContent;
    const keys = () => Array.from(table.tBodies[0].rows, (row) => row.cells[column].textContent);
    const before = keys().sort().join('\n');
    head.querySelector('button').click();
    check(head.getAttribute('aria-sort') === 'ascending', 'aria-sort: ' + name);
    check(ascends(keys()), 'does not ascend: ' + name);
    head.querySelector('button').click();
    const filled = keys().filter((key) => key !== '');
    check(head.getAttribute('aria-sort') === 'descending', 'aria-sort down: ' + name);
    check(ascends(filled.reverse()), 'does not descend: ' + name);
    check(keys().sort().join('\n') === before, 'rows were lost: ' + name);
    check(table.querySelectorAll('th:not([aria-sort=none])').length === 1, 'two columns sort: ' + name);
  }

  function tablesSort() {
    const results = report.raw.length + report.codec.length + report.scans.length + report.curves.length;
    check(count('table.sortable tbody tr') === results, 'rows: ' + count('table.sortable tbody tr'));
    for (const table of document.querySelectorAll('table.sortable')) {
      for (let column = 0; column < table.tHead.rows[0].cells.length; column += 1) sorts(table, column);
    }
    check(count('th button') === count('th'), 'headings without a button');
  }

  function pageDoesNotScrollSideways(what) {
    const wide = document.documentElement.scrollWidth;
    check(wide <= window.innerWidth, what + ', wider than the window: ' + wide + ' > ' + window.innerWidth);
  }

  function nothingFromElsewhere() {
    check(performance.getEntriesByType('resource').length === 0, 'the page fetched something');
    check(count('body script') === 2, 'scripts: ' + count('body script'));  // the page's, and this one
  }

  function everythingOpens() {
    for (const part of document.querySelectorAll('details')) part.open = true;
  }

  window.addEventListener('load', function () {
    try {
      check(window.innerWidth === wantedWidth, 'the window is ' + window.innerWidth + ' wide');
      nothingFromElsewhere();
      cellsAreThere();
      sharesAreRight();
      pageDoesNotScrollSideways('as it opens');
      everythingOpens();
      pageDoesNotScrollSideways('with everything open');
      textFitsItsCell();
      tablesSort();
    } catch (error) {
      failures.push('the test itself: ' + error);
    }
    const found = failures.length === 0 ? 'PASSED ' + checks + ' checks' : 'FAILED ' + failures.slice(0, 20).join('; ');
    document.documentElement.setAttribute('data-result', found);
  });
})();
