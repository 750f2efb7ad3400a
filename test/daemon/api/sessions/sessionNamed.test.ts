import { describe, expect, it } from 'vitest';
import { type NamingReads, sessionNamed } from '../../../../daemon/api/sessions/sessionNamed.ts';
import { DevflowError } from '../../../../schemas/errors.ts';

/** Two runs: `aa` in its plan phase with two sessions, `bb` with one session and no current phase. */
const sessions = [
  { sessionId: 's1', runId: 'aa', roleId: 'planner' },
  { sessionId: 's2', runId: 'aa', roleId: 'implementer#0' },
  { sessionId: 'b3', runId: 'bb', roleId: 'planner' },
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
    ids: { run: resolve(['aa', 'bb']), session: resolve(sessions.map((session) => session.sessionId)) },
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
  ])('%s while the phase is %s: %s', async (target, phase, session) => {
    expect(await sessionNamed(target, reads(phase))).toBe(session);
  });

  it.each([
    ['zz', 'plan', ['aa'], 'not_found'],
    ['s', 'plan', ['aa'], 'ambiguous_id'],
    ['b', 'plan', ['aa'], 'ambiguous_id'],
    ['aa', null, ['aa'], 'ambiguous_id'],
    ['aa/nobody', 'plan', ['aa'], 'not_found'],
  ])('%s while the phase is %s and %j are open: %s', async (target, phase, open, code) => {
    await expect(sessionNamed(target, reads(phase, open))).rejects.toMatchObject({ code });
  });
});
