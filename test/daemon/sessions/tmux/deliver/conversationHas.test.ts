import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gemini } from '../../../../../daemon/sessions/profiles/gemini.ts';
import { conversationHas, recordShows } from '../../../../../daemon/sessions/tmux/deliver/conversationHas.ts';
import { renderEnvelope } from '../../../../../schemas/envelope.ts';
import { tortureEnvelope } from '../../../../fixtures/scripted/torture.ts';

const prompt = (text: string) => {
  const envelope = tortureEnvelope({ nth: 1, text }, { expectedArtifact: '/w/a.json' });
  return { uuid: envelope.uuid, text: renderEnvelope(envelope) };
};
const PROMPT = prompt('Write it.');
const OTHER = prompt(`Say what this means:\n${PROMPT.text}`);

function givenDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'record-[x]-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

test.each([
  ['as it was sent', PROMPT.text],
  ['as Claude wraps it', `\n\n<pasted_content id="a57f">\n${PROMPT.text}</pasted_content id="a57f">\n`],
])('finds a prompt in a record %s', (_, text) => {
  const path = join(givenDirectory(), 'record.jsonl');
  const lines = [
    { type: 'last-prompt', text: OTHER.text.slice(0, 60) },
    { type: 'user', content: [{ text }] },
  ];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(conversationHas(path, PROMPT.uuid)).toBe(true);
  expect(conversationHas(path, OTHER.uuid), 'only its beginning is mentioned').toBe(false);
});

test('does not find a prompt that another one quotes', () => {
  const path = join(givenDirectory(), 'record.jsonl');
  writeFileSync(path, `${JSON.stringify({ content: OTHER.text })}\n`);
  expect([conversationHas(path, OTHER.uuid), conversationHas(path, PROMPT.uuid)]).toEqual([true, false]);
});

test('concludes nothing from a record that cannot be read', () => {
  const directory = givenDirectory();
  expect(conversationHas(join(directory, 'not written yet.jsonl'), PROMPT.uuid)).toBe(false);
  expect(conversationHas(directory, PROMPT.uuid)).toBeUndefined();
});

test("finds a taken prompt in Gemini's record, and concludes nothing from a missing one", () => {
  const home = givenDirectory();
  const id = '31af6dfd-16e4-4208-9375-be63cd8168ea';
  const record = gemini.recordOf?.({ HOME: '/elsewhere', GEMINI_CLI_HOME: home }, id);
  expect(recordShows(record, PROMPT.uuid)).toBeUndefined();

  const chats = join(home, '.gemini', 'tmp', 'project', 'chats');
  mkdirSync(chats, { recursive: true });
  const line = { type: 'user', content: [{ text: PROMPT.text }] };
  writeFileSync(join(chats, 'session-2026-11-21T14-25-31af6dfd.jsonl'), `${JSON.stringify(line)}\n`);
  expect([recordShows(record, PROMPT.uuid), recordShows(record, OTHER.uuid)]).toEqual([true, undefined]);
  expect(recordShows(undefined, PROMPT.uuid)).toBeUndefined();
});
