import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newestTried, TRIED_VERSIONS, untriedNote } from '../../../../daemon/sessions/profiles/triedVersions.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

test('notes a version that was not tried, newer or older', () => {
  const newest = newestTried('claude');
  expect(untriedNote('claude', '2.9.340 (Claude Code)')).toBe(
    `2.9.340 was not tried with devflow; newest tried: ${newest}`,
  );
  expect(untriedNote('claude', `${newest}-beta.1`)).toMatch(/^\S+-beta\.1 was not tried/);
  expect(untriedNote('codex', 'codex-cli 0.1.0')).toMatch(/^0\.1\.0 was not tried/);
});

test('notes nothing for a tried version, for one that nobody knows, and for a program of tests', () => {
  expect(untriedNote('claude', `${newestTried('claude')} (Claude Code)`)).toBeUndefined();
  expect(untriedNote('codex', `codex-cli ${newestTried('codex')}`)).toBeUndefined();
  expect(untriedNote('gemini', 'usage: gemini')).toBeUndefined();
  expect(untriedNote('gemini', undefined)).toBeUndefined();
  expect(untriedNote('fake', '1.2.3')).toBeUndefined();
});

test('docs/backends.md names the tried versions', () => {
  const text = readFileSync(join(packageRoot(), 'docs', 'backends.md'), 'utf8');
  const cells = Object.values(TRIED_VERSIONS).map((versions) => versions.join(', '));
  expect(text).toContain(`| tried | ${cells.join(' | ')} |\n`);
});
