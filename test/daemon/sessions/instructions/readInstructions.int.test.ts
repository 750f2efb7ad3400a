import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readInstructions, repositoryInstructions } from '../../../../daemon/sessions/instructions/readInstructions.ts';

function given(files: Readonly<Record<string, string | Buffer>> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-instructions-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const worktree = join(directory, 'worktree');
  mkdirSync(worktree);
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    writeFileSync(join(worktree, path), content);
  };
  for (const [path, content] of Object.entries(files)) write(path, content);
  const link = (target: string, path: string) => {
    mkdirSync(dirname(join(worktree, path)), { recursive: true });
    symlinkSync(target, join(worktree, path));
  };
  return { directory, worktree, write, link };
}

test('says nothing for a repository that says nothing', async () => {
  const { worktree } = given({ 'README.md': 'Hello', 'CLAUDE.md': '\n' });
  expect(await repositoryInstructions(worktree)).toBe('');
});

test('reads the files of every program, and lists what an agent reads when it needs it', async () => {
  const { worktree } = given({
    'CLAUDE.md': 'for Claude',
    '.claude/CLAUDE.md': 'also for Claude',
    'AGENTS.md': 'for all',
    'GEMINI.md': 'for Gemini',
    'a/AGENTS.md': 'of a',
    'a/b/CLAUDE.md': 'of b',
    'node_modules/x/AGENTS.md': 'of a package',
    '.claude/skills/ship/SKILL.md': '---\nname: ship\ndescription: Ships it\n---\n',
    '.claude/skills/ship/more.md': 'more',
    '.agents/skills/test/SKILL.md': 'no head',
    '.claude/agents/judge.md': '---\ndescription: Judges\n---\n',
    '.claude/commands/git/tidy.md': 'Tidy up.',
    '.gemini/commands/plan.toml': 'prompt = "x"\ndescription = "Plans"\n',
  });
  expect(await readInstructions(worktree)).toEqual({
    files: [
      { paths: ['CLAUDE.md'], text: 'for Claude' },
      { paths: ['.claude/CLAUDE.md'], text: 'also for Claude' },
      { paths: ['AGENTS.md'], text: 'for all' },
      { paths: ['GEMINI.md'], text: 'for Gemini' },
    ],
    nested: ['a/AGENTS.md', 'a/b/CLAUDE.md'],
    isCut: false,
    skills: [
      { path: '.claude/skills/ship/SKILL.md', description: 'Ships it' },
      { path: '.agents/skills/test/SKILL.md' },
    ],
    agents: [{ path: '.claude/agents/judge.md', description: 'Judges' }],
    commands: [{ path: '.claude/commands/git/tidy.md' }, { path: '.gemini/commands/plan.toml', description: 'Plans' }],
  });
});

test('follows a link to a Markdown file of the worktree, and gives a text once', async () => {
  const { worktree, link } = given({ 'AGENTS.md': 'for all', 'GEMINI.md': 'for all' });
  link('AGENTS.md', 'CLAUDE.md');
  link('../AGENTS.md', '.claude/CLAUDE.md');
  expect((await readInstructions(worktree)).files).toEqual([
    { paths: ['CLAUDE.md', '.claude/CLAUDE.md', 'AGENTS.md', 'GEMINI.md'], text: 'for all' },
  ]);
});

test('refuses links that leave the worktree or show what is no Markdown', async () => {
  const { directory, worktree, link } = given({ '.env': 'SECRET=1' });
  writeFileSync(join(directory, 'outside.md'), 'secret');
  mkdirSync(join(directory, 'skills', 'x'), { recursive: true });
  writeFileSync(join(directory, 'skills', 'x', 'SKILL.md'), 'secret');
  link('../outside.md', 'CLAUDE.md');
  link(join(directory, 'outside.md'), '.claude/CLAUDE.md');
  link('.env', 'AGENTS.md');
  link('GEMINI.md', 'GEMINI.md');
  link('../../skills', '.claude/skills');
  link('..', 'up');
  const { files, ...rest } = await readInstructions(worktree);
  expect(files).toEqual([
    { paths: ['CLAUDE.md'], fault: 'the file is a link out of the worktree' },
    { paths: ['.claude/CLAUDE.md'], fault: 'the file is a link out of the worktree' },
    { paths: ['AGENTS.md'], fault: 'the file is a link to something that is not Markdown' },
    { paths: ['GEMINI.md'], fault: 'the file is a link to too many links' },
  ]);
  expect(rest).toEqual({ nested: [], isCut: false, skills: [], agents: [], commands: [] });
  expect(await repositoryInstructions(worktree)).toContain('AGENTS.md: devflow did not read it');
});

test('refuses what is no text, and waits for no pipe', async () => {
  const { worktree } = given({ 'CLAUDE.md': Buffer.from([1, 0, 2]), 'GEMINI.md/x': '' });
  execFileSync('mkfifo', [join(worktree, 'AGENTS.md')]);
  expect((await readInstructions(worktree)).files).toEqual([
    { paths: ['CLAUDE.md'], fault: 'the file is not text' },
    { paths: ['AGENTS.md'], fault: 'this is not a regular file' },
    { paths: ['GEMINI.md'], fault: 'this is not a regular file' },
  ]);
});

test('names files that are too long, and stays within one argument of a command line', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, nth) => [`${'d"'.repeat(40)}${nth}/AGENTS.md`, 'nested']),
  );
  const { worktree } = given({
    ...many,
    'CLAUDE.md': 'x'.repeat(50 * 1024),
    'AGENTS.md': '"'.repeat(39 * 1024),
    'GEMINI.md': 'y'.repeat(2 * 1024),
  });
  const text = await repositoryInstructions(worktree);
  expect(text).toContain('CLAUDE.md: devflow did not read it: the file is larger than 40960 bytes.');
  expect(text).toContain('GEMINI.md: too long to be given here. Read the file before you begin.');
  expect(text).toMatch(/- and \d+ more that are not named here/);
  expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(120 * 1024);
});

test('takes control characters out of a text', async () => {
  const { worktree } = given({ 'AGENTS.md': '\ufeffa\u001b[31m\tb\r\nc\u007f\u0000'.replace('\u0000', '') });
  expect((await readInstructions(worktree)).files).toEqual([{ paths: ['AGENTS.md'], text: 'a[31m\tb\nc' }]);
});

test('ends its search in a large worktree', async () => {
  const { worktree } = given();
  for (let nth = 0; nth < 2100; nth += 1) mkdirSync(join(worktree, `d${nth}`));
  const { isCut } = await readInstructions(worktree);
  expect(isCut).toBe(true);
});

test('ends its search in a directory with too many entries', async () => {
  const { worktree, write } = given({ 'a/AGENTS.md': 'of a' });
  for (let nth = 0; nth < 20_000; nth += 1) write(`z/${nth}`, '');
  expect(await readInstructions(worktree)).toMatchObject({ nested: ['a/AGENTS.md'], isCut: true });
});

test('lets others work between two directories', async () => {
  const { worktree } = given();
  for (let nth = 0; nth < 40; nth += 1) mkdirSync(join(worktree, `d${nth}`));
  let turns = 0;
  const count = () => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await readInstructions(worktree);
  clearImmediate(counting);
  expect(turns).toBeGreaterThanOrEqual(40);
});
