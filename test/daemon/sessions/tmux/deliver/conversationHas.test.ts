import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gemini } from '../../../../../daemon/sessions/profiles/gemini.ts';
import { recordShows } from '../../../../../daemon/sessions/tmux/deliver/conversationHas.ts';

test("finds a taken prompt in Gemini's record, and concludes nothing from a missing one", () => {
  const home = mkdtempSync(join(tmpdir(), 'record-[x]-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const id = '31af6dfd-16e4-4208-9375-be63cd8168ea';
  const record = gemini.recordOf?.({ HOME: '/elsewhere', GEMINI_CLI_HOME: home }, id);
  expect(recordShows(record, 'a-uuid')).toBeUndefined();

  const chats = join(home, '.gemini', 'tmp', 'project', 'chats');
  mkdirSync(chats, { recursive: true });
  const line = '{"type":"user","content":[{"text":"DEVFLOW_PROMPT_BEGIN a-uuid\\nRun: 1"}]}\n';
  writeFileSync(join(chats, 'session-2026-11-21T14-25-31af6dfd.jsonl'), line);
  expect([recordShows(record, 'a-uuid'), recordShows(record, 'other')]).toEqual([true, undefined]);
  expect(recordShows(undefined, 'a-uuid')).toBeUndefined();
});
