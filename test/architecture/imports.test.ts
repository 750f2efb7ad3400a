import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { writeFiles } from '../helpers/writeFiles.ts';
import { forbiddenImports, strayEventWriters, tooLong, unusedNames } from './rules.ts';
import { asRooms, findCycles, readImports, scan } from './scan.ts';
import { TABLE } from './table.ts';

const SOURCES = ['schemas', 'daemon', 'tmux', 'cli', 'tui'];
const MOST_LINES = 300;
/** A table of cases is one idea, however long. */
const MOST_TEST_LINES = 600;

describe('the house', () => {
  const sources = scan(packageRoot(), SOURCES);

  it('imports only what the table allows', () => {
    expect(forbiddenImports(sources, TABLE)).toEqual([]);
  });

  it('has no cycle of files', () => {
    expect(findCycles(sources)).toEqual([]);
  });

  it('has no cycle of rooms', () => {
    expect(findCycles(asRooms(sources, Object.keys(TABLE)))).toEqual([]);
  });

  it('resolves every import to a file', () => {
    const paths = new Set(sources.map(({ path }) => path));
    const missing = sources.flatMap(({ path, imports }) =>
      imports.filter(({ ours, to }) => ours && to.endsWith('.ts') && !paths.has(to)).map(({ to }) => `${path}: ${to}`),
    );
    expect(missing).toEqual([]);
  });

  it('writes run_events in daemon/db and daemon/store alone', () => {
    expect(strayEventWriters(sources, ['daemon/db', 'daemon/store'])).toEqual([]);
  });

  it(`has no file of more than ${MOST_LINES} lines`, () => {
    expect(tooLong([...sources, ...scan(packageRoot(), ['build/build.ts', 'build/generate.ts'])], MOST_LINES)).toEqual(
      [],
    );
    expect(tooLong(scan(packageRoot(), ['test']), MOST_TEST_LINES)).toEqual([]);
  });
});

