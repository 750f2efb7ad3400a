import { parse } from 'smol-toml';
import { linesOf, lineWhere, tableLine } from '../candidate/lines.ts';
import { nameOf } from '../candidate/paths.ts';
import { pythonCandidate, pythonTool } from '../candidate/pythonTool.ts';
import { type Candidate, type Reader, recordOf, textsIn } from '../candidate/reader.ts';
import { membersOf } from '../candidate/wildcards.ts';

/** Tools with a table of their own, and what they check. */
const TOOLS: readonly (readonly [table: string, kind: Candidate['kind'], argv: readonly [string, ...string[]]])[] = [
  ['ruff', 'lint', ['ruff', 'check', '.']],
  ['pylint', 'lint', ['pylint', '.']],
  ['black', 'format', ['black', '--check', '.']],
  ['isort', 'format', ['isort', '--check-only', '.']],
  ['mypy', 'typecheck', ['mypy', '.']],
  ['pyright', 'typecheck', ['pyright']],
];

/** A project of uv, poetry or pip. */
export const pyproject: Reader = {
  reads: (path) => nameOf(path) === 'pyproject.toml',
  read: (file) => {
    const manifest = recordOf(parse(file.text));
    const tables = recordOf(manifest.tool);
    const lines = linesOf(file.text);
    const tool = pythonTool(file, tables);
    const candidates: Candidate[] = [];
    const add = (kind: Candidate['kind'], argv: string[], line: number) =>
      candidates.push(pythonCandidate(file, tool, kind, argv, line));
    const project = tableLine(lines, tables.poetry === undefined ? 'project' : 'tool.poetry');
    if (manifest.project !== undefined || tables.poetry !== undefined) {
      add(
        'package-manager',
        tool.name === 'pip' ? ['python', '-m', 'pip', '--version'] : [tool.name, '--version'],
        project,
      );
      add('install', tool.install, project);
    }
    if (manifest['build-system'] !== undefined) add('build', buildOf(tool.name), tableLine(lines, 'build-system'));
    const pytest =
      recordOf(tables.pytest).ini_options !== undefined ? headerLine(lines, 'pytest') : dependencyLine(lines);
    if (pytest !== undefined) add('test', tool.run('pytest'), pytest);
    for (const [table, kind, [program, ...args]] of TOOLS)
      if (tables[table] !== undefined) add(kind, tool.run(program, ...args), headerLine(lines, table));
    const workspace = recordOf(recordOf(tables.uv).workspace);
    const patterns = [...textsIn(workspace.members), ...textsIn(workspace.exclude).map((each) => `!${each}`)];
    return { candidates, workspaces: membersOf(file, patterns) };
  },
};

function buildOf(tool: string): string[] {
  return tool === 'pip' ? ['python', '-m', 'build'] : [tool, 'build'];
}

/** The table itself, or the first one below it. */
function headerLine(lines: readonly string[], table: string): number {
  return lineWhere(
    lines,
    (line) => line.trim().startsWith(`[tool.${table}]`) || line.trim().startsWith(`[tool.${table}.`),
  );
}

/** A line that depends on pytest, if the file has one. */
export function dependencyLine(lines: readonly string[]): number | undefined {
  const line = lineWhere(
    lines,
    (each) => /^\s*["']?pytest["']?\s*(?:[=<>~!;[{,"']|$)/.test(each) || /["']pytest\b(?!-)/.test(each),
    {
      otherwise: 0,
    },
  );
  return line === 0 ? undefined : line;
}
