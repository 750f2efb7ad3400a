import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBus } from '../../../daemon/events/bus.ts';
import { heldBack, noticeOf, notifyPerson } from '../../../daemon/notify/notify.ts';
import { notifyByCommand } from '../../../daemon/notify/notifyCommand.ts';
import type { StallCause } from '../../../schemas/enums.ts';
import { eventually } from '../../helpers/eventually.ts';
import {
  bound,
  done,
  failed,
  firstPhaseDone,
  given,
  type Story,
  sent,
  stalls,
  started,
} from '../core/support/given.ts';
import { message, settles } from '../core/support/messages.ts';

const waiting = [bound, started, sent];

/** A script of the user's that writes what it was given, one argument a line. */
function script(body = 'printf "%s\\n" "$@" > "$0.out.part" && mv "$0.out.part" "$0.out"') {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-notify-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, 'notify me');
  writeFileSync(path, `#!/bin/sh\n${body}\n`);
  chmodSync(path, 0o755);
  const out = `${path}.out`;
  return { path, told: () => (existsSync(out) ? readFileSync(out, 'utf8').trimEnd().split('\n') : undefined) };
}

/** Publishes the last transition of a story to a notifier with this command. */
function notifying(command: string[] | undefined, { run, latest }: Story, patienceMs?: number) {
  const bus = createBus();
  const log = { warn: vi.fn() };
  const ways = [notifyByCommand({ command, log, patienceMs })];
  const stop = notifyPerson({ ways, bus, log, openRuns: () => [run], readRun: async () => run });
  onTestFinished(stop);
  const changes = { phases: [], approvals: [], sessions: [] };
  bus.publish({ runId: run.id, events: latest, changes });
  return log;
}

const asked = given({}, ...waiting, stalls('planner', 'permission'));

test('runs the program with a title and a text that no shell expands', async () => {
  const { path, told } = script();
  const story = given({}, ...waiting, (run) => ({
    type: 'sessionStalled',
    sessionId: run.sessions[0]?.id ?? '',
    stall: { cause: 'permission', detail: '$(touch pwned); `id`', until: null },
  }));
  const log = notifying([path, '--urgent', '$HOME'], story);
  await eventually(() => expect(told()).toHaveLength(4));
  expect(told()).toEqual([
    ...['--urgent', '$HOME', expect.stringMatching(/^devflow: repo [0-9a-f]{8}: Make it so\.$/)],
    expect.stringMatching(
      /^planner \(fake\) asks for permission: \$\(touch pwned\); `id`; answer it in its pane: devflow attach /,
    ),
  ]);
  expect(log.warn).not.toHaveBeenCalled();
});

test('notifies at a gate and at a stall that needs a person, and at nothing else', () => {
  const notice = ({ run, latest }: Story) => noticeOf(run, latest);
  expect(notice(given({}, ...firstPhaseDone))?.text).toMatch(
    /^spec_approved \(spec\) waits for your decision\. devflow approval show [0-9a-f]{8}$/,
  );
  const login = notice(given({}, ...waiting, stalls('planner', 'login')));
  expect(login?.text).toMatch(
    /^recovery \(spec, planner\) waits for your decision: planner \(fake\) must be logged in/,
  );
  expect(notice(given({}, ...waiting, stalls('planner', 'idle')))?.text).toMatch(
    /^turn_ended \(spec, planner\) waits for your decision: planner \(fake\) ended its turn without its file: it is idle\./,
  );
  const causes: StallCause[] = ['question', 'dialog', 'draft'];
  for (const cause of causes) expect(notice(given({}, ...waiting, stalls('planner', cause)))).toBeDefined();
  const quiet: (StallCause | null)[] = ['quota', 'hung', null];
  for (const cause of quiet) expect(notice(asked.on(stalls('planner', cause)))).toBe(undefined);
  expect(notice(given({}, ...waiting))).toBe(undefined);
});

