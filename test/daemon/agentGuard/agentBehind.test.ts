import { expect, test } from 'vitest';
import {
  agentBehind,
  type ProcessChain,
  type ProcessFacts,
  unknownBecause,
} from '../../../daemon/agentGuard/agentBehind.ts';
import { givenFacts as facts } from './givenFacts.ts';

const agents = [
  { sessionId: 'planner', pid: 100, terminal: 34817 },
  { sessionId: 'deaf', pid: 200, terminal: 0 },
];
const isOurs = (sessionId: string) => sessionId === 'planner';

test.each<[string, ProcessFacts[], string | undefined]>([
  [
    'a person in a terminal of their own',
    [facts(9, 8, { terminal: 34816 }), facts(8, 1, { terminal: 34816 })],
    undefined,
  ],
  [
    'a person in a popup or a split of the same tmux server',
    [facts(9, 8, { terminal: 34820 }), facts(8, 50), facts(50, 1)],
    undefined,
  ],
  ['a program below the pane', [facts(300, 250), facts(250, 100), facts(100, 50)], 'planner'],
  ['the same without an environment', [facts(300, 100, { marks: [] }), facts(100, 50)], 'planner'],
  ['one in its own session (setsid)', [facts(300, 250, { leader: 300 }), facts(250, 100), facts(100, 50)], 'planner'],
  ['an orphan that kept the session', [facts(300, 1, { leader: 100 })], 'planner'],
  ['an orphan that kept the terminal', [facts(300, 1, { leader: 299, terminal: 34817 })], 'planner'],
  ['an orphan that kept the environment', [facts(300, 1, { marks: ['planner'] })], 'planner'],
  [
    'a child with another environment, whose parent is marked',
    [facts(300, 299), facts(299, 1, { marks: ['planner'] })],
    'planner',
  ],
  ['an agent of another daemon', [facts(300, 1, { marks: ['elsewhere'] })], undefined],
  ['no terminal is nobody in particular', [facts(300, 1, { terminal: 0 })], undefined],
])('%s', (_, chain, expected) => {
  expect(agentBehind(chain, agents, isOurs)).toBe(expected);
});

const shell = facts(8, 1);
const caller = facts(9, 8);
test.each<[string, ProcessChain, string | undefined]>([
  ['a person', { processes: [caller, shell] }, undefined],
  ['a person under sshd', { processes: [caller, shell, facts(7, 1, { environment: 'denied' })] }, undefined],
  [
    'a person under a program that overwrote its environment',
    { processes: [caller, facts(8, 1, { environment: 'empty' })] },
    undefined,
  ],
  ['a zombie', { processes: [facts(9, 8, { hasEnded: true, environment: 'empty' }), shell] }, 'process 9 has ended'],
  ['a child of a zombie', { processes: [caller, facts(8, 1, { hasEnded: true })] }, 'process 8 has ended'],
  [
    'one without an environment',
    { processes: [facts(9, 8, { environment: 'empty' }), shell] },
    'process 9 has no environment',
  ],
  [
    'one of another user',
    { processes: [facts(9, 8, { environment: 'denied' }), shell] },
    'devflow may not read the environment of process 9',
  ],
  [
    'one whose parent could not be read',
    { processes: [caller, facts(8, 1, { environment: 'failed' })] },
    'process 8 could not be read',
  ],
  ['one whose parent is gone', { processes: [caller], lost: 8 }, 'process 8 has ended or could not be read'],
  ['nobody', { processes: [], lost: 9 }, 'process 9 has ended or could not be read'],
])('whether it is known who calls: %s', (_, chain, expected) => {
  expect(unknownBecause(chain)).toBe(expected);
});
