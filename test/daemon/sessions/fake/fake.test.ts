import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FakeSessionAdapter } from '../../../../daemon/sessions/fake/fake.ts';
import { readFakeJournal } from '../../../../daemon/sessions/fake/fakeJournal.ts';
import { messageHash, type PromptEnvelope, STILL_HOLDS } from '../../../../schemas/envelope.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { eventually } from '../../../helpers/eventually.ts';
import { FIXTURES, sessionPlace } from '../../../helpers/fakeSession.ts';

/** A started fake and a small language over it. */
async function fake(delayMs = 1) {
  const place = await sessionPlace();
  const open = () => new FakeSessionAdapter({ fixturesDir: place.fixturesDir, delayMs });
  let adapter = open();
  const handle = await adapter.start(place.input);
  onTestFinished(() => adapter.dispose(handle));
  const journal = () => readFakeJournal(place.input.sessionDir);
  return {
    ...place,
    handle,
    journal,
    adapter: () => adapter,
    ask: (instructions: string, about: Partial<PromptEnvelope> = {}) => {
      const envelope = place.envelope({ instructions, ...about });
      return adapter.sendPrompt(handle, envelope).then(() => envelope);
    },
    wrote: (envelope: PromptEnvelope) =>
      eventually(async () => {
        expect((await journal()).some((l) => l.type === 'wrote' && l.dedupKey === envelope.dedupKey)).toBe(true);
        return readFile(envelope.expectedArtifact, 'utf8');
      }),
    restart: async () => {
      await adapter.release(handle);
      adapter = open();
      await adapter.start(place.input);
    },
  };
}

test('writes the fixture of the scenario ok or invalid', async () => {
  const { ask, wrote } = await fake();
  expect(await wrote(await ask('Do it.'))).toBe(FIXTURES['dev/spec@1'].ok);
  expect(await wrote(await ask('Scenario: invalid', { attempt: 2 }))).toBe(FIXTURES['dev/spec@1'].invalid);
});

test('goes on as soon as it can write, and is busy until then', async () => {
  const { ask, wrote, adapter, handle, input } = await fake(50);
  const envelope = await ask('Do it.');
  const journal = join(input.sessionDir, 'fake.jsonl');
  await rename(journal, `${journal}.away`);
  await mkdir(journal);
  for await (const { content } of adapter().capture(handle, 0n)) if (content.includes('could not write')) break;
  expect(await adapter().probe(handle)).toMatchObject({ alive: true, hint: expect.stringMatching(/^BUSY/) });
  await rmdir(journal);
  await rename(`${journal}.away`, journal);
  expect(await wrote(envelope)).toBe(FIXTURES['dev/spec@1'].ok);
  await eventually(async () => expect(await adapter().probe(handle)).toMatchObject({ hint: 'READY' }));
});

test('is ready when it cannot write for another reason', async () => {
  const { ask, adapter, handle, fixturesDir } = await fake(50);
  await ask('Do it.');
  await rm(fixturesDir, { recursive: true });
  await writeFile(fixturesDir, 'no directory');
  for await (const { content } of adapter().capture(handle, 0n)) if (content.includes('could not write')) break;
  await eventually(async () => expect(await adapter().probe(handle)).toMatchObject({ hint: 'READY' }));
});

test('remembers what a short prompt reminds it of, also after a restart of the daemon', async () => {
  const { ask, wrote, restart } = await fake();
  await ask('Scenario: timeout-then-invalid');
  await restart();
  expect(await wrote(await ask(`It is late. ${STILL_HOLDS}`, { attempt: 2 }))).toBe(FIXTURES['dev/spec@1'].invalid);
});

