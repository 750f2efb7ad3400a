import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentStall } from '../../../../../daemon/sessions/contract/adapter.ts';
import { readRolloutLine } from '../../../../../daemon/sessions/profiles/codexRollout.ts';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import { HOOK_DIRECTORY } from '../../../../../daemon/sessions/tmux/observe/hookScript.ts';
import { type GivenSession, type ScriptedSession, useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { until } from '../../../../helpers/until.ts';

const given = useScriptedSessions();

/** A session with the list of all stalls that it reports, from before its start. */
async function listening(about: GivenSession = {}): Promise<ScriptedSession & { told: (AgentStall | undefined)[] }> {
  const session = await given(about);
  const told: (AgentStall | undefined)[] = [];
  session.adapter.onStall((_, stall) => told.push(stall));
  return { ...session, told };
}

const isTold = ({ told }: { told: (AgentStall | undefined)[] }, cause: AgentStall['cause'] | undefined) =>
  until(`${cause ?? 'the end'} is told`, () => told.length > 0 && told.at(-1)?.cause === cause);
const hinted = ({ adapter, input }: ScriptedSession, hint: RegExp) =>
  until(`it is ${hint}`, async () => (await adapter.probe(input)).hint?.match(hint));
const causes = ({ told }: { told: (AgentStall | undefined)[] }) => told.map((stall) => stall?.cause);
const rule = async ({ adapter, input }: ScriptedSession) => (await adapter.explain(input)).at(-1);

describe('a start that a person must help', () => {
  it.each([
    ['login-start', 'login', ['1']],
    ['trust', 'dialog', ['1']],
    // "No, exit" is marked: an Enter of devflow would end the agent.
    ['trust-no', 'dialog', ['Down', 'Enter']],
  ] as const)('waits, and says why: %s is %s', async (scripted, cause, keys) => {
    const session = await listening({ scripted });
    const { adapter, input } = session;
    const starting = adapter.start(input);
    await isTold(session, cause);
    expect(await adapter.probe(input)).toMatchObject({ alive: true, paneActive: false, stall: { cause } });
    await session.press(...keys);
    await starting;
    await isTold(session, undefined);
    expect(causes(session)).toEqual([cause, undefined]);
  });

  it('is reported again when the program restarts with the same dialog', async () => {
    const session = await listening({ scripted: 'trust' });
    const { adapter, input } = session;
    const ended = expect(adapter.start(input)).rejects.toMatchObject({ code: 'pane_briefly_unresponsive' });
    await isTold(session, 'dialog');
    const { pid } = await session.happened('started');
    process.kill(pid, 'SIGKILL');
    await ended;
    expect(adapter.stallOf(input.sessionId)).toBeUndefined();
    const resuming = adapter.resume(input);
    resuming.catch(() => {});
    await until('the dialog is told twice', () => session.told.length === 2);
    expect(causes(session)).toEqual(['dialog', 'dialog']);
    expect(adapter.stallOf(input.sessionId)).toMatchObject({ cause: 'dialog' });
    await session.type('1');
    await resuming;
  });

  it('is released at a stop, and continues for the next daemon', async () => {
    const session = await listening({ scripted: 'trust' });
    const { adapter, input } = session;
    const starting = expect(adapter.start(input)).rejects.toMatchObject({ code: 'shutting_down' });
    await isTold(session, 'dialog');
    await adapter.release(input);
    await starting;
    const next = session.next();
    const adopted = await next.start({ ...input, adoptOnly: true });
    await session.type('1');
    await next.sendPrompt(adopted, session.envelope());
    expect(await session.events('started')).toHaveLength(1);
  });
});

it('reports to the next daemon an error from a time without one, and then its end', async () => {
  const session = await given({ errorRetryMs: 1_000 });
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: error\nDelay-Ms: 1500' }));
  await adapter.release(input);
  const { at } = await session.happened('turn-ended');
  await until('its time would be over', async () => Date.now() > Date.parse(at) + 1_200);
  const next = session.next();
  const told: (AgentStall | undefined)[] = [];
  next.onStall((_, stall) => told.push(stall));
  await next.start({ ...input, adoptOnly: true });
  await until('both are told', () => told.length === 2);
  expect(told).toMatchObject([{ cause: 'error', detail: 'server_error', until: expect.any(Date) }, undefined]);
});

describe('a prompt waits', () => {
  it("for a person's draft", async () => {
    const session = await listening({ scripted: 'draft' });
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    const sending = adapter.sendPrompt(handle, envelope());
    await isTold(session, 'draft');
    expect(await adapter.probe(handle)).toMatchObject({ stall: { cause: 'draft' } });
    expect((await adapter.explain(handle)).map(({ source }) => source)).toContain('stall');
    await session.press('C-u');
    await sending;
    expect(await session.journal()).toMatchObject([{ merged: false }]);
    await isTold(session, undefined);
  });

  it('waits for the usage limit until its known end', async () => {
    const session = await listening();
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: quota' }));
    // The hook of the failed turn may be told first; only the screen has the end.
    await until('its end is told', () => /session limit/.test(session.told.at(-1)?.detail ?? ''));
    expect(session.told.at(-1)).toMatchObject({ cause: 'quota', until: expect.any(Date) });
    const sending = expect(adapter.sendPrompt(handle, envelope({ attempt: 2 }))).rejects.toMatchObject({
      code: 'shutting_down',
    });
    const isWaiting = async () =>
      (await adapter.explain(handle)).some(({ fact }) => fact === 'waits: the agent is QUOTA');
    await until('it waits', isWaiting);
    expect((await adapter.probe(handle)).stall).toEqual(session.told.at(-1));
    await adapter.release(handle);
    await sending;
    expect(await session.journal()).toHaveLength(1);
  });
});

it('reports a limit that the screen shows after the hook, while the agent prints without pause', async () => {
  const until = Date.now() + 60 * 60_000;
  let readings = 0;
  let isReported = false;
  const session = await listening({
    scripted: 'state-off,title-off,spinner-hz=5',
    profile: {
      stateFile: undefined,
      readTitle: () => undefined,
      readHook(event) {
        if (event.name !== 'Retry') return scripted.readHook(event);
        isReported = true;
        return { state: 'QUOTA', detail: 'Rate limit reached', until, after: 'BUSY' };
      },
      readScreen(screen, printedAt) {
        if (!isReported) return scripted.readScreen(screen, printedAt);
        readings += 1;
        return readings === 1 ? { composer: '', state: 'BUSY' } : { composer: '' };
      },
    },
  });
  const { adapter, input, envelope } = session;
  const handle = await adapter.start(input);
  await adapter.sendPrompt(handle, envelope({ instructions: 'Scenario: spin' }));
  await hinted(session, /^BUSY UserPromptSubmit/);
  writeFileSync(join(input.sessionDir, HOOK_DIRECTORY, '1.1.Retry.json'), '{}');
  await isTold(session, 'quota');
  expect(session.told.at(-1)).toMatchObject({ until: new Date(until), resumesItself: true });
});

describe('a turn that ends without a hook', () => {
  const codexLike: GivenSession['profile'] = {
    readRecord: readRolloutLine,
    stateFile: undefined,
    readTitle: () => undefined,
  };
  const silent = 'rollout,stop-off,state-off,title-off';

  it("ends by the agent's own record", async () => {
    const session = await listening({ scripted: silent, profile: codexLike });
    const handle = await session.adapter.start(session.input);
    await session.adapter.sendPrompt(handle, session.envelope());
    await session.happened('turn-ended');
    await hinted(session, /^READY$/);
    expect(await rule(session)).toMatchObject({
      source: 'rule',
      fact: 'READY: the record has the end of the last turn',
    });
    await session.adapter.sendPrompt(handle, session.envelope({ attempt: 2 }));
  });

  it('takes the cause from the screen', async () => {
    const session = await listening({ scripted: silent, profile: codexLike });
    const handle = await session.adapter.start(session.input);
    await session.adapter.sendPrompt(handle, session.envelope({ instructions: 'Scenario: quota' }));
    await isTold(session, 'quota');
    expect((await rule(session))?.fact).toBe('QUOTA: the record has the end of the turn, and the screen shows why');
  });
});

describe('an agent that is busy without progress', () => {
  const maxHungMs = 1200;

  it.each([
    ['hang', 'no output and no CPU for 1.2s'],
    ['spin', 'a spinner without progress for 1.2s'],
  ])('is hung: %s is told as %s, and resuming ends it', async (scenario, detail) => {
    const session = await listening({ maxHungMs });
    const { adapter, input, envelope } = session;
    const handle = await adapter.start(input);
    await adapter.sendPrompt(handle, envelope({ instructions: `Scenario: ${scenario}` }));
    await isTold(session, 'hung');
    expect(session.told.at(-1)).toEqual({ cause: 'hung', detail });
    expect((await adapter.explain(handle)).map(({ source }) => source)).toEqual(
      expect.arrayContaining(['progress', 'stall']),
    );
    const [{ pid, sessionId } = { pid: 0, sessionId: '' }] = await session.events('started');
    const resumed = await adapter.resume(handle);
    expect(await session.happened('started', 2)).toMatchObject({ sessionId });
    expect(() => process.kill(pid, 0)).toThrow();
    expect(resumed).not.toEqual(handle);
    await isTold(session, undefined);
    await adapter.sendPrompt(handle, envelope({ attempt: 2 }));
  });

  it('is not hung while a process that it started works silently', async () => {
    const session = await listening({ maxHungMs });
    const handle = await session.adapter.start(session.input);
    const burn = `Scenario: burn\nDelay-Ms: ${3 * maxHungMs}`;
    await session.adapter.sendPrompt(handle, session.envelope({ instructions: burn }));
    await session.happened('wrote');
    expect(causes(session)).not.toContain('hung');
  });
});
