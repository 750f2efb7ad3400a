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
