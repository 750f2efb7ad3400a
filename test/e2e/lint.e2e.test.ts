import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleTemplate } from '../../schemas/definitions/examples/exampleTemplate.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { makeDaemon, startDaemon } from '../helpers/daemon.ts';
import { drive } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';
import { writeFiles } from '../helpers/writeFiles.ts';
import { proveEnd } from './support.ts';

test('without a daemon: a new template passes lint, a broken one does not, and diff says what differs', async () => {
  const daemon = await makeDaemon();
  const file = join(resolvePaths(daemon.env).templateDrafts, 'mine@1.yaml');
  expect(await daemon.cli(['template', 'new', 'mine', '--kind', 'review'])).toMatchObject({ code: 0 });
  expect(await daemon.cli(['template', 'lint', file, 'mine', 'mine@1', '--strict'])).toEqual({
    code: 0,
    stdout: '0 errors and 0 warnings in 3 texts.\n',
    stderr: '',
  });
  expect(await daemon.cli(['template', 'new', 'mine'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('[file_exists]'),
  });
  const broken = readFileSync(file, 'utf8').replace('roles: [implementer]', 'roles: [nobody]');
  expect(await daemon.cli(['template', 'lint', '-'], { input: broken })).toEqual({
    code: 1,
    stdout: [
      '-:22:5: error unknown_role: role nobody is not declared in roles',
      '  Declare the role, or name one that exists.',
      '-:24:5: warning unread_artifact: no later phase and no gate reads implementation.json of phase implement',
      '  Name it in later instructions, add a gate, or remove the phase.',
      '1 error and 1 warning in 1 text.\n',
    ].join('\n'),
    stderr: '',
  });
  const next = join(daemon.root, 'next.yaml');
  writeFileSync(next, readFileSync(file, 'utf8').replace('rounds: 3', 'rounds: 5'));
  expect(await daemon.cli(['template', 'diff', 'mine', next])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/\n~ phase review: review: \{.*"rounds":3.*\} → \{.*"rounds":5.*\}\n$/),
  });
  expect(await daemon.cli(['template', 'diff', 'mine', 'mine@1'])).toMatchObject({ code: 0 });
  expect(await daemon.cli(['template', 'lint', 'nobody'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('[template_not_found]'),
  });
});

test('a template from anywhere is promoted once, and a running daemon lists it', async () => {
  const daemon = await startDaemon();
  const draft = join(daemon.root, 'draft.yaml');
  expect(await daemon.cli(['template', 'new', 'mine', '--out', draft])).toMatchObject({ code: 0 });
  const broken = readFileSync(draft, 'utf8').replace('    gates: [changes_approved]\n', '');
  expect(await daemon.cli(['template', 'promote', '-'], { input: broken })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/error no_approval: .*\nNothing was published\.\n$/s),
  });
  const promoted = join(resolvePaths(daemon.env).userTemplates, 'mine@1.yaml');
  expect(await daemon.cli(['template', 'promote', draft])).toEqual({
    code: 0,
    stdout: `0 errors and 0 warnings in 1 text.\nPublished: ${promoted}\n`,
    stderr: '',
  });
  expect((await daemon.ask('template.list', {})).map(({ name }) => name)).toContain('mine');
  const other = readFileSync(draft, 'utf8').replace('title: Make the change', 'title: Make it');
  expect(await daemon.cli(['template', 'promote', '-'], { input: other })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('The next free version is 2 [file_exists]'),
  });
});

test('of two promotions of one version at once, one is published, and the other hears what is free', async () => {
  const daemon = await makeDaemon();
  const texts = ['Make it', 'Do it'].map((title) => exampleTemplate('mine', 'quick').replace('Make the change', title));
  const results = await Promise.all(texts.map((input) => daemon.cli(['template', 'promote', '-'], { input })));
  expect(results.map(({ code }) => code).sort()).toEqual([0, 5]);
  const published = readFileSync(join(resolvePaths(daemon.env).userTemplates, 'mine@1.yaml'), 'utf8');
  expect(published).toBe(texts[results.findIndex(({ code }) => code === 0)]);
  expect(results.find(({ code }) => code === 5)?.stderr).toContain('The next free version is 2');
});

test('with a daemon: it knows which agents are installed', async () => {
  const daemon = await startDaemon();
  const persona = 'name: me\nversion: 1\nbackend: gemini\ncapabilities: []\nmaxRiskLevel: low\n';
  const { code, stdout } = await daemon.cli(['persona', 'lint', '-', '--json'], { input: persona });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'me', findings: [{ code: 'backend_absent', line: 3, column: 1 }] },
  ]);
});