test('names the lane or assignment of a gate, and counts the other gates that wait', () => {
  const { run, latest } = given({}, ...firstPhaseDone);
  const requested = latest.filter((event) => event.type === 'approval.requested');
  const about = (facts: { laneId?: string; assignment?: string }) =>
    requested.map((event) => ({ ...event, payload: { ...event.payload, ...facts } }));
  const other = run.approvals.map((gate) => ({ ...gate, id: `other-${gate.id}` }));
  const busy = { ...run, approvals: [...run.approvals, ...other, ...other.map((gate) => ({ ...gate, id: 'third' }))] };
  expect(noticeOf(run, about({ laneId: 'lane-2' }))?.text).toMatch(/^spec_approved \(spec, lane-2\) waits/);
  expect(noticeOf(run, about({ assignment: 'api' }))?.text).toMatch(/^spec_approved \(spec, api\) waits/);
  expect(noticeOf(run, about({ laneId: 'main' }))?.text).toMatch(/^spec_approved \(spec\) waits .* [0-9a-f]{8}$/);
  expect(noticeOf(busy, about({}))?.text).toMatch(/; 2 other gates wait too$/);
});

test('names the last gate that is not decided yet, and none if all are', () => {
  const { run, events } = given({}, ...firstPhaseDone);
  const decided = run.approvals.map((gate) => ({ ...gate, state: 'approved' as const }));
  expect(noticeOf({ ...run, approvals: decided }, events)).toBe(undefined);
  const later = events
    .filter((event) => event.type === 'approval.requested')
    .map((event) => ({ ...event, payload: { ...event.payload, approvalRequestId: 'later' } }));
  const both = { ...run, approvals: [...run.approvals, ...decided.map((gate) => ({ ...gate, id: 'later' }))] };
  expect(noticeOf(both, [...events, ...later])?.text).toContain(run.approvals[0]?.id.slice(0, 8));
});

test('runs nothing without a command', () => {
  expect(notifying(undefined, asked).warn).not.toHaveBeenCalled();
});

test.each<[string, () => string[], number | undefined, RegExp]>([
  ['is not there', () => ['/nowhere/notify'], undefined, /could not run/],
  ['fails', () => [script('exit 3').path], undefined, /failed/],
  ['does not end', () => [script('exec sleep 1000').path], 50, /failed/],
])('logs a program that %s', async (_, command, patienceMs, message) => {
  const log = notifying(command(), asked, patienceMs);
  await eventually(() => expect(log.warn).toHaveBeenCalledOnce());
  expect(log.warn.mock.calls[0]?.[1]).toMatch(message);
});

test('a gate with a rule calls nobody until the rule does not pass it', () => {
  const notice = ({ run, latest }: Story) => noticeOf(run, latest);
  const asked = given({ autoGates: [{ gate: 'spec_approved', if: ['no_open_questions'] }] }, ...firstPhaseDone);
  expect(notice(asked)).toBeUndefined();
  expect(notice(asked.on(done('checkRule')))).toBeUndefined();
  expect(notice(asked.on(done('checkRule', 1)))?.text).toContain('spec_approved (spec) waits for your decision');
});

test('a message that may not have arrived calls the person', () => {
  const doubted = given({}, ...firstPhaseDone, message('planner'), failed('sendMessage', 'delivery_uncertain'));
  expect(noticeOf(doubted.run, doubted.latest)?.text).toMatch(
    /^A message to planner may not have arrived\. devflow message settle m1 --taken, or --again$/,
  );
  expect(noticeOf(doubted.on(settles(true)).run, doubted.latest)).toBeUndefined();
});

test('tells of a queued run once the run before it did not end well, and only then', () => {
  const first = given({});
  const queued = { ...given({}).run, id: 'queued-1', after: first.run.id, title: 'Later' };
  const released = { ...queued, id: 'released', rank: { nth: 1, rank: 'a', isReleased: true } };
  const begun = { ...queued, id: 'begun', state: 'executing' as const };
  const runs = [queued, released, begun, { ...queued, id: 'other', after: 'another' }];
  const end = (type: string) => [{ type } as (typeof first.events)[number]];
  const text = `waits for run ${first.run.id.slice(0, 8)}, which was aborted: devflow run move queued-1 --release, or devflow run abort queued-1`;
  expect(heldBack(runs, first.run.id, end('run.aborted'))).toMatchObject([
    { title: expect.stringContaining('Later'), text },
  ]);
  expect(heldBack(runs, first.run.id, end('run.failed'))[0]?.text).toContain('which failed');
  expect(heldBack(runs, first.run.id, end('run.completed'))).toEqual([]);
});
