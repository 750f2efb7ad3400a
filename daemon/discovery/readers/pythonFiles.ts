import { linesOf, lineWhere, tableLine } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf } from '../candidate/paths.ts';
import { pythonCandidate, pythonTool } from '../candidate/pythonTool.ts';
import type { Reader } from '../candidate/reader.ts';
import { dependencyLine } from './pyproject.ts';

export const toxIni: Reader = {
  reads: (path) => nameOf(path) === 'tox.ini',
  read: (file) => {
    const lines = linesOf(file.text);
    const unlocked = { locked: false };
    const candidates = [];
    const tox = /^\s*\[(?:tox|testenv)\b/m.test(file.text);
    if (tox) {
      const line = lineWhere(lines, (each) => /^\s*\[(?:tox|testenv)\b/.test(each));
      candidates.push(pythonCandidate(file, unlocked, 'test', ['tox'], line));
    }
    if (/^\s*\[pytest\]/m.test(file.text)) {
      candidates.push(
        pythonCandidate(file, unlocked, 'test', pythonTool(file).run('pytest'), tableLine(lines, 'pytest')),
      );
    }
    return { candidates };
  },
};

/** The tables of setup.cfg that configure a check. */
export const setupCfg: Reader = {
  reads: (path) => nameOf(path) === 'setup.cfg' || nameOf(path) === 'pytest.ini',
  read: (file) => {
    const lines = linesOf(file.text);
    const tool = pythonTool(file);
    const tables = [
      ['tool:pytest', 'test', ['pytest']],
      ['pytest', 'test', ['pytest']],
      ['flake8', 'lint', ['flake8']],
      ['mypy', 'typecheck', ['mypy', '.']],
    ] as const;
    const candidates = tables.flatMap(([table, kind, [program, ...args]]) => {
      const line = lineWhere(lines, (each) => each.trim() === `[${table}]`, { otherwise: 0 });
      return line === 0 ? [] : [pythonCandidate(file, tool, kind, tool.run(program, ...args), line)];
    });
    const metadata = lineWhere(lines, (each) => each.trim() === '[metadata]', { otherwise: 0 });
    if (metadata > 0 && !hasProject(file))
      candidates.push(pythonCandidate(file, tool, 'install', tool.install, metadata));
    return { candidates };
  },
};

/** A list of packages. If it names pytest, the project is tested with it. */
export const requirements: Reader = {
  reads: (path) => /^(?:.*[-_])?requirements(?:[-_].*)?\.txt$/.test(nameOf(path)),
  read: (file) => {
    const tool = pythonTool(file);
    const lines = linesOf(file.text);
    const pytest = dependencyLine(lines);
    const candidates = pytest === undefined ? [] : [pythonCandidate(file, tool, 'test', tool.run('pytest'), pytest)];
    // pip reads only one of several lists; the tool chose it.
    if (!hasProject(file) && tool.install.includes(nameOf(file.path))) {
      const first = lineWhere(lines, (each) => /^\s*[\w-]/.test(each));
      candidates.push(pythonCandidate(file, tool, 'install', tool.install, first));
    }
    return { candidates };
  },
};

function hasProject({ path, paths }: Parameters<Reader['read']>[0]): boolean {
  return paths.has(inDirectory(directoryOf(path), 'pyproject.toml'));
}
