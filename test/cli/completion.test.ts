import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bashScript } from '../../cli/completion/bash.ts';
import { fishScript } from '../../cli/completion/fish.ts';
import { commandTree } from '../../cli/completion/tree.ts';
import { zshScript } from '../../cli/completion/zsh.ts';
import { createProgram } from '../../cli/program.ts';
import { fakeIo } from './fakeIo.ts';

const nodes = commandTree(createProgram({ io: fakeIo(), exit: () => {} }));

describe('completion', () => {
  test('the tree knows what each place may hold', () => {
    const at = (path: string) => nodes.find((node) => node.path === path);
    expect(at('/run/show')?.args).toEqual([{ type: 'dynamic', kind: 'run' }]);
    expect(at('/completion')?.args).toEqual([{ type: 'words', words: ['bash', 'zsh', 'fish'] }]);
    expect(at('/run/start')?.options.find(({ flag }) => flag === '--repo')?.value).toEqual({ type: 'directories' });
    expect(at('/__complete')).toBeUndefined();
  });

  test.each([
    [['devflow', 'ru'], 'run'],
    [['devflow', 'run', 'st'], 'start'],
    [['devflow', 'run', 'start', '--wa'], '--wait'],
    [['devflow', 'run', 'start', '--repo', 'x', '--dry'], '--dry-run'],
    [['devflow', 'up', '--db', 'com'], 'compose'],
    [['devflow', 'run', 'show', ''], 'abcd1234'],
    [['devflow', 'approval', 'show', 'x', ''], ''],
    [['devflow', 'completion', 'z'], 'zsh'],
  ])('bash: %j', (words, expected) => {
    expect(bashCompletes(words)).toBe(expected);
  });

  test('every command and option is in every script', () => {
    for (const script of [bashScript(nodes), zshScript(nodes), fishScript(nodes)]) {
      for (const { children, options } of nodes) {
        for (const { name } of children) expect(script).toContain(name);
        for (const { flag } of options) expect(script).toContain(flag.slice(2));
      }
    }
  });
});

/** Runs the script in a real bash, with a devflow on PATH that knows one run. */
function bashCompletes(words: string[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-completion-'));
  try {
    writeFileSync(
      join(directory, 'devflow'),
      `#!/bin/sh\n[ "$1 $2" = "__complete run" ] && printf 'abcd1234\\tpaused\\n'\n`,
      {
        mode: 0o755,
      },
    );
    const test = `${bashScript(nodes)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _devflow; echo "\${COMPREPLY[*]}"`;
    const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` };
    return execFileSync('bash', ['-c', test, 'bash', ...words], { env, encoding: 'utf8' }).trim();
  } finally {
    rmSync(directory, { recursive: true });
  }
}
