import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { gemini } from '../../../../daemon/sessions/profiles/gemini.ts';
import { readGeminiLine } from '../../../../daemon/sessions/profiles/geminiRecord.ts';
import { createRecordFinder } from '../../../../daemon/sessions/tmux/observe/findRecord.ts';
import { watchRecord } from '../../../../daemon/sessions/tmux/observe/recordFile.ts';

/** Written by the real program; the directories of the test are replaced. */
const RECORDS = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'geminiRecords');
const recorded = (name: string) =>
  readFileSync(join(RECORDS, `gemini-0.61.0-${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n');

const AT = Date.parse('2026-01-05T12:00:00.000Z');
const message = (type: string, content: unknown, seconds = 0, more: object = {}) =>
  JSON.stringify({ id: `${seconds}`, timestamp: new Date(AT + seconds * 1000).toISOString(), type, content, ...more });

describe('a record of the real program', () => {
  const details = (name: string) =>
    recorded(name).flatMap((line) => {
      const told = readGeminiLine(line);
      return told && 'detail' in told ? told.detail : [];
    });

  it('ends a turn with an answer', () => {
    const lines = recorded('tools');
    // Each call of a tool came with a text: the line looks like an answer until it comes again with the call.
    expect(details('tools')).toEqual([...['user', 'answer', 'gemini', 'user', 'answer', 'gemini', 'user', 'answer']]);
    expect(lines.map(readGeminiLine).findLast((told) => told !== undefined)).toEqual({
      at: expect.any(Number),
      detail: 'answer',
      mayEndTurn: true,
      words: 'Done with spec, attempt 1.',
    });
    expect(readGeminiLine(lines[0] ?? '')).toEqual({ conversationId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('ends a turn that a person has stopped with something else', () => {
    expect(details('cancelled')).toEqual(['user', 'answer', 'info', 'gemini', 'user']);
  });

  it('ends a turn that failed with the error', () => {
    expect(details('refused')).toEqual(['user', 'error', 'user', 'answer']);
  });
});

describe('a line of a record', () => {
  it.each([
    ['an answer', message('gemini', 'Which one?'), { at: AT, detail: 'answer', mayEndTurn: true, words: 'Which one?' }],
    ['only thoughts', message('gemini', ' '), { at: AT, detail: 'gemini' }],
    ['a message of the program itself', message('gemini', [{ text: 'Got it.' }]), { at: AT, detail: 'gemini' }],
    ['a tool call', message('gemini', 'I look.', 0, { toolCalls: [{}] }), { at: AT, detail: 'gemini' }],
    ['a prompt that quotes an answer', message('user', message('gemini', 'x')), { at: AT, detail: 'user' }],
    ['an update', JSON.stringify({ $set: { messages: [JSON.parse(message('gemini', 'x'))] } }), undefined],
    ['no time', JSON.stringify({ type: 'gemini', content: 'x' }), undefined],
    ['a torn line', message('gemini', 'x').slice(0, -1), undefined],
    ['null', 'null', undefined],
    ['a list', '[1]', undefined],
  ])('%s', (_, line, told) => expect(readGeminiLine(line)).toEqual(told));
});

describe('the record of a session', () => {
  const ID = '1dea3fad-9cd5-48e0-ab0a-8788c2737c55';
  const head = (sessionId: string) => JSON.stringify({ sessionId, projectHash: 'x', kind: 'main' });

  function given() {
    const home = mkdtempSync(join(tmpdir(), 'devflow-gemini-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const path = join(home, '.gemini', 'tmp', 'project', 'chats', `session-2026-01-05T12-00-${ID.slice(0, 8)}.jsonl`);
    let takenAt: number | undefined;
    const find = createRecordFinder(
      () => gemini.recordOf?.({ HOME: home }, ID),
      () => takenAt,
    );
    return {
      path,
      find,
      taken: (at: number) => {
        takenAt = at;
      },
      write(...lines: string[]) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, `${lines.join('\n')}\n`);
      },
      follow(since = AT) {
        const record = watchRecord({
          path: find,
          read: readGeminiLine,
          conversationId: () => ID,
          since,
          onChange: () => {},
        });
        onTestFinished(record.close);
        return record;
      },
    };
  }

  it('is looked for once a second, from the first prompt that was taken until it is found', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { path, find, taken, write } = given();
    write(head(ID));
    expect(find()).toBeUndefined();
    rmSync(path);
    taken(1);
    expect(find()).toBeUndefined();
    write(head(ID));
    vi.advanceTimersByTime(999);
    expect(find()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(find()).toBe(path);
    rmSync(path);
    expect(find()).toBe(path);
  });

  it('ends no turn any more once an answer comes again with its tool call', () => {
    const { path, taken, write, follow } = given();
    taken(1);
    write(head(ID), message('user', 'Do it.', 1), message('gemini', 'I look.', 2));
    const record = follow();
    expect(record.look()).toMatchObject({ mayEndTurn: true, words: 'I look.' });
    appendFileSync(path, `${message('gemini', 'I look.', 2, { toolCalls: [{}] })}\n`);
    expect(record.look()).toEqual({ at: expect.any(Number), detail: 'gemini' });
  });

  it('ends no turn of an earlier program that had the conversation', () => {
    const { taken, write, follow } = given();
    taken(1);
    write(head(ID), message('user', 'Do it.', 1), message('gemini', 'Done.', 2));
    expect(follow(AT + 5000).look()).toBeUndefined();
  });

  it('is not that of another conversation whose id begins alike', () => {
    const { taken, write, follow } = given();
    taken(1);
    write(head(`${ID.slice(0, 8)}-0000-4000-8000-000000000000`), message('gemini', 'Done.', 2));
    expect(follow().look()).toBeUndefined();
  });
});
