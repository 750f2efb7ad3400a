import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endCommandsOf } from '../../../daemon/commands/endMarked.ts';
import { readStartTime } from '../../../daemon/commands/processIdentity.ts';
import { type CommandInput, endLeftovers, startOrAdopt } from '../../../daemon/commands/runner.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { eventually } from '../../helpers/eventually.ts';

function given(argv: string[], more: Partial<CommandInput> = {}) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-run-')));
  const dir = join(cwd, 'out');
  const input: CommandInput = { commandId: 'c1', argv, cwd, dir, timeoutMs: 60_000, startedAt: new Date(), ...more };
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');
  const pid = () => Number(read('c1.pid').split(' ')[0]);
  onTestFinished(() => {
    try {
      process.kill(-pid(), 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
    rmSync(cwd, { recursive: true, force: true });
  });
  return { input, cwd, dir, read, pid };
}

const until = (check: () => unknown) => eventually(async () => expect(await check()).toBeTruthy());
/** The pid that leads the session of a process. */
const sessionOf = (pid: number) => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3]);
const gone = (pid: number) => until(async () => (await readStartTime(pid)) === undefined);
/** A script that leaves a line in `runs`, waits for the file `go`, and prints. */
const WAITS = ['sh', '-c', 'echo run >>runs; while [ ! -e go ]; do sleep 0.05; done; echo done; exit 3'];

/** The shell makes the file before it writes the line. */
const hasRun = (cwd: string) => existsSync(join(cwd, 'runs')) && readFileSync(join(cwd, 'runs'), 'utf8') !== '';

describe('a command', () => {
  it('keeps running when its output is cut with a note', async () => {
    const script = 'i=0; while [ ! -e go ]; do i=$((i + 1)); echo "line $i"; done; echo last; echo few >&2; exit 3';
    const { input, cwd, read } = given(['sh', '-c', script], { outputLimit: 1000 });
    const running = startOrAdopt(input);
    await until(() => existsSync(join(input.dir, 'c1.out')) && read('c1.out').includes('cut here, after 1000 bytes'));
    writeFileSync(join(cwd, 'go'), '');
    expect(await running).toMatchObject({ exitCode: 3, signal: null });
    expect(read('c1.out')).toMatch(/^line 1\nline 2\n[\s\S]*\ndevflow: cut here, after 1000 bytes\.\n$/);
    expect(read('c1.out').length).toBe(1000 + '\ndevflow: cut here, after 1000 bytes.\n'.length);
    expect(read('c1.err')).toBe('few\n');
  });

  it('gets its argv unchanged, output files, no input and a small environment', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('DEVFLOW_TEST_SECRETS', 'x');
    vi.stubEnv('https_proxy', 'http://proxy.localhost:3128');
    vi.stubEnv('SSL_CERT_FILE', '/etc/company.pem');
    const script =
      'console.log(JSON.stringify([process.argv.slice(1), process.env, process.cwd()])); process.stdin.on("end", () => console.error("eof")).resume()';
    const odd = ['a b', "it's", '$HOME', '"', '', '*', 'new\nline', ';exit 9', '-n'];
    const { input, cwd, read } = given([process.execPath, '-e', script, '--', ...odd], { env: { EXTRA: 'e' } });
    const result = await startOrAdopt(input);
    expect(result).toMatchObject({
      exitCode: 0,
      signal: null,
      timedOut: false,
      aborted: false,
      startedAt: input.startedAt,
    });
    expect(result.endedAt.getTime()).toBeGreaterThanOrEqual(input.startedAt.getTime() - 50);
    const [args, env, where] = JSON.parse(readFileSync(result.stdoutPath, 'utf8'));
    expect(args).toEqual(odd);
    expect(env).toMatchObject({ TERM: 'dumb', CI: '1', EXTRA: 'e', PATH: process.env.PATH, HOME: process.env.HOME });
    expect(env).toMatchObject({ https_proxy: 'http://proxy.localhost:3128', SSL_CERT_FILE: '/etc/company.pem' });
    expect(env.DEVFLOW_TEST_SECRETS).toBeUndefined();
    expect(env.DEVFLOW_INTERNAL_COMMAND).toBe(join(input.dir, 'c1'));
    expect(where).toBe(cwd);
    expect(read('c1.err')).toBe('eof\n');
  });

  it.each([
    [['sh', '-c', 'exit 7'], { exitCode: 7, signal: null }],
    [['sh', '-c', 'kill -KILL $$'], { exitCode: null, signal: 'SIGKILL' }],
    [['exit', '0'], { exitCode: 127, signal: null }],
  ])('%j ends with %j', async (argv, end) => {
    expect(await startOrAdopt(given(argv).input)).toMatchObject(end);
  });

  it('that does not exist ends with 127 and an error line', async () => {
    const { input, read } = given(['no-such-program', 'x']);
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: 127 });
    expect(read('c1.err')).toContain('there is no program no-such-program');
  });

  it('fails if the policy blocks it, with the reason in its output', async () => {
    const { input, cwd, read } = given(['rm', '-rf', 'x']);
    mkdirSync(join(cwd, 'x'));
    const twice = [await startOrAdopt(input), await startOrAdopt(input)];
    for (const end of twice)
      expect(end).toMatchObject({ exitCode: null, blocked: expect.stringContaining('rm with -r and -f') });
    expect(existsSync(join(cwd, 'x'))).toBe(true);
    expect(read('c1.err')).toMatch(/^devflow: blocked by policy: rm with -r and -f/);
    expect(existsSync(join(input.dir, 'c1.pid'))).toBe(false);
  });

  it('is adopted if an earlier version started it, even if the policy now blocks it', async () => {
    const { input, cwd } = given(WAITS);
    const started = startOrAdopt(input);
    await until(() => hasRun(cwd));
    const adopted = startOrAdopt({ ...input, argv: ['rm', '-rf', 'x'] });
    writeFileSync(join(cwd, 'go'), '');
    expect(await adopted).toMatchObject({ exitCode: 3 });
    expect((await adopted).blocked).toBeUndefined();
    await started;
  });

  it('cannot start in a missing directory', async () => {
    const { input } = given(['true']);
    await expect(startOrAdopt({ ...input, cwd: '/nowhere' })).rejects.toMatchObject({ code: 'command_failed' });
  });

  it('ends its leftover processes with it', async () => {
    const { input, read } = given(['sh', '-c', 'sleep 300 & echo $!']);
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: 0 });
    await gone(Number(read('c1.out')));
  });
});

