import { expect, test } from 'vitest';
import type { Edge, Graph } from '../../../../daemon/core/rehearse/graph.ts';
import { judgeGraph } from '../../../../daemon/core/rehearse/judgeGraph.ts';
import { Template } from '../../../../schemas/definitions/template.ts';

const edge = (to: number, words: string, over: Partial<Edge> = {}): Edge => ({
  to,
  isPersons: false,
  words,
  prompts: 0,
  ...over,
});
const approve = (to: number) => edge(to, 'a person approves', { isPersons: true, approves: 'check done' });

const phase = (over: Record<string, unknown> = {}) => ({
  key: 'check',
  title: 'Check',
  kind: 'command',
  risk: 'low',
  gates: ['done'],
  commands: [],
  ...over,
});
const template = (...phases: Record<string, unknown>[]) =>
  Template.parse({ name: 't', version: 1, roles: [], phases: phases.length > 0 ? phases : [phase()] });

/** The last node is completed; the others are in the phase. */
const graph = (...edges: Edge[][]): Graph => ({
  nodes: edges.map((each, at) => ({
    ended: at === edges.length - 1 ? 'completed' : null,
    phase: 'check',
    edges: each,
  })),
  isCut: false,
});
const findings = (given: Graph, of = template()) =>
  judgeGraph(of, given).findings.map(({ code, path }) => [code, path.join(', ')]);

test('finds nothing where the gate lies on every path', () => {
  const judged = judgeGraph(template(), graph([edge(1, 'it runs')], [approve(2)], []));
  expect(judged).toEqual({
    findings: [],
    phases: [{ key: 'check', reached: true }],
    gates: [{ phase: 'check', gate: 'done', onEveryPath: true, mayBeSkipped: false }],
    paths: { prompts: { min: 0, max: 0 } },
  });
});

test('finds a path around a gate, and shows it', () => {
  const around = graph([edge(1, 'it runs'), edge(2, 'it is skipped')], [approve(2)], []);
  expect(findings(around)).toEqual([['gate_avoided', 'it is skipped']]);
  expect(findings(around, template(phase({ optional: true })))).toEqual([]);
});

test('finds a phase that no path leads to', () => {
  const more = template(phase(), phase({ key: 'later', gates: [] }));
  expect(findings(graph([approve(1)], []), more)).toEqual([['phase_unreachable', '']]);
});

test('finds a loop without a person, and where it is', () => {
  const loop = graph([edge(1, 'it runs')], [edge(0, 'it begins again'), approve(2)], []);
  expect(findings(loop)).toEqual([['loop_unbounded', '']]);
  const asked = graph([edge(1, 'it runs')], [edge(0, 'again', { isPersons: true, isAgain: true }), approve(2)], []);
  expect(findings(asked)).toEqual([]);
});

test('finds a state that waits for nobody, and a run that never completes', () => {
  const stuck: Graph = {
    nodes: [
      { ended: null, phase: 'check', edges: [edge(1, 'it stops')] },
      { ended: null, phase: 'check', edges: [] },
    ],
    isCut: false,
  };
  expect(findings(stuck)).toEqual([
    ['waits_forever', 'it stops'],
    ['never_completes', ''],
  ]);
});

test('says nothing else about states that it did not look at', () => {
  expect(findings({ ...graph([edge(1, 'a')], []), isCut: true })).toEqual([['too_many_states', '']]);
});
