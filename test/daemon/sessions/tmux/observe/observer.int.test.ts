import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import { type Observer, observe } from '../../../../../daemon/sessions/tmux/observe/observer.ts';
import { listOutputFiles, newEpoch } from '../../../../../daemon/sessions/tmux/output/outputFiles.ts';
import type { Runner } from '../../../../../tmux/command/runner.ts';
import { sendKeys } from '../../../../../tmux/panes/keys.ts';
import { readPane } from '../../../../../tmux/panes/panes.ts';
import { splitSink } from '../../../../../tmux/panes/pipe.ts';
import { useTmuxServer } from '../../../../helpers/tmuxServer.ts';
import { until } from '../../../../helpers/until.ts';

const tmux = useTmuxServer();

/** A program whose title says busy, and idle after Enter. `around` may hold up what the observer asks tmux. */
async function givenObserver(around: (runner: Runner, finish: () => Promise<void>) => Runner = (runner) => runner) {
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
    profile: scripted,
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

it('does not take an answer about an older title for the newest', async () => {
  let isHeldUp = false;
  const { observer } = await givenObserver((runner, finish) => ({
    async run(sequence, options) {
      const answer = await runner.run(sequence, options);
      if (!isHeldUp && sequence.flat().includes('display-message')) {
        isHeldUp = true;
        await finish();
      }
      return answer;
    },
  }));
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
