import { expect, test } from 'vitest';
import type { ApprovalDetail } from '../../schemas/rpc/views/approval.ts';
import { shareDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { startFactory } from './factoryRuns.ts';
import { patient, startMeasured } from './measuredRuns.ts';
import { backendOf, FILE, startReviewed } from './reviewRuns.ts';

const daemon = shareDaemon();

/** The gate of this name, still open, as a client and as the command line show it. */
async function shownAt(runId: string, gateKey: string): Promise<{ detail: ApprovalDetail; printed: string }> {
  const events = await drive(daemon(), runId, {
    ...patient,
    decide: (asked) => (asked.gateKey === gateKey ? undefined : { action: 'approve' }),
    stopAt: ({ type, payload }) => type === 'approval.requested' && payload.gateKey === gateKey,
  });
  const approvalId = String(events.at(-1)?.payload.approvalRequestId);
  const detail = await daemon().ask('approval.get', { approvalId });
  const { stdout } = await daemon().cli(['approval', 'show', approvalId]);
  return { detail, printed: stdout };
}

/** Fails, and prints a secret that its own words do not have. */
const FAILING = ['sh', '-c', "printf 'ghp_%s\\nnot ok\\n' 0123456789abcdefghij0123456789abcdef; exit 3"];

test("the gate of a reviewed change shows the implementer's summary first, and what its checks printed", async () => {
  const { runId } = await startReviewed(daemon(), [`Finds: low ${FILE}:1 The title is wrong`]);
  const { detail, printed } = await shownAt(runId, 'changes_approved');
  const { sheet } = detail;
  expect(sheet?.said[0]).toMatchObject({ roleId: 'implementer', summary: expect.any(String) });
  expect(sheet?.review?.lines[0]).toContain('The review passed');
  expect(sheet?.alarms.map(({ code }) => code)).toEqual(expect.arrayContaining(['fake', 'one_backend', 'not_checked']));
  expect(sheet?.leadsTo.map(({ action }) => action)).toEqual(['approve', 'request_changes', 'reject', 'abort']);
  expect(sheet?.change?.files.map(({ path }) => path)).toEqual([FILE]);
  const [summary = ''] = sheet?.said.map((said) => said.summary.split('\n')[0] ?? '') ?? [];
  expect(printed.indexOf(summary)).toBeGreaterThan(printed.indexOf('approve: '));
  expect(printed.indexOf(summary)).toBeLessThan(printed.indexOf('The review passed'));
  expect(printed).not.toContain('"findings"');
  await daemon().ask('run.abort', { runId });

  const failing = await startReviewed(daemon(), [], [FAILING]);
  const gate = await shownAt(failing.runId, 'review_unconverged');
  expect(gate.detail.sheet?.checks).toMatchObject([{ exitCode: 3, tail: expect.stringContaining('not ok') }]);
  expect(JSON.stringify(gate.detail.sheet)).not.toContain('ghp_0123456789');
  await daemon().ask('run.abort', { runId: failing.runId });
});

test('the gate after a failed command shows the end of its output, without secrets', async () => {
  const runId = await startRun(daemon(), {
    repo: daemon().repo().dir,
    template: 'development@1',
    backend: backendOf(['planner', 'implementer']),
    extra: { verify: [FAILING] },
  });
  const { detail, printed } = await shownAt(runId, 'changes_approved');
  expect(detail.sheet?.checks).toMatchObject([{ exitCode: 3, tail: expect.stringContaining('not ok') }]);
  expect(printed).toMatch(/^✗ sh -c [\s\S]*^ {2}exit 3[\s\S]*^ {2}not ok$/m);
  expect(JSON.stringify(detail) + printed).not.toContain('ghp_0123456789');
  await daemon().ask('run.abort', { runId });
});

test('the gate of the factory shows the template as YAML, and its rehearsal', async () => {
  const runId = await startFactory(daemon(), 'A template for small changes.\n\nDraft: right\n');
  const { detail, printed } = await shownAt(runId, 'promotion_approved');
  expect(detail.sheet?.walk[0]).toMatch(/^devflow walked all paths: \d+ states, \d+ steps\.$/);
  expect(printed).toMatch(/^Rehearsal\ndevflow walked all paths/m);
  expect(printed).toMatch(/^Template\nname: checked-change$/m);
  expect(printed).not.toContain('"yaml"');
  await daemon().ask('run.abort', { runId });
});

test('the gate of a measured loop shows its measurements', async () => {
  const { runId } = await startMeasured(daemon(), { values: { base: 1, 1: 1.5, 2: 2.5, 3: 2.5 } });
  const { detail, printed } = await shownAt(runId, 'changes_approved');
  expect(detail.sheet?.measured).toEqual(detail.measured);
  expect(printed).toMatch(/^Measured\nDecided on: iteration \d/m);
  await daemon().ask('run.abort', { runId });
});
