import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../../daemon/system/faults.ts';
import { shareDaemon, startDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { seatRobot } from '../helpers/robot.ts';
import { untilGateOf } from './commentRuns.ts';
import { deskFor } from './dashboard.ts';
import { payloads, proveEnd, proveLog } from './support.ts';

const sharedDaemon = shareDaemon();

async function atSpec(daemon = sharedDaemon()) {
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  const gate = await untilGateOf(daemon, runId, 'spec_approved');
  return { runId, gate };
}

test('a person edits a specification, and every later prompt, page and report has their version', async () => {
  const daemon = sharedDaemon();
  const { runId, gate } = await atSpec();
  const { text } = await daemon.ask('approval.editText', { approvalId: gate });
  const mine = text.replace(/^title: .*$/m, 'title: A title of mine');
  expect(mine).not.toBe(text);
  const edited = await daemon.cli(['approval', 'edit', gate, '--file', '-', '--json'], { input: mine });
  expect(edited).toMatchObject({ code: 0, stderr: '' });
  const { approvalId, hash, created } = JSON.parse(edited.stdout);
  expect(created).toBe(true);
  const shown = await daemon.cli(['approval', 'show', approvalId]);
  expect(shown.stdout).toContain(`edited by you (${hash.slice(0, 12)})`);
  expect(shown.stdout).toContain('A title of mine');
  const { sheet, artifacts } = await daemon.ask('approval.get', { approvalId });
  expect(sheet?.documents).toMatchObject([{ hash, edited: true }]);
  expect(artifacts).toMatchObject([{ hash, edited: true }]);
  // The gate that was replaced names the new one, and nothing was approved.
  const late = await daemon.cli(['approval', 'approve', gate, '--yes']);
  expect(late).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(`gate ${approvalId.slice(0, 8)} replaced it`),
  });
  await drive(daemon, runId, { patienceMs: 200_000 });
  const { run, report } = await proveEnd(daemon, runId, 'completed');
  expect(run.title).toBe('A title of mine');
  const input = join(run.worktreeRoot, '.devflow', 'artifacts', 'inputs', 'spec', 'spec.json');
  expect(JSON.parse(readFileSync(input, 'utf8'))).toMatchObject({ title: 'A title of mine' });
  expect(report.artifacts).toMatchObject([{ schema: 'dev/spec@1' }, { hash, edited: true }, {}, {}]);
  const printed = await daemon.cli(['run', 'report', runId]);
  expect(printed.stdout).toContain('edited by you');
});

test('the command says why it does not take a text, and takes nothing', async () => {
  const daemon = sharedDaemon();
  const { runId, gate } = await atSpec();
  const edit = (input: string, ...more: string[]) =>
    daemon.cli(['approval', 'edit', gate, '--file', '-', ...more], { input });
  expect(await edit('title: x\n')).toMatchObject({ code: 5, stderr: expect.stringContaining('[artifact_invalid]') });
  expect(await edit('x'.repeat(300_000))).toMatchObject({ code: 2 });
  expect(await edit('title: x\n', '--document', 'ffff')).toMatchObject({ code: 2 });
  const { text } = await daemon.ask('approval.editText', { approvalId: gate });
  expect(await edit(text)).toMatchObject({ code: 0, stdout: 'Nothing is changed.\n' });
  expect(await daemon.cli(['approval', 'edit', gate])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no terminal for an editor'),
  });
  expect(payloads(await proveLog(daemon, runId), 'artifact.edited')).toEqual([]);
  await daemon.ask('run.abort', { runId, reason: 'The test is done.' });
  await proveEnd(daemon, runId, 'aborted');
});