describe('the checks themselves', () => {
  let root: string | undefined;
  afterEach(() => {
    if (root !== undefined) rmSync(root, { recursive: true, force: true });
    root = undefined;
  });

  function given(files: Record<string, string>) {
    root = mkdtempSync(join(tmpdir(), 'devflow-tree-'));
    writeFiles(root, files);
    return scan(root, SOURCES);
  }

  it.each([
    ["import { a } from './a.ts';", 'x/a.ts', false],
    ["import type { A } from '../b.ts';", 'b.ts', true],
    ["import { type A, type B } from './a.ts';", 'x/a.ts', true],
    ["import { type A, b } from './a.ts';", 'x/a.ts', false],
    ["import {\n  a,\n  type B,\n} from './a.ts';", 'x/a.ts', false],
    ["import a, { type B } from './a.ts';", 'x/a.ts', false],
    ["import './a.ts';", 'x/a.ts', false],
    ["export * from './a.ts';", 'x/a.ts', false],
    ["export type { A } from './a.ts';", 'x/a.ts', true],
    ["  const a = await import('./a.ts');", 'x/a.ts', false],
    ["import ajv from 'ajv/dist/2020.js';", 'ajv', false],
    ["import { b } from '@scope/pack/deep';", '@scope/pack', false],
    ["import fs from 'fs';", 'node:fs', false],
  ])('reads %s', (text, to, typeOnly) => {
    expect(readImports('x/y.ts', text)).toEqual([expect.objectContaining({ to, typeOnly })]);
  });

  it.each([
    "// import { a } from './a.ts';",
    "/**\n * import('./a.ts')\n */",
    "const text = `say: import x from './a.ts'`;",
    'export const from = 1;',
  ])('does not take for an import: %s', (text) => {
    expect(readImports('x/y.ts', text)).toEqual([]);
  });

  it('tell what is forbidden, and let what is allowed pass', () => {
    const sources = given({
      'schemas/a.ts': "import { z } from 'zod';\nimport pg from 'pg';\n",
      'daemon/core/decide.ts': "import { a } from '../../schemas/a.ts';\nimport fs from 'node:fs';\n",
      'daemon/engine/local/advance.ts':
        "import { d } from '../../core/decide.ts';\nimport { s } from '../../rpc/server.ts';\n",
      'daemon/rpc/server.ts': "import type { P } from '../events/p.ts';\nimport { q } from '../store/p.ts';\n",
      'daemon/store/p.ts': '',
      'daemon/events/p.ts': '',
      'daemon/boot.ts': "import { s } from './rpc/server.ts';\nimport { c } from '../cli/main.ts';\n",
      'cli/main.ts': "import { b } from '../daemon/boot.ts';\nimport program from 'neo-blessed/lib/program.js';\n",
      'tui/terminal/blessed.ts': "import program from 'neo-blessed/lib/program.js';\n",
      'tui/main.ts': "import program from 'neo-blessed/lib/program.js';\n",
      'tui/data/link.ts': "import { c } from '../../cli/client/connect.ts';\n",
      'cli/client/connect.ts': "import net from 'node:net';\n",
    });
    expect(forbiddenImports(sources, TABLE).sort()).toEqual([
      'cli/main.ts imports daemon/boot.ts, which cli may not',
      'cli/main.ts imports neo-blessed, which cli may not',
      'daemon/boot.ts imports cli/main.ts, which daemon may not',
      'daemon/core/decide.ts imports node:fs, which daemon/core may not',
      'daemon/engine/local/advance.ts imports daemon/rpc/server.ts, which daemon/engine/local may not',
      'daemon/rpc/server.ts imports daemon/store/p.ts, which daemon/rpc may not',
      'schemas/a.ts imports pg, which schemas may not',
      'tui/main.ts imports neo-blessed, which tui may not',
    ]);
  });

  it.each([
    ['text', 'model'],
    ['model', 'widgets'],
    ['widgets', 'screens'],
    ['screens', 'keys'],
    ['keys', 'overlays'],
    ['overlays', 'update'],
    ['update', 'data'],
    ['data', 'effects'],
    ['terminal', 'screens'],
    ['effects', 'update'],
  ])('keep tui/%s from importing tui/%s', (from, to) => {
    const sources = given({
      [`tui/${from}/a.ts`]: `import type { B } from '../${to}/b.ts';\n`,
      [`tui/${to}/b.ts`]: '',
    });
    expect(forbiddenImports(sources, TABLE)).toEqual([
      `tui/${from}/a.ts imports types of tui/${to}/b.ts, which tui/${from} may not`,
    ]);
  });

  it('find cycles of rooms, also of types', () => {
    const sources = given({
      'daemon/a/top.ts': "import type { B } from '../b/b.ts';\n",
      'daemon/b/b.ts': "import { bottom } from '../a/bottom.ts';\n",
      'daemon/a/bottom.ts': '',
    });
    expect(findCycles(sources)).toEqual([]);
    expect(findCycles(asRooms(sources))).toEqual([['daemon/a', 'daemon/b']]);
    expect(findCycles(asRooms(sources, ['daemon/a/bottom.ts']))).toEqual([]);
  });

  it('find cycles of files, also of types', () => {
    const sources = given({
      'daemon/a.ts': "import { b } from './b.ts';\n",
      'daemon/b.ts': "export { c } from './c.ts';\n",
      'daemon/c.ts': "import { a } from './a.ts';\n",
      'daemon/d.ts': "import type { e } from './e.ts';\n",
      'daemon/e.ts': "import { d } from './d.ts';\n",
    });
    expect(findCycles(sources)).toEqual([
      ['daemon/a.ts', 'daemon/b.ts', 'daemon/c.ts'],
      ['daemon/d.ts', 'daemon/e.ts'],
    ]);
  });

  it('find writers of run_events, long files and names without a use', () => {
    const sources = given({
      'daemon/rpc/bad.ts': 'const sql = `INSERT INTO run_events (seq) VALUES (1)`;\n',
      'daemon/rpc/worse.ts': 'db.insert(runEvents);\n',
      'daemon/rpc/fine.ts': 'const sql = `SELECT * FROM run_events`;\n',
      'daemon/store/fine.ts': 'const sql = `insert into run_events (seq) values (1)`;\n',
      'cli/long.ts': "throw new DevflowError('usage', '');\n".repeat(301),
    });
    expect(strayEventWriters(sources, ['daemon/store'])).toEqual(['daemon/rpc/bad.ts', 'daemon/rpc/worse.ts']);
    expect(tooLong(sources, 300)).toEqual(['cli/long.ts has 301 lines']);
    expect(unusedNames(['usage', 'fenced'], sources)).toEqual(['fenced']);
  });
});
