import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, ended, readLog, startRun } from '../helpers/drive.ts';
import { seatRobotInTmux } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

test('a popup copies a branch, opens the worktree and its shell, takes a comment, and approves several gates', async () => {
  const daemon = await startDaemon();
  const editor = join(daemon.root, 'editor.sh');
  const seen = join(daemon.root, 'edited');
  // Records its argument, and writes the first line of a text.
  writeFileSync(
    editor,
    `#!/bin/sh\necho "$PWD $1" >>${seen}\n[ -d "$1" ] || { cp "$1" ${seen}.text; printf '# Name the files\\n' | cat - ${seen}.text >"$1"; }\n`,
  );
  chmodSync(editor, 0o700);
  Object.assign(daemon.env, { EDITOR: editor, VISUAL: '', SHELL: '/bin/sh', PS1: '$ ' });
  const runs: string[] = [];
  for (let nth = 0; nth < 2; nth += 1) {
    const runId = await startRun(daemon, { repo: daemon.repo().dir });
    await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
    runs.push(runId);
  }
  const [first = '', second = ''] = runs;
  const { branch, worktreeRoot } = await daemon.call('run.get', { runId: first });
  const desk = deskFor(daemon);
  const { robot, tmux } = await seatRobotInTmux(desk, 'person', { columns: 120, rows: 36, config: desk.config });
  robot.openPopup('F');
  await robot.sees('? decision');
  robot.press('/');
  robot.type(first.slice(0, 8));
  robot.press('Enter');
  await robot.loses(second.slice(0, 8));
  // The whole run is read: a summary of it has less to copy.
  await robot.sees('Write the specification');

  robot.press('y');
  await robot.sees('base commit');
  robot.type('branch');
  robot.press('Enter');
  await robot.sees('Copied the branch to the tmux buffer');
  expect(tmux('show-buffer')).toBe(branch);

  robot.press('o');
  await robot.until('the editor was opened', () => readSafely(seen) === `${worktreeRoot} ${worktreeRoot}\n`);
  await robot.sees('? decision');

  robot.press('!');
  await robot.sees(`a shell in the worktree of run ${first.slice(0, 8)}`);
  robot.type('pwd -P; git rev-parse --abbrev-ref HEAD');
  robot.press('Enter');
  await robot.sees(branch ?? '');
  // Ctrl-C is for the shell.
  robot.press('C-c');
  robot.type('exit');
  robot.press('Enter');
  await robot.sees('? decision');

  // The header's clock ticks while nothing happens.
  robot.press('Enter');
  await robot.sees('[Overview]');
  const clock = () => /for (?:(\d+)m )?(\d+)s/.exec(robot.screen().join('\n'));
  const seconds = () => Number(clock()?.[1] ?? 0) * 60 + Number(clock()?.[2]);
  const times = new Set<number>();
  await robot.until('the clock has gone four times', () => times.add(seconds()).size > 4);
  const gaps = [...times].sort((a, b) => a - b).map((time, nth, all) => (nth === 0 ? 1 : time - (all[nth - 1] ?? 0)));
  expect(Math.min(...gaps)).toBe(1);

  robot.press('d');
  await robot.sees('a approve');
  robot.press('c');
  await robot.sees('What should change?');
  robot.press('C-e');
  await robot.sees('Changes requested: spec_approved');
  expect(readFileSync(`${seen}.text`, 'utf8')).toMatch(/^\n-+ >8 -+\n[\s\S]*Request changes: Accept the result of/);
  await robot.until('the comment was sent alone', async () => {
    const comments = (await readLog(daemon, first)).flatMap(({ payload }) => payload.comment ?? []);
    return comments.length === 1 && comments[0] === '# Name the files';
  });

  await robot.until(
    'both gates wait again',
    async () => (await daemon.call('approval.list', { state: 'pending' })).length === 2,
  );
  robot.press('2');
  await robot.sees('spec #2');
  robot.press('*');
  await robot.sees('2 marked');
  robot.press('a');
  await robot.sees('y approve all');
  await robot.sees('2 of 2 gates have alarms: fake agent (2).');
  await robot.sees(second.slice(0, 8));
  robot.press('y');
  await robot.sees('2 approved, 0 refused');
  robot.press('x');
  for (const runId of runs)
    await robot.until('it was approved', async () => {
      const gates = await daemon.call('approval.list', { runId, all: true });
      return gates.some(({ gateKey, state }) => gateKey === 'spec_approved' && state === 'approved');
    });

  // A worktree that is gone says so.
  robot.press('1');
  await robot.sees(first.slice(0, 8));
  await daemon.call('run.abort', { runId: first });
  await ended(daemon, first);
  rmSync(worktreeRoot, { recursive: true, force: true });
  robot.press('!');
  await robot.sees('the worktree is gone; its commits are on the branch');
  robot.press('q');
  await robot.loses('devflow');
});

function readSafely(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