test('the editor opens again with the faults on top, until the text is valid or stays as it is', async () => {
  const daemon = sharedDaemon();
  const { runId, gate } = await atSpec();
  const desk = deskFor(daemon);
  const robot = seatRobot(desk, 'person', { columns: 120 });
  const seen = join(daemon.root, 'seen');
  const editor = (name: string, script: string) => {
    const file = join(daemon.root, name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return file;
  };
  const runs = (ed: string) =>
    robot.type(`clear; EDITOR=${ed} VISUAL= ${desk.devflow} approval edit ${gate}; echo "exit $?"\n`);
  await robot.sees('$');
  // Takes the title away first, and gives it back when it sees the fault.
  const mends = editor(
    'mends',
    `if grep -q 'did not take this text' "$1"; then cp "$1" ${seen}; echo 'title: "Mended"' >> "$1"; else sed -i.old '/^title:/d' "$1"; fi`,
  );
  const spoils = editor('spoils', `grep -q 'did not take' "$1" || echo 'title: [' >> "$1"`);
  runs(spoils);
  await robot.sees('Your text is kept: devflow approval edit');
  await robot.sees('Nothing is changed.');
  runs('true');
  await robot.sees('exit 1');
  runs(mends);
  await robot.sees('spec.json is now as you wrote it');
  expect(readFileSync(seen, 'utf8')).toMatch(/^# devflow did not take this text.*\n#.*title/);
  expect(payloads(await proveLog(daemon, runId), 'artifact.edited')).toMatchObject([{ title: 'Mended' }]);
  await daemon.ask('run.abort', { runId, reason: 'The test is done.' });
  await proveEnd(daemon, runId, 'aborted');
});

test('e in the dashboard edits the document that the gate shows', async () => {
  const daemon = sharedDaemon();
  const { runId, gate } = await atSpec();
  const desk = deskFor(daemon);
  const editor = join(daemon.root, 'sets-title');
  writeFileSync(editor, `#!/bin/sh\nsed -i.old 's/^title:.*/title: From the dashboard/' "$1"\n`, { mode: 0o755 });
  const command = `EDITOR=${editor} VISUAL= exec ${desk.devflow} tui --screen approvals`;
  const robot = seatRobot(desk, 'dashboard', { columns: 120, rows: 36, command });
  await robot.sees('spec_approved');
  robot.press('Enter');
  await robot.sees('Accept the result of');
  robot.press('e');
  await robot.sees('Your version is at this gate');
  await robot.sees('From the dashboard');
  const [edited] = payloads(await proveLog(daemon, runId), 'artifact.edited');
  expect(edited).toMatchObject({ approvalRequestId: gate, title: 'From the dashboard' });
  robot.type('q');
  await daemon.ask('run.abort', { runId, reason: 'The test is done.' });
  await proveEnd(daemon, runId, 'aborted');
});

test('a kill before or after an edit is recorded loses nothing, and the same call again edits once', async () => {
  const daemon = await startDaemon();
  const { runId, gate } = await atSpec(daemon);
  const list = join(daemon.root, 'visits');
  const editAt = async (approvalId: string, title: string, point: CrashPoint) => {
    await daemon.restart({ DEVFLOW_FAULT: `list:${list}` });
    const { text, artifact, shown } = await daemon.ask('approval.editText', { approvalId });
    const params = {
      approvalId,
      artifact,
      shown,
      text: text.replace(/^title: .*$/m, `title: ${title}`),
      clientToken: randomUUID(),
    };
    rmSync(list, { force: true });
    writeFileSync(`${list}.deadly`, point);
    await expect(daemon.call('approval.edit', params)).rejects.toThrow();
    await daemon.exited();
    rmSync(`${list}.deadly`);
    await daemon.restart({ DEVFLOW_FAULT: '' });
    return daemon.ask('approval.edit', params);
  };
  const first = await editAt(gate, 'First', 'transition.before_commit');
  expect(first.created).toBe(true);
  const second = await editAt(first.approvalId, 'Second', 'transition.after_commit');
  expect(second.created).toBe(false);
  expect(second.approvalId).not.toBe(first.approvalId);
  await drive(daemon, runId, { patienceMs: 200_000 });
  const { run, events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'artifact.edited')).toMatchObject([{ title: 'First' }, { title: 'Second' }]);
  expect(run.title).toBe('Second');
});
