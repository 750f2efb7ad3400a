import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { TemplatePhase } from '../../schemas/definitions/phase/templatePhase.ts';
import type { Template } from '../../schemas/definitions/template.ts';
import { PhaseKind } from '../../schemas/enums.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { scan } from './scan.ts';

const ROOT = packageRoot();
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test.each(['schemas/kinds', 'daemon/kinds'])('%s has a room for each kind of phase, and no other', (folder) => {
  const rooms = globSync(`${folder}/*/`, { cwd: ROOT }).map((path) => basename(path));
  expect(rooms.sort()).toEqual([...PhaseKind.options].sort());
});

describe.each(PhaseKind.options)('the kind %s', (kind) => {
  test('is in a template that devflow ships, so that every walk of templates meets it', () => {
    const templates = globSync('schemas/templates/*.yaml', { cwd: ROOT }).map((path) => parse(read(path)) as Template);
    const kinds = templates.flatMap(({ phases }) => phases.map((phase) => TemplatePhase.shape.kind.parse(phase.kind)));
    expect(kinds).toContain(kind);
  });

  test('has a row in ARCHITECTURE.md, and a line in docs/usage.md', () => {
    expect(read('ARCHITECTURE.md')).toMatch(new RegExp(`^\\| \`${kind}\` \\| .*\\| \`daemon/kinds/${kind}/`, 'm'));
    expect(read('docs/usage.md')).toMatch(new RegExp(`^\\| \`${kind}\` \\|`, 'm'));
  });
});

test('the core names no kind', () => {
  const named = new RegExp(
    `\\b(?:kind [!=]== |isOf\\(|phasesOf\\(|patchPhaseOf\\()'(?:${PhaseKind.options.join('|')})'`,
  );
  const core = scan(ROOT, ['daemon/core']).filter(({ path }) => !path.startsWith('daemon/core/gates/'));
  expect(core.filter(({ text }) => named.test(text)).map(({ path }) => path)).toEqual([]);
  expect("phasesOf('lanes', run)").toMatch(named);
});