describe('in a review', () => {
  const asked = 'Quotes: wrong\nReview: head c2 base c1 scope full\nQuote: a.ts: 1';
  const look = (round: number, attempt: number) => ({
    phaseKey: 'review',
    expectedSchema: 'dev/review-finding-batch@1',
    attempt,
    artifact: `.devflow/artifacts/review/${attempt}/lane-2.look-${round}-reviewer.0/findings.json`,
  });
  const given = async () => {
    const started = await fake();
    await writeFile(join(started.input.cwd, 'a.ts'), 'one\n');
    const batch = async (instructions: string, { artifact, ...about }: ReturnType<typeof look>) => {
      const expectedArtifact = join(started.input.cwd, artifact);
      return started.wrote(await started.ask(instructions, { ...about, expectedArtifact }));
    };
    return { ...started, batch };
  };

  test('writes what it sees in place of the fixture', async () => {
    const { batch } = await given();
    const made = JSON.parse(await batch(asked.replace('wrong', 'right'), look(1, 1)));
    expect(made).toMatchObject({ head: 'c2', coverage: [{ path: 'a.ts', witness: [{ line: 1, text: 'one' }] }] });
  });

  test('counts the attempts of each look', async () => {
    const { batch } = await given();
    const right = expect.stringContaining('"one"');
    expect(await batch(asked, look(1, 1))).not.toEqual(right);
    expect(await batch(asked, look(1, 2))).toEqual(right);
    expect(await batch(asked, look(2, 1))).not.toEqual(right);
  });

  test('obeys the scenarios of its phase', async () => {
    const { batch, ask } = await given();
    const { invalid } = FIXTURES['dev/review-finding-batch@1'];
    expect(await batch(`Scenario: review=invalid\n${asked}`, look(1, 1))).toBe(invalid);
    const { artifact: _, ...about } = look(2, 1);
    const refused = { code: 'prompt_send_transient' };
    await expect(ask(`Scenario: review=crash\n${asked}`, about)).rejects.toMatchObject(refused);
  });
});

test('counts the attempts of each phase over a restart', async () => {
  const { ask, wrote, restart } = await fake();
  const first = await ask('Scenario: invalid-then-ok');
  expect(await wrote(first)).toBe(FIXTURES['dev/spec@1'].invalid);
  await restart();
  const repaired = await ask('Scenario: invalid-then-ok', { attempt: 2 });
  expect(await wrote(repaired)).toBe(FIXTURES['dev/spec@1'].ok);
  const other = await ask('Scenario: invalid-then-ok', { phaseKey: 'plan' });
  expect(await wrote(other)).toBe(FIXTURES['dev/spec@1'].invalid);
});

test('refuses prompts after a crash until recovery, and counts one attempt', async () => {
  const { ask, wrote, adapter, handle, received } = await fake();
  const refused = { code: 'prompt_send_transient', class: 'recoverable' };
  await expect(ask('Scenario: crash-then-ok')).rejects.toMatchObject(refused);
  await expect(ask('Scenario: crash-then-ok')).rejects.toMatchObject(refused);
  expect(await adapter().probe(handle)).toMatchObject({ alive: false });
  await adapter().resume(handle);
  expect(await wrote(await ask('Scenario: crash-then-ok'))).toBe(FIXTURES['dev/spec@1'].ok);
  expect(await received()).toHaveLength(1);
});

test('stays busy with timeout over resume and restart; a later attempt may write', async () => {
  const { ask, wrote, adapter, handle, restart } = await fake();
  const silent = await ask('Scenario: timeout-then-ok');
  await adapter().resume(handle);
  await restart();
  expect(await adapter().probe(handle)).toMatchObject({
    alive: true,
    paneActive: false,
    hint: 'BUSY spec attempt 1 (timeout)',
  });
  await wrote(await ask('Scenario: timeout-then-ok', { attempt: 2 }));
  expect(existsSync(silent.expectedArtifact)).toBe(false);
});

