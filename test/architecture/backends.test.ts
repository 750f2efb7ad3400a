import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROFILES } from '../../daemon/sessions/profiles/index.ts';
import { BACKEND_FACTS, PROGRAMS_BY_NAME } from '../../schemas/backends/backendFacts.ts';
import { packageRoot } from '../../schemas/files/paths.ts';

const ROOT = packageRoot();
const PAGE = readFileSync(join(ROOT, 'docs', 'backends.md'), 'utf8');
const TABLES = [...PAGE.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table);
const namedIn = (text: string) => PROGRAMS_BY_NAME.filter((id) => text.includes(`\`${id}\``));
const cellsOf = (row: string) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));
/** The row of the first table with that name, without the name. */
const rowOf = (name: string) =>
  cellsOf(TABLES[0]?.split('\n').find((row) => row.startsWith(`| ${name} |`)) ?? '').slice(1);
const sectionOf = (id: string) => new RegExp(`^## .* \\(\`${id}\`\\)\n([\\s\\S]*?)^## `, 'm').exec(PAGE)?.[1] ?? '';

describe('docs/backends.md', () => {
  test('has every program in each of its tables', () => {
    const tables = TABLES.filter((table) => namedIn(table).length > 0);
    expect(tables.length).toBeGreaterThan(4);
    for (const table of tables) expect(namedIn(table), table).toEqual(PROGRAMS_BY_NAME);
  });

  test('names the tried versions, the files and the automatic choice of each', () => {
    expect(rowOf('tried')).toEqual(PROGRAMS_BY_NAME.map((id) => PROFILES[id].tried.join(', ')));
    expect(rowOf('chosen automatically')).toEqual(PROGRAMS_BY_NAME.map(choiceOf));
    const files = rowOf('profile').map((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, path = '']) => basename(path)),
    );
    expect(files.map(([first]) => first)).toEqual(PROGRAMS_BY_NAME.map((id) => `${id}.ts`));
    for (const file of globSync('daemon/sessions/profiles/*Signs.ts', { cwd: ROOT }))
      expect(PAGE).toContain(basename(file));
    for (const file of files.flat()) expect(existsSync(join(ROOT, 'daemon/sessions/profiles', file)), file).toBe(true);
  });

  test.each(PROGRAMS_BY_NAME)('says what %s needs, sets, reads and never touches', (id) => {
    const section = sectionOf(id);
    for (const word of ['Needs', 'Sets', 'Never touches']) expect(section).toContain(`**${word}**`);
    for (const state of ['READY', 'BUSY', 'WAITING', 'QUOTA'])
      expect(section).toMatch(new RegExp(`^\\| ${state}`, 'm'));
    const [, passed = ''] = /\*\*Passes on\*\*\s+`([^`]+)`/.exec(section) ?? [];
    expect(passed.split(' ').sort()).toEqual([...BACKEND_FACTS[id].passEnv].sort());
    expect(PROFILES[id].passEnv).toBe(BACKEND_FACTS[id].passEnv);
  });
});

/** The roles of built-in templates that prefer it, in words. */
function choiceOf(id: string): string {
  const templates = globSync('schemas/templates/*.yaml', { cwd: ROOT }).map((file) => read(file));
  const roles: { id: string; preferredBackends?: string[] }[] = templates.flatMap((each) => each.roles);
  const chosen = roles.filter(({ preferredBackends }) => preferredBackends?.includes(id)).map((role) => role.id);
  if (chosen.some((role) => ['planner', 'implementer', 'resolver'].includes(role))) return 'in any role';
  return chosen.length > 0 ? 'to review and verify' : 'no';
}

test('README and design name every backend', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const needed = /^You need one of these agents[\s\S]*?\n\n/m.exec(readme)?.[0] ?? '';
  expect(namedIn(needed)).toEqual(PROGRAMS_BY_NAME);
  const design = readFileSync(join(ROOT, 'docs/design.md'), 'utf8');
  expect(namedIn(/^\| backend \|.*$/m.exec(design)?.[0] ?? '')).toEqual(PROGRAMS_BY_NAME);
});

function read(file: string) {
  return parse(readFileSync(join(ROOT, file), 'utf8'));
}
