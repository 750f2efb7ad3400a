import { describe, expect, it } from 'vitest';
import { type NamingReads, sessionNamed } from '../../../../daemon/api/sessions/sessionNamed.ts';
import { DevflowError } from '../../../../schemas/errors.ts';

/** `aa` is in its plan phase and has two sessions, `bb` has one and no current phase, `cc` has several in lanes, and a lane of `dd` has ended. */
const sessions: { sessionId: string; runId: string; roleId: string; laneId: string; state?: string }[] = [
  { sessionId: 's1', runId: 'aa', roleId: 'planner', laneId: 'main' },
  { sessionId: 's2', runId: 'aa', roleId: 'implementer#0', laneId: 'main' },
  { sessionId: 'b3', runId: 'bb', roleId: 'planner', laneId: 'main' },
  { sessionId: 'c4', runId: 'cc', roleId: 'planner', laneId: 'main' },
  { sessionId: 'c5', runId: 'cc', roleId: 'planner', laneId: 'lane-1' },
  { sessionId: 'c6', runId: 'cc', roleId: 'coder#0', laneId: 'lane-1' },
  { sessionId: 'c7', runId: 'cc', roleId: 'coder#0', laneId: 'lane-2' },
  { sessionId: 'c8', runId: 'cc', roleId: 'coder#1', laneId: 'lane-3' },
  { sessionId: 'd1', runId: 'dd', roleId: 'planner', laneId: 'main' },
  { sessionId: 'd2', runId: 'dd', roleId: 'coder', laneId: 'lane-1', state: 'ENDED' },
  { sessionId: 'd3', runId: 'dd', roleId: 'coder', laneId: 'lane-2' },
];
const phases = [
  { key: 'plan', roles: ['planner'] },
  { key: 'implement', roles: ['implementer'] },
];

function reads(currentPhase: string | null, open = ['aa']): NamingReads {
  const resolve = (ids: string[]) => async (ref: string) => {
    const found = ids.filter((id) => id.startsWith(ref));
    if (found.length === 1) return found[0];
    throw new DevflowError(found.length === 0 ? 'not_found' : 'ambiguous_id', ref);
  };
  const ofRun = (runId: string | undefined) => sessions.filter((session) => session.runId === runId);
  return {
    ids: { run: resolve(['aa', 'bb', 'cc', 'dd']), session: resolve(sessions.map((session) => session.sessionId)) },
    listRuns: async () =>
      ['aa', 'bb'].map((runId) => ({ runId, state: open.includes(runId) ? 'executing' : 'failed' })),
    getRun: async (runId: string) => ({ currentPhase, phases, sessions: ofRun(runId) }),
    listSessions: async ({ runId }: { runId?: string }) => ofRun(runId),
  } as unknown as NamingReads;
}

describe('what attach means', () => {
  it.each([
    ['s2', 'plan', 's2'],
    ['aa', 'plan', 's1'],
    ['a', 'implement', 's2'],
    ['aa/implementer#0', 'plan', 's2'],
    ['bb', null, 'b3'],
    ['bb/planner@main', null, 'b3'],
    ['cc/coder#0@lane-2', null, 'c7'],
    ['cc/coder#1', null, 'c8'],
    ['cc/planner', null, 'c4'],
    ['cc/planner@lane-1', null, 'c5'],
  ])('%s while the phase is %s: %s', async (target, phase, session) => {
    expect(await sessionNamed(target, reads(phase))).toBe(session);
  });

  it.each([
    ['zz', 'plan', ['aa'], 'not_found'],
    ['s', 'plan', ['aa'], 'ambiguous_id'],
    ['b', 'plan', ['aa'], 'ambiguous_id'],
    ['aa', null, ['aa'], 'ambiguous_id'],
    ['aa/nobody', 'plan', ['aa'], 'not_found'],
    ['cc/coder#0@lane-9', null, ['cc'], 'not_found'],
    ['cc/coder#0', null, ['cc'], 'ambiguous_id'],
    ['cc/coder', null, ['cc'], 'ambiguous_id'],
  ])('%s while the phase is %s and %j are open: %s', async (target, phase, open, code) => {
    await expect(sessionNamed(target, reads(phase, open))).rejects.toMatchObject({ code });
  });

  it('an agent that has ended only by its exact name', async () => {
    expect(await sessionNamed('dd/coder', reads(null))).toBe('d3');
    expect(await sessionNamed('dd/coder@lane-1', reads(null))).toBe('d2');
    await expect(sessionNamed('dd', reads(null))).rejects.toThrow('several sessions: planner, coder@lane-2');
  });

  it('an ambiguous name says which agents there are, and how to name one', async () => {
    await expect(sessionNamed('cc/coder#0', reads(null))).rejects.toMatchObject({
      message: 'run cc has several sessions of coder#0: coder#0@lane-1, coder#0@lane-2',
      recoveryHint: 'Name one of them: devflow attach cc/coder#0@lane-1.',
      data: { candidates: ['c6', 'c7'] },
    });
    await expect(sessionNamed('cc/tester', reads(null))).rejects.toThrow(
      'there are: planner, planner@lane-1, coder#0@lane-1, coder#0@lane-2, coder#1@lane-3',
    );
  });
});
