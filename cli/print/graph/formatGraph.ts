import { dotOf } from './dot.ts';
import type { Graph } from './graph.ts';
import { mermaidOf } from './mermaid.ts';

const FORMATS = { dot: dotOf, mermaid: mermaidOf };

/** The graph for another program. */
export function formatGraph(graph: Graph, format: keyof typeof FORMATS): string {
  return FORMATS[format](graph);
}
