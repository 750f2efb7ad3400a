import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followChanges } from '../../../../../daemon/sessions/tmux/output/directoryChanges.ts';

/** A directory that is followed by the clock, without notifications. `at`: when it was last changed. */
async function given() {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-changes-'));
  const changes = await followChanges(directory);
  onTestFinished(() => {
    changes.close();
    rmSync(directory, { recursive: true });
  });
  await changes.notify(false);
  return {
    changes,
    make(name: string, at: number) {
      writeFileSync(join(directory, name), '');
      utimesSync(directory, at / 1000, at / 1000);
      return statSync(directory).mtimeMs;
    },
  };
}

it('sees a second file of the same step of the clock', async () => {
  const { changes, make } = await given();
  // In the future, so that the test may take any time.
  const at = Date.now() + 60_000;
  const first = make('one', at);
  changes.look(true);
  expect(changes.takeCreated()).toBe(true);
  expect(make('two', at)).toBe(first);
  changes.look(true);
  expect(changes.takeCreated()).toBe(true);
});

it('reads a directory no more once its last change is old', async () => {
  const { changes, make } = await given();
  make('one', Date.now() - 60_000);
  changes.look(true);
  expect(changes.takeCreated()).toBe(true);
  changes.look(true);
  expect(changes.takeCreated()).toBe(false);
});