test('ends the agent after it took the prompt, and reports it', async () => {
  const { ask, adapter, handle, input } = await fake();
  const exit = new Promise((resolve) => adapter().onExit(handle, resolve));
  const ended = await ask('Scenario: exit');
  expect(await exit).toMatchObject({ exitCode: 1 });
  expect(await adapter().probe(handle)).toMatchObject({ alive: false });
  await expect(adapter().start({ ...input, adoptOnly: true })).rejects.toMatchObject({ class: 'recoverable' });
  await adapter().start(input);
  expect(await adapter().probe(handle)).toMatchObject({ alive: true, hint: 'READY' });
  expect(await adapter().sendPrompt(handle, ended)).toMatchObject({ promptId: ended.uuid, takerEnded: true });
});

test('prints progress before a slow write', async () => {
  const { ask, wrote, adapter, handle } = await fake();
  const printed: string[] = [];
  const envelope = await ask('Scenario: slow');
  await wrote(envelope);
  await eventually(async () => expect(await adapter().probe(handle)).toMatchObject({ paneActive: false }));
  const reading = (async () => {
    for await (const { content } of adapter().capture(handle, 0n)) printed.push(content);
  })();
  await adapter().release(handle);
  await reading;
  expect(printed[1]).toBe(`[fake] received prompt ${envelope.uuid}; will write ${envelope.expectedArtifact} in 20ms\n`);
  expect(printed.filter((line) => line.includes('working on'))).toHaveLength(19);
});

test('changes code for an implementation, depending only on the prompt', async () => {
  const { ask, wrote, input, restart } = await fake(20);
  const about = { phaseKey: 'implement', expectedSchema: 'dev/implementation@1' };
  const envelope = await ask('Add a greeting.', about);
  await restart();
  expect(await wrote(envelope)).toBe(FIXTURES['dev/implementation@1'].ok);
  const code = await readFile(join(input.cwd, 'fake', 'implement-1.md'), 'utf8');
  expect(code).toMatchInlineSnapshot(`
    "# implement, attempt 1, by planner

    Instructions 6bc926e95ce7a043:

    > Add a greeting.
    "
  `);
});

test('needs a person for an unknown fixture, and does not take the prompt', async () => {
  const { ask, received } = await fake();
  await expect(ask('Scenario: nonsense')).rejects.toMatchObject({
    class: 'human_required',
    message: 'The fake agent has no fixture dev/spec@1/nonsense.',
    recoveryHint: expect.stringContaining('or use Scenario: ok, invalid, slow, timeout, crash, exit'),
  });
  await expect(ask('', { expectedSchema: '../../etc' })).rejects.toMatchObject({ class: 'human_required' });
  expect(await received()).toEqual([]);
});

test('drops unfinished work at a rebootstrap', async () => {
  const { ask, wrote, adapter, handle } = await fake();
  const slow = await ask('Delay-Ms: 100000');
  await adapter().rebootstrap(handle);
  expect(await adapter().probe(handle)).toMatchObject({ hint: 'READY' });
  await wrote(await ask('Again.', { attempt: 2 }));
  expect(existsSync(slow.expectedArtifact)).toBe(false);
});

test('starts a disposed session from scratch', async () => {
  const { ask, adapter, handle, input } = await fake();
  await ask('Delay-Ms: 100000');
  await adapter().dispose(handle);
  await adapter().start(input);
  expect(await adapter().probe(handle)).toMatchObject({ hint: 'READY' });
});

test('ignores a line torn by a crash', async () => {
  const { ask, wrote, input, journal, restart } = await fake();
  await wrote(await ask('One.'));
  const before = await journal();
  await appendFile(join(input.sessionDir, 'fake.jsonl'), '{"type":"received","ded');
  await restart();
  await wrote(await ask('Two.', { attempt: 2 }));
  expect((await journal()).slice(0, before.length)).toEqual(before);
});

test('does not recreate a removed worktree', async () => {
  const { ask, journal, input, adapter, handle } = await fake();
  await rm(input.cwd, { recursive: true });
  await ask('Do it.');
  await eventually(async () => expect(await adapter().probe(handle)).toMatchObject({ paneActive: false }));
  expect(existsSync(input.cwd)).toBe(false);
  expect((await journal()).some(({ type }) => type === 'wrote')).toBe(false);
});

