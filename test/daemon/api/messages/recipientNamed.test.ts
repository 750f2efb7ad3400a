import { describe, expect, it } from 'vitest';
import { recipientNamed, recipientsOfRun } from '../../../../daemon/api/messages/recipientNamed.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { waiting } from '../../core/support/agent.ts';
import { bound, given } from '../../core/support/given.ts';

const { run } = given({}, ...waiting);
const sessionId = run.sessions[0]?.id ?? '';

const missing = (ref: string) => new DevflowError('not_found', `no ${ref}`);

function named(target: string, of: Run = run) {
  const resolve = (id: string) => async (ref: string) => {
    if (!id.startsWith(ref)) throw missing(ref);
    return id;
  };
  return recipientNamed(target, {
    ids: { run: resolve(of.id), session: resolve(of.sessions[0]?.id ?? 'none') },
    engine: { readRun: async () => of },
    runOfSession: async () => of.id,
  });
}

const roles = async (target: string, of?: Run) => (await named(target, of)).recipients.map(({ roleId }) => roleId);

describe('the agent that a person names', () => {
  it('is the one of the current phase, by the run', async () => {
    expect(await roles(run.id)).toEqual(['planner']);
  });

  it('is the one with this role, also before it has a session', async () => {
    expect(await roles(`${run.id}/planner`)).toEqual(['planner']);
    expect(await roles(`${run.id.slice(0, 8)}/implementer`)).toEqual(['implementer']);
    expect(await roles(`${run.id}/implementer@main`)).toEqual(['implementer']);
  });

  it('is the one with this session', async () => {
    expect((await named(sessionId.slice(0, 8))).recipients.map((each) => each.sessionId)).toEqual([sessionId]);
  });

  it('is not guessed', async () => {
    await expect(named(`${run.id}/nobody`)).rejects.toMatchObject({ code: 'not_found' });
    await expect(named('zzzz')).rejects.toMatchObject({ code: 'not_found' });
    const { run: two } = given({ template: 'twoInstances' }, bound);
    await expect(named(two.id, two)).rejects.toMatchObject({ code: 'ambiguous_id' });
  });
});

describe('the agents of a run', () => {
  const rolesOf = (of: Run, only: { role?: string; lane?: string }) =>
    recipientsOfRun(of, only).map(({ roleId }) => roleId);

  it('are those that have begun, if any has', () => {
    expect(rolesOf(run, {})).toEqual(['planner']);
    expect(rolesOf(given({}).run, {}).sort()).toEqual(['implementer', 'planner']);
  });

  it('are chosen by role and lane', () => {
    const { run: two } = given({ template: 'twoInstances' }, bound);
    expect(rolesOf(two, { role: 'writer' })).toEqual(['writer#0', 'writer#1']);
    expect(rolesOf(two, { role: 'writer#1', lane: 'main' })).toEqual(['writer#1']);
    expect(() => rolesOf(two, { role: 'nobody' })).toThrow('has no agent of nobody');
  });
});
