import { join } from 'node:path';
import { expect, test } from 'vitest';
import { graphFormat } from '../../../../cli/input/parse.ts';
import { dotOf, mermaidOf } from '../../../../cli/print/graph/formatGraph.ts';
import type { Graph, GraphNode } from '../../../../cli/print/graph/graph.ts';
import { graphOfTemplate } from '../../../../cli/print/graph/graphsOf.ts';
import { printGraph } from '../../../../cli/print/graph/printGraph.ts';
import { printTemplateGraph } from '../../../../cli/print/graph/printTemplateGraph.ts';
import { readTemplateFile } from '../../../../schemas/definitions/definitionFile.ts';
import type { Template } from '../../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { fakeIo } from '../../fakeIo.ts';

const node = (id: string, over: Partial<GraphNode> = {}): GraphNode => ({
  id,
  title: `The ${id}`,
  after: [],
  orderedAfter: [],
  layer: 0,
  ...over,
});
const GRAPH: Graph = {
  name: 'build',
  nodes: [
    node('client', { after: ['api'], orderedAfter: ['docs', 'api'], layer: 1 }),
    node('api', { state: { word: 'landed', look: 'good' }, place: 'lane-1' }),
    node('docs'),
  ],
};

function templateOf(name: string): Template {
  const file = join(packageRoot(), `schemas/templates/${name}.yaml`);
  const result = readTemplateFile(file, { schemaFault: () => undefined });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value.definition;
}

/** What an agent may write as a title. */
const HOSTILE = 'a "b" \\ ]; n9 --> n1 <img src=x> `md` #35; {c} |d|\nnext\u001b[2J end 日本';

test('text has a row for each node, layer by layer', () => {
  const io = fakeIo();
  printGraph(io, GRAPH);
  expect(io.written.out).toBe(
    [
      'LAYER  TASK    STATE   LANE    AFTER        TITLE',
      '    1  api     landed  lane-1  –            The api',
      '    1  docs    –       –       –            The docs',
      '    2  client  –       –       api, (docs)  The client',
      '',
    ].join('\n'),
  );
});

test('a narrow terminal keeps layer, task, state and the beginning of the title', () => {
  const io = fakeIo({ columns: 40 });
  printGraph(io, GRAPH);
  const lines = io.written.out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^LAYER {2}TASK {4}STATE .*TITLE$/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
});

test('DOT has a box for each node, an arrow for each dependency, and dashes for an order', () => {
  expect(dotOf(GRAPH)).toBe(
    [
      'digraph "build" {',
      '  node [shape=box];',
      '  n0 [label="client: The client"];',
      '  n1 [label="api: The api\\nlanded, lane-1"];',
      '  n2 [label="docs: The docs"];',
      '  n1 -> n0;',
      '  n2 -> n0 [style=dashed];',
      '}',
      '',
    ].join('\n'),
  );
});

test('Mermaid says the same', () => {
  expect(mermaidOf(GRAPH)).toBe(
    [
      'flowchart TD',
      '  n0["client: The client"]',
      '  n1["api: The api<br/>landed, lane-1"]',
      '  n2["docs: The docs"]',
      '  n1 --> n0',
      '  n2 -.-> n0',
      '',
    ].join('\n'),
  );
});

test('a hostile title stays inside its label', () => {
  const graph = { name: HOSTILE, nodes: [node(HOSTILE, { title: HOSTILE })] };
  const dot = dotOf(graph).trimEnd().split('\n');
  expect(dot).toHaveLength(4);
  // Between the outer quotes, every quote and every backslash is escaped.
  expect(dot[2]).toMatch(/^ {2}n0 \[label="(?:[^"\\]|\\["\\])*"\];$/);
  expect(dot[0]).toMatch(/^digraph "(?:[^"\\]|\\["\\])*" \{$/);
  const mermaid = mermaidOf(graph).trimEnd().split('\n');
  expect(mermaid).toHaveLength(2);
  expect(mermaid[1]).toMatch(/^ {2}n0\["(?:[\p{L}\p{N} .,:/-]|#\d+;)*"\]$/u);
});

test('an arrow to an unknown node is left out', () => {
  expect(dotOf({ name: 'g', nodes: [node('a', { after: ['gone'] })] })).not.toContain('->');
});

const MEASURED = templateOf('backtest-strategy@1');

test('the phases of a template follow one another', () => {
  const graph = graphOfTemplate('t@1', { phases: MEASURED.phases.slice(0, 2) });
  expect(graph.nodes.map(({ id, after, layer }) => [id, after, layer])).toEqual([
    ['baseline', [], 0],
    ['hypothesise', ['baseline'], 1],
  ]);
});

test('text shows the phases of a template, their gates, and what begins again', () => {
  const io = fakeIo();
  printTemplateGraph(io, MEASURED);
  expect(io.written.out.split('\n').map((line) => line.trimEnd())).toEqual([
    '     PHASE        KIND      ROLES               GATES             TITLE',
    '  ○  baseline     evaluate  –                   –                 Measure the base',
    '┌▶○  hypothesise  agent     planner             –                 Say what to change and why',
    '│ ○  implement    agent     implementer         –                 Make the change',
    '└─○  backtest     evaluate  –                   –                 Measure and judge',
    '  ○  review       review    reviewer, verifier  –                 Review the change',
    '  ◆  accept       command   –                   changes_approved  Accept the result',
    '',
    'hypothesise to backtest begin again until the objective is met.',
    '',
  ]);
});

test('a loop says how often it begins again before a person decides, and a phase that can be left out has a sign', () => {
  const io = fakeIo();
  const { phases } = MEASURED;
  const iterate = { phases: ['implement'], max: 3, until: 'review-allows' as const };
  printTemplateGraph(io, { phases: phases.map((phase) => ({ ...phase, optional: phase.key === 'review' })), iterate });
  expect(io.written.out).toMatch(/^↺ ○ {2}implement/m);
  expect(io.written.out).toMatch(/^ {2}○ {2}review\?/m);
  expect(io.written.out).toContain(
    'implement begins again until the review allows it, at most 3 times before a person',
  );
});

test('other programs get the gates and the loop, too', () => {
  const graph = graphOfTemplate('backtest-strategy@1', MEASURED);
  expect(dotOf(graph)).toContain('n5 [label="accept: Accept the result\\ngate changes_approved"];');
  expect(dotOf(graph)).toContain('n3 -> n1 [style=dashed];');
  expect(mermaidOf(graph)).toContain('n3 -.-> n1');
});

test('only one format can be chosen', () => {
  expect(() => graphFormat({ dot: true, mermaid: true })).toThrow('--dot and --mermaid cannot be used together');
  expect(() => graphFormat({ graph: true, json: true })).toThrow('--json and --graph cannot be used together');
  expect(graphFormat({})).toBeUndefined();
  expect(graphFormat({ mermaid: true })).toBe('mermaid');
});
