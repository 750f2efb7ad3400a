import { createServer, type Socket } from 'node:net';
import { EVENTS_METHOD } from '../../schemas/rpc/envelope.ts';
import { createFrameDecoder, encodeFrame } from '../../schemas/rpc/framing.ts';

/**
 * A stand-in for a daemon with 500 runs, one of them with 100,000 events, that never stops. Its arguments are the
 * socket, version, build, and events per second. It is a separate process, so that it shares nothing with the measured
 * one.
 */
const [socketPath = '', version = '', build = '', rate = '0'] = process.argv.slice(2);
const RUNS = 500;
const HISTORY = 100_000;
const TURN_MS = 10;
const NOW = Date.now();
const time = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const idOf = (nth: number) => `${(0x10000000 + nth).toString(16)}-0000-4000-8000-000000000000`;
const LONG = idOf(1);

let lastSeq = HISTORY;
let turns = 0;

const summary = (nth: number) => ({
  runId: idOf(nth),
  state: nth < 40 ? 'executing' : 'completed',
  title: `Greet person ${nth} by name`,
  template: 'development@1',
  baseBranch: 'main',
  repoPath: `/home/ada/project-${nth}`,
  currentPhase: nth < 40 ? 'implement' : null,
  waitingFor: null,
  waitsForPerson: false,
  alsoWaitsFor: [],
  progress: { done: nth < 40 ? (turns + nth) % 4 : 4, total: 4 },
  createdAt: time(nth * 60),
  endedAt: nth < 40 ? null : time(nth * 60 - 50),
});

const detail = (runId: string) => ({
  ...summary(Number.parseInt(runId.slice(0, 8), 16) - 0x10000000),
  templateHash: 'f'.repeat(64),
  pausedFrom: null,
  baseCommit: '0'.repeat(40),
  branch: 'devflow/x/main',
  worktreeRoot: '/w',
  worktreeFiles: null,
  finalReportPath: null,
  requirements: 'Greet.',
  objective: null,
  extra: null,
  reason: null,
  startedAt: time(60),
  lastSeq: runId === LONG ? lastSeq : 3,
  phases: ['spec', 'plan', 'implement', 'verify'].map((key) => ({
    phaseId: `phase-${key}`,
    key,
    title: key,
    kind: 'agent',
    state: 'running',
    attempts: 1,
    roles: ['planner'],
    gates: [],
    work: null,
    startedAt: time(60),
    endedAt: null,
  })),
  bindings: [],
  assignments: [],
  lanes: [],
  findings: 0,
  approvals: [],
  sessions: [],
  commands: [],
  artifacts: [],
});

const event = (seq: number) => ({
  runId: LONG,
  seq,
  type: seq % 3 === 0 ? 'session.busy' : 'session.idle',
  phaseId: 'phase-implement',
  payload: { sessionId: 'bbbb0000-0000-4000-8000-000000000001', signal: 'the spinner is there' },
  idempotencyKey: `session:bbbb0000-0000-4000-8000-000000000001:${seq}`,
  ts: time(0),
});

const none = { processed: 0 };
interface Params {
  runId: string;
  afterSeq: number;
  limit: number;
}

const answers: Record<string, (params: Params) => unknown> = {
  'daemon.status': () => ({
    daemon: { pid: process.pid, version, build, socket: socketPath, startedAt: time(0) },
    database: { mode: 'embedded', ok: true },
    runs: {},
    approvals: { pending: 0 },
    sessions: {},
    stalls: {},
    agents: none,
    agentSlots: { atWork: 0, waiting: 0, limit: 4 },
    problems: [],
  }),
  'run.list': () => Array.from({ length: RUNS }, (_, nth) => summary(nth + 1)),
  'run.get': ({ runId }) => detail(runId),
  'run.events': ({ runId, afterSeq, limit }) =>
    runId === LONG
      ? Array.from({ length: Math.min(limit, lastSeq - afterSeq) }, (_, nth) => event(afterSeq + nth + 1))
      : [],
};

interface Subscription {
  socket: Socket;
  id: string;
  runId: string | null;
}
const subscriptions = new Set<Subscription>();

function subscribe(socket: Socket, id: number, params: { runId?: string; afterSeq?: number }): void {
  const { runId = null, afterSeq = null } = params;
  const opened = { socket, id: `s${id}`, runId };
  socket.write(encodeFrame({ jsonrpc: '2.0', id, result: { subscriptionId: opened.id, runId, afterSeq } }));
  if (runId === LONG && afterSeq !== null) {
    for (let seq = afterSeq + 1; seq <= lastSeq; seq += 1) tell(opened, 'run.event_appended', event(seq));
  }
  subscriptions.add(opened);
}

function tell({ socket, id }: Subscription, name: string, data: unknown): void {
  const params = { subscriptionId: id, event: name, data };
  socket.write(encodeFrame({ jsonrpc: '2.0', method: EVENTS_METHOD, params }));
}

/** Sends as many as are due, to catch up after a late timer. */
let sent = 0;
const begun = performance.now();
if (Number(rate) > 0) {
  setInterval(() => {
    turns += 1;
    const due = Math.floor(((performance.now() - begun) / 1000) * Number(rate));
    for (; sent < due; sent += 1) {
      lastSeq += 1;
      for (const each of subscriptions) {
        if (each.runId === LONG) tell(each, 'run.event_appended', event(lastSeq));
        else
          tell(each, 'run.state_changed', {
            runId: idOf((sent % 40) + 1),
            state: 'executing',
            currentPhase: 'implement',
          });
      }
    }
  }, TURN_MS);
}

const server = createServer((socket) => {
  const decoder = createFrameDecoder();
  const leave = () => {
    for (const each of subscriptions) if (each.socket === socket) subscriptions.delete(each);
  };
  socket.on('error', leave).on('close', leave);
  socket.on('data', (chunk) =>
    decoder.push(chunk as Buffer, (frame) => {
      const { id, method, params } = JSON.parse(frame);
      if (method === 'events.subscribe') return subscribe(socket, id, params);
      if (method === 'events.unsubscribe')
        for (const each of subscriptions) if (each.id === params.subscriptionId) subscriptions.delete(each);
      socket.write(encodeFrame({ jsonrpc: '2.0', id, result: answers[method]?.(params ?? {}) ?? [] }));
    }),
  );
});
server.listen(socketPath, () => console.log('ready'));
process.stdin.on('end', () => process.exit(0)).resume();
