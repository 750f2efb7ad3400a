import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMatcher } from '../../../../daemon/contracts/match.ts';
import { auditManifests, type CommittedFacts, readPaths } from '../../../../daemon/core/exchange/auditManifests.ts';
import type { Manifest } from '../../../../schemas/contracts/handover/manifest/manifest.ts';
import { checkManifestKeys } from '../../../../schemas/contracts/handover/manifest/manifestKeys.ts';
import { CommittedWork } from '../../../../schemas/events/phase.ts';

const MANIFEST: Manifest = {
  expected_paths: ['src/login.ts'],
  min_file_count: 1,
  commit_message_pattern: '^feat: login',
  bash_syntax_check: [],
  forbidden_paths: ['infra/'],
  must_contain: [{ path: 'src/login.ts', pattern: 'export (const|function) login' }],
};
const FACTS: CommittedFacts = {
  changed: [{ path: 'src/login.ts', action: 'create' }],
  existing: new Set(['src/login.ts']),
  lines: new Map([['src/login.ts', ['// A login.', 'export function login() {}']]]),
  subjects: ['feat: login page', 'devflow: Execute'],
  hasAgentCommits: true,
  ignoreCase: false,
};

const audit = (manifest: Partial<Manifest> = {}, facts: Partial<CommittedFacts> = {}) => {
  const [result] = auditManifests(
    [{ step: 1, manifest: { ...MANIFEST, ...manifest } }],
    { ...FACTS, ...facts },
    createMatcher(),
  );
  return result;
};

test('HC-8.5 a step that keeps its manifest passes', () => {
  expect(audit()).toEqual({ step: 1, result: 'pass', faults: [] });
});

test.each<[string, Partial<Manifest>, Partial<CommittedFacts>]>([
  ['src/login.ts does not exist', {}, { existing: new Set(), changed: [{ path: 'src/login.ts', action: 'delete' }] }],
  ['src/*.css does not exist', { expected_paths: ['src/login.ts', 'src/*.css'] }, {}],
  ['the path ../other must not lead out of a directory with ..', { expected_paths: ['src/login.ts', '../other'] }, {}],
  ['the path /etc must be relative to the root of the repository', { forbidden_paths: ['/etc'] }, {}],
  ['1 expected file changed, and at least 2 must', { min_file_count: 2 }, {}],
  ['0 expected files changed, and at least 1 must', {}, { changed: [{ path: 'src/other.ts', action: 'modify' }] }],
  [
    'infra/main.tf changed, and infra/ is forbidden',
    {},
    { changed: [...FACTS.changed, { path: 'infra/main.tf', action: 'delete' }] },
  ],
  [
    'src/a/deep.sql changed, and src/**/*.sql is forbidden',
    { forbidden_paths: ['src/**/*.sql'] },
    { changed: [...FACTS.changed, { path: 'src/a/deep.sql', action: 'modify' }] },
  ],
  ['src/login.ts has no line that matches logout', { must_contain: [{ path: 'src/login.ts', pattern: 'logout' }] }, {}],
  ['src/logo.png is no text that devflow can read', { must_contain: [{ path: 'src/logo.png', pattern: '.' }] }, {}],
  ['no commit message matches ^fix', { commit_message_pattern: '^fix' }, {}],
])('HC-8.5 a step fails because %s', (fault, manifest, facts) => {
  expect(audit(manifest, facts)).toEqual({ step: 1, result: 'fail', faults: [fault] });
});

test('HC-8.5 a directory and a glob are expected as what is in them', () => {
  const changed = [
    { path: 'src/a/one.ts', action: 'create' as const },
    { path: 'src/two.ts', action: 'modify' as const },
  ];
  const existing = new Set(['src']);
  const manifest = { min_file_count: 2, must_contain: [] };
  expect(audit({ ...manifest, expected_paths: ['./src/'] }, { changed, existing })).toMatchObject({ result: 'pass' });
  expect(audit({ ...manifest, expected_paths: ['src/**/*.ts'] }, { changed, existing })).toMatchObject({
    result: 'pass',
  });
});

test('HC-8.5 without expected paths all changed files count', () => {
  const manifest = { expected_paths: [], must_contain: [] };
  expect(audit({ ...manifest, min_file_count: 1 })).toMatchObject({ result: 'pass' });
  expect(audit({ ...manifest, min_file_count: 2 })).toMatchObject({ result: 'fail' });
});

test('HC-8.5 an agent that does not commit meets the pattern of the message, and a note says so', () => {
  const alone = { subjects: ['devflow: Execute'], hasAgentCommits: false };
  const faults = ['devflow made the commit, so no message is of this step'];
  expect(audit({}, alone)).toEqual({ step: 1, result: 'pass-with-note', faults });
  expect(audit({ min_file_count: 9 }, alone)).toMatchObject({ result: 'fail' });
});

