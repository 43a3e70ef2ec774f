# SPDX-License-Identifier: Apache-2.0
"""Does every block of Python in the pages for users run, one after the other, as a reader would type them?

docs/distributed.md is left out: its blocks are parts, for clusters and stores of the reader's own.
"""

import re

import pytest

PAGES = {  # what its blocks import beside tdz and numpy
    'README.md': [],
    'docs/python.md': [],
    'docs/ecosystem.md': ['zarr', 'xarray', 'fsspec', 'pandas', 'dask.array', 'h5py', 'netCDF4'],
    'docs/bitshuffle.md': ['h5py'],
}


def blocks(page):
    """Each with its line, so that an error names the place in the page."""
    text = page.read_text()
    for block in re.finditer(r'^```python\n(.*?)^```$', text, re.M | re.S):
        before = text.count('\n', 0, block.start(1))
        yield compile('\n' * before + block[1], page, 'exec')


@pytest.mark.parametrize('name', PAGES)
def test_blocks_run(root, name, tmp_path, monkeypatch):
    for package in PAGES[name]:
        pytest.importorskip(package)
    (tmp_path / 'samples').symlink_to(root / 'samples')
    monkeypatch.chdir(tmp_path)
    names = {'__name__': '__main__'}
    count = 0
    for count, block in enumerate(blocks(root / name), 1):
        exec(block, names)
    assert count > 0


def test_every_call_of_the_tables_exists(root):
    import tdz
    import tdz.cuda

    calls = re.findall(r'`tdz\.([a-z_.]+)\(', (root / 'docs/python.md').read_text())
    assert len(calls) > 10
    for call in calls:
        thing = tdz
        for part in call.split('.'):
            thing = getattr(thing, part)
        assert callable(thing)
