import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type GitChange, noteGit, recordingGit } from '../../../../daemon/repository/git/gitRecord.ts';

function change(cwd: string): GitChange {
  return { argv: ['commit'], cwd, exitCode: 0, startedAt: new Date(0), endedAt: new Date(1) };
}

/** Runs two acts side by side, of which the second ends last, and returns what was kept of each. */
async function recordTwo(): Promise<Record<string, string[]>> {
  const kept: Record<string, string[]> = {};
  const record = (name: string, turns: number) =>
    recordingGit(
      async (changes) => {
        kept[name] = changes.map(({ cwd }) => cwd);
      },
      async () => {
        for (let nth = 0; nth < turns; nth += 1) {
          await nextTurn();
          noteGit('commit', change(`${name} ${nth}`));
        }
      },
    );
  await Promise.all([record('short', 1), record('long', 3)]);
  return kept;
}

test('keeps the changes of acts side by side apart, again after all have ended', async () => {
  const expected = { short: ['short 0'], long: ['long 0', 'long 1', 'long 2'] };
  expect(await recordTwo()).toEqual(expected);
  expect(await recordTwo()).toEqual(expected);
});

test('keeps the changes of an act that fails, and none of what only reads', async () => {
  const kept: GitChange[][] = [];
  const act = recordingGit(
    async (changes) => void kept.push(changes),
    async () => {
      noteGit('status', change('read'));
      noteGit('commit', change('written'));
      throw new Error('git failed');
    },
  );
  await expect(act).rejects.toThrow('git failed');
  expect(kept.map((changes) => changes.map(({ cwd }) => cwd))).toEqual([['written']]);
});
