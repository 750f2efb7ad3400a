// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are lines for a shell.
import { describe, expect, test } from 'vitest';
import { namedPaths, replacedInLine, runnablePaths, wordPath } from '../../../daemon/rights/namedPaths.ts';

const FILES = new Map(
  [
    '.claude/hooks/guard.sh',
    '.claude/hooks/a b.sh',
    'tools/check.py',
    'run',
    'package.json',
    'src/notes.md',
    'top.py',
  ].map((path) => [path, { executable: path === 'run' }]),
);
const KNOWN = runnablePaths(FILES);
const frozen = (line: string) => replacedInLine(line, namedPaths(line, KNOWN).found, (path) => `/it's frozen/${path}`);

test('takes scripts, executables and all of the directories of agents for files that run', () => {
  expect([...KNOWN].sort()).toEqual(
    [
      '.claude',
      '.claude/hooks',
      '.claude/hooks/a b.sh',
      '.claude/hooks/guard.sh',
      'run',
      'tools/check.py',
      'top.py',
    ].sort(),
  );
});

describe('replaces a path', () => {
  const at = (path: string) => `'/it'\\''s frozen/${path}'`;
  const within = (path: string) => `"/it's frozen/${path}"`;
  test.each([
    ['.claude/hooks/guard.sh', at('.claude/hooks/guard.sh')],
    ['./.claude/hooks/guard.sh --x', `${at('.claude/hooks/guard.sh')} --x`],
    ['$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh', at('.claude/hooks/guard.sh')],
    ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', at('.claude/hooks/guard.sh')],
    ['"$CLAUDE_PROJECT_DIR/.claude/hooks/guard.sh"', within('.claude/hooks/guard.sh')],
    ['${CLAUDE_PROJECT_DIR:-.}/tools/check.py', at('tools/check.py')],
    ['"${CLAUDE_PROJECT_DIR}/.claude/hooks/a b.sh"', within('.claude/hooks/a b.sh')],
    ['$(git rev-parse --show-toplevel)/run', at('run')],
    ["sh -c 'python3 tools/check.py'", "sh -c 'python3 /it'\\''s frozen/tools/check.py'"],
    ['cd .claude/hooks && ./guard.sh', `cd ${at('.claude/hooks')} && ./guard.sh`],
    ['for x in .claude/hooks/*.sh; do sh $x; done', `for x in ${at('.claude/hooks')}/*.sh; do sh $x; done`],
    ['X=1 ./run; ./run|./run', `X=1 ${at('run')}; ${at('run')}|${at('run')}`],
    ['python3 top.py', `python3 ${at('top.py')}`],
  ])('%s', (line, expected) => {
    expect(namedPaths(line, KNOWN).unclear).toEqual([]);
    expect(frozen(line)).toBe(expected);
  });
});

test.each([
  'npm run lint',
  'prettier --write package.json src/notes.md',
  '~/.claude/hooks/guard.sh',
  '$HOME/.claude/hooks/guard.sh',
  'make rerun',
])('leaves what names no such file: %s', (line) => {
  expect(namedPaths(line, KNOWN)).toEqual({ found: [], unclear: [] });
});

test.each([
  '/opt/.claude/hooks/guard.sh',
  '../.claude/hooks/guard.sh',
  '"$CLAUDE_PROJECT_DIR/".claude/hooks/guard.sh',
  '$OTHER/.claude/hooks/guard.sh',
  '"x".claude/hooks/guard.sh',
])('says that it cannot tell what is named: %s', (line) => {
  expect(namedPaths(line, KNOWN).unclear).not.toEqual([]);
});

test('takes a whole word alone', () => {
  expect(wordPath('tools/check.py', KNOWN)).toBe('tools/check.py');
  expect(wordPath('${CLAUDE_PROJECT_DIR}/tools/check.py', KNOWN)).toBe('tools/check.py');
  expect(wordPath('--file=tools/check.py', KNOWN)).toBeUndefined();
  expect(wordPath('/opt/tools/check.py', KNOWN)).toBeUndefined();
});

test('reads a hostile line at once', () => {
  const line = `"${'./'.repeat(2000)}`;
  expect(namedPaths(line, KNOWN).found).toEqual([]);
});
