import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAgentGuard } from '../../../daemon/agentGuard/agentGuard.ts';
import { type ReadProcess, readProcess } from '../../../daemon/agentGuard/processChain.ts';
import { createApprovalMethods } from '../../../daemon/api/approvals/approvalMethods.ts';
import type { Ids } from '../../../daemon/api/lookup/ids.ts';
import type { RunEngine } from '../../../daemon/engine/runEngine.ts';
import type { Handlers } from '../../../daemon/rpc/handlers.ts';
import type { RpcServer } from '../../../daemon/rpc/server.ts';
import { startRpc } from '../../../daemon/rpc/start.ts';
import type { RunningAgent } from '../../../daemon/sessions/contract/managerContract.ts';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { givenRun } from '../report/givenRun.ts';
import { givenFacts } from './givenFacts.ts';

const SESSION = randomUUID();
const RUN = randomUUID();
const APPROVAL = randomUUID();
/** What says where the commands of a run wrote, how its loop stopped, and its log. */
const READERS = ['run.events', 'run.get', 'run.report', 'backtest.show', 'backtest.compare', 'message.list'];
const GATE = { id: APPROVAL, kind: 'agent', state: 'rejected', subject: { reason: 'It asks' } };
let directory: string;
let socketPath: string;
let server: RpcServer;
let agents: RunningAgent[] = [];
let isSecret = false;
const decided = vi.fn();
const warn = vi.fn();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'devflow-guard-'));
  socketPath = join(directory, 'd.sock');
  agents = [];
  isSecret = false;
  for (const each of [decided, warn]) each.mockReset();
  const ids: Ids = {
    approval: async () => ({ approvalId: APPROVAL, runId: randomUUID() }),
    run: async (ref) => {
      if (ref === RUN) return RUN;
      throw new DevflowError('not_found', 'no such run');
    },
    artifact: async (ref) => ref,
    schedule: async (ref) => ref,
    session: async (ref) => {
      if (ref === SESSION) return SESSION;
      throw new DevflowError('not_found', 'no such session');
    },
  };
  const engine = {
    readRun: async () => ({
      ...givenRun(),
      id: randomUUID(),
      state: 'failed',
      branch: null,
      phases: [],
      artifacts: [],
      approvals: [GATE],
    }),
    signalApproval: async () => {
      decided();
      return { decisionId: randomUUID(), created: true, state: 'approved' };
    },
  } as unknown as RunEngine;
  const guard = createAgentGuard({ ids, running: () => agents, isSecret: () => isSecret, log: { warn } });
  const handlers = {
    ...createApprovalMethods({
      ...{ ids, engine, runLog: engine },
      lists: { listApprovals: async () => [] },
      refusedAt: guard.refusedAt,
      registryOf: async () => createRegistry({ builtinDir: '/nowhere' }),
    }),
    'run.apply': ({ dryRun }: { dryRun: boolean }) => {
      if (!dryRun) decided();
      return { does: 'nothing' };
    },
    ...Object.fromEntries(READERS.map((method) => [method, () => []])),
  } as unknown as Handlers;
  server = await startRpc({ socketPath, handlers, guard, log: { error: () => {} } });
});
afterEach(async () => {
  await server.close(100);
  rmSync(directory, { recursive: true });
});

/** A raw client of the socket: sends one request, prints the answer. */
const CLIENT = `
  const [path, method, params] = process.argv.slice(1);
  const socket = require('net').connect(path, () =>
    socket.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: JSON.parse(params) }) + '\\n'));
  socket.on('data', (data) => { process.stdout.write(data); socket.end(); });`;
const DECIDE = JSON.stringify({ approvalId: APPROVAL, action: 'approve', clientToken: randomUUID() });

