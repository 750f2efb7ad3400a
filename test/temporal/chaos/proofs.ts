import { expect } from 'vitest';
import type { EventView } from '../../../schemas/rpc/views/run.ts';
import { payloads } from '../../e2e/support.ts';
import { countDelivery, readJournal, type Submission } from '../../fixtures/scripted/journal.ts';
import { readReport, receivedPrompts } from '../../helpers/eventLog.ts';
import type { RunRecord } from './driver.ts';
import { KINDS, type Kind } from './kinds.ts';
import type { Machine } from './machine.ts';
import { codeOf, type World } from './world.ts';

/** What the log and the agents of one run say in the end. */
export interface Verdict {
  kind: string;
  runId: string;
  host: string;
  as: string;
  setBack: number;
  events: number;
  prompts: number;
  /** Of those, the ones that an agent got again because the log had forgotten them. */
  repeated: number;
  gates: number;
  /** Gates that a fault brought. */
  recoveries: string[];
  findings: string[];
}

type Must = (what: string, actual: unknown, wanted: unknown) => void;

/** Proves one run. All hosts must be up. */
export async function judge(world: World, run: RunRecord): Promise<Verdict> {
  const findings: string[] = [];
  const must: Must = (what, actual, wanted) => {
    try {
      expect(actual).toEqual(wanted);
    } catch (error) {
      findings.push(`${what}: ${(error as Error).message.slice(0, 1500)}`);
    }
  };
  const { kind, runId, host, setBack } = run;
  const verdict: Verdict = {
    ...{ kind, runId, host: host.name, as: run.state, setBack, events: 0, prompts: 0, repeated: 0, gates: 0 },
    recoveries: [],
    findings,
  };
  if (run.state !== 'lost') {
    try {
      await judgeLog(run, verdict, must);
    } catch (error) {
      findings.push(`the proof failed: ${codeOf(error)} ${(error as Error).stack}`);
    }
  }
  for (const finding of findings) world.story.find(`${kind} ${runId} of ${host.name}: ${finding}`);
  world.story.say('verdict', { ...verdict });
  return verdict;
}