test('HC-8.5 devflow runs no bash, and a note says so', () => {
  const faults = ['the syntax of 2 bash files was not checked'];
  expect(audit({ bash_syntax_check: ['a.sh', 'b.sh'] })).toEqual({ step: 1, result: 'pass-with-note', faults });
});

test('HC-8.5 a pattern that devflow cannot match is not checked, and a note says so', () => {
  const patterns = { must_contain: [{ path: 'src/login.ts', pattern: 'a(?=b)' }], commit_message_pattern: '(f)\\1' };
  const why = 'was not checked: devflow matches no lookaround, no backreference and nothing too large';
  expect(audit(patterns)).toEqual({
    step: 1,
    result: 'pass-with-note',
    faults: [`a(?=b) ${why}`, `(f)\\1 ${why}`],
  });
});

test('HC-8.5 a pattern that would backtrack for ever is matched', () => {
  const lines = new Map([['src/login.ts', [`${'a'.repeat(60)}!`]]]);
  const slow = audit({ must_contain: [{ path: 'src/login.ts', pattern: '^(a+)+$' }] }, { lines });
  expect(slow).toMatchObject({ result: 'fail', faults: ['src/login.ts has no line that matches ^(a+)+$'] });
});

test('HC-8.5 a step with many faults names the first of them', () => {
  const { faults } = audit({ expected_paths: Array.from({ length: 9 }, (_, nth) => `no/${nth}`) }) ?? {};
  expect(faults).toHaveLength(6);
  expect(faults?.at(-1)).toBe('and 5 more faults');
});

test('HC-8.5 a plan with too many paths for the changed files fails, and nothing is compared', () => {
  const changed = Array.from({ length: 3_000 }, (_, nth) => ({ path: `f${nth}`, action: 'create' as const }));
  const expected_paths = Array.from({ length: 2_000 }, (_, nth) => `f${nth}`);
  expect(audit({ expected_paths }, { changed })).toMatchObject({
    result: 'fail',
    faults: ['2001 paths of the plan are too many to compare with 3000 files'],
  });
});

test('HC-8.5 only names of files of the repository are read in the commit', () => {
  const odd = ['../x', '/etc/passwd', 'a\nb', '', '.git/config'];
  const must_contain = [...odd.map((path) => ({ path, pattern: '.' })), ...MANIFEST.must_contain];
  const manifest = { ...MANIFEST, expected_paths: [...odd, './docs//', 'src/login.ts'], must_contain };
  expect(
    readPaths([
      { step: 1, manifest },
      { step: 2, manifest },
    ]),
  ).toEqual({
    existing: ['docs', 'src/login.ts'],
    contents: ['src/login.ts'],
  });
});

const path = fc.oneof(
  fc.constantFrom('src/login.ts', 'src/', '**', '!x', '{a,b}/**', '[id]', 'a\\', '__proto__', '../../engine', ''),
  fc.string({ maxLength: 20, unit: 'binary' }),
);
const pattern = fc.oneof(fc.constantFrom('^(a+)+$', '.', '\\p{L}', '(?<a>.)\\k<a>'), fc.string({ maxLength: 10 }));
const manifest = fc.record({
  expected_paths: fc.array(path, { maxLength: 5 }),
  min_file_count: fc.double({ min: 0, noNaN: true }),
  commit_message_pattern: pattern,
  bash_syntax_check: fc.array(path, { maxLength: 2 }),
  forbidden_paths: fc.array(path, { maxLength: 5 }),
  must_contain: fc.array(fc.record({ path, pattern }), { maxLength: 3 }),
});

test('HC-8.5 never throws for a manifest that the contract accepts, and its result is an event', () => {
  let accepted = 0;
  fc.assert(
    fc.property(manifest, fc.array(path, { maxLength: 5 }), (given, paths) => {
      if (checkManifestKeys(given, new Set(), { path: '', line: 1, step: 1 }).length > 0) return;
      accepted += 1;
      const changed = paths.map((each) => ({ path: each, action: 'modify' as const }));
      const lines = new Map(paths.map((each) => [each, paths] as const));
      const facts = { ...FACTS, changed, existing: new Set(paths), lines, subjects: paths };
      readPaths([{ step: 1, manifest: given }]);
      const audits = auditManifests([{ step: 1, manifest: given }], facts, createMatcher());
      const work = { commit: null, files: 0, insertions: 0, deletions: 0, audits };
      expect(CommittedWork.safeParse(work).success).toBe(true);
      expect(audits[0]?.result === 'pass').toBe(audits[0]?.faults.length === 0);
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(accepted).toBeGreaterThan(200);
});
