import { describe, expect, test } from 'vitest';
import { gaps, readRepository, shortFacts } from '../readRepository.ts';

const UV = `[project]
name = "prices"
dependencies = ["httpx>=0.27"]

[dependency-groups]
dev = ["pytest>=8", "ruff"]

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.ruff]
line-length = 100

[tool.mypy]
strict = true
`;

describe('a Python project', () => {
  test('of uv runs its tools with uv', () => {
    expect(shortFacts({ 'pyproject.toml': UV, 'uv.lock': '' })).toEqual([
      '2 package-manager .: uv --version (pyproject.toml:1)',
      '2 install .: uv sync --frozen (pyproject.toml:1)',
      '2 test .: uv run pytest (pyproject.toml:6)',
      '2 build .: uv build (pyproject.toml:8)',
      '2 lint .: uv run ruff check . (pyproject.toml:12)',
      '2 typecheck .: uv run mypy . (pyproject.toml:15)',
    ]);
  });

  test('of poetry runs its tools with poetry', () => {
    const text = '[tool.poetry]\nname = "x"\n\n[tool.poetry.group.dev.dependencies]\npytest = "^8.0"\n';
    expect(shortFacts({ 'pyproject.toml': text, 'poetry.lock': '' })).toEqual([
      '2 package-manager .: poetry --version (pyproject.toml:1)',
      '2 install .: poetry install --no-interaction (pyproject.toml:1)',
      '2 test .: poetry run pytest (pyproject.toml:5)',
    ]);
  });

  test('of pip runs modules', () => {
    const text = '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.black]\n';
    expect(shortFacts({ 'pyproject.toml': text, 'requirements-dev.txt': 'pytest==8.1\n' })).toEqual([
      '3 package-manager .: python -m pip --version (pyproject.toml:1)',
      '3 install .: python -m pip install -r requirements-dev.txt (pyproject.toml:1)',
      '3 test .: python -m pytest (pyproject.toml:3)',
      '3 format .: python -m black --check . (pyproject.toml:5)',
    ]);
  });

  test('may have only old files', () => {
    const files = {
      'requirements.txt': '# what it needs\nflask\npytest>=7\n',
      'tox.ini': '[tox]\nenvlist = py311\n\n[pytest]\naddopts = -q\n',
      'setup.cfg': '[metadata]\nname = x\n\n[flake8]\nmax-line-length = 100\n',
    };
    expect(shortFacts(files)).toEqual([
      '3 install .: python -m pip install -r requirements.txt (requirements.txt:2)',
      '3 test .: python -m pytest (requirements.txt:3)',
      '3 lint .: python -m flake8 (setup.cfg:4)',
      '3 test .: tox (tox.ini:1)',
    ]);
  });

  test('lists the members of a workspace of uv', () => {
    const files = {
      'pyproject.toml': '[tool.uv.workspace]\nmembers = ["libs/*"]\n',
      'libs/a/pyproject.toml': '[project]\nname = "a"\n',
    };
    expect(readRepository(files).workspaces).toEqual([{ path: 'libs/a', from: 'pyproject.toml' }]);
  });

  test('with broken TOML is a gap', () => {
    expect(gaps({ 'pyproject.toml': '[tool' })).toEqual([
      expect.stringMatching(/^pyproject\.toml: it cannot be read: Invalid TOML/),
    ]);
  });
});
