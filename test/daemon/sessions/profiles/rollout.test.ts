import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readRolloutLine } from '../../../../daemon/sessions/profiles/codexRollout.ts';
import { watchRecord } from '../../../../daemon/sessions/tmux/observe/recordFile.ts';
import { eventually } from '../../../helpers/eventually.ts';

const AT = Date.parse('2026-01-05T12:00:00.000Z');
const line = (type: string, payload: object, seconds = 0) =>
  JSON.stringify({ timestamp: new Date(AT + seconds * 1000).toISOString(), type, payload });
const meta = (id: string) => line('session_meta', { id, cwd: '/worktree', cli_version: '0.169.0' });
const event = (type: string, seconds: number) => line('event_msg', { type, turn_id: 'turn-1' }, seconds);

describe('a line of a rollout file', () => {
  it.each([
    ['says whose it is', meta('mine'), { conversationId: 'mine' }],
    ['begins a turn', event('task_started', 1), { state: 'BUSY', at: AT + 1000, detail: 'task_started' }],
    ['ends it', event('task_complete', 2), { state: 'READY', at: AT + 2000, detail: 'task_complete', endsTurn: true }],
    ['breaks it off', event('turn_aborted', 3), { state: 'READY', at: AT + 3000, detail: 'turn_aborted' }],
    ['tells of something else', event('token_count', 4), undefined],
    ['quotes one', line('response_item', { type: 'message', content: '{"type":"task_complete"}' }), undefined],
    ['quotes one unescaped', line('response_item', { type: 'task_complete' }), undefined],
    ['is torn', '{"timestamp":"2026-01-05T12:00:00Z","type":"event_msg","payload":{"type":"task_started"', undefined],
    ['has no time', '{"type":"event_msg","payload":{"type":"task_started"}}', undefined],
  ])('%s', (_, text, told) => expect(readRolloutLine(text)).toEqual(told));
});

describe('a record that is followed', () => {
  function given(about: { conversationId?: string; since?: number } = {}) {
    const directory = mkdtempSync(join(tmpdir(), 'devflow-rollout-'));
    const path = join(directory, 'rollout.jsonl');
    const onChange = vi.fn();
    let told = path;
    const record = watchRecord({
      path: () => told,
      read: readRolloutLine,
      since: about.since ?? AT,
      onChange,
      conversationId: () => about.conversationId ?? 'mine',
    });
    onTestFinished(() => {
      record.close();
      rmSync(directory, { recursive: true });
    });
    return {
      path,
      record,
      onChange,
      tell: (next: string) => {
        told = next;
      },
      add: (...lines: string[]) => appendFileSync(path, `${lines.join('\n')}\n`),
    };
  }

  it('has no turn before there is a file', () => expect(given().record.look()).toBeUndefined());

  it('has the last turn', () => {
    const { record, add } = given();
    add(meta('mine'), event('task_started', 1));
    expect(record.look()).toMatchObject({ state: 'BUSY' });
    add(event('token_count', 2), event('task_complete', 3));
    expect(record.look()).toMatchObject({ state: 'READY' });
    add(event('task_started', 4));
    expect(record.look()).toMatchObject({ state: 'BUSY' });
  });

  it('reads a line once it is whole', () => {
    const { path, record, add } = given();
    const [text, half] = [event('task_started', 1), 40];
    add(meta('mine'));
    appendFileSync(path, text.slice(0, half));
    expect(record.look()).toBeUndefined();
    appendFileSync(path, `${text.slice(half)}\n`);
    expect(record.look()).toMatchObject({ state: 'BUSY' });
  });

  it("ignores another conversation's record, and takes the first line's conversation", () => {
    const { record, add } = given({ conversationId: 'mine' });
    add(meta('of the title'), meta('mine'), event('task_started', 1));
    expect(record.look()).toBeUndefined();
  });

  it('ignores the turns of an earlier program', () => {
    const { record, add } = given({ since: AT + 5000 });
    add(meta('mine'), event('task_started', 1));
    expect(record.look()).toBeUndefined();
  });

  it('has no turns of an earlier program in the next file of the conversation, which quotes them', () => {
    const { path, record, add, tell } = given({ since: AT + 5000 });
    add(meta('mine'), event('task_started', 1));
    record.look();
    writeFileSync(`${path}.next`, `${meta('mine')}\n${event('task_started', 1)}\n${event('task_complete', 2)}\n`);
    tell(`${path}.next`);
    expect(record.look()).toBeUndefined();
  });

  it('is read from its end if it is long, and from its start after it was replaced', () => {
    const { path, record, add } = given();
    add(meta('mine'), event('task_started', 1), 'x'.repeat(5 * 1024 * 1024), event('task_complete', 2));
    expect(record.look()).toMatchObject({ state: 'READY' });
    writeFileSync(path, `${meta('another')}\n${event('task_started', 3)}\n`);
    expect(record.look()).toBeUndefined();
  });

  it('is read from its end even if it grew by more than fits into memory', () => {
    const { path, record, add } = given();
    add(meta('mine'), event('task_started', 1));
    expect(record.look()).toMatchObject({ state: 'BUSY' });
    // A hole: it takes no room on the disk.
    truncateSync(path, 3 * 1024 ** 3);
    add('', event('task_complete', 2));
    expect(record.look()).toMatchObject({ state: 'READY' });
  });

  it('reports that it grew', async () => {
    const { record, add, onChange } = given();
    add(meta('mine'));
    record.look();
    add(event('task_started', 1));
    await eventually(() => expect(onChange).toHaveBeenCalled());
  });
});