/** The client, run by a shell that stands for the first process in a pane. */
async function ask(how: string, { isAgent = true, env = {}, method = 'approval.decide', params = DECIDE } = {}) {
  const words = [process.execPath, '-e', CLIENT, socketPath, method, params];
  const shell: ChildProcess = spawn('/bin/sh', ['-c', `read go; ${how}; :`, 'sh', ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  if (isAgent) agents = [{ sessionId: SESSION, roleId: 'planner', pid: shell.pid as number }];
  shell.stdin?.end('\n');
  return JSON.parse(await text(shell.stdout as NodeJS.ReadableStream));
}

const refused = { error: { data: { code: 'agent_may_not_decide', sessionId: SESSION } } };

describe('a decision by raw socket from inside an agent', () => {
  test.each([
    ['as it is', '"$@"'],
    ['without an environment', 'env -i "$@"'],
    ['in a session of its own', 'setsid -w env -i "$@"'],
    ['as an orphan in the session of the pane', '("$@" &) | cat'],
  ])('%s is refused, and said at the gate', async (_, how) => {
    expect(await ask(how)).toMatchObject(refused);
    expect(decided).not.toHaveBeenCalled();
    expect(warn).toHaveBeenCalledWith(
      expect.objectContaining({ sessionId: SESSION, role: 'planner' }),
      expect.anything(),
    );
    const shown = await ask('"$@"', { method: 'approval.get', params: JSON.stringify({ approvalId: APPROVAL }) });
    expect(shown.result).toMatchObject({
      id: APPROVAL,
      refused: [{ sessionId: SESSION, roleId: 'planner', action: 'approve', at: expect.any(String) }],
    });
  });

  test.each([
    ['the mark', { DEVFLOW_AGENT: SESSION }],
    ["an earlier version's mark", { DEVFLOW_SESSION_DIR: `/workspaces/run/${SESSION}` }],
  ])('that left its tree is found by %s', async (_, env) => {
    expect(await ask('setsid -w "$@"', { isAgent: false, env })).toMatchObject(refused);
  });
});

test('an agent may preview an apply, but not apply', async () => {
  const wish = { runId: SESSION };
  expect(await ask('"$@"', { method: 'run.apply', params: JSON.stringify(wish) })).toMatchObject(refused);
  expect(decided).not.toHaveBeenCalled();
  const look = JSON.stringify({ ...wish, dryRun: true });
  expect(await ask('"$@"', { method: 'run.apply', params: look })).toMatchObject({ result: { does: 'nothing' } });
});

test.each(READERS)('an agent may call %s, unless the run keeps something from agents', async (method) => {
  const wish = { method, params: JSON.stringify({ runId: RUN }) };
  expect(await ask('"$@"', wish)).toMatchObject({ result: [] });
  isSecret = true;
  expect(await ask('"$@"', wish)).toMatchObject(refused);
  expect(await ask('"$@"', { ...wish, isAgent: false })).toMatchObject({ result: [] });
});

test('messages of a session are read as those of its run', async () => {
  const wish = { method: 'message.list', params: JSON.stringify({ sessionId: SESSION }) };
  expect(await ask('"$@"', wish)).toMatchObject({ result: [] });
  isSecret = true;
  expect(await ask('"$@"', wish)).toMatchObject(refused);
});

test('a person may decide, and so may an agent of another daemon', async () => {
  expect(await ask('"$@"', { isAgent: false })).toMatchObject({ result: { state: 'approved' } });
  const env = { DEVFLOW_AGENT: randomUUID() };
  expect(await ask('"$@"', { isAgent: false, env })).toMatchObject({ result: { state: 'approved' } });
  expect(decided).toHaveBeenCalledTimes(2);
});

describe('a command that a run started', () => {
  const env = { DEVFLOW_INTERNAL_COMMAND: `/workspaces/${RUN}/commands/verify-1` };
  const notIts = { error: { data: { code: 'agent_may_not_decide', command: env.DEVFLOW_INTERNAL_COMMAND } } };

  test.each(['"$@"', 'env -i A=1 "$@"', 'setsid -w "$@"'])('may not decide: %s', async (how) => {
    expect(await ask(how, { isAgent: false, env })).toMatchObject(notIts);
    expect(decided).not.toHaveBeenCalled();
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ method: 'approval.decide' }), expect.anything());
  });

  test('may decide if it is of another daemon', async () => {
    const foreign = { DEVFLOW_INTERNAL_COMMAND: `/workspaces/${randomUUID()}/commands/verify-1` };
    expect(await ask('"$@"', { isAgent: false, env: foreign })).toMatchObject({ result: { state: 'approved' } });
  });
});

