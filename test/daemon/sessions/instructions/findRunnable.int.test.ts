import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findRunnable } from '../../../../daemon/sessions/instructions/findRunnable.ts';
import { PROFILES } from '../../../../daemon/sessions/profiles/index.ts';
import { writeFiles } from '../../../helpers/writeFiles.ts';

function given(files: Readonly<Record<string, string>>) {
  const worktree = mkdtempSync(join(tmpdir(), 'devflow-runnable-'));
  onTestFinished(() => rmSync(worktree, { recursive: true }));
  writeFiles(worktree, files);
  return worktree;
}

const found = (worktree: string) =>
  Object.fromEntries(Object.entries(PROFILES).map(([id, { runnable = [] }]) => [id, findRunnable(worktree, runnable)]));

test('takes text for text', () => {
  const worktree = given({
    'CLAUDE.md': '',
    '.claude/settings.json': '{}',
    '.codex/skills/a/SKILL.md': '',
    '.gemini/commands/a.toml': '',
    '.gemini/styleguide.md': '',
    'GEMINI.md': '',
    '.opencode/agent/a.md': '',
    '.opencode/package.json': '{}',
    '.opencode/opencode.json': '{"mcp":{}}',
    'opencode.json': '{"model":"a/b"}',
  });
  expect(found(worktree)).toEqual({ claude: [], codex: [], gemini: [], opencode: [] });
});

test('finds what each program would run', () => {
  const worktree = given({
    '.codex/config.toml': '',
    '.codex/rules/a.rules': '',
    '.gemini/settings.json': '{}',
    '.gemini/commands/a.toml': '',
    '.env': '',
    '.opencode/plugin/a.js': '',
    '.opencode/tools/a.ts': '',
    '.opencode/tui.json': '{"plugin":[]}',
    'opencode.jsonc': String.raw`{"\u0070lugin":["./a.js"]}`,
  });
  expect(found(worktree)).toEqual({
    claude: [],
    codex: ['.codex/config.toml', '.codex/rules'],
    gemini: ['.gemini/settings.json', '.env'],
    opencode: ['.opencode/plugin', '.opencode/tools', 'opencode.jsonc', '.opencode/tui.json'],
  });
});

test('follows a link to a Markdown file of the worktree', () => {
  const worktree = given({ 'AGENTS.md': '' });
  symlinkSync('AGENTS.md', join(worktree, 'GEMINI.md'));
  expect(found(worktree)).toMatchObject({ gemini: [] });
});

test('takes any other link for something that runs', () => {
  const worktree = given({ 'text/a.md': '', 'config.json': '{}' });
  for (const name of ['.codex', '.gemini', '.opencode']) symlinkSync('text', join(worktree, name));
  symlinkSync('config.json', join(worktree, 'opencode.json'));
  symlinkSync('/etc/hostname', join(worktree, 'GEMINI.md'));
  expect(found(worktree)).toEqual({
    claude: [],
    codex: ['.codex'],
    gemini: ['.gemini', 'GEMINI.md'],
    opencode: [
      '.opencode',
      'opencode.json',
      '.opencode/opencode.json',
      '.opencode/opencode.jsonc',
      '.opencode/tui.json',
      '.opencode/tui.jsonc',
    ],
  });
});
