import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PromptEnvelope, renderEnvelope } from '../../schemas/envelope.ts';
import { tortureEnvelope } from '../fixtures/scripted/torture.ts';
import { isolatedEnv } from '../helpers/testRepo.ts';
import { givenAgent } from './givenAgent.ts';

/** An agent whose working directory is a repository, in a lane. */
async function givenLane() {
  const agent = await givenAgent();
  const env = isolatedEnv(agent.home);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: agent.cwd, env, stdio: 'pipe' })
      .toString()
      .trim();
  const write = (path: string, text: string) => writeFileSync(join(agent.cwd, path), text);
  const read = (path: string) => readFileSync(join(agent.cwd, path), 'utf8');
  const commit = () => {
    git('add', '-A');
    git('commit', '-qm', 'work');
  };
  git('init', '-q', '-b', 'main');
  write('.gitignore', '.devflow\n');
  commit();
  let nth = 0;
  const ask = async (text: string, key: string, about: Partial<PromptEnvelope> = {}) => {
    nth += 1;
    const expectedArtifact = join(agent.cwd, `.devflow/artifacts/implement/1/lane-1.${key}/a.json`);
    const facts = { expectedArtifact, phaseKey: 'implement', expectedSchema: 'dev/implementation@1', ...about };
    const envelope = tortureEnvelope({ nth, text }, facts);
    await agent.prompt(renderEnvelope(envelope));
    await agent.until('turn-ended', { uuid: envelope.uuid });
    return readFileSync(expectedArtifact, 'utf8');
  };
  return { ask, git, write, read, commit };
}

const CONFLICT = { expectedSchema: 'dev/conflict-resolution@1' };

describe('in a lane', () => {
  test('writes the task graph of its prompt', async () => {
    const { ask } = await givenLane();
    const artifact = await ask('```json dag\n{"mine":1}\n```', 'plan', { expectedSchema: 'dev/dag@1' });
    expect(artifact).toBe('{"mine":1}\n');
  });

  test('does a task, and repairs it', async () => {
    const { ask, read } = await givenLane();
    await ask('Scenario: broken\nFiles that you may change: src/a.txt', 'T1');
    expect(read('src/a.txt')).toBe('T1\nBROKEN by T1\n');
    await ask('These checks failed in your worktree:', 'fix-1');
    expect(read('src/a.txt')).toBe('T1\nfix-1\n');
  });

  test.each<[string, { text: string; branch: string; commits: string }]>([
    ['well', { text: 'T1\nT2\n', branch: 'lane', commits: '2' }],
    ['switch', { text: 'T1\nT2\n', branch: expect.stringMatching(/^elsewhere-/), commits: '2' }],
    ['commit', { text: 'T1\nT2\n', branch: 'lane', commits: '4' }],
    ['abort', { text: 'T1\n', branch: 'lane', commits: '2' }],
  ])('resolves a conflict: %s', async (how, expected) => {
    const { ask, git, write, read, commit } = await givenLane();
    git('switch', '-qc', 'lane');
    await ask(`Resolve: ${how}\nFiles that you may change: a.txt`, 'T1');
    commit();
    git('switch', '-q', 'main');
    write('a.txt', 'T2\n');
    commit();
    git('switch', '-q', 'lane');
    expect(() => git('merge', '--no-commit', 'main')).toThrow();
    const artifact = JSON.parse(await ask('Conflicting files: a.txt', 'conflict-1', CONFLICT));
    expect(artifact).toMatchObject({ hunks: [{ path: 'a.txt', decision: 'combined' }] });
    const commits = git('rev-list', '--count', 'HEAD');
    expect({ text: read('a.txt'), branch: git('branch', '--show-current'), commits }).toEqual(expected);
  });
});
