import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { claude } from '../../../../../daemon/sessions/profiles/claude.ts';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import { type Observer, observe } from '../../../../../daemon/sessions/tmux/observe/observer.ts';
import { listOutputFiles, newEpoch } from '../../../../../daemon/sessions/tmux/output/outputFiles.ts';
import type { Profile } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import type { Runner } from '../../../../../tmux/command/runner.ts';
import { sendKeys } from '../../../../../tmux/panes/keys.ts';
import { readPane } from '../../../../../tmux/panes/panes.ts';
import { splitSink } from '../../../../../tmux/panes/pipe.ts';
import { useTmuxServer } from '../../../../helpers/tmuxServer.ts';
import { until } from '../../../../helpers/until.ts';

const tmux = useTmuxServer();

interface Given {
  /** May hold up what the observer asks tmux. */
  around?(runner: Runner, finish: () => Promise<void>): Runner;
  profile?: Profile;
}

/** A program whose title says busy, and idle after Enter. */
async function givenObserver({ around = (runner) => runner, profile = scripted }: Given = {}) {
  const driver = await tmux().driver();
  const script = `printf '\\033]0;⠋ busy\\007'; read line; printf '\\033]0;✳ idle\\007'; exec sleep 600`;
  const outputDir = join(tmux().home, 'output');
  const sink = splitSink(outputDir, newEpoch(outputDir));
  const { pane } = await tmux().pane(driver, script, { sink });
  const title = async () => (await readPane(driver, pane))?.title;
  await until('it is busy', async () => (await title())?.includes('busy'));
  const isStored = (mark: string) =>
    listOutputFiles(outputDir).some(({ name }) => readFileSync(join(outputDir, name)).includes(mark));
  // Else the observer would see this title once more, later than what a test lets follow.
  await until('its title is stored', () => isStored('⠋'));
  const finish = async () => {
    await sendKeys(driver, pane, ['Enter']);
    await until('it is idle', async () => (await title())?.includes('idle'));
    await until('its title is stored', () => isStored('✳'));
    // The observer reads new output within 85 ms.
    const storedAt = Date.now();
    await until('the observer has read it', () => Date.now() > storedAt + 300);
  };
  const sessionDir = join(tmux().home, 'session');
  mkdirSync(join(sessionDir, 'hooks'), { recursive: true });
  const observer: Observer = await observe({
    leader: process.pid,
    profile,
    startMs: scripted.timings.startMs,
    runner: around(driver, finish),
    pane,
    sessionDir,
    outputDir,
    env: { SCRIPTED_CONFIG_DIR: tmux().home },
    launchedAt: 0,
    errorRetryMs: 60_000,
    conversationId: () => undefined,
    recordPath: () => undefined,
    onHook: () => {},
  });
  onTestFinished(() => observer.close());
  return { observer, sessionDir };
}

it('reads a hook that has just come, and a title seen before the end of the turn soon does not outweigh it', async () => {
  const { observer, sessionDir } = await givenObserver();
  expect(observer.status()).toMatchObject({ state: 'BUSY', rule: expect.stringContaining('title') });
  const seenAt = Date.now();
  // The time of a file may be some milliseconds early.
  await until('a later moment', () => Date.now() > seenAt + 20);
  writeFileSync(join(sessionDir, 'hooks', '1.1.Stop.json'), '{}');
  expect(observer.status().signals).toContainEqual(expect.objectContaining({ source: 'hook', says: 'READY' }));
  await until('its title is out of date', () => observer.status().rule === 'the last hook decides');
  expect(observer.status().state).toBe('READY');
});

it('takes a question for open while another tool of the same answer reports', async () => {
  const { observer, sessionDir } = await givenObserver({ profile: { ...scripted, readHook: claude.readHook } });
  const hook = (nth: number, name: string, data: object) =>
    writeFileSync(join(sessionDir, 'hooks', `${nth}.1.${name}.json`), JSON.stringify(data));
  const says = () => observer.status().signals.find(({ source }) => source === 'hook')?.says;
  const question = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which one?' }] } };
  hook(1, 'PreToolUse', question);
  expect(says()).toBe('WAITING');
  hook(2, 'PostToolUse', { tool_name: 'Read' });
  expect(says()).toBe('WAITING');
  hook(3, 'PostToolUse', question);
  expect(says()).toBe('BUSY');
});

it('does not take an answer about an older title for the newest', async () => {
  let isHeldUp = false;
  const { observer } = await givenObserver({
    around: (runner, finish) => ({
      async run(sequence, options) {
        const answer = await runner.run(sequence, options);
        if (!isHeldUp && sequence.flat().includes('display-message')) {
          isHeldUp = true;
          await finish();
        }
        return answer;
      },
    }),
  });
  expect(isHeldUp).toBe(true);
  await until('it is idle', () => observer.status().state === 'READY');
});

it('knows whether a turn began after a moment', async () => {
  const { observer, sessionDir } = await givenObserver();
  const before = Date.now() - 1000;
  expect([observer.turnBeganAfter(before), observer.turnBeganAfter(Date.now() + 1000)]).toEqual([true, false]);
  const seenAt = Date.now();
  await until('a later moment', () => Date.now() > seenAt + 20);
  expect(observer.turnBeganAfter(seenAt + 10)).toBe(false);
  writeFileSync(join(sessionDir, 'hooks', '1.1.UserPromptSubmit.json'), '{}');
  writeFileSync(join(sessionDir, 'hooks', '2.1.Stop.json'), '{}');
  expect(observer.turnBeganAfter(seenAt + 10)).toBe(true);
});
