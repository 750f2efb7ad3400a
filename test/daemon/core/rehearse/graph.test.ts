import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Edge,
  fewestPrompts,
  type Graph,
  mostPrompts,
  nodeOnCycle,
  shortestPath,
} from '../../../../daemon/core/rehearse/graph.ts';

const edge = (to: number, over: Partial<Edge> = {}): Edge => ({
  to,
  isPersons: false,
  words: `to ${to}`,
  prompts: 0,
  ...over,
});
/** Each node with its edges; the last one is completed. */
const graph = (...edges: Edge[][]): Graph => ({
  nodes: edges.map((each, at) => ({ ended: at === edges.length - 1 ? 'completed' : null, phase: null, edges: each })),
  isCut: false,
});
const isEnd = ({ ended }: { ended: unknown }) => ended === 'completed';

test('finds the words of a shortest path, without edges that are not allowed', () => {
  const given = graph([edge(1), edge(2, { words: 'short', approves: 'p g' })], [edge(2)], []);
  expect(shortestPath(given, isEnd)).toEqual(['short']);
  expect(shortestPath(given, isEnd, ({ approves }) => approves !== 'p g')).toEqual(['to 1', 'to 2']);
  expect(shortestPath(given, () => false)).toBeUndefined();
});

test('finds a cycle, and none where the only way back is not allowed', () => {
  const given = graph([edge(1)], [edge(0, { isPersons: true }), edge(2)], []);
  expect(nodeOnCycle(given, () => true)).toBe(0);
  expect(nodeOnCycle(given, ({ isPersons }) => !isPersons)).toBeUndefined();
  expect(nodeOnCycle(graph([edge(0), edge(1)], []), () => true)).toBe(0);
});

test('counts the fewest and the most prompts', () => {
  const given = graph([edge(1, { prompts: 1 }), edge(2)], [edge(2, { prompts: 1 })], [edge(3, { prompts: 1 })], []);
  expect([fewestPrompts(given), mostPrompts(given)]).toEqual([1, 3]);
  expect(fewestPrompts(graph([edge(0)], []))).toBeUndefined();
});

test('has no most prompts where a loop has no end, and ignores what somebody asks for again', () => {
  const back = (over: Partial<Edge>) => graph([edge(1, { prompts: 1 })], [edge(0, over), edge(2)], []);
  expect(mostPrompts(back({}))).toBeUndefined();
  expect(mostPrompts(back({ isPersons: true, isAgain: true }))).toBe(1);
});

test('finds a cycle through the second way on', () => {
  expect(nodeOnCycle(graph([edge(1)], [edge(2), edge(0)], []), () => true)).toBe(0);
});

test('looks at a node once, however many paths lead to it', () => {
  const links = Array.from({ length: 60 }, (_, at) => [edge(at + 1), edge(at + 1, { prompts: 1 })]);
  const given = graph(...links, []);
  expect([fewestPrompts(given), mostPrompts(given)]).toEqual([0, 60]);
  expect(shortestPath(given, isEnd)).toHaveLength(60);
  expect(nodeOnCycle(given, () => true)).toBeUndefined();
});

test('passes over a state that is not in the graph', () => {
  const given = graph([edge(7), edge(7, { prompts: 1 }), edge(1, { prompts: 1 })], []);
  expect([fewestPrompts(given), mostPrompts(given)]).toEqual([1, 1]);
  expect(shortestPath(given, isEnd)).toEqual(['to 1']);
  expect(shortestPath(given, () => false)).toBeUndefined();
});

test('finds nothing in a graph without states', () => {
  const none = graph();
  expect([shortestPath(none, () => true), nodeOnCycle(none, () => true)]).toEqual([undefined, undefined]);
  expect([fewestPrompts(none), mostPrompts(none)]).toEqual([undefined, undefined]);
});

test('agrees with a walk through every path of a graph without cycles', () => {
  const acyclic = fc
    .array(fc.array(fc.tuple(fc.nat({ max: 5 }), fc.constantFrom(0 as const, 1 as const)), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 7,
    })
    .map((nodes) =>
      graph(
        ...nodes.map((edges, at) =>
          edges.map(([step, prompts]) => edge(Math.min(nodes.length, at + 1 + step), { prompts })),
        ),
        [],
      ),
    );
  fc.assert(
    fc.property(acyclic, (given) => {
      const counts: number[] = [];
      const follow = (at: number, prompts: number) => {
        if (given.nodes[at]?.ended === 'completed') counts.push(prompts);
        for (const each of given.nodes[at]?.edges ?? []) follow(each.to, prompts + each.prompts);
      };
      follow(0, 0);
      const [least, most] = counts.length > 0 ? [Math.min(...counts), Math.max(...counts)] : [undefined, undefined];
      expect([fewestPrompts(given), mostPrompts(given)]).toEqual([least, most]);
      expect(nodeOnCycle(given, () => true)).toBeUndefined();
    }),
  );
});
