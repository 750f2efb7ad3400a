import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { templateText } from '../daemon/definitions/givenConfig.ts';
import { shareDaemon, startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { eventually } from '../helpers/eventually.ts';
import { proveEnd } from './support.ts';

const shared = shareDaemon();

/** As the daemon of the test has it, below its configuration directory. */
function fileOf(daemon: TestDaemon, path: string): string {
  const file = join(daemon.env.DEVFLOW_HOME ?? '', path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** Saves as most editors do: beside the file, then by a rename. */
function save(daemon: TestDaemon, path: string, text: string): string {
  const file = fileOf(daemon, path);
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
  return file;
}

/** The names that a list shows as a person sees it, and what it says about faulty files. */
async function listOf(daemon: TestDaemon, noun: 'template' | 'persona') {
  const { code, stdout, stderr } = await daemon.cli([noun, 'list']);
  expect(code).toBe(0);
  const [, ...lines] = stdout.trimEnd().split('\n');
  return { names: lines.map((line) => line.split(' ')[0]), stderr };
}

/** Resolves when the list of a person shows this name, without a fault of its file. */
const listed = (daemon: TestDaemon, noun: 'template' | 'persona', name: string) =>
  eventually(async () => {
    const { names, stderr } = await listOf(daemon, noun);
    expect(names).toContain(name);
    expect(stderr).not.toContain(name);
  });

const refused = (noun: string, file: string, why: string) =>
  `The ${noun} file ${file} is not loaded: ${why}\nFix it. The daemon reads it again when you save.\n`;

async function startMine(daemon: TestDaemon, template: string): Promise<string> {
  return startRun(daemon, { repo: daemon.repo().dir, template, backend: { implementer: 'fake' } });
}

const gated = (name: string, title?: string) =>
  templateText(name, title === undefined ? {} : { title }).replace(
    '    instructions:',
    '    gates: [seen]\n    instructions:',
  );

test('lists a new template file, and runs it', async () => {
  const daemon = shared();
  save(daemon, 'templates/fresh@1.yaml', templateText('fresh'));
  await listed(daemon, 'template', 'fresh@1');
  const runId = await startMine(daemon, 'fresh');
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});

test('runs a template with a persona at once, whose files were written just before', async () => {
  const daemon = shared();
  const repo = daemon.repo().dir;
  await daemon.call('template.list', {});
  save(daemon, 'templates/at-once@1.yaml', templateText('at-once'));
  const first = await startRun(daemon, { repo, template: 'at-once', backend: { implementer: 'fake' } });
  save(
    daemon,
    'personas/just-now@1.yaml',
    'name: just-now\nversion: 1\nbackend: fake\ncapabilities: [code_edit]\nmaxRiskLevel: high\n',
  );
  const second = await startRun(daemon, {
    repo: daemon.repo().dir,
    template: 'at-once',
    bind: { implementer: 'just-now' },
    backend: {},
  });
  for (const runId of [first, second]) {
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
  }
});

test('checks and compares a template at once, whose file was written just before', async () => {
  const daemon = shared();
  await daemon.call('template.list', {});
  save(daemon, 'templates/linted@1.yaml', templateText('linted'));
  expect(await daemon.call('template.lint', { ref: 'linted' })).toMatchObject({ name: 'linted', version: 1 });
  save(daemon, 'templates/compared@1.yaml', templateText('compared'));
  const diff = await daemon.call('template.diff', { from: { ref: 'linted@1' }, to: { ref: 'compared@1' } });
  expect(diff.to).toMatchObject({ name: 'compared' });
  save(daemon, 'templates/rehearsed@1.yaml', templateText('rehearsed'));
  expect((await daemon.call('template.rehearse', { ref: 'rehearsed' })).verdict.ok).toBe(true);
});

test('shows where the fault of a broken file is, until the file is repaired', async () => {
  const daemon = shared();
  const broken = templateText('broken').replace('risk: low', 'risk: none');
  const file = save(daemon, 'templates/broken@1.yaml', broken);
  const why = 'line 10, column 5: phases.0.risk: must be one of "low", "medium", "high"';
  await eventually(async () => expect((await listOf(daemon, 'template')).stderr).toBe(refused('template', file, why)));
  save(daemon, 'templates/broken@1.yaml', templateText('broken'));
  await listed(daemon, 'template', 'broken@1');
  expect((await listOf(daemon, 'template')).stderr).toBe('');
});

test.each([
  ['changed', (daemon: TestDaemon) => save(daemon, 'templates/open-changed@1.yaml', gated('open-changed', 'Other'))],
  ['removed', (daemon: TestDaemon) => rmSync(fileOf(daemon, 'templates/open-removed@1.yaml'))],
])('ends a run as it began when the file of its template is %s meanwhile', async (how, act) => {
  const daemon = shared();
  const name = `open-${how}`;
  save(daemon, `templates/${name}@1.yaml`, gated(name));
  await listed(daemon, 'template', `${name}@1`);
  const runId = await startMine(daemon, name);
  await drive(daemon, runId, { decide: () => undefined, stopAt: ({ type }) => type === 'approval.requested' });
  const frozen = (await daemon.call('run.get', { runId })).template;
  act(daemon);
  await eventually(async () => {
    const { names, stderr } = await listOf(daemon, 'template');
    const isTaken = how === 'removed' ? !names.includes(`${name}@1`) : stderr.includes(`${name}@1 was published`);
    expect(isTaken).toBe(true);
  });
  await drive(daemon, runId);
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(run.template).toEqual(frozen);
  rmSync(fileOf(daemon, `templates/${name}@1.yaml`), { force: true });
});

test('keeps the content of a published version when its file changes, and says so', async () => {
  const daemon = shared();
  const file = save(daemon, 'templates/published@1.yaml', templateText('published'));
  await listed(daemon, 'template', 'published@1');
  const before = await daemon.call('template.get', { template: 'published@1' });
  save(daemon, 'templates/published@1.yaml', templateText('published', { title: 'Other' }));
  const why = 'version: published@1 was published with other content, which stays in force; give yours another version';
  await eventually(async () => expect((await listOf(daemon, 'template')).stderr).toBe(refused('template', file, why)));
  expect(await daemon.call('template.get', { template: 'published@1' })).toEqual(before);
  save(daemon, 'templates/published@1.yaml', templateText('published'));
  await listed(daemon, 'template', 'published@1');
});

test.each(['schema', 'template'])(
  'takes up a template and its artifact schema when the %s is saved first',
  async (first) => {
    const daemon = shared();
    const name = `${first}-first`;
    const schema = `${name}/thing@1`;
    const saves = {
      schema: () => save(daemon, `artifacts/${schema}.json`, JSON.stringify({ type: 'object', required: ['a'] })),
      template: () => save(daemon, `templates/${name}@1.yaml`, templateText(name, { schema })),
    };
    const validate = (text: string) => daemon.cli(['artifact', 'validate', schema, '-'], { input: text });
    if (first === 'schema') {
      saves.schema();
      await eventually(async () => expect((await validate('{}')).code).toBe(1));
      saves.template();
    } else {
      const file = saves.template();
      const why = `line 12, column 41: phases.0.expectedArtifact.schema: There is no artifact schema ${schema}`;
      await eventually(async () =>
        expect((await listOf(daemon, 'template')).stderr).toContain(`The template file ${file} is not loaded: ${why}`),
      );
      saves.schema();
    }
    await listed(daemon, 'template', `${name}@1`);
    expect((await validate('{"a":1}')).code).toBe(0);
  },
);

test('takes up a new, a broken, a repaired and a removed persona', async () => {
  const daemon = shared();
  const text = 'name: helper\nversion: 1\nbackend: fake\ncapabilities: [code_edit]\nmaxRiskLevel: low\n';
  const file = save(daemon, 'personas/helper@1.yaml', text.replace('low', 'none'));
  const why = 'line 5, column 1: maxRiskLevel: must be one of "low", "medium", "high"';
  await eventually(async () => expect((await listOf(daemon, 'persona')).stderr).toBe(refused('persona', file, why)));
  save(daemon, 'personas/helper@1.yaml', text);
  await listed(daemon, 'persona', 'helper@1');
  rmSync(file);
  await eventually(async () => expect((await listOf(daemon, 'persona')).names).not.toContain('helper@1'));
});

test('shows the same lists after a restart', async () => {
  const daemon = await startDaemon();
  save(daemon, 'templates/mine@1.yaml', templateText('mine'));
  save(daemon, 'templates/gone@1.yaml', templateText('gone'));
  save(daemon, 'templates/broken@1.yaml', 'name: [\n');
  save(daemon, 'personas/broken@1.yaml', 'name: 1\n');
  await listed(daemon, 'template', 'gone@1');
  await listed(daemon, 'template', 'mine@1');
  save(daemon, 'templates/mine@1.yaml', templateText('mine', { title: 'Other' }));
  rmSync(fileOf(daemon, 'templates/gone@1.yaml'));
  await eventually(async () => {
    const { names, stderr } = await listOf(daemon, 'template');
    expect([names.includes('gone@1'), stderr.includes('mine@1 was published')]).toEqual([false, true]);
  });
  const lists = async () => [
    await listOf(daemon, 'template'),
    await listOf(daemon, 'persona'),
    await daemon.call('template.get', { template: 'mine@1' }),
  ];
  const before = await lists();
  await daemon.restart();
  expect(await lists()).toEqual(before);
});
