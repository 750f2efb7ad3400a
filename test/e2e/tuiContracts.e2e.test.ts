import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { shellQuote } from '../../tmux/command/command.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { seatRobot } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

test('the screen of contracts follows the files while it is shown, and cleans up after a question', async () => {
  const daemon = await startDaemon();
  const { dir } = daemon.repo();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  const desk = deskFor(daemon);
  const command = `cd ${shellQuote(dir)} && exec ${desk.devflow} tui --screen contracts`;
  const robot = seatRobot(desk, 'person', { columns: 160, rows: 36, command });
  await robot.sees('This repository uses no contract that devflow knows.');

  write('.devt/state/workflow.yaml', 'workflow_type: dev\n');
  await robot.sees(/✓ valid +0 +0 .*\.devt\/state/);
  write('.devt/state/odd.xyz', '');
  await robot.sees(/✗ invalid +1 +0 /);
  robot.press('Enter');
  await robot.sees('The name odd.xyz matches nothing in the contract. [STATE_AD_HOC]');
  write('.devt/state/left.tmp', '');
  await robot.sees('[STATE_EPHEMERAL]');
  robot.press('a');
  await robot.sees('Ad hoc: the contract does not know these names (1)');
  rmSync(join(dir, '.devt/state/left.tmp'));
  await robot.loses('left.tmp');

  robot.press('c');
  await robot.sees('Archive 1 entry of .devt/state?');
  robot.press('n');
  await robot.loses('Archive 1 entry');
  expect(existsSync(join(dir, '.devt/state/odd.xyz'))).toBe(true);
  robot.press('c');
  await robot.sees('Archive 1 entry of .devt/state?');
  robot.press('y');
  await robot.sees('Archived 1 entry in .devt/state/.archive/cleanup-');
  expect(existsSync(join(dir, '.devt/state/odd.xyz'))).toBe(false);
  const [snapshot = ''] = readdirSync(join(dir, '.devt/state/.archive'));
  expect(readdirSync(join(dir, '.devt/state/.archive', snapshot))).toEqual(['odd.xyz']);
  robot.press('Escape');
  await robot.sees(/✓ valid +0 +0 .*\.devt\/state/);
});
