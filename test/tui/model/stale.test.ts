import { describe, expect, it } from 'vitest';
import { type Query, query, STATUS } from '../../../tui/model/query.ts';
import { isStale, type QueryMethod } from '../../../tui/model/stale.ts';

const moved = { runId: 'r1abc', state: 'executing', currentPhase: null };
const session = { runId: 'r1abc', sessionId: 's1abc', roleId: 'planner', state: 'BUSY' };
const gate = { runId: 'r1abc', approvalId: 'a1abc', gateKey: 'g', phaseKey: null, state: 'pending' };
const NEWS = {
  moved: { event: 'run.state_changed', data: moved },
  session: { event: 'session.state_changed', data: session },
  gate: { event: 'approval.created', data: gate },
  printed: { event: 'transcript.chunk_appended', data: { runId: 'r1abc', sessionId: 's1abc', seq: 1 } },
  beat: { event: 'heartbeat', data: { at: '', lastSeq: null, lost: 0 } },
  files: { event: 'run.progress', data: { runId: 'r1abc', step: 'worktree', done: 1, total: 2 } },
  lanes: { event: 'lanes.changed', data: { runId: 'r1abc' } },
  findings: { event: 'findings.changed', data: { runId: 'r1abc' } },
  messages: { event: 'messages.changed', data: { runId: 'r1abc', sessionId: 's1abc' } },
  contracts: { event: 'contracts.changed', data: { repo: '/r' } },
  definitions: { event: 'definitions.changed', data: {} },
  engine: { event: 'engine.changed', data: {} },
  lost: { event: 'heartbeat', data: { at: '', lastSeq: null, lost: 3 } },
} as const;

const stale = (wanted: { method: QueryMethod; params: object }) =>
  Object.entries(NEWS)
    .filter(([, news]) => isStale(wanted, { subscriptionId: 's', ...news } as never))
    .map(([name]) => name);

/** An answer is about this run, agent, gate and repository. Lost news makes each stale. */
const ABOUT = { runId: 'r1abc', sessionId: 's1abc', approvalId: 'a1abc', repo: '/r' };
const EACH: Record<QueryMethod, string> = {
  'approval.checkComments': '',
  'approval.diff': '',
  'approval.get': 'gate',
  'approval.list': 'moved session gate',
  'artifact.get': '',
  'artifact.list': 'moved session gate',
  'backtest.compare': '',
  'backtest.list': 'moved session gate',
  'backtest.show': 'moved session gate lanes findings messages',
  'contract.status': 'contracts',
  'daemon.doctor': '',
  'daemon.status': 'moved session gate definitions engine',
  'message.list': 'moved session gate messages',
  'persona.get': 'moved definitions',
  'persona.list': 'definitions',
  'repository.check': 'moved',
  'repository.show': 'moved',
  'run.diff': 'moved session gate lanes findings messages',
  'run.events': 'moved session gate lanes findings messages',
  'run.findings': 'moved session gate lanes findings messages',
  'run.get': 'moved session gate files lanes findings messages engine',
  'run.lanes': 'moved session gate lanes findings messages',
  'run.lastBackends': 'moved definitions',
  'run.list': 'moved session gate files lanes findings messages engine',
  'run.report': 'moved session gate lanes findings messages',
  'run.start': 'moved definitions',
  'session.get': 'moved session messages',
  'session.list': 'moved session gate messages',
  'session.why': 'moved session messages',
  'state.audit': 'contracts',
  'template.get': 'moved definitions',
  'template.list': 'moved definitions',
};

const START = { repo: '/r', template: 't', requirements: 'x', bind: {}, backend: {} };

describe('the notifications that make an answer stale', () => {
  it.each(Object.entries(EACH) as [QueryMethod, string][])('of %s', (method, news) => {
    expect(stale({ method, params: ABOUT })).toEqual([...news.split(' ').filter(Boolean), 'lost']);
  });

  it.each<[string, Query, string[]]>([
    [
      'the list of runs',
      query('run.list', { limit: 1 }),
      ['moved', 'session', 'gate', 'files', 'lanes', 'findings', 'messages', 'engine', 'lost'],
    ],
    [
      'its run',
      query('run.get', { runId: 'r1abc' }),
      ['moved', 'session', 'gate', 'files', 'lanes', 'findings', 'messages', 'engine', 'lost'],
    ],
    [
      'its run by a prefix',
      query('run.get', { runId: 'r1' }),
      ['moved', 'session', 'gate', 'files', 'lanes', 'findings', 'messages', 'engine', 'lost'],
    ],
    [
      'its lanes',
      query('run.lanes', { runId: 'r1' }),
      ['moved', 'session', 'gate', 'lanes', 'findings', 'messages', 'lost'],
    ],
    [
      'its findings',
      query('run.findings', { runId: 'r1' }),
      ['moved', 'session', 'gate', 'lanes', 'findings', 'messages', 'lost'],
    ],
    ['another run', query('run.get', { runId: 'r2' }), ['engine', 'lost']],
    ['sessions of another run', query('session.list', { runId: 'r2' }), ['lost']],
    ['its approval', query('approval.get', { approvalId: 'a1' }), ['gate', 'lost']],
    ['its session', query('session.get', { sessionId: 's1' }), ['moved', 'session', 'messages', 'lost']],
    // Its run may have ended, and its agent with it. A notification about a run names no session.
    ['another session', query('session.get', { sessionId: 's2' }), ['moved', 'lost']],
    ['the contracts of the repository', query('contract.status', { repo: '/r' }), ['contracts', 'lost']],
    ['its state directory', query('state.audit', { repo: '/r' }), ['contracts', 'lost']],
    ['the contracts of another one', query('contract.status', { repo: '/q' }), ['lost']],
    ['the templates', query('template.list', {}), ['moved', 'definitions', 'lost']],
    ['the state of devflow', STATUS, ['moved', 'session', 'gate', 'definitions', 'engine', 'lost']],
    ['who uses a template', query('template.get', { template: 't' }), ['moved', 'definitions', 'lost']],
    ['whether a run can start', query('run.start', { ...START, dryRun: true }), ['moved', 'definitions', 'lost']],
  ])('of %s', (_, wanted, news) => {
    expect(stale(wanted)).toEqual(news);
  });
});
