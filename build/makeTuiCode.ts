import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { resolvePaths } from '../schemas/files/paths.ts';
import { createFrameDecoder, encodeFrame } from '../schemas/rpc/framing.ts';
import type { RpcResult } from '../schemas/rpc/methods/index.ts';
import { CODE, compileBundle, DEFAULT_YOUNG_SPACE, runBundle } from '../tui/bundle.ts';
import type { runTui } from '../tui/main.ts';

/**
 * `node build/makeTuiCode.ts <directory> <version> <build>` runs the dashboard of that directory against a daemon of
 * its own. It keeps the code that V8 compiled until then.
 */
const [directory = '', version = '', build = ''] = process.argv.slice(2);
const RUN = '00000000-0000-4000-8000-000000000001';
const GATE = '00000000-0000-4000-8000-000000000002';
const SESSION = '00000000-0000-4000-8000-000000000003';
const NOW = new Date().toISOString();
const PATIENCE_MS = 20_000;

const status: RpcResult<'daemon.status'> = {
  daemon: { pid: process.pid, version, build, socket: '', startedAt: NOW },
  database: { mode: 'embedded', ok: true },
  runs: { awaiting_approval: 1 },
  approvals: { pending: 1 },
  sessions: { READY: 1 },
  stalls: {},
  agents: { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 },
  agentSlots: { atWork: 0, waiting: 0, limit: 4 },
  problems: [],
};

const runs: RpcResult<'run.list'> = [
  {
    runId: RUN,
    title: 'Greet by name',
    state: 'awaiting_approval',
    template: 'development@1',
    repoPath: '/srv/greeting',
    baseBranch: 'main',
    currentPhase: 'plan',
    waitingFor: 'a decision at plan_approved (plan)',
    waitsForPerson: true,
    alsoWaitsFor: [],
    progress: { done: 1, total: 4 },
    createdAt: NOW,
    endedAt: null,
  },
];

const gates: RpcResult<'approval.list'> = [
  {
    id: GATE,
    runId: RUN,
    runTitle: 'Greet by name',
    gateKey: 'plan_approved',
    kind: 'gate',
    phaseKey: 'plan',
    assignment: null,
    laneId: null,
    attempt: 1,
    state: 'pending',
    createdAt: NOW,
    resolvedAt: null,
  },
];

const sessions: RpcResult<'session.list'> = [
  {
    sessionId: SESSION,
    runId: RUN,
    runTitle: 'Greet by name',
    roleId: 'planner',
    laneId: 'main',
    backend: 'fake',
    state: 'READY',
    paneId: '%1',
    cwd: '/srv/greeting',
    recoveryAttempts: 0,
    lastPromptAt: NOW,
    stall: null,
  },
];

const ANSWERS: Record<string, unknown> = {
  'events.subscribe': { subscriptionId: 's1', runId: null, afterSeq: null },
  'daemon.status': status,
  'run.list': runs,
  'approval.list': gates,
  'session.list': sessions,
};
const unknown = { code: -32601, message: 'no such method' };

const home = mkdtempSync(join(tmpdir(), 'devflow-code-'));
const env = { HOME: home, DEVFLOW_HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
const { socketPath } = resolvePaths(env);
mkdirSync(dirname(socketPath), { recursive: true, mode: 0o700 });
const daemon = await serve();
let painted = '';
process.stdout.write = (text: string | Uint8Array) => {
  painted += text;
  return true;
};
try {
  const file = join(directory, 'tui.cjs');
  const script = compileBundle(file);
  const dashboard = runBundle<{ runTui: typeof runTui }>(script, file);
  const ended = dashboard.runTui({ screen: 'runs', theme: 'dark', cwd: home, env });
  await sees('Greet by name');
  for (const [key, what] of [
    ['3', 'planner'],
    ['2', 'plan_approved'],
    ['1', 'phases'],
    ['j', ''],
  ] as const) {
    painted = '';
    process.stdin.emit('data', Buffer.from(key));
    if (what !== '') await sees(what);
  }
  setFlagsFromString(DEFAULT_YOUNG_SPACE);
  writeFileSync(join(directory, CODE), script.createCachedData());
  process.emit('SIGTERM');
  await ended;
} finally {
  daemon.close();
  rmSync(home, { recursive: true, force: true });
}

function serve(): Promise<Server> {
  const server = createServer((socket) => {
    const decoder = createFrameDecoder();
    socket.on('error', () => {});
    socket.on('data', (chunk) =>
      decoder.push(chunk as Buffer, (frame) => {
        const { id, method } = JSON.parse(frame);
        const result = ANSWERS[method];
        socket.write(encodeFrame({ jsonrpc: '2.0', id, ...(result ? { result } : { error: unknown }) }));
      }),
    );
  });
  return new Promise((resolve) => server.listen(socketPath, () => resolve(server)));
}

async function sees(what: string): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; !painted.includes(what); ) {
    if (Date.now() > until) throw new Error(`the dashboard did not show ${what}`);
    await turn();
  }
}
