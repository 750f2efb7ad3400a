import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { ended } from '../helpers/drive.ts';
import { seatRobot } from '../helpers/robot.ts';
import { deskFor } from './dashboard.ts';

test('a person reads the findings of a review, and opens the file of one at its line', async () => {
  const daemon = await startDaemon();
  const editor = join(daemon.root, 'vim');
  const opened = join(daemon.root, 'opened');
  writeFileSync(editor, `#!/bin/sh\necho "$@" >${opened}\nsed -n "\${1#+}p" "$2" >>${opened}\n`);
  chmodSync(editor, 0o700);
  Object.assign(daemon.env, { EDITOR: editor, VISUAL: '' });
  const repo = daemon.repo();
  repo.write({ 'src/a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;\n' });
  const finds = ['-m', 'Finds: high src/a.ts:2 The bound is off by one\nFinds: low src/a.ts:1 The name is odd'];
  const backends = ['--backend', 'reviewer=fake', '--backend', 'verifier=fake'];
  expect(await daemon.cli(['review', '--worktree', ...finds, ...backends], { cwd: repo.dir })).toMatchObject({
    code: 6,
  });
  // With the report there are two files to choose from.
  const [run] = await daemon.call('run.list', {});
  await ended(daemon, run?.runId ?? '');

  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 80, rows: 24, command: `exec ${desk.devflow} tui` });
  await robot.sees('– rehearsal');
  robot.press('M');
  await robot.sees('the run only reviews, so there is nothing to apply');
  robot.press('Enter');
  await robot.sees('[Overview]');
  robot.press('Tab');
  await robot.sees('[Findings 2]');
  await robot.sees(/▌▆ high +! confirmed src\/a\.ts:2 +The bound is off by one/);
  await robot.sees(/▂ low +· reported +src\/a\.ts:1 +The name is odd/);
  robot.press('o');
  await robot.sees('file src/a.ts:2');
  robot.press('Enter');
  await robot.until(
    'the editor has the file',
    () => existsSync(opened) && readFileSync(opened, 'utf8') === `+2 ${repo.dir}/src/a.ts\nconst b = 2;\n`,
  );

  robot.resize(150, 45);
  robot.press('Enter');
  await robot.sees('confirmed by verifier');
  await robot.sees('│ const b = 2;');
});
