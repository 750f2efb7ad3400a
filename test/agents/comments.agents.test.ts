import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Comments, commentsOf, untilGateOf } from '../e2e/commentRuns.ts';
import { payloads, proveEnd } from '../e2e/support.ts';
import { COMMENTED, LIST, TOP } from '../fixtures/model/commented.ts';
import { drive } from '../helpers/drive.ts';
import { isTriedWhole, PROGRAMS } from './programs/pins.ts';
import { deliveriesOf, quickRun } from './support/realDaemon.ts';

const { list: path, renamed, lost } = COMMENTED;
const BY = TOP.length;

const SAID: Comments = [
  { path, line: 3, endLine: 5, text: 'Greet these three by name.' },
  { path, line: 8, kind: 'question', text: 'Why politely?' },
  { path, text: 'Call this file names.md.' },
  { path: lost, line: 2, text: 'This goes nowhere.' },
];

test.each(PROGRAMS.filter(isTriedWhole))(
  '%s answers each comment of a review, the forgotten one after a repair, and the next gate shows where the lines are',
  async (program) => {
    const { daemon, runId, model } = await quickRun(program, { scenario: 'commented' });
    const approvalId = await untilGateOf(daemon, runId, 'changes_approved');
    const { shown } = await daemon.ask('approval.get', { approvalId });
    const decision = { approvalId, action: 'request_changes', clientToken: randomUUID(), comments: SAID } as const;
    await daemon.ask('approval.decide', { ...decision, comment: 'Four things.', ...(shown ? { shown } : {}) });
    const next = await untilGateOf(daemon, runId, 'changes_approved', 2);

    const { comments = [], sheet } = await daemon.ask('approval.get', { approvalId: next });
    const answered = (action: string, now: object) => ({ state: 'answered', answers: [{ action }], now });
    const at = (line: number, endLine: number | null = null) => ({ path: renamed, line, endLine, as: 'moved' });
    expect(comments).toMatchObject([
      { id: 'c1', quote: LIST.slice(2, 5).join('').trimEnd(), ...answered('fixed', at(3 + BY, 5 + BY)) },
      { id: 'c2', kind: 'question', ...answered('answered', at(8 + BY)) },
      { id: 'c3', ...answered('fixed', { path: renamed, line: null, as: 'moved' }) },
      { id: 'c4', ...answered('fixed', { path: lost, line: null, as: 'outdated' }) },
    ]);
    expect(comments[0]?.patch).toContain(`rename from ${path}`);
    expect(sheet?.comments.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3', 'c4']);
    expect(sheet?.alarms.map(({ code }) => code)).not.toContain('unanswered');

    await drive(daemon, runId);
    const { events } = await proveEnd(daemon, runId, 'completed');
    const faults = payloads(events, 'artifact.invalid').flatMap(({ errors }) => errors);
    expect(faults).toMatchObject([{ path: '/answers', message: expect.stringContaining('needs c4 exactly once') }]);
    expect((await commentsOf(daemon, runId)).map(({ state }) => state)).toEqual(Array(4).fill('answered'));
    const [, asked = '', repair = ''] = model.conversation().map((uuid) => model.textOf(uuid) ?? '');
    for (const text of [asked, repair]) {
      expect(text).toContain('Comments: c1, c2, c3, c4');
      expect(text).toContain(`c1: a change of ${path}, lines 3-5\nIt reads:\n| ${LIST[2]}`);
      expect(text).toContain('c2: a question about');
    }
    expect(deliveriesOf(model)).toEqual([1, 1, 1]);
    expect(model.merged).toEqual([]);
  },
);