test('a draft is changed, tried in a run and published when it is right; its version stays as it was tried', async () => {
  const daemon = await startDaemon();
  const { templateDrafts, userTemplates, personaDrafts, userPersonas } = resolvePaths(daemon.env);
  const draft = join(templateDrafts, 'own@1.yaml');
  expect(await daemon.cli(['template', 'new', 'own'])).toMatchObject({ code: 0 });
  expect(await daemon.cli(['template', 'lint', 'own'])).toMatchObject({ code: 0 });
  const repo = daemon.repo().dir;
  const start = [
    'run',
    'start',
    '--template',
    'own',
    '--repo',
    repo,
    '-m',
    'Do it.',
    '--verify',
    'npm test --if-present',
  ];
  const backends = ['--backend', 'implementer=fake'];
  const early = await daemon.cli([...start, ...backends]);
  expect(early).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      `There is a draft: ${draft} [template_not_found]. Publish it with devflow template publish own`,
    ),
  });
  const tried = await daemon.cli([...start, ...backends, '--draft', '--json']);
  expect(tried).toMatchObject({ code: 0, stderr: expect.stringContaining('A command of phase verify cannot fail') });
  const { runId } = JSON.parse(tried.stdout);
  expect((await daemon.ask('run.get', { runId })).template).toMatch(/^own-draft-[0-9a-f]{8}@1$/);
  await daemon.ask('run.abort', { runId });
  const listed = async () => (await daemon.ask('template.list', {})).map(({ name }) => name);
  expect(await listed()).not.toContain('own');

  writeFileSync(draft, readFileSync(draft, 'utf8').replace('Make the change', 'Make it'));
  expect(await daemon.cli(['template', 'publish', 'own'])).toMatchObject({ code: 0 });
  expect([existsSync(draft), readFileSync(join(userTemplates, 'own@1.yaml'), 'utf8')]).toEqual([
    false,
    expect.stringContaining('Make it'),
  ]);
  expect(await listed()).toContain('own');
  const edited = join(userTemplates, 'own@1.yaml');
  writeFileSync(edited, readFileSync(edited, 'utf8').replace('Make it', 'Make another'));
  await until('the run start names the edited file', async () => {
    const { stderr } = await daemon.cli([...start, ...backends, '--dry-run']);
    return stderr.includes(`${edited} is not in force`) || undefined;
  });

  expect(await daemon.cli(['persona', 'new', 'me', '--backend', 'fake'])).toMatchObject({ code: 0 });
  expect(await daemon.cli(['persona', 'lint', 'me'])).toMatchObject({ code: 0 });
  expect(await daemon.cli(['persona', 'publish', 'me'])).toMatchObject({ code: 0 });
  expect([existsSync(join(personaDrafts, 'me@1.yaml')), existsSync(join(userPersonas, 'me@1.yaml'))]).toEqual([
    false,
    true,
  ]);
  expect((await daemon.ask('persona.list', {})).map(({ name }) => name)).toContain('me');
  const other = readFileSync(join(userPersonas, 'me@1.yaml'), 'utf8').replace(
    'maxRiskLevel: high',
    'maxRiskLevel: low',
  );
  expect(await daemon.cli(['persona', 'publish', '-'], { input: other })).toMatchObject({ code: 5 });
  // The database still has the version, so another text of it would never count.
  rmSync(join(userPersonas, 'me@1.yaml'));
  expect(await daemon.cli(['persona', 'new', 'me'])).toMatchObject({ stdout: expect.stringContaining('me@2.yaml') });
  expect(await daemon.cli(['persona', 'publish', '-'], { input: other })).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('The next free version is 2'),
  });
  await daemon.restart();
  expect(await daemon.ask('run.get', { runId })).toMatchObject({ state: 'aborted' });
});

const NOTED = `name: noted
version: 1
roles:
  - id: writer
    requiredCapabilities: [code_edit]
phases:
  - key: first
    title: Note it
    risk: low
    roles: [writer]
    expectedArtifact: { path: note.json, schema: me/note@1 }
    gates: [note_approved]
    instructions: |
      Note it.
      {{requirements}}
  - key: second
    title: Note it again
    risk: low
    roles: [writer]
    expectedArtifact: { path: note.json, schema: me/note@1 }
    instructions: |
      Note {{artifact:first}} again.
`;

test('a run of drafts has their schemas and personas until its end, also when the files are gone and the daemon restarts', async () => {
  const daemon = await startDaemon();
  const { templateDrafts, personaDrafts } = resolvePaths(daemon.env);
  const files = {
    'noted@1.yaml': NOTED,
    'artifacts/me/note@1.json': JSON.stringify({ type: 'object', required: ['note'], properties: { note: {} } }),
    'artifacts/fixtures/me/note@1/ok.json': JSON.stringify({ note: 'a' }),
  };
  writeFiles(templateDrafts, files);
  expect(await daemon.cli(['persona', 'new', 'me', '--backend', 'fake'])).toMatchObject({ code: 0 });
  const repo = daemon.repo().dir;
  const start = [
    'run',
    'start',
    '--template',
    'noted',
    '--repo',
    repo,
    '-m',
    'Do it.',
    '--bind',
    'writer=me',
    '--json',
  ];
  const started = await daemon.cli([...start, '--draft']);
  expect(started).toMatchObject({ code: 0, stderr: '' });
  const { runId } = JSON.parse(started.stdout);
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  rmSync(templateDrafts, { recursive: true });
  rmSync(personaDrafts, { recursive: true });
  await daemon.restart();
  await drive(daemon, runId, { decide: () => ({ action: 'approve' }) });
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(run.bindings.map(({ persona }) => persona)).toEqual([expect.stringMatching(/^me-draft-[0-9a-f]{8}@1$/)]);
  expect(run.artifacts.filter(({ schema }) => schema === 'me/note@1')).toHaveLength(2);
});
