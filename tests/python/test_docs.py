# SPDX-License-Identifier: Apache-2.0
"""Does every block of Python in the pages for users run, one after the other, as a reader would type them?

docs/distributed.md is left out: its blocks are parts, for clusters and stores of the reader's own. In docs/people.md blocks of
sh run too, and a block whose packages are not there is left out: its sections are for different people.
"""

import ast
import importlib.util
import os
import re
import subprocess

import pytest

PAGES = {  # what its blocks import beside tdz and numpy
    'README.md': [],
    'docs/python.md': [],
    'docs/ecosystem.md': ['zarr', 'xarray', 'fsspec', 'pandas', 'dask.array', 'h5py', 'netCDF4'],
    'docs/bitshuffle.md': ['h5py'],
}


def blocks(page, languages='python'):
    """(language, text), each text with its line, so that an error names the place in the page."""
    text = page.read_text()
    for block in re.finditer(rf'^```({languages})\n(.*?)^```$', text, re.M | re.S):
        before = text.count('\n', 0, block.start(2))
        yield block[1], '\n' * before + block[2]


@pytest.fixture
def folder(root, tmp_path, monkeypatch):
    (tmp_path / 'samples').symlink_to(root / 'samples')
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize('name', PAGES)
def test_blocks_run(root, name, folder):
    for package in PAGES[name]:
        pytest.importorskip(package)
    names = {'__name__': '__main__'}
    count = 0
    for count, (_, block) in enumerate(blocks(root / name), 1):
        exec(compile(block, name, 'exec'), names)
    assert count > 0


def imported(block):
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def is_there(package):
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:  # the package around it
        return False


def test_what_is_for_different_people_runs(root, folder):
    page = root / 'docs/people.md'
    program = (root / os.environ.get('TDZ_BUILD', 'build/release') / 'app').resolve()
    environment = {**os.environ, 'PATH': f"{program}:{os.environ['PATH']}"}
    ran = 0
    for language, block in blocks(page, 'python|sh'):
        if language == 'sh':
            if (program / 'tdz').exists():
                subprocess.run(['bash', '-euo', 'pipefail', '-c', block], env=environment, check=True)
                ran += 1
        elif all(map(is_there, imported(block))):
            exec(compile(block, page, 'exec'), {'__name__': '__main__'})
            ran += 1
    assert ran >= 3  # those that need numpy alone


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
