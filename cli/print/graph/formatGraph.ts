import { visible } from '../text.ts';
import { arrowsOf, type Graph, labelOf } from './graph.ts';

/** The graph for Mermaid. Orders that are no dependencies are dotted. */
export function mermaidOf(graph: Graph): string {
  const nodes = graph.nodes.map((node, at) => `  n${at}["${labelOf(node).map(escaped).join('<br/>')}"]`);
  const arrows = arrowsOf(graph).map(({ from, to, isOrder }) => `  n${from} ${isOrder ? '-.->' : '-->'} n${to}`);
  return `${['flowchart TD', ...nodes, ...arrows].join('\n')}\n`;
}

/** Entity codes for all that Mermaid, its Markdown or HTML could read as more than text. */
function escaped(text: string): string {
  return visible(text).replace(/[^\p{L}\p{N} .,:/-]/gu, (found) => `#${found.codePointAt(0)};`);
}

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

const FORMATS = { dot: dotOf, mermaid: mermaidOf };

/** The graph for another program. */
export function formatGraph(graph: Graph, format: keyof typeof FORMATS): string {
  return FORMATS[format](graph);
}
