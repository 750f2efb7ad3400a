import { describe, expect, test } from 'vitest';
import { createLiveLine } from '../../../cli/print/liveLine.ts';
import { liveLine, NO_SNAPSHOT, progressLines, snapshotOf } from '../../../cli/run/progress.ts';
import type { RunDetail } from '../../../schemas/rpc/views/run.ts';
import { fakeIo } from '../fakeIo.ts';

const RUN_ID = '11111111-2222-4333-8444-555555555555';

function runWith(changes: Record<string, unknown>): RunDetail {
  return {
    runId: RUN_ID,
    state: 'planning',
    reason: null,
    currentPhase: 'spec',
    waitingFor: null,
    phases: [
      { key: 'spec', state: 'running', attempts: 1 },
      { key: 'plan', state: 'pending', attempts: 0 },
    ],
    approvals: [],
    sessions: [],
    ...changes,
  } as unknown as RunDetail;
}

describe('progress', () => {
  test('reports each change once', () => {
    const run = runWith({});
    expect(progressLines(NO_SNAPSHOT, run)).toEqual(['spec: running']);
    expect(progressLines(snapshotOf(run), run)).toEqual([]);
  });
  test('says nothing of a stall that ends with its agent', () => {
    const session = { sessionId: 's1', roleId: 'coder', laneId: 'lane-1', state: 'READY' };
    const stall = { cause: 'permission', detail: 'Run it?', until: null, since: '2026-01-02T03:04:05.678Z' };
    const before = snapshotOf(runWith({ sessions: [{ ...session, stall }] }));
    expect(progressLines(before, runWith({ sessions: [{ ...session, stall: null }] }))).toEqual([
      'coder@lane-1 continues',
    ]);
    expect(progressLines(before, runWith({ sessions: [{ ...session, stall: null, state: 'ENDED' }] }))).toEqual([]);
  });
  test('a gate comes with the commands that decide it, and then with its outcome', () => {
    const gate = { id: 'abcdef01-2222', gateKey: 'spec_approved', kind: 'gate', state: 'pending' };
    const asked = runWith({ approvals: [gate] });
    const lines = progressLines(snapshotOf(runWith({})), asked);
    expect(lines[0]).toBe('spec_approved: waiting for your decision; see devflow approval show abcdef01');
    expect(lines).toContain('  devflow approval approve abcdef01');
    const decided = runWith({ approvals: [{ ...gate, state: 'approved' }] });
    expect(progressLines(snapshotOf(asked), decided)).toEqual(['spec_approved: approved']);
  });
  test('a gate of a lane names it, and offers only what it takes', () => {
    const gate = { id: 'abcdef01-2222', kind: 'gate', state: 'pending', assignment: null };
    const red = runWith({ state: 'executing', approvals: [{ ...gate, gateKey: 'base_red', laneId: 'main' }] });
    const lines = progressLines(snapshotOf(runWith({})), red).join('\n');
    expect(lines).toContain('base_red: waiting for your decision');
    expect(lines).not.toContain('request-changes');
    const drift = runWith({ approvals: [{ ...gate, gateKey: 'writeset_conflict', laneId: 'lane-2' }] });
    expect(progressLines(snapshotOf(runWith({})), drift)[0]).toMatch(/^writeset_conflict \(lane-2\): waiting/);
  });
  test('says at a recovery gate why devflow cannot continue alone', () => {
    const gate = { id: 'abcdef01', gateKey: 'recovery', kind: 'recovery', state: 'pending' };
    const run = runWith({ state: 'paused', reason: 'the agent is gone.', approvals: [gate] });
    const lines = progressLines(snapshotOf(runWith({})), run);
    expect(lines[0]).toContain('(devflow cannot continue alone: the agent is gone.)');
    expect(lines.at(-1)).toBe('run 11111111: paused: the agent is gone');
  });
  test('says how to resume a paused run without a gate, and why a run failed', () => {
    const paused = progressLines(snapshotOf(runWith({})), runWith({ state: 'paused', reason: 'lunch' }));
    expect(paused).toEqual(['run 11111111: paused: lunch. Resume it with devflow run resume 11111111.']);
    const failed = progressLines(snapshotOf(runWith({})), runWith({ state: 'failed', reason: 'rejected' }));
    expect(failed).toEqual(['run 11111111: failed: rejected']);
  });
  test('reports that an agent is stalled, and that it continues', () => {
    const session = { sessionId: 'abcdef01-2222', roleId: 'planner', laneId: 'main', stall: null };
    const stall = { cause: 'permission', detail: 'Bash\u001b[31m\n(ls)', until: null };
    const held = runWith({ sessions: [{ ...session, stall }] });
    expect(progressLines(snapshotOf(runWith({ sessions: [session] })), held)).toEqual([
      'planner asks for permission: Bash␛[31m␊(ls); see its pane with devflow attach abcdef01',
    ]);
    expect(progressLines(snapshotOf(held), held)).toEqual([]);
    expect(progressLines(snapshotOf(held), runWith({ sessions: [session] }))).toEqual(['planner continues']);
  });
  test('tells the agents of one role in two lanes apart', () => {
    const first = { sessionId: 'aaaaaaaa-1', roleId: 'coder', laneId: 'lane-1', stall: null };
    const second = { ...first, sessionId: 'bbbbbbbb-1', laneId: 'lane-2' };
    const stall = { cause: 'permission', detail: 'ls', until: null };
    const before = runWith({ sessions: [first, second] });
    expect(progressLines(snapshotOf(before), runWith({ sessions: [{ ...first, stall }, second] }))).toEqual([
      'coder@lane-1 asks for permission: ls; see its pane with devflow attach aaaaaaaa',
    ]);
  });
  test('the live line', () => {
    expect(liveLine(runWith({ waitingFor: 'planner' }), 3)).toBe('planning · spec running · waiting for planner · 3s');
  });
});

describe('createLiveLine', () => {
  test('prints no status line without a terminal', () => {
    const io = fakeIo();
    const line = createLiveLine(io);
    line.show(() => 'moving');
    line.print('stays');
    line.end();
    expect(io.written.out).toBe('stays\n');
  });
  test('keeps the status line below other lines on a terminal', () => {
    const io = fakeIo({ outIsTty: true, columns: 20 });
    const line = createLiveLine(io);
    line.show(() => 'moving');
    line.print('stays');
    line.end();
    expect(io.written.out).toBe('\r\u001b[2Kmoving\r\u001b[2Kstays\n\r\u001b[2Kmoving\r\u001b[2K');
  });
});
