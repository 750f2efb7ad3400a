import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { impurities } from './purity.ts';
import { readImports, type Source, scan } from './scan.ts';

const CORE = 'daemon/core';
const PERFORMERS = /^daemon\/kinds\/\w+\/performers\//;
const ALLOWED = {
  packages: ['zod', 'canonicalize'],
  node: { 'node:crypto': ['schemas/hash.ts', 'schemas/ids.ts'] },
};

it('keeps the core and the kinds of phases pure in all that they import, directly or not', () => {
  const sources = scan(packageRoot(), ['schemas', 'daemon']).filter(({ path }) => !PERFORMERS.test(path));
  expect(impurities(sources, CORE, ALLOWED)).toEqual([]);
  expect(impurities(sources, 'daemon/kinds', ALLOWED)).toEqual([]);
  expect(impurities(sources, 'daemon/sheet', ALLOWED)).toEqual([]);
});

it('keeps contracts pure in all that they import, directly or not', () => {
  const allowed = { packages: ['zod', 'yaml'], node: { 'node:crypto': ['schemas/hash.ts', 'schemas/ids.ts'] } };
  expect(impurities(scan(packageRoot(), ['schemas']), 'schemas/contracts', allowed)).toEqual([]);
});

describe('the check itself', () => {
  function given(files: Record<string, string>): string[] {
    const sources = Object.entries(files).map(
      ([path, text]): Source => ({ path, text, lines: 1, imports: readImports(path, text) }),
    );
    return impurities(sources, CORE, ALLOWED);
  }
  const core = (text: string) => given({ [`${CORE}/a.ts`]: text });

  it('names the way to a module that is reached through other files', () => {
    const faults = given({
      [`${CORE}/a.ts`]: "import { b } from '../../schemas/b.ts';\n",
      'schemas/b.ts': "export * from './c.ts';\n",
      'schemas/c.ts': "import { readFileSync } from 'node:fs';\nimport pg from 'pg';\n",
    });
    const way = `${CORE}/a.ts > schemas/b.ts > schemas/c.ts`;
    expect(faults).toEqual([`${way} imports node:fs`, `${way} imports pg`]);
  });

  it('lets types pass, and hashes behind their two files', () => {
    expect(
      given({
        [`${CORE}/a.ts`]: "import type { B } from '../../schemas/b.ts';\nimport { h } from '../../schemas/hash.ts';\n",
        'schemas/b.ts': "import { readFileSync } from 'node:fs';\n",
        'schemas/hash.ts': "import { createHash } from 'node:crypto';\n",
      }),
    ).toEqual([]);
    expect(core("import { createHash } from 'node:crypto';\n")).toHaveLength(1);
  });

  it.each([
    'const a = Date.now();',
    'const a = new Date().toISOString();',
    'const a = Date();',
    'const a = performance.now();',
    'const a = Math.random();',
    'const a = process.env.HOME;',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source text
    'const a = `${Date.now()}`;',
    'const a = crypto.randomUUID();',
    'setTimeout(() => {}, 1);',
    'const a = globalThis.Date;',
    'const a = import.meta.dirname;',
  ])('finds %s', (text) => {
    expect(core(`${text}\n`)).toHaveLength(1);
  });

  it.each([
    'const a = Date.parse(since);',
    'const a = new Date(since);',
    '// Date.now() is not for here',
    '/** The process of the agent. */',
    "const a = 'the process of the agent';",
  ])('lets pass %s', (text) => {
    expect(core(`${text}\n`)).toEqual([]);
  });
});