/** A process connects, ends, and stays a zombie. Its child, an orphan without the agent's marks, uses the connection. */
const ZOMBIE = `
  use IO::Socket::UNIX; use POSIX ();
  my ($path, $method, $params) = @ARGV; $| = 1;
  pipe(my $done, my $ends);
  if ((my $caller = fork) == 0) {
    my $socket = IO::Socket::UNIX->new($path);
    my $pid = $$;
    POSIX::_exit(0) if fork;
    for (;;) { open(my $stat, '<', "/proc/$pid/stat"); last if <$stat> =~ /\\) Z/ }
    print $socket qq({"jsonrpc":"2.0","id":1,"method":"$method","params":$params}\\n);
    $socket->flush; print scalar <$socket>;
    POSIX::_exit(0);
  }
  close $ends; <$done>;`;

test.runIf(process.platform === 'linux')('refuses a process that ended after it connected', async () => {
  const file = join(directory, 'zombie.pl');
  writeFileSync(file, ZOMBIE);
  expect(await ask(`(env -i A=1 setsid -w perl ${file} "$4" "$5" "$6" &) | cat`)).toMatchObject({
    error: {
      message: expect.stringMatching(/^devflow cannot tell whether an agent called: process \d+ has ended\.$/),
      data: { code: 'agent_may_not_decide', hint: expect.stringContaining('try again') },
    },
  });
  expect(decided).not.toHaveBeenCalled();
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ why: expect.any(String) }), expect.anything());
});

describe('who cannot be told from an agent', () => {
  const ids = { approval: vi.fn(), session: vi.fn(), run: vi.fn() };
  /** A check of a caller as the system shows it. */
  function check(pid: number | undefined, read: ReadProcess = readProcess, running: RunningAgent[] = []) {
    const guard = createAgentGuard({ ids, running: () => running, isSecret: () => false, log: { warn }, read });
    return guard.check('approval.decide', {}, { processId: async () => pid });
  }
  const facts = (pid: number) => givenFacts(pid, 1, { environment: pid === 8 ? 'denied' : 'read' });

  test.each<[string, number | undefined, string]>([
    ['a caller that is gone or was not found in time', 0, 'again'],
    ['any caller, if no program tells who it is', undefined, 'Install perl or python3'],
    ['a caller whose environment cannot be read', 8, 'not with sudo'],
  ])('is refused: %s', async (_, pid, hint) => {
    await expect(check(pid, facts)).rejects.toMatchObject({
      code: 'agent_may_not_decide',
      recoveryHint: expect.stringContaining(hint),
    });
  });

  test('is refused: any caller, while the process of an agent cannot be read', async () => {
    const agent = { sessionId: SESSION, roleId: 'planner', pid: 100 };
    const read = (pid: number) => (pid === 100 ? 'failed' : facts(pid));
    await expect(check(9, read, [agent])).rejects.toMatchObject({ code: 'agent_may_not_decide' });
    await expect(check(9, (pid) => (pid === 100 ? 'gone' : facts(pid)), [agent])).resolves.toBeUndefined();
  });

  test('is refused: a caller whose session could not be looked up', async () => {
    ids.session.mockRejectedValueOnce(new DevflowError('db_unreachable', 'no answer'));
    const read = (pid: number) => ({ ...facts(pid), marks: [SESSION] });
    await expect(check(9, read)).rejects.toMatchObject({ code: 'db_unreachable' });
  });
});