async function judgeLog(run: RunRecord, verdict: Verdict, must: Must): Promise<void> {
  const { runId, host, kind } = run;
  const events = await readWhole(host, runId);
  const view = await host.call('run.get', { runId });
  verdict.as = view.state;
  verdict.events = events.length;
  must('the end', view.state, KINDS[kind].ends);
  if (run.state === 'stuck') return;
  must('the report', readReport(view), expect.objectContaining({ runId, status: view.state }));
  must(
    'seq',
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  must('run.verify', await host.call('run.verify', { runId }), { runId, ok: true, differences: [] });
  const keys = events.map(({ idempotencyKey }) => idempotencyKey);
  must('events twice', keys.length, new Set(keys).size);
  judgeGates(run, events, verdict, must);
  if (view.branch) judgeCommits(run, view.branch, must);
  const sent = [...payloads(events, 'prompt.sent'), ...payloads(events, 'prompt.repaired')];
  verdict.prompts = sent.length;
  if (Object.values((KINDS[kind] as Kind).backend).includes('fake')) await judgeFake(run, sent, verdict, must);
  else await judgePanes(run, sent, verdict, must);
  const sessions = await host.call('session.list', { runId });
  must(
    'sessions',
    sessions.filter(({ state }) => state !== 'ENDED').map(({ state }) => state),
    [],
  );
  const pending = await host.call('approval.list', { runId, state: 'pending', all: false, limit: 10 });
  must(
    'open gates',
    pending.map(({ gateKey }) => gateKey),
    [],
  );
}

async function readWhole(host: Machine, runId: string): Promise<EventView[]> {
  const events: EventView[] = [];
  for (;;) {
    const page = await host.call('run.events', { runId, afterSeq: events.length, limit: 500 });
    events.push(...page);
    if (page.length < 500) return events;
  }
}

/**
 * No attempt is committed twice. The trailers name it. A database that was set back forgot that an agent had ended its work: it
 * asks for it again, and a commit has what differs.
 */
function judgeCommits({ repo, setBack }: RunRecord, branch: string, must: Must): void {
  const format = '--format=%(trailers:only,unfold,separator=%x20)';
  const commits = repo.git('log', format, `main..${branch}`).split('\n');
  const made = commits.filter((trailers) => trailers.includes('Devflow-Phase'));
  const often = [...new Set(made)].filter((each) => made.filter((one) => one === each).length > 1 + setBack);
  must('commits twice', often, []);
}

/** Each gate has one decision, and what a host has taken is in the log. */
function judgeGates(run: RunRecord, events: readonly EventView[], verdict: Verdict, must: Must): void {
  const asked = payloads(events, 'approval.requested');
  const decided = payloads(events, 'approval.resolved');
  const ids = decided.map(({ approvalRequestId }) => approvalRequestId);
  must('gates decided twice', ids.length, new Set(ids).size);
  verdict.gates = decided.length;
  verdict.recoveries = asked.filter(({ kind }) => kind !== 'gate').map(({ kind, gateKey }) => `${kind}/${gateKey}`);
  if (run.setBack > 0) return;
  const tokens = new Set(decided.map(({ clientToken }) => clientToken));
  const taken = [...run.decisions.values()].filter(
    ({ takenAt, action }) => takenAt !== undefined && action !== 'abort',
  );
  must(
    'decisions that the log lacks',
    taken.filter(({ token }) => !tokens.has(token)),
    [],
  );
}

/** A prompt may be on its way when a person aborts, and when the log forgets it. */
const mayBeUnknown = (run: RunRecord) => run.setBack > 0 || KINDS[run.kind].ends === 'aborted';

type Sent = readonly Record<string, unknown>[];

async function judgeFake(run: RunRecord, sent: Sent, verdict: Verdict, must: Must): Promise<void> {
  const keys = sent.map(({ dedupKey }) => String(dedupKey)).sort();
  const received = await receivedPrompts(run.host.panes.daemon.workspaceRoot, run.runId);
  const doubled = [...received].filter(([, times]) => times > 1);
  if (run.setBack > 0) verdict.repeated = doubled.length;
  else must('prompts that an agent got twice', doubled, []);
  const arrived = [...received.keys()].sort();
  must('prompts', mayBeUnknown(run) ? arrived.filter((key) => keys.includes(key)) : arrived, keys);
}

async function judgePanes(run: RunRecord, sent: Sent, verdict: Verdict, must: Must): Promise<void> {
  const journal = await readJournal(run.host.panes.configDir);
  const arrived = journal.filter(({ text }) => text?.includes(`\nRun: ${run.runId}\n`));
  const texts = new Map(arrived.map(({ uuids: [uuid], text }) => [uuid, text]));
  const ids = sent.map(({ promptId }) => String(promptId));
  const { doubled, strangers, whole, ...faults } = countDelivery(
    ids.map((uuid) => ({ uuid, text: texts.get(uuid) ?? '', acknowledged: true })),
    arrived,
  );
  must('prompts', faults, {
    ...{ sent: ids.length, lost: [], merged: [], altered: [], whileBusy: [], falselyFailed: [] },
    falselyAcknowledged: run.setBack > 0 ? expect.anything() : [],
  });
  if (run.setBack > 0) verdict.repeated = sameKeys(arrived);
  else
    must(
      'prompts that an agent got twice',
      { doubled, whole, keys: sameKeys(arrived) },
      { doubled: [], whole: ids.length, keys: 0 },
    );
  if (!mayBeUnknown(run)) must('prompts that nobody sent', strangers, []);
}

function sameKeys(arrived: readonly Submission[]): number {
  const keys = arrived.flatMap(({ dedupKeys }) => dedupKeys);
  return keys.length - new Set(keys).size;
}
