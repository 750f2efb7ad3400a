import { expect, test } from 'vitest';
import { agentBehind, type ProcessFacts } from '../../../daemon/agentGuard/agentBehind.ts';

const agents = [
  { sessionId: 'planner', pid: 100, terminal: 34817 },
  { sessionId: 'deaf', pid: 200, terminal: 0 },
];
const isOurs = (sessionId: string) => sessionId === 'planner';
const facts = (pid: number, parent: number, more: Partial<ProcessFacts> = {}): ProcessFacts => {
  return { pid, parent, leader: pid, terminal: 0, marks: [], ...more };
};

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
