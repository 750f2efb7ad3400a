import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TaskWords } from '../../../../../daemon/sessions/fake/lane/laneMemory.ts';
import { doLaneWork } from '../../../../../daemon/sessions/fake/lane/laneWork.ts';
import { createRegistry } from '../../../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../../../schemas/files/paths.ts';
import { isolatedEnv } from '../../../../helpers/testRepo.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });

/** An empty worktree and what a fake does in it. */
function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-lane-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const cwd = join(root, 'lane');
  mkdirSync(cwd);
  const task = (about: Partial<TaskWords> = {}) =>
    doLaneWork(
      cwd,
      {
        kind: 'task',
        task: {
          ...{ id: 'T1', files: ['src/a.txt'], alsoWrites: [], fixWrites: [], resolve: ['well'], scenario: 'ok' },
          ...about,
        },
      },
      'task',
    );
  return {
    root,
    cwd,
    task,
    repair: (key: string, isUndo = false) => doLaneWork(cwd, { kind: 'repair', key, isUndo }, key),
    resolve: (dedupKey: string, ...paths: string[]) => doLaneWork(cwd, { kind: 'conflict', paths }, dedupKey) ?? '',
    read: (path: string) => readFileSync(join(cwd, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(cwd, path), text),
    has: (path: string) => existsSync(join(cwd, path)),
  };
}

describe('a task', () => {
  it('writes a file for each glob, with its id in it, once', () => {
    const { task, read, cwd } = given();
    mkdirSync(join(cwd, 'docs'));
    for (let times = 0; times < 2; times += 1) task({ files: ['src/a.txt', 'test/**', 'docs'] });
    expect(read('src/a.txt')).toBe('T1\n');
    expect(read('test/T1.txt')).toBe("test('T1', () => {});\n");
    expect(read('docs/T1.txt')).toBe('T1\n');
  });

  it('adds to what an earlier task wrote', () => {
    const { task, read } = given();
    task();
    task({ id: 'T2' });
    expect(read('src/a.txt')).toBe('T1\nT2\n');
  });

  it('drifts, and takes it back', () => {
    const { task, repair, read, has, write } = given();
    write('known.txt', 'known\n');
    task({ alsoWrites: ['known.txt', 'new.txt'] });
    expect([read('known.txt'), read('new.txt')]).toEqual(['known\nT1\n', 'T1\n']);
    repair('fix-1', true);
    expect([read('known.txt'), has('new.txt'), read('src/a.txt')]).toEqual(['known\n', false, 'T1\n']);
  });
});

describe('a repair', () => {
  it('removes what breaks the checks of all tasks in the lane', () => {
    const { task, repair, read } = given();
    task({ scenario: 'broken', fixWrites: ['bridge.txt'] });
    task({ id: 'T2', files: ['src/b.txt'] });
    expect(read('src/a.txt')).toBe('T1\nBROKEN by T1\n');
    repair('fix-1');
    expect([read('src/a.txt'), read('src/b.txt'), read('bridge.txt')]).toEqual(['T1\n', 'T2\nfix-1\n', 'T1\n']);
  });

  it('of a stubborn task changes something, but repairs nothing', () => {
    const { task, repair, read } = given();
    task({ scenario: 'stubborn' });
    repair('fix-1');
    expect(read('src/a.txt')).toBe('T1\nBROKEN by T1\nfix-1\n');
  });
});

describe('a conflict that git made', () => {
  function conflicted(words: Partial<TaskWords> = {}) {
    const agent = given();
    const env = isolatedEnv(join(agent.root, 'home'));
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    const git = (...args: string[]) =>
      execFileSync('git', [...identity, ...args], { cwd: agent.cwd, env, stdio: 'pipe' });
    const commit = (text: string) => {
      git('add', '-A');
      git('commit', '-qm', text);
    };
    git('init', '-q', '-b', 'main');
    agent.write('shared.txt', 'known\n');
    agent.write('.gitignore', '.devflow\n');
    commit('base');
    git('switch', '-qc', 'lane');
    agent.task({ ...words, files: ['shared.txt'] });
    commit('lane');
    git('switch', '-q', 'main');
    agent.write('shared.txt', 'known\nT2\n');
    commit('main');
    git('switch', '-q', 'lane');
    expect(() => git('merge', '--no-commit', 'main')).toThrow();
    expect(agent.read('shared.txt')).toContain('<<<<<<< ');
    return agent;
  }
  const verdict = (artifact: string) => registry.validateArtifact('dev/conflict-resolution@1', JSON.parse(artifact));

  it('is resolved with both sides, and the artifact is valid', () => {
    const { resolve, read } = conflicted();
    const artifact = resolve('p1', 'shared.txt');
    expect(read('shared.txt')).toBe('known\nT1\nT2\n');
    expect(verdict(artifact)).toEqual({ ok: true });
  });

  it('is resolved badly at the first try, and differently at the next', () => {
    const { resolve, read, has, write } = conflicted({ resolve: ['drop', 'elsewhere'] });
    const before = read('shared.txt');
    expect(verdict(resolve('p1', 'shared.txt'))).toEqual({ ok: true });
    expect(read('shared.txt')).toBe('known\nT1\n');
    write('shared.txt', before);
    resolve('p1', 'shared.txt');
    expect([read('shared.txt'), has('elsewhere.txt')]).toEqual(['known\nT1\n', false]);
    write('shared.txt', before);
    resolve('p2', 'shared.txt');
    expect([read('shared.txt'), has('elsewhere.txt')]).toEqual(['known\nT1\nT2\n', true]);
  });
});