test('writes the task graph that the requirements hold, once the scenario is ok', async () => {
  const { ask, wrote } = await fake();
  const about = { phaseKey: 'plan', expectedSchema: 'dev/dag@1' };
  const text = 'Scenario: invalid-then-ok\n```json dag\n{"summary":"mine"}\n```';
  expect(await wrote(await ask(text, about))).toBe(FIXTURES['dev/dag@1'].invalid);
  expect(await wrote(await ask(text, { ...about, attempt: 2 }))).toBe('{"summary":"mine"}\n');
});

describe('in a lane', () => {
  const inLane = (cwd: string, key: string) => ({
    phaseKey: 'implement',
    expectedSchema: 'dev/implementation@1',
    expectedArtifact: join(cwd, `.devflow/artifacts/implement/1/lane-1.${key}/implementation.json`),
  });
  const task = (more = '') => `${more}\nFiles that you may change: src/**\n`;

  test('writes the files of its task, over a restart', async () => {
    const { ask, wrote, input, restart } = await fake(20);
    const envelope = await ask(task('Scenario: broken'), inLane(input.cwd, 'T7'));
    await restart();
    expect(await wrote(envelope)).toBe(FIXTURES['dev/implementation@1'].ok);
    expect(await readFile(join(input.cwd, 'src/T7.txt'), 'utf8')).toBe('T7\nBROKEN by T7\n');
    expect(existsSync(join(input.cwd, 'fake'))).toBe(false);
  });

  test('counts the attempts of each task', async () => {
    const { ask, wrote, input } = await fake();
    const text = task('Scenario: invalid-then-ok');
    expect(await wrote(await ask(text, inLane(input.cwd, 'T1')))).toBe(FIXTURES['dev/implementation@1'].invalid);
    expect(await wrote(await ask(text, inLane(input.cwd, 'T2')))).toBe(FIXTURES['dev/implementation@1'].invalid);
    const again = { ...inLane(input.cwd, 'T2'), attempt: 2 };
    expect(await wrote(await ask(text, again))).toBe(FIXTURES['dev/implementation@1'].ok);
  });

  test('tells how it resolved a conflict', async () => {
    const { ask, wrote, input } = await fake();
    await writeFile(join(input.cwd, 'a.txt'), '<<<<<<< a\nT1\n=======\nT2\n>>>>>>> b\n');
    const about = { ...inLane(input.cwd, 'conflict-1'), expectedSchema: 'dev/conflict-resolution@1' };
    const told = JSON.parse(await wrote(await ask('Conflicting files: a.txt', about)));
    expect(told).toMatchObject({ hunks: [{ path: 'a.txt', decision: 'combined', dropped: [] }] });
    expect(await readFile(join(input.cwd, 'a.txt'), 'utf8')).toBe('T1\nT2\n');
  });
});

test('reads a message once, also after a restart, and writes nothing for it', async () => {
  const { adapter, handle, input, journal, restart } = await fake();
  const dedupKey = messageHash('m1');
  const uuid = derivedId('prompt', dedupKey);
  const message = { uuid, runId: input.runId, roleId: input.roleId, messageId: 'm1', dedupKey, text: 'Use tabs.' };
  expect(await adapter().sendPrompt(handle, message)).toEqual({ promptId: uuid, proof: 'conversation' });
  await restart();
  expect(adapter().hasPrompt(handle.sessionId, message)).toBe(true);
  expect(await adapter().sendPrompt(handle, message)).toMatchObject({ promptId: uuid });
  const read = (await journal()).filter(({ type }) => type === 'read');
  expect(read).toMatchObject([{ dedupKey, text: 'Use tabs.' }]);
  expect(await adapter().probe(handle)).toMatchObject({ alive: true, hint: 'READY' });
});
