import { expect, test } from 'vitest';
import { PROFILES } from '../../../../daemon/sessions/profiles/index.ts';
import { newestTried, untriedNote } from '../../../../daemon/sessions/profiles/untriedNote.ts';

const { claude, codex, gemini } = PROFILES;

test('notes a version that was not tried, newer or older', () => {
  const newest = newestTried(claude);
  expect(untriedNote(claude, '2.9.340 (Claude Code)')).toBe(
    `2.9.340 was not tried with devflow; newest tried: ${newest}`,
  );
  expect(untriedNote(claude, `${newest}-beta.1`)).toMatch(/^\S+-beta\.1 was not tried/);
  expect(untriedNote(codex, 'codex-cli 0.1.0')).toMatch(/^0\.1\.0 was not tried/);
});

test('notes nothing for a tried version, and for one that nobody knows', () => {
  for (const version of claude.tried) expect(untriedNote(claude, `${version} (Claude Code)`)).toBeUndefined();
  expect(untriedNote(codex, `codex-cli ${newestTried(codex)}`)).toBeUndefined();
  expect(untriedNote(gemini, 'usage: gemini')).toBeUndefined();
  expect(untriedNote(gemini, undefined)).toBeUndefined();
});
