import { expect } from 'vitest';
import type { EventView, RunDetail } from '../../schemas/rpc/views/run.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { ended, readLog } from '../helpers/drive.ts';
import { readReport, receivedPrompts } from '../helpers/eventLog.ts';

/** What holds for every run that is over: a log without gaps that gives the rows, a valid report, no prompt twice. */
export async function proveEnd(
  daemon: TestDaemon,
  runId: string,
  state: 'completed' | 'failed' | 'aborted',
): Promise<{ run: RunDetail; events: EventView[]; report: Record<string, unknown> }> {
  const run = await ended(daemon, runId);
  expect(run.state).toBe(state);
  const events = await proveLog(daemon, runId);
  const report = readReport(run);
  expect(report).toMatchObject({ runId, status: state });
  return { run, events, report };
}

/** The same for a run that is still open. */
export async function proveLog(daemon: TestDaemon, runId: string): Promise<EventView[]> {
  const events = await readLog(daemon, runId);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(await daemon.ask('run.verify', { runId })).toEqual({ runId, ok: true, differences: [] });
  const received = await receivedPrompts(daemon.workspaceRoot, runId);
  expect([...received.values()].filter((times) => times > 1)).toEqual([]);
  return events;
}

/** The types of the events after the first `phase.started`, up to the first gate. */
export function untilGate(events: readonly EventView[]): string[] {
  const types = events.map(({ type }) => type);
  return types.slice(types.indexOf('phase.started') + 1, types.indexOf('approval.requested') + 1);
}

export function payloads(events: readonly EventView[], type: string): Record<string, unknown>[] {
  return events.filter((event) => event.type === type).map(({ payload }) => payload);
}

export const scenario = (...lines: string[]) =>
  `Make it better.\n\n${lines.map((line) => `Scenario: ${line}`).join('\n')}\n`;
