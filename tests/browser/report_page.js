// SPDX-License-Identifier: Apache-2.0
// Runs in a copy of the page, after the page's own script. `report` is the page's JSON. Leaves its result in
// an attribute of the document's element, where report_page.sh finds it.
'use strict';
(function () {
  const failures = window.pageErrors;  // filled from before the page's own script on
  let checks = 0;
  function check(good, what) {
    checks += 1;
    if (!good) failures.push(what);
  }
  function equal(found, expected, what) {
    check(found === expected, what + ': ' + found + ', expected ' + expected);
  }
  function count(selector) {
    return document.querySelectorAll(selector).length;
  }
  function isWrong(result) {
    return result.fault !== null;
  }

  function everyResultIsThere() {
    const cells = report.codec.concat(report.scans);
    equal(count('g.cell'), 3 * cells.length, 'cells');
    equal(count('g.cell.wrong'), 3 * cells.filter(isWrong).length, 'wrong cells');
    const timed = report.curves.filter((point) => point.kernel.median > 0);
    equal(count('circle.point'), timed.length, 'points');
    equal(count('circle.point.wrong'), timed.filter(isWrong).length, 'wrong points');
    equal(count('g.bar'), report.codec.length, 'bars');
  }

  // memcpy and the limit: one line in each panel, and one in the legend.
  function everyPanelHasItsReferences() {
    const panels = new Set(report.curves.map(
                             (point) => [point.backend, point.direction, point.shape, point.word,
                                         point.layout, point.big_endian, point.order, point.tuple]
                                          .join()))
                     .size;
    equal(count('figure.curve'), panels, 'panels');
    for (const reference of ['copy', 'limit'])
      equal(
        count('g.line.' + reference + ' > polyline'), panels === 0 ? 0 : panels + 1, 'lines of ' + reference);
  }

  // The map that shows a scan: each has its order, its tuple and its share, in a cell that is as wide as its
  // text.
  function sharesAreRight() {
    const shown =
      Array.from(document.querySelectorAll('svg[data-map=share] .cell'), (cell) => cell.dataset.value).sort();
    const wanted = report.scans.map((scan) => scan.share === null ? 0 : scan.share);
    const far = shown.map(Number).sort((a, b) => a - b).filter((value, i) =>
      Math.abs(value - wanted.slice().sort((a, b) => a - b)[i]) > 0.001 * Math.max(value, 1));
    check(far.length === 0 && shown.length === wanted.length, 'shares differ: ' + far.length);
  }

  function textFitsItsCell() {
    for (const cell of document.querySelectorAll('details[open] g.cell')) {
      const text = cell.querySelector('text').getBBox().width,
            room = cell.querySelector('rect').getBBox().width;
      if (text > room) return check(false, 'too wide for its cell: ' + cell.textContent);
    }
    check(true);
  }

  function everyPictureHasATitle() {
    for (const picture of document.querySelectorAll('svg')) {
      const first = picture.firstElementChild;
      if (picture.getAttribute('role') !== 'img' || first.tagName !== 'title' || first.textContent === '')
        return check(false, 'a picture without a role or a title');
    }
    check(true);
  }

  // Names may say anything, and stay text.
  function noNameBecomesMarkup() {
    equal(count('body b'), 0, 'elements made of a name');
    equal(count('body script'), 3, 'scripts');  // the report, the page's script, and this one
    const text = document.querySelector('header').textContent + document.querySelector('main').textContent;
    check(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(text), 'a control character is shown');
    const hostile = report.data.filter((data) => data.name.includes('alert(1)'));
    for (const data of hostile)
      check(text.includes(data.name.split('\n')[0]), 'a name is not shown as it is: ' + data.name);
  }

  function theHeadSaysWhatIsWrongAndMissing() {
    const wrong = report.codec.concat(report.scans, report.curves).filter(isWrong).length;
    equal(count('#faults'), wrong > 0 ? 1 : 0, 'list of faults');
    equal(count('#faults li'), wrong, 'faults');
    if (wrong > 0)
      equal(
        document.querySelector('#faults strong').textContent, 'WRONG: ' + wrong + ' of the results',
        'its heading');
    equal(count('#incomplete'), report.complete ? 0 : 1, 'notes that the run is incomplete');
    const results = report.raw.concat(report.codec, report.scans, report.curves).length;
    equal(
      document.querySelector('header').textContent.includes('Nothing was measured.'), results === 0,
      'it says that nothing was measured');
    for (const remark of report.remarks)
      check(document.querySelector('header').textContent.includes(remark.split('\n')[0]), remark);
  }

  // Texts of the report that the test program writes under this name.
  const kTexts = {
    small: [
      'order 2, tuple 2: ratio 3.600, compresses 178 MB/s, restores 920 MB/s',
      '12.2 GB/s, 94 % of memcpy, 90 % of the limit (bandwidth binds)', 'limit 13.5 GB/s, bandwidth binds',
      'w 13.6 GB/s, l 91.0 ns, p 20 threads, 8 bytes an access', 'recording.raw: i16x2, 16.0 MiB',
      'tdz bench recording.raw',
      'cpu, tdz: integrate, 16.0 MiB in chunks of 1.00 MiB, 16-bit words, tuple-planes',
      'plain zstd, level 3: ratio 4.364, compresses 150 MB/s, restores 1.10 GB/s'
    ],
    full: [
      'with copies 24.0 GB/s', 'bandwidth binds in 31 of 32 cells', 'smooth: f32, generated, 16.0 MiB',
      'cuda, sam: integrate, one chain of 1.00 GiB, 16-bit words, interleaved',
      'tdz bench --orders 1-8 \'<\/script>',
      'cuda, integrate, one chain, 32-bit words, interleaved: order 2, tuple 1', '\\x1b[31m'
    ],
    empty: ['Nothing was measured.']
  };
  function textsAreRight() {
    const text = document.querySelector('header').textContent + document.querySelector('main').textContent;
    for (const wanted of kTexts[reportName]) check(text.includes(wanted), 'not on the page: ' + wanted);
  }

  function ascends(keys) {
    const filled = keys.filter((key) => key !== '');
    if (filled.some((key, i) => key !== keys[i])) return false;  // what is empty is last
    const numeric = filled.every((key) => !Number.isNaN(Number(key)));
    return filled.every(
      (key, i) => i === 0 ||
        (numeric ? Number(filled[i - 1]) <= Number(key)
                 : filled[i - 1].localeCompare(key, 'en', {numeric: true}) <= 0));
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
    equal(count('table.sortable tbody tr'), results, 'rows');
    for (const table of document.querySelectorAll('table.sortable')) {
      for (let column = 0; column < table.tHead.rows[0].cells.length; column += 1) sorts(table, column);
    }
    check(count('th button') === count('th'), 'headings without a button');
  }

  function pageDoesNotScrollSideways(what) {
    const wide = document.documentElement.scrollWidth;
    check(wide <= window.innerWidth, what + ', wider than the window: ' + wide + ' > ' + window.innerWidth);
  }

  // Every link of the contents leads to a section.
  function contentsLead() {
    equal(count('nav a'), count('section'), 'links');
    for (const link of document.querySelectorAll('nav a'))
      equal(count('section' + link.getAttribute('href')), 1, link.textContent);
  }

  function nothingFromElsewhere() {
    equal(performance.getEntriesByType('resource').length, 0, 'fetched things');
  }

  function paperShowsEveryPicture() {
    window.dispatchEvent(new Event('beforeprint'));
    equal(count('details.group:not([open])'), 0, 'folded pictures on paper');
  }

  function everythingOpens() {
    for (const part of document.querySelectorAll('details')) part.open = true;
  }

  window.addEventListener('load', function () {
    try {
      check(window.innerWidth === wantedWidth, 'the window is ' + window.innerWidth + ' wide');
      nothingFromElsewhere();
      everyResultIsThere();
      everyPanelHasItsReferences();
      everyPictureHasATitle();
      noNameBecomesMarkup();
      theHeadSaysWhatIsWrongAndMissing();
      contentsLead();
      sharesAreRight();
      textsAreRight();
      pageDoesNotScrollSideways('as it opens');
      paperShowsEveryPicture();
      everythingOpens();
      pageDoesNotScrollSideways('with everything open');
      textFitsItsCell();
      tablesSort();
    } catch (error) {
      failures.push('the test itself: ' + error);
    }
    const found =
      failures.length === 0 ? 'PASSED ' + checks + ' checks' : 'FAILED ' + failures.slice(0, 20).join('; ');
    document.documentElement.setAttribute('data-result', found);
  });
})();
