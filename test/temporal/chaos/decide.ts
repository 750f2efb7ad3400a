import { randomUUID } from 'node:crypto';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { readJournal } from '../../fixtures/scripted/journal.ts';
import type { Answer } from '../../helpers/drive.ts';
import { AGAIN_MS, type RunRecord } from './driver.ts';
import { KINDS, type Kind } from './kinds.ts';
import { AWAY, askAny, codeOf, type World } from './world.ts';

/** What a person wants to do about a gate, and whether a host has taken it. */
export interface Decision {
  gateKey: string;
  token: string;
  /** When a person has read it. */
  readAt: number;
  isAsked: boolean;
  /** When a host said that it is done. */
  takenAt?: number;
  action?: string;
}

/** An agent whose turn ended is left alone for so long. */
const TURN_MS = 15_000;
/** A list that was on its way may still show the gate. */
const LATE_MS = 5_000;

/** Decides one gate, at the next look or later. */
export function decide(world: World, run: RunRecord, gate: ApprovalSummary): void {
  if (gate.kind === 'agent') return;
  const known = run.decisions.get(gate.id);
  if (!known) {
    const readAt = Date.now() + (gate.kind === 'turn' ? TURN_MS : world.dice.int(0, 1500));
    run.decisions.set(gate.id, { gateKey: gate.gateKey, token: randomUUID(), readAt, isAsked: false });
    return;
  }
  if (known.isAsked || known.readAt > Date.now()) return;
  if (known.takenAt !== undefined) {
    askAgain(world, run, gate, known.takenAt);
    return;
  }
  known.isAsked = true;
  void act(world, run, gate, known).finally(() => {
    known.isAsked = false;
  });
}

/** A gate that is open although its decision was taken: right only in a database that was set back. */
function askAgain({ story }: World, run: RunRecord, gate: ApprovalSummary, takenAt: number): void {
  if (Date.now() - takenAt < LATE_MS) return;
  if (run.setBack === 0) story.find(`${run.kind} ${run.runId}: ${gate.gateKey} is open after a host took its decision`);
  run.decisions.delete(gate.id);
}

async function act(world: World, run: RunRecord, gate: ApprovalSummary, decision: Decision): Promise<void> {
  const { story } = world;
  const facts = { kind: run.kind, runId: run.runId, gate: gate.gateKey };
  try {
    const answer = await answerTo(run, gate);
    decision.action = answer === 'abort' ? 'abort' : answer.action;
    const taken =
      answer === 'abort'
        ? await askAny(world, 'run.abort', { runId: run.runId })
        : await askAny(world, 'approval.decide', { approvalId: gate.id, clientToken: decision.token, ...answer });
    if (taken) decision.takenAt = Date.now();
    else decision.readAt = Date.now() + AGAIN_MS;
    if (taken && gate.kind !== 'gate') story.say('decided', { ...facts, of: gate.kind, action: decision.action });
  } catch (error) {
    if (!AWAY.has(codeOf(error))) story.say('refused', { ...facts, code: codeOf(error) });
    // Whatever it is, the next look says whether the gate is still open.
    decision.readAt = Date.now() + AGAIN_MS;
  }
}

async function answerTo(run: RunRecord, gate: ApprovalSummary): Promise<Answer | 'abort'> {
  const own = (KINDS[run.kind] as Kind).decide?.(gate);
  if (own) return own;
  if (gate.kind === 'turn') return { action: 'request_changes' };
  if (gate.gateKey !== 'delivery_uncertain') return { action: 'approve' };
  return { action: (await hasStranger(run)) ? 'approve' : 'request_changes' };
}

/** Whether an agent got a prompt that the log does not have. */
async function hasStranger(run: RunRecord): Promise<boolean> {
  const { runId, host } = run;
  const arrived = (await readJournal(host.panes.configDir)).filter(({ text }) => text?.includes(`\nRun: ${runId}\n`));
  const log = await host.call('run.events', { runId, afterSeq: 0, limit: 1000 });
  const known = new Set(log.filter(({ type }) => type.startsWith('prompt.')).map(({ payload }) => payload.promptId));
  return arrived.some(({ uuids }) => uuids.some((uuid) => !known.has(uuid)));
}
