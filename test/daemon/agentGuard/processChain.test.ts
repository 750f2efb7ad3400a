import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { ProcessFacts } from '../../../daemon/agentGuard/agentBehind.ts';
import { type ReadProcess, readChain, readProcess } from '../../../daemon/agentGuard/processChain.ts';
import { givenFacts as facts } from './givenFacts.ts';

/** A system with these processes. What was never there is gone. */
const system =
  (...all: (ProcessFacts | [pid: number, fault: ReturnType<ReadProcess>])[]): ReadProcess =>
  (pid) => {
    const found = all.find((each) => (Array.isArray(each) ? each[0] : each.pid) === pid);
    return Array.isArray(found) ? found[1] : (found ?? 'gone');
  };
const pids = (chain: ReturnType<typeof readChain>) => chain.processes.map(({ pid }) => pid);

test('reads up to the first process, or to the outside of a container', () => {
  const read = system(facts(9, 8), facts(8, 1), facts(5, 0));
  expect(readChain(9, read)).toEqual({ processes: [facts(9, 8), facts(8, 1)] });
  expect(readChain(5, read)).toEqual({ processes: [facts(5, 0)] });
});

test("ends at processes of other users that the system hides, but a caller's must be seen", () => {
  const read = system(facts(9, 8), [8, 'hidden']);
  expect(readChain(9, read)).toEqual({ processes: [facts(9, 8)] });
  expect(readChain(8, read)).toEqual({ processes: [], lost: 8 });
});

test.each(['gone', 'failed'] as const)('says where it stopped: at a process that is %s', (fault) => {
  expect(readChain(9, system(facts(9, 8), [8, fault]))).toEqual({ processes: [facts(9, 8)], lost: 8 });
});

test('reads again if a parent ended between two reads', () => {
  let reads = 0;
  const read: ReadProcess = (pid) => {
    if (pid === 8) return 'gone';
    return pid === 9 ? facts(9, ++reads === 1 ? 8 : 7) : facts(7, 1);
  };
  expect(pids(readChain(9, read))).toEqual([9, 7]);
});

test('does not take a process for the caller that got its pid meanwhile', () => {
  let reads = 0;
  expect(readChain(9, () => facts(9, 1, { startTime: String(++reads) })).lost).toBe(9);
});

test('gives up on a chain without an end', () => {
  const chain = readChain(1000, (pid) => facts(pid, pid - 1));
  expect(chain).toMatchObject({ lost: 872, processes: { length: 128 } });
});

test.runIf(process.platform === 'linux')('reads the marks of agents and commands', async () => {
  const env = {
    DEVFLOW_AGENT: 'a',
    DEVFLOW_SESSION_DIR: '/runs/r/sessions/b',
    DEVFLOW_INTERNAL_COMMAND: '/runs/r/commands/c',
  };
  const child = spawn('sleep', ['100'], { env: { PATH: process.env.PATH, ...env } });
  try {
    await once(child, 'spawn');
    await expect
      .poll(() => readProcess(child.pid as number))
      .toMatchObject({ marks: ['a', 'b'], commands: ['/runs/r/commands/c'] });
  } finally {
    child.kill('SIGKILL');
  }
});

test('reads this process and its parent', () => {
  const { processes, lost } = readChain(process.pid);
  expect(processes.slice(0, 2)).toMatchObject([{ pid: process.pid, hasEnded: false }, { pid: process.ppid }]);
  expect(lost).toBeUndefined();
  expect(readProcess(2 ** 22 + 1)).toBe('gone');
});
