# SPDX-License-Identifier: Apache-2.0
"""metadata.py PYPROJECT VERSION FOLDER: writes FOLDER/tdz-VERSION.dist-info for a package that pip did not install."""

import pathlib
import sys
import tomllib


def main(pyproject, version, folder):
    project = tomllib.loads(pathlib.Path(pyproject).read_text())['project']
    info = pathlib.Path(folder) / f'{project["name"]}-{version}.dist-info'
    info.mkdir(exist_ok=True)
    lines = ['Metadata-Version: 2.1', f'Name: {project["name"]}', f'Version: {version}',
             f'Summary: {project["description"]}', f'Requires-Python: {project["requires-python"]}']
    (info / 'METADATA').write_text('\n'.join(lines) + '\n')
    points = []
    for group, names in project.get('entry-points', {}).items():
        points += [f'[{group}]', *(f'{name} = {target}' for name, target in names.items()), '']
    (info / 'entry_points.txt').write_text('\n'.join(points))


main(*sys.argv[1:])
