import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { isAlive } from '../../../schemas/process/processes.ts';
import { until } from '../../helpers/until.ts';

const SCRIPT = join(packageRoot(), 'daemon', 'keeper', 'keeper.sh');

/** Programs in place of the daemon, and of Node with the program that decides: it only notes its arguments. */
function givenPrograms() {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-keeper-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const program = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const decided = join(directory, 'decided');
  const log = join(directory, 'log');
  writeFileSync(log, '');
  const node = program('node', `echo "$$ $*" >'${decided}.new'; mv '${decided}.new' '${decided}'`);
  return {
    program,
    node,
    decider: program('decider', ''),
    log,
    file: (name: string) => join(directory, name),
    read: (name: string) => readFileSync(join(directory, name), 'utf8').trim(),
    decided: () => (existsSync(decided) ? readFileSync(decided, 'utf8').trim() : undefined),
  };
}

type Programs = ReturnType<typeof givenPrograms>;

function start({ node, decider, log, file }: Programs, daemonPid: string, ...daemon: string[]) {
  const child = spawn('/bin/sh', [SCRIPT, '/record', node, decider, log, daemonPid, ...daemon], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    env: { ...process.env, PATH: `${file('bin')}:/usr/bin:/bin` },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, pid: child.pid ?? 0, ended: once(child, 'exit') };
}

const pipeOf = (child: ChildProcess) => child.stdio[3] as Readable;

/** Whether it sleeps between two looks. */
const watches = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8') !== '';

/** A pid namespace, in which the next pid can be chosen. */
const IN_NAMESPACE = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc', '/bin/sh', '-c'];
const canChoosePids =
  process.platform === 'linux' &&
  spawnSync('unshare', [...IN_NAMESPACE, 'echo 500 >/proc/sys/kernel/ns_last_pid']).status === 0;

/** Writes its pid, then waits to be ended. */
function daemon(programs: Programs, onTerm: string): string {
  return programs.program(
    'daemon',
    `trap '${onTerm}' TERM; echo $$ >'${programs.file('pid')}'; echo ready >&3; exec 3>&-; while :; do sleep 0.02; done`,
  );
}

async function pidOf(programs: Programs, child: ChildProcess): Promise<number> {
  await once(pipeOf(child), 'data');
  return Number(programs.read('pid'));
}

test('ends with a daemon that ends in order, and decides nothing', async () => {
  const programs = givenPrograms();
  const { ended } = start(programs, '', '/bin/sh', '-c', 'exit 0');
  expect(await ended).toEqual([0, null]);
  expect(programs.decided()).toBeUndefined();
});

test.each([
  ['an exit code', 'exit 75', '75'],
  ['a signal', 'kill -9 $$', '137'],
])('becomes the program that decides after %s, with the same pid', async (_, end, code) => {
  const programs = givenPrograms();
  const { pid, ended } = start(programs, '', '/bin/sh', '-c', `echo $$ >'${programs.file('pid')}'; ${end}`);
  expect(await ended).toEqual([0, null]);
  expect(programs.decided()).toBe(`${pid} ${programs.decider} /record ended ${programs.read('pid')} ${code}`);
});

