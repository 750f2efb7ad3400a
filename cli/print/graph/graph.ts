import type { Word } from '../output.ts';

/** A task or a phase, and what comes before it. Titles may be the text of an agent. */
export interface GraphNode {
  id: string;
  title: string;
  state?: Word;
  /** The lane that does it. */
  place?: string | null;
  /** Nodes that it depends on. */
  after: readonly string[];
  /** Nodes that it comes after only because both may write the same files. */
  orderedAfter: readonly string[];
  /** 0 for a node that waits for no other. */
  layer: number;
  /** More lines for its box. */
  notes?: readonly string[];
}

export interface Graph {
  name: string;
  nodes: readonly GraphNode[];
  /** Nodes that begin again together: from the last of them to the first. */
  loop?: { from: string; to: string } | undefined;
}

/** An arrow between two nodes, by their position in the graph. */
export interface Arrow {
  from: number;
  to: number;
  /** Not a dependency, only an order. */
  isOrder: boolean;
}

/** Arrows between known nodes. */
export function arrowsOf({ nodes, loop }: Graph): Arrow[] {
  const at = new Map(nodes.map(({ id }, index) => [id, index]));
  const [from, to] = loop ? [at.get(loop.from), at.get(loop.to)] : [];
  const back = from === undefined || to === undefined ? [] : [{ from, to, isOrder: true }];
  const onwards = nodes.flatMap(({ after, orderedAfter }, to) => {
    const arrow = (isOrder: boolean) => (id: string) => {
      const from = at.get(id);
      return from === undefined ? [] : [{ from, to, isOrder }];
    };
    const added = orderedAfter.filter((id) => !after.includes(id));
    return [...after.flatMap(arrow(false)), ...added.flatMap(arrow(true))];
  });
  return [...onwards, ...back];
}

/** The text in the box of a node, line by line. */
export function labelOf({ id, title, state, place, notes = [] }: GraphNode): string[] {
  const about = [state?.word, place].filter((part) => part !== undefined && part !== null);
  return [id === title ? id : `${id}: ${title}`, ...(about.length > 0 ? [about.join(', ')] : []), ...notes];
}
