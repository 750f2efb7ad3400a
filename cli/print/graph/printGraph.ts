import type { Io } from '../../io/io.ts';
import { type Column, printTable } from '../output.ts';
import type { Graph, GraphNode } from './graph.ts';

/** The graph as text: a row for each node, layer by layer. A node waits only for nodes of earlier layers. */
export function printGraph(io: Io, { nodes }: Graph): void {
  const byLayer = [...nodes].sort((a, b) => a.layer - b.layer);
  printTable(io, byLayer, columnsOf(nodes), 'none');
}

function columnsOf(nodes: readonly GraphNode[]): Column<GraphNode>[] {
  const hasPlaces = nodes.some(({ place }) => place);
  const hasStates = nodes.some(({ state }) => state);
  return [
    { title: 'LAYER', cell: ({ layer }) => layer + 1, align: 'right' },
    { title: 'TASK', cell: ({ id }) => id },
    ...(hasStates ? [{ title: 'STATE', cell: ({ state }: GraphNode) => state }] : []),
    ...(hasPlaces ? [{ title: 'LANE', cell: ({ place }: GraphNode) => place, spare: 1 }] : []),
    { title: 'AFTER', cell: afterText, spare: 2 },
    { title: 'TITLE', cell: ({ title }) => title },
  ];
}

/** An order that is no dependency stands in brackets. */
function afterText({ after, orderedAfter }: GraphNode): string {
  const added = orderedAfter.filter((id) => !after.includes(id)).map((id) => `(${id})`);
  return [...after, ...added].join(', ');
}