describe('stopping', () => {
  it('ends the whole group at the time-out, counted from startedAt', async () => {
    const { input, read } = given(['sh', '-c', 'sleep 300 & echo $!; wait'], {
      timeoutMs: 60_500,
      startedAt: new Date(Date.now() - 60_000),
    });
    const result = await startOrAdopt(input);
    expect(result).toMatchObject({ exitCode: null, signal: 'SIGTERM', timedOut: true, aborted: false });
    await gone(Number(read('c1.out')));
    expect(await startOrAdopt(input)).toEqual(result);
  });

  it('kills a command that ignores TERM', async () => {
    const abort = new AbortController();
    const argv = ['sh', '-c', "trap '' TERM; echo ready; while :; do sleep 0.1; done"];
    const { input, read, pid } = given(argv, { signal: abort.signal, graceMs: 200 });
    const running = startOrAdopt(input);
    await until(() => existsSync(join(input.dir, 'c1.out')) && read('c1.out') !== '');
    abort.abort();
    expect(await running).toMatchObject({ exitCode: null, signal: 'SIGKILL', aborted: true, timedOut: false });
    await gone(pid());
    expect(await startOrAdopt(input)).toMatchObject({ signal: 'SIGKILL', aborted: true });
  });

  it.runIf(process.platform === 'linux').each([
    ['in a session of its own', 'setsid sleep 300 & echo $!'],
    ['in a session of its own, without a parent', '(setsid sh -c "echo \\$\\$; exec sleep 300" &)'],
    ['that ignores TERM', `setsid sh -c 'trap "" TERM; echo $$; while :; do sleep 0.1; done' &`],
  ])('ends also a process %s', async (_, leaves) => {
    const abort = new AbortController();
    const { input, read } = given(['sh', '-c', `${leaves}\nexec sleep 300`], { signal: abort.signal, graceMs: 5000 });
    const running = startOrAdopt(input);
    await until(() => existsSync(join(input.dir, 'c1.out')) && read('c1.out').endsWith('\n'));
    const left = Number(read('c1.out'));
    await until(async () => sessionOf(left) === left);
    abort.abort();
    expect(await running).toMatchObject({ aborted: true });
    expect(await readStartTime(left)).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('at the end of a run ends what its commands left, and no other', async () => {
    const script = `setsid sh -c 'echo $$ >left; exec sleep 300' &\nwhile [ ! -s left ]; do :; done; cat left`;
    const leaves = ['sh', '-c', script];
    const ofRun = (runId: string) => {
      const { input, cwd, ...rest } = given(leaves);
      return { ...rest, input: { ...input, dir: join(cwd, runId, 'commands') } };
    };
    const [ended, other] = [ofRun('run-1'), ofRun('run-10')];
    const pids: number[] = [];
    for (const { input } of [ended, other]) {
      const end = await startOrAdopt(input);
      pids.push(Number(readFileSync(end.stdoutPath, 'utf8')));
    }
    const [ours = 0, theirs = 0] = pids;
    await endCommandsOf('run-1');
    expect(await readStartTime(ours)).toBeUndefined();
    expect(await readStartTime(theirs)).toBeDefined();
    await endCommandsOf('run-10');
    expect(await readStartTime(theirs)).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('ends what is left below its directory, and nothing of a person', async () => {
    const leaves = `(env -i setsid sh -c 'echo $$; exec sleep 300' &)`;
    const { input, cwd, read } = given(['sh', '-c', `${leaves}\nwhile [ ! -s out/c1.out ]; do :; done`]);
    const start = (...[program, args, options]: Parameters<typeof spawn>) => {
      const child = spawn(program, args, { detached: true, stdio: 'ignore', ...options });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child.pid ?? 0;
    };
    const earlier = start('sleep', ['300'], { cwd });
    // Start times are ticks since the machine started, a hundred a second.
    const ticks = () => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 100;
    const startedAt = Number(await readStartTime(earlier));
    await until(() => ticks() > startedAt + 1);
    await startOrAdopt(input);
    const shell = `cd ${cwd} && echo $$ >shell && exec sleep 300`;
    start('script', ['-qfec', shell, '/dev/null'], { cwd: tmpdir() });
    await until(() => existsSync(join(cwd, 'shell')) && readFileSync(join(cwd, 'shell'), 'utf8').endsWith('\n'));
    await endLeftovers(input.dir, input.commandId, cwd);
    const isThere = async (pid: number) => (await readStartTime(pid)) !== undefined;
    const inShell = Number(readFileSync(join(cwd, 'shell'), 'utf8'));
    expect(await Promise.all([Number(read('c1.out')), earlier, inShell].map(isThere))).toEqual([false, true, true]);
  });

  it.runIf(process.platform === 'linux')('ends what ignores TERM in its group, also without its mark', async () => {
    const leaves = `(env -i sh -c 'trap "" TERM; echo $$; while :; do sleep 0.1; done' &)`;
    const { input, read } = given(['sh', '-c', `${leaves}\nwhile [ ! -s out/c1.out ]; do :; done`]);
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: 0 });
    expect(await readStartTime(Number(read('c1.out')))).toBeDefined();
    await endLeftovers(input.dir, input.commandId);
    expect(await readStartTime(Number(read('c1.out')))).toBeUndefined();
  });

  it.runIf(process.platform === 'linux').each([
    // Seconds: the command began and ended so long ago, and its start time is that of a process which is so old.
    ['after the command ended', { began: 20, ended: 10, started: 20 }],
    ['after the machine was started again', { began: 5000, ended: undefined, started: 20 }],
  ])('ends nothing of another program that got its number %s', async (_, { began, ended, started }) => {
    const { input, dir } = given([]);
    const stranger = spawn('sh', ['-c', 'sleep 300 >/dev/null & echo $!'], { detached: true, stdio: 'pipe' });
    const [said] = await once(stranger.stdout, 'data');
    const left = Number(said);
    onTestFinished(() => void process.kill(left, 'SIGKILL'));
    if (stranger.exitCode === null) await once(stranger, 'exit');
    const leftAt = Number(await readStartTime(left));
    const write = (name: string, text: string, secondsAgo: number) => {
      writeFileSync(join(dir, name), text);
      const at = Date.now() / 1000 - secondsAgo;
      utimesSync(join(dir, name), at, at);
    };
    mkdirSync(dir);
    write('c1.pid', `${stranger.pid} ${leftAt - started * 100}\n`, began);
    if (ended !== undefined) write('c1.exit', '0\n', ended);
    await endLeftovers(input.dir, input.commandId);
    expect(await readStartTime(left)).toBe(String(leftAt));
  });

  it('notices a killed wrapper and leaves no process', async () => {
    const { input, read, pid } = given(['sh', '-c', 'echo $$; while :; do sleep 0.1; done']);
    const running = startOrAdopt(input);
    await until(() => existsSync(join(input.dir, 'c1.out')) && read('c1.out') !== '');
    process.kill(pid(), 'SIGKILL');
    expect(await running).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false, aborted: false });
    await gone(Number(read('c1.out')));
  });

  it('does not start a command after its time-out', async () => {
    const { input, cwd } = given(WAITS, { startedAt: new Date(0) });
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: null, timedOut: true });
    expect(existsSync(join(cwd, 'runs'))).toBe(false);
  });

  it('leaves a command running at a shutdown and adopts it afterwards', async () => {
    const letGo = new AbortController();
    const { input, cwd, pid } = given(WAITS);
    const first = startOrAdopt({ ...input, signal: letGo.signal });
    await until(() => hasRun(cwd));
    letGo.abort(new DevflowError('shutting_down', 'bye'));
    await expect(first).rejects.toMatchObject({ code: 'shutting_down' });
    expect(await readStartTime(pid())).toBeDefined();

    const again = [startOrAdopt(input), startOrAdopt(input)];
    writeFileSync(join(cwd, 'go'), '');
    for (const result of await Promise.all(again)) expect(result).toMatchObject({ exitCode: 3 });
    expect(readFileSync(join(cwd, 'runs'), 'utf8')).toBe('run\n');
  });
});

