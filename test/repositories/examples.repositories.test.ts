import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { NETWORK_VARIABLES } from '../../schemas/process/environment.ts';
import { parseSettings } from '../../schemas/repository/parseSettings.ts';
import { payloads } from '../e2e/support.ts';
import { shareDaemon } from '../helpers/daemon.ts';
import { EXAMPLES } from './examples.ts';
import { play, writePersonsFile } from './oneProject.ts';
import { commitAll, PREPARED_AT, type Prepared } from './prepared.ts';

const prepared = JSON.parse(readFileSync(process.env[PREPARED_AT] ?? '', 'utf8')) as Prepared;
const network = NETWORK_VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
const standIns = join(prepared.rows, '..', 'programs');
const calls = join(standIns, 'calls');
mkdirSync(standIns, { recursive: true });
writeFileSync(join(standIns, 'docker'), `#!/bin/sh\necho "$@ $DB_PORT" >>'${calls}'\n`);
chmodSync(join(standIns, 'docker'), 0o755);
const path = [standIns, prepared.path].join(delimiter);
const daemon = shareDaemon({ env: { ...Object.fromEntries(network), HOME: prepared.home, PATH: path } });

/** The examples of the page, by the words in bold before them. */
const page = readFileSync(join(packageRoot(), 'docs/repository.md'), 'utf8').split('\n## Examples\n')[1] ?? '';
const texts = new Map(
  [...page.matchAll(/^\*\*([^*]+)\.\*\*[^`]*(?:`[^`\n]+`[^`]*)*```yaml\n(.*?)^```/gms)].map((match) => [
    match[1] ?? '',
    match[2] ?? '',
  ]),
);

test('example: each one of the page has a project', () => {
  expect([...texts.keys()]).toEqual(EXAMPLES.map(({ name }) => name));
});

test.concurrent.for(prepared.examples.map((example) => [example.name, example] as const))(
  'example: %s',
  async ([name, { files, ignored = {}, lock = [], byHand = [], placed = [] }]) => {
    const checkout = join(daemon().root, 'examples', name.replaceAll(' ', '-'));
    const text = texts.get(name) ?? '';
    const write = (all: Readonly<Record<string, string>>) => {
      for (const [file, content] of Object.entries(all)) {
        mkdirSync(dirname(join(checkout, file)), { recursive: true });
        writeFileSync(join(checkout, file), content);
      }
    };
    const run = (line: string) => {
      const [program = '', ...args] = line.split(' ');
      execFileSync(program, args, { cwd: checkout, env: daemon().env, stdio: 'pipe' });
    };
    write({ ...files, 'devflow.yaml': text });
    lock.forEach(run);
    commitAll(checkout, name, daemon().env);
    write(ignored);
    byHand.forEach(run);
    writePersonsFile(daemon(), checkout, {});

    const { faults, setup, verify, events, runId } = await play(daemon(), checkout, 'x');
    expect(faults).toEqual([]);
    const read = parseSettings('devflow.yaml', text);
    const { verify: checks, worktree } = read.ok ? read.settings : expect.fail('the example is wrong');
    if (checks) expect(verify).toEqual(checks);
    expect(verify).not.toEqual([]);
    if (worktree?.setup) expect(setup?.commands.map(({ argv }) => argv)).toEqual(worktree.setup);
    const [first = { placed: [] }] = payloads(events, 'worktree.placed') as { placed: { path: string }[] }[];
    expect(first.placed.map((each) => each.path)).toEqual(placed);
    const [main] = payloads(events, 'worktree.set_up').filter(({ laneId }) => laneId === 'main');
    if (setup) expect(main).toMatchObject({ ok: true, changed: [], excluded: [] });
    expect(await daemon().cli(['cleanup', runId, '--json'])).toMatchObject({ code: 0 });
    if (name !== 'Services') return;
    const [port] = payloads(events, 'worktree.placed').map(({ ports }) => (ports as { DB_PORT: number }).DB_PORT);
    const lines = readFileSync(calls, 'utf8').split('\n');
    expect(lines).toContain(`compose -p ${runId}-main up -d --wait ${port}`);
    expect(lines).toContain(`compose -p ${runId}-main down ${port}`);
  },
);
