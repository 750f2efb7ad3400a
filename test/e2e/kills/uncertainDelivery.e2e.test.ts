import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPoint } from '../../../daemon/system/faults.ts';
import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { readEvents, readJournal } from '../../fixtures/scripted/journal.ts';
import type { TestDaemon } from '../../helpers/daemon.ts';
import { drive, readLog, startRun } from '../../helpers/drive.ts';
import { makePanes, type Panes } from '../../helpers/paneDaemon.ts';
import { until } from '../../helpers/until.ts';
import { payloads, proveEnd, scenario } from '../support.ts';
import { killAtPoints } from './killing.ts';

const GATE = 'delivery_uncertain';

/** Between a person's answer and what follows from it. */
const AFTER_ANSWER: CrashPoint[] = ['sendPrompt.before_delivery', 'sendPrompt.after_delivery'];

/** A run at its gate. Without hooks the agent has no known record, so its screen alone says what became of a prompt. */
async function runAtGate(scripted: string, requirements: string) {
  const panes = await makePanes(`busy-ms=150,hooks-off,${scripted}`);
  const { daemon } = panes;
  await daemon.start();
  const repo = daemon.repo().dir;
  const backend = { implementer: 'codex' } as const;
  const runId = await startRun(daemon, { repo, template: 'quick-change@1', backend, requirements });
  return { ...panes, runId, gate: await openGate(daemon, runId) };
}

function openGate(daemon: TestDaemon, runId: string, ...known: string[]): Promise<ApprovalSummary> {
  return until('a person is asked', async () => {
    const gates = await daemon.ask('approval.list', { runId });
    return gates.find(({ gateKey, id }) => gateKey === GATE && !known.includes(id));
  });
}

/** One answer, given until a daemon says that it has it. */
const answer = ({ daemon, gate }: { daemon: TestDaemon; gate: ApprovalSummary }, action: ApprovalDecisionAction) =>
  daemon.ask('approval.decide', { approvalId: gate.id, action, clientToken: randomUUID() });

async function countPastes({ configDir }: Panes) {
  return (await readEvents(configDir)).filter(({ what }) => what === 'pasted').length;
}

const promptsOf = async ({ configDir }: Panes) =>
  (await readJournal(configDir)).filter(({ uuids }) => uuids.length > 0);

test('the lists show the doubt with both answers, and a prompt that was taken is not sent again', async () => {
  const at = await runAtGate('unseen', 'Make it better.');
  const { daemon, runId, gate } = at;
  expect((await daemon.cli(['approval', 'list'])).stdout).toContain(GATE);
  const shown = (await daemon.cli(['approval', 'show', gate.id])).stdout;
  for (const text of [
    'Did the agent take the prompt?',
    'The agent has the prompt: devflow waits for its work, and types nothing.',
    'The agent does not have the prompt: devflow sends it again',
    `approval approve ${gate.id.slice(0, 8)}`,
    `approval request-changes ${gate.id.slice(0, 8)}`,
  ]) {
    expect(shown).toContain(text);
  }
  const killing = await killAtPoints(daemon, AFTER_ANSWER);
  await answer(at, 'approve');
  await drive(daemon, runId);
  expect(await killing.stop()).toEqual({ deaths: 2, unvisited: [] });
  await proveEnd(daemon, runId, 'completed');
  expect([await promptsOf(at), await countPastes(at)]).toMatchObject([{ length: 1 }, 1]);
});

test('a prompt that was not taken is sent once more', async () => {
  // The agent forgets the repair prompt.
  const at = await runAtGate('forget=2', scenario('invalid-then-ok'));
  const { daemon, runId } = at;
  const killing = await killAtPoints(daemon, AFTER_ANSWER);
  await answer(at, 'request_changes');
  await drive(daemon, runId);
  expect(await killing.stop()).toEqual({ deaths: 2, unvisited: [] });
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'approval.requested').filter(({ gateKey }) => gateKey === GATE)).toHaveLength(1);
  expect([await promptsOf(at), await countPastes(at)]).toMatchObject([{ length: 2 }, 3]);
});

test('after a reboot right after Enter a person is asked, and an agent that had the prompt gets the next attempt', async () => {
  const panes = await makePanes('busy-ms=150,hooks-off,state-off,title-off');
  const { daemon, configDir, tmux } = panes;
  const slow = join(configDir, 'scripted.json');
  writeFileSync(slow, '{"unseen": true, "busy-ms": 60000}');
  await daemon.start();
  const backend = { implementer: 'codex' } as const;
  const runId = await startRun(daemon, { repo: daemon.repo().dir, template: 'quick-change@1', backend });
  await until('the agent has the prompt', async () => (await promptsOf(panes)).length === 1);
  await daemon.kill('SIGKILL');
  process.kill(Number(tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
  rmSync(slow);
  await daemon.start();
  const gate = await openGate(daemon, runId);
  expect(await promptsOf(panes)).toHaveLength(1);
  await answer({ daemon, gate }, 'approve');
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  const sent = payloads(events, 'prompt.sent').map(({ dedupKey }) => dedupKey);
  const arrived = (await promptsOf(panes)).flatMap(({ dedupKeys }) => dedupKeys);
  expect(arrived).toEqual(sent);
  expect(new Set(arrived).size).toBe(2);
});

test('an answer says nothing about a later doubt, also after a kill', async () => {
  const at = await runAtGate('forget', 'Make it better.');
  const { daemon, runId, gate } = at;
  // Its first commit is the answer. It dies before it records that the prompt is lost again.
  await daemon.restart({ DEVFLOW_FAULT: 'transition.before_commit@2' });
  expect((await daemon.cli(['approval', 'request-changes', gate.id])).code).toBe(0);
  expect(await daemon.exited()).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await countPastes(at)).toBe(2);
  await daemon.start();
  const second = await openGate(daemon, runId, gate.id);
  expect(await countPastes(at)).toBe(2);
  expect((await daemon.cli(['approval', 'reject', second.id])).code).toBe(0);
  await proveEnd(daemon, runId, 'failed');
  expect(payloads(await readLog(daemon, runId), 'approval.resolved')).toHaveLength(2);
});