describe('after a crash of the daemon', () => {
  async function daemon(input: CommandInput): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, 'runnerChild.ts'), [JSON.stringify(input)], {
      execArgv: ['--experimental-strip-types', '--no-warnings'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return child;
  }

  it('adopts a running command', async () => {
    const { input, cwd, read } = given(WAITS);
    const child = await daemon(input);
    await until(() => hasRun(cwd));
    child.kill('SIGKILL');
    await once(child, 'exit');
    const adopted = startOrAdopt(input);
    writeFileSync(join(cwd, 'go'), '');
    expect(await adopted).toMatchObject({ exitCode: 3 });
    expect(read('c1.out')).toBe('done\n');
    expect(readFileSync(join(cwd, 'runs'), 'utf8')).toBe('run\n');
  });

  it('runs no command again that ends while it is adopted', async () => {
    const spin = ['sh', '-c', 'echo run >>runs; while [ ! -e go ]; do :; done; exit 3'];
    for (let nth = 0; nth < 10; nth += 1) {
      const { input, cwd } = given(spin);
      const letGo = new AbortController();
      const first = startOrAdopt({ ...input, signal: letGo.signal });
      await until(() => hasRun(cwd));
      letGo.abort(new DevflowError('shutting_down', 'bye'));
      await expect(first).rejects.toMatchObject({ code: 'shutting_down' });
      const adopted = startOrAdopt(input);
      for (let turn = 0; turn < nth; turn += 1) await new Promise(setImmediate);
      writeFileSync(join(cwd, 'go'), '');
      expect(await adopted).toMatchObject({ exitCode: 3 });
      expect(readFileSync(join(cwd, 'runs'), 'utf8')).toBe('run\n');
    }
  });

  it('returns the status of a command that ended', async () => {
    const { input, cwd } = given(WAITS);
    const child = await daemon(input);
    await until(() => hasRun(cwd));
    child.kill('SIGKILL');
    writeFileSync(join(cwd, 'go'), '');
    await until(() => existsSync(join(input.dir, 'c1.exit')));
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: 3 });
    expect(readFileSync(join(cwd, 'runs'), 'utf8')).toBe('run\n');
  });

  it('runs a command again that died without a status', async () => {
    const { input, cwd, pid } = given(WAITS);
    const child = await daemon(input);
    await until(() => hasRun(cwd));
    child.kill('SIGKILL');
    process.kill(-pid(), 'SIGKILL');
    await gone(pid());
    writeFileSync(join(cwd, 'go'), '');
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: 3 });
    expect(readFileSync(join(cwd, 'runs'), 'utf8')).toBe('run\nrun\n');
  });

  it('does not adopt another process with the same pid', async () => {
    const { input, cwd, dir } = given(WAITS);
    const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    onTestFinished(() => {
      stranger.kill('SIGKILL');
    });
    mkdirSync(dir);
    writeFileSync(join(dir, 'c1.pid'), `${stranger.pid} 1\n`);
    writeFileSync(join(cwd, 'go'), '');
    expect(await startOrAdopt(input)).toMatchObject({ exitCode: 3 });
    expect(await readStartTime(stranger.pid as number)).toBeDefined();
  });
});
