import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskFor } from '../e2e/dashboard.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { makePanes, ROLES } from '../helpers/paneDaemon.ts';
import { makeRepo } from '../helpers/testRepo.ts';
import { openShell, SHELL_NAMES } from './shells.ts';

/** A name that git takes. */
const HOSTILE = 'evil$(touch$IFS$9pwned)';

/** A run at its gate with an agent in a pane, a paused run, and one that is over, whose gates are decided. */
async function givenRuns(daemon: TestDaemon) {
  const waiting = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  await drive(daemon, waiting, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  const paused = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, paused, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
  await daemon.call('run.pause', { runId: paused });
  const repo = makeRepo(join(daemon.root, 'it\'s $(touch pwned)\n;"x'), daemon.env);
  const over = await startRun(daemon, { repo: repo.dir });
  await drive(daemon, over);
  const [gate] = await daemon.call('approval.list', { runId: waiting, all: false, limit: 0 });
  const all = await daemon.call('approval.list', { all: true, limit: 0 });
  const decided = all.filter(({ state }) => state !== 'pending');
  return { waiting, paused, over, gate: gate?.id ?? '', decided };
}

const short = (id: string) => id.slice(0, 8);

test.each(SHELL_NAMES)('%s completes ids, roles, values, files and branches', async (name) => {
  const { daemon } = await makePanes('busy-ms=50');
  await daemon.start();
  const { waiting, paused, over, gate, decided } = await givenRuns(daemon);
  expect(decided.length).toBeGreaterThan(0);

  const here = daemon.repo();
  here.git('branch', HOSTILE);
  mkdirSync(join(here.dir, 'sub dir'));
  writeFileSync(join(here.dir, 'wishes.md'), 'Make it better.\n');
  const { devflow, ...room } = deskFor(daemon);
  const shell = await openShell(name, room, devflow, here.dir);

  await shell.completes(`devflow run show ${waiting.slice(0, 7)}`, `show ${short(waiting)}`);
  await shell.completes(`devflow run show ${waiting.slice(0, 12)}`, `show ${waiting}`);
  // Of these only one each fits.
  await shell.completes('devflow run resume ', `resume ${short(paused)}`);
  await shell.completes('devflow cleanup ', `cleanup ${short(over)}`);
  await shell.completes('devflow run apply ', `apply ${short(over)}`);
  await shell.completes('devflow approval approve ', `approve ${short(gate)}`);
  // Of a short verb the same as of its command.
  await shell.completes('devflow approve ', `approve ${short(gate)}`);
  await shell.completes('devflow apply ', `apply ${short(over)}`);
  await shell.completes('devflow attach ', new RegExp(`attach ${waiting.slice(0, 1)}|attach$`));
  await shell.completes(`devflow attach ${short(waiting)}/`, `attach ${short(waiting)}/planner`);

  await shell.completes('devflow run start --backend pla', '--backend planner=');
  await shell.completes('devflow run start --backend planner=fa', '--backend planner=fake');
  await shell.completes('devflow run start --backend=planner=fa', '--backend=planner=fake');
  await shell.completes('devflow run start --bind impl', '--bind implementer=');
  await shell.completes('devflow run start --bind planner=planner-fa', '--bind planner=planner-fake@1');
  await shell.completes('devflow run start --template par', '--template parallel-development@1');
  await shell.completes('devflow run start --template=parallel-development@', '--template=parallel-development@1');
  await shell.completes('devflow tui --screen templ', '--screen templates');
  await shell.completes(`devflow tui --screen run --about ${over.slice(0, 5)}`, `--about ${short(over)}`);
  await shell.completes('devflow run list --state=pau', '--state=paused');
  await shell.completes('devflow run start --requirements wis', '--requirements wishes.md');
  await shell.completes('devflow run start --requirements=wis', '--requirements=wishes.md');
  await shell.completes('devflow run start --repo sub', '--repo sub\\ dir/');

  // Decided gates can be shown, and only that.
  shell.tab('devflow approval show ');
  if (name === 'bash') await shell.sees(short(decided[0]?.id ?? ''));
  else await shell.sees(new RegExp(`${short(decided[0]?.id ?? '')} .*approved`));
  await shell.leave();

  // The run's repository has a name that is a command, a quote and a line end.
  shell.tab('devflow run show ');
  if (name === 'bash') await shell.sees(short(over));
  else await shell.sees(new RegExp(`${short(over)} .*completed`));
  await shell.leave();

  // The branch is a word like any other, also when the line is run.
  shell.tab('devflow run start --repo . --requirements wishes.md --template no-such --base evil');
  await shell.sees(/--base evil.+pwned/);
  shell.press('Enter');
  await shell.sees('no-such');
  expect([existsSync(join(here.dir, 'pwned')), readdirSync(daemon.root).includes('pwned')]).toEqual([false, false]);
  shell.press('C-l');

  await daemon.stop();
  shell.tab(`devflow run show ${waiting.slice(0, 7)}`);
  shell.type('X');
  await shell.sees(`show ${waiting.slice(0, 7)}X`);
  expect(shell.screen().filter((row) => row !== '')).toHaveLength(1);
});
