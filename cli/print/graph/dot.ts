import { visible } from '../text.ts';
import { arrowsOf, type Graph, labelOf } from './graph.ts';

/** The graph for Graphviz. Orders that are no dependencies are dashed. */
export function dotOf(graph: Graph): string {
  const nodes = graph.nodes.map((node, at) => `  n${at} [label=${quoted(labelOf(node))}];`);
  const arrows = arrowsOf(graph).map(
    ({ from, to, isOrder }) => `  n${from} -> n${to}${isOrder ? ' [style=dashed]' : ''};`,
  );
  const head = [`digraph ${quoted([graph.name])} {`, '  node [shape=box];'];
  return `${[...head, ...nodes, ...arrows, '}'].join('\n')}\n`;
}

/** A quoted string of DOT, where only the quote and the backslash mean something. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map((text) => visible(text).replace(/["\\]/g, (found) => `\\${found}`));
  return `"${escaped.join('\\n')}"`;
}
