import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkedEdit, textToEdit } from '../../../../daemon/api/approvals/editMethods.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { readEdit } from '../../../../schemas/edits/readEdit.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import { shipped } from '../../core/comments/givenComments.ts';
import { shownAt } from '../../core/edits/givenEdit.ts';
import { bound, committed, done, given, sent, started } from '../../core/support/given.ts';

const builtinDir = join(packageRoot(), 'schemas', 'artifacts');
const REGISTRY = createRegistry({ builtinDir });
const TOKEN = '00000000-0000-4000-8000-000000000000';

/** The fixture of a specification, as the agent wrote it. */
const SPEC = readFileSync(join(builtinDir, 'fixtures', 'dev', 'spec@1', 'ok.json'));

/** A run of the shipped template at the gate of its specification, with real files. */
function atSpec() {
  const workspaceRoot = mkdtempSync(join(tmpdir(), 'devflow-edit-'));
  onTestFinished(() => rmSync(workspaceRoot, { recursive: true, force: true }));
  const where = { repoPath: '/repo', baseCommit: 'base0000', workspaceRoot };
  const found = (run: Run) => {
    const outcome = done('awaitArtifact');
    const made = typeof outcome === 'function' ? outcome(run) : outcome;
    return { ...made, hash: sha256hex(SPEC) } as typeof made;
  };
  const { run } = given({ template: shipped('development@1'), where }, bound, started, sent, found, committed);
  const [approval] = openGates(run);
  if (!approval) throw new TypeError('no gate is open');
  const artifact = shownAt(run);
  mkdirSync(dirname(artifact.storedPath ?? ''), { recursive: true });
  writeFileSync(artifact.storedPath ?? '', SPEC);
  mkdirSync(run.worktreeRoot, { recursive: true });
  const edit = (text: string) =>
    checkedEdit(
      { run, approval },
      { approvalId: approval.id, artifact: artifact.hash, text, clientToken: TOKEN },
      REGISTRY,
    );
  return { run, approval, artifact, edit, workspaceRoot };
}

test('the text to edit is the document, with the descriptions of its schema', async () => {
  const { run, approval, artifact } = atSpec();
  const { text, schema, artifact: hash } = await textToEdit({ run, approval }, undefined, REGISTRY);
  expect([schema, hash]).toEqual(['dev/spec@1', artifact.hash]);
  expect(text).toContain('# Observable checks:');
  expect(readEdit(text)).toEqual({ ok: true, data: JSON.parse(SPEC.toString()) });
  await expect(textToEdit({ run, approval }, 'ffff', REGISTRY)).rejects.toMatchObject({ code: 'usage' });
});

test('an edit is stored as JSON beside what the agent wrote, which stays', async () => {
  const { artifact, edit } = atSpec();
  const found = await edit(JSON.stringify({ ...JSON.parse(SPEC.toString()), title: 'Another title' }));
  const { hash = '', storedPath = '', title } = found?.document ?? {};
  expect(storedPath).toBe(join(dirname(artifact.storedPath ?? ''), 'edited', hash.slice(0, 12), 'spec.json'));
  expect(title).toBe('Another title');
  expect(sha256hex(readFileSync(storedPath))).toBe(hash);
  expect(readFileSync(artifact.storedPath ?? '')).toEqual(SPEC);
});

test('a text that says the same is no edit, however it is written', async () => {
  const { run, approval, edit } = atSpec();
  const { text } = await textToEdit({ run, approval }, undefined, REGISTRY);
  expect(await edit(text)).toBeNull();
  expect(await edit(JSON.stringify(JSON.parse(SPEC.toString())))).toBeNull();
  expect(await edit(`\ufeff# Mine.\n${SPEC.toString()}`)).toBeNull();
});

const filled = (more: object) => JSON.stringify({ ...JSON.parse(SPEC.toString()), ...more });

test.each([
  ['a schema that it does not keep', filled({ goals: [] }), '/goals'],
  [
    'ids that differ in nothing',
    filled({ requirements: Array(2).fill({ id: 'R1', text: 'x', acceptance: ['x'] }) }),
    '/requirements',
  ],
  ['NUL in the text', filled({ title: 'x' }).replace('"x"', '"x\0"'), 'NUL'],
  ['NUL in a string', filled({ summary: 'x\0' }), '/summary'],
  ['half of a character', filled({ summary: '\ud800' }), '/summary'],
  [
    'a bomb of aliases',
    `a: &a [x, x]\n${Array.from({ length: 30 }, (_, at) => `${at}: &x${at} [*${at ? `x${at - 1}` : 'a'}, *${at ? `x${at - 1}` : 'a'}]`).join('\n')}`,
    'aliases',
  ],
  ['a text without a document', '# only a comment\n', 'must be object'],
  ['nothing', '', 'must be object'],
])('%s is refused, and nothing is stored', async (_, text, words) => {
  const { artifact, edit } = atSpec();
  const refused = await edit(text).then(
    () => undefined,
    (error: { code: string; message: string; data: { errors: { path: string; message: string }[] } }) => error,
  );
  expect(refused?.code).toBe('artifact_invalid');
  expect(JSON.stringify(refused?.data.errors)).toContain(words);
  expect(existsSync(join(dirname(artifact.storedPath ?? ''), 'edited'))).toBe(false);
});

test.each([
  ['a link', (file: string) => symlinkSync('/etc/hostname', file)],
  ['a dangling link', (file: string) => symlinkSync('/nowhere/at-all', file)],
  ['a pipe', (file: string) => execFileSync('mkfifo', [file])],
])('%s in the place of the stored bytes is replaced, and nothing is written through it', async (_, put) => {
  const { edit } = atSpec();
  const text = filled({ title: 'Another title' });
  const { storedPath = '', hash } = (await edit(text))?.document ?? {};
  rmSync(storedPath);
  put(storedPath);
  await edit(text);
  expect(sha256hex(readFileSync(storedPath))).toBe(hash);
});

test('a document that lost its bytes takes an edit, and gives no text', async () => {
  const { run, approval, artifact, edit } = atSpec();
  rmSync(artifact.storedPath ?? '');
  await expect(textToEdit({ run, approval }, undefined, REGISTRY)).rejects.toMatchObject({ code: 'artifact_changed' });
  expect((await edit(filled({ title: 'Mine' })))?.document.title).toBe('Mine');
});

test('a document larger than an edit is not edited', async () => {
  const { run, approval, artifact } = atSpec();
  const large = Buffer.from(filled({ summary: 'x'.repeat(300 * 1024) }));
  const patched = {
    ...run,
    phases: run.phases.map((phase) => ({
      ...phase,
      assignments: phase.assignments.map((each) => ({
        ...each,
        artifact: each.artifact && { ...each.artifact, hash: sha256hex(large) },
      })),
    })),
  } as Run;
  writeFileSync(artifact.storedPath ?? '', large);
  const gate = { ...approval, subject: { artifacts: [{ ...artifact, hash: sha256hex(large) }] } };
  await expect(textToEdit({ run: patched, approval: gate }, undefined, REGISTRY)).rejects.toMatchObject({
    code: 'not_editable',
  });
});