test('holds the pipe of `devflow up` no longer than its daemon', async () => {
  const programs = givenPrograms();
  const { child } = start(programs, '', daemon(programs, 'exit 0'));
  const closed = once(pipeOf(child), 'end');
  await pidOf(programs, child);
  await closed;
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each([
  ['that ends in order', 'exit 0'],
  ['that fails at its end', 'exit 1'],
])('a signal ends the daemon %s, and then the keeper, which decides nothing', async (_, onTerm) => {
  const programs = givenPrograms();
  const { child, ended } = start(programs, '', daemon(programs, onTerm));
  const pid = await pidOf(programs, child);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(isAlive(pid)).toBe(false);
  expect(programs.decided()).toBeUndefined();
});

test('kill -9 leaves the daemon; another keeper watches it, and decides after its end', async () => {
  const programs = givenPrograms();
  const first = start(programs, '', daemon(programs, 'exit 0'));
  const pid = await pidOf(programs, first.child);
  onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
  first.child.kill('SIGKILL');
  await first.ended;
  expect(isAlive(pid)).toBe(true);

  const second = start(programs, String(pid));
  await until('it watches', () => watches(second.pid));
  process.kill(pid, 'SIGKILL');
  expect(await second.ended).toEqual([0, null]);
  expect(programs.decided()).toBe(`${second.pid} ${programs.decider} /record ended ${pid} unknown`);
});

test('a signal ends a daemon that it watches, too', async () => {
  const programs = givenPrograms();
  const first = start(programs, '', daemon(programs, 'exit 0'));
  const pid = await pidOf(programs, first.child);
  first.child.kill('SIGKILL');
  await first.ended;
  const second = start(programs, String(pid));
  await until('it watches', () => watches(second.pid));
  second.child.kill('SIGTERM');
  expect(await second.ended).toEqual([0, null]);
  expect(isAlive(pid)).toBe(false);
  expect(programs.decided()).toBeUndefined();
});

test('writes to the log of that name, after the daemon has renamed a full one', async () => {
  const programs = givenPrograms();
  const crash = `echo start >&2; mv '${programs.log}' '${programs.log}.1'; : >'${programs.log}'; exit 1`;
  writeFileSync(programs.node, '#!/bin/sh\necho decides >&2\n');
  const { ended } = start(programs, '', '/bin/sh', '-c', crash);
  await ended;
  expect([programs.read('log.1'), programs.read('log')]).toEqual(['start', 'decides']);
});

const waits = ({ log }: Programs) => readFileSync(log, 'utf8').includes('Its keeper waits for');

/** A keeper whose daemon has just crashed while an update had removed that file. The only other Node is too old. */
async function givenUpdate(programs: Programs, missing: string) {
  mkdirSync(programs.file('bin'));
  programs.program('bin/node', 'exit 1');
  renameSync(missing, `${missing}.away`);
  const started = start(programs, '', '/bin/sh', '-c', 'exit 1');
  await until('it waits', () => waits(programs));
  return started;
}

test.each(['node', 'decider'] as const)('waits while an update replaces the %s', async (which) => {
  const programs = givenPrograms();
  const { ended } = await givenUpdate(programs, programs[which]);
  expect(programs.decided()).toBeUndefined();
  renameSync(`${programs[which]}.away`, programs[which]);
  expect(await ended).toEqual([0, null]);
  expect(programs.decided()).toContain(' /record ended ');
});

test('finds Node where an update has put it', async () => {
  const programs = givenPrograms();
  mkdirSync(programs.file('bin'));
  renameSync(programs.node, programs.file('bin/node'));
  const { pid, ended } = start(programs, '', '/bin/sh', '-c', 'exit 1');
  expect(await ended).toEqual([0, null]);
  expect(programs.decided()).toMatch(new RegExp(`^${pid} .* ended \\d+ 1$`));
});

test('a signal ends the wait for a program', async () => {
  const programs = givenPrograms();
  const { child, ended } = await givenUpdate(programs, programs.decider);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(programs.decided()).toBeUndefined();
});

test.runIf(canChoosePids)(
  'notices the end of a daemon whose pid another process got at once, and leaves that alone',
  async () => {
    const programs = givenPrograms();
    const { node, decider, log } = programs;
    const script = `sleep 300 & d=$!
    /bin/sh '${SCRIPT}' /record '${node}' '${decider}' '${log}' $d & k=$!
    while [ -z "$(cat /proc/$k/task/$k/children)" ]; do :; done
    born() { cut -d' ' -f22 /proc/$1/stat; }
    # A start time has a hundredth of a second. Within one, two processes cannot be told apart.
    while [ "$(born self)" = "$(born $d)" ]; do :; done
    kill -STOP $k; kill -KILL $d; wait $d
    echo $((d - 1)) >/proc/sys/kernel/ns_last_pid
    sleep 300 & [ $! = $d ] && echo same
    kill -CONT $k; wait $k
    kill -0 $d && echo there`;
    const child = spawn('unshare', [...IN_NAMESPACE, script], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    await once(child, 'close');
    expect(said).toBe('same\nthere\n');
    expect(programs.decided()).toMatch(/ \/record ended \d+ unknown$/);
  },
);
