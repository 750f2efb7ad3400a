/** A step from one state of a run to another. */
export interface Edge {
  to: number;
  /** A person's decision; otherwise it comes of agents, commands or devflow. */
  isPersons: boolean;
  /** For a path, in plain words. */
  words: string;
  /** An approval of a gate of the template: `<phase> <gate>`. */
  approves?: string;
  /** A person asked for something again: changes, or another attempt. */
  isAgain?: boolean;
  /** A prompt was sent. */
  prompts: 0 | 1;
}

export interface Node {
  /** Null while the run is open. */
  ended: 'completed' | 'failed' | 'aborted' | null;
  /** The phases at work. */
  phase: string | null;
  edges: Edge[];
}

/** All states of a run that the outcomes and decisions of a rehearsal lead to. The first is the start. */
export interface Graph {
  nodes: Node[];
  /** There are more states than a rehearsal looks at. */
  isCut: boolean;
}

/** The words of a shortest path from the start to a node for which `isGoal` holds; undefined if there is none. */
export function shortestPath(
  { nodes }: Graph,
  isGoal: (node: Node, at: number) => boolean,
  isAllowed: (edge: Edge) => boolean = () => true,
): string[] | undefined {
  const from = new Map<number, { before: number; words: string } | null>([[0, null]]);
  const queue = nodes.length > 0 ? [0] : [];
  for (const at of queue) {
    const node = nodes[at];
    if (!node) continue;
    if (isGoal(node, at)) return wordsTo(from, at);
    for (const edge of node.edges) {
      if (!isAllowed(edge) || from.has(edge.to)) continue;
      from.set(edge.to, { before: at, words: edge.words });
      queue.push(edge.to);
    }
  }
  return undefined;
}

function wordsTo(from: ReadonlyMap<number, { before: number; words: string } | null>, goal: number): string[] {
  const words: string[] = [];
  for (let step = from.get(goal); step; step = from.get(step.before)) words.push(step.words);
  return words.reverse();
}

/** A node on a cycle of allowed edges; undefined if there is none. Without recursion, because paths are long. */
export function nodeOnCycle({ nodes }: Graph, isAllowed: (edge: Edge) => boolean): number | undefined {
  const state = new Uint8Array(nodes.length);
  for (let root = 0; root < nodes.length; root += 1) {
    if (state[root] !== 0) continue;
    const stack = [{ at: root, next: 0 }];
    state[root] = 1;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = nodes[top.at]?.edges[top.next];
      top.next += 1;
      if (!edge) {
        state[top.at] = 2;
        stack.pop();
      } else if (isAllowed(edge)) {
        if (state[edge.to] === 1) return edge.to;
        if (state[edge.to] === 0) {
          state[edge.to] = 1;
          stack.push({ at: edge.to, next: 0 });
        }
      }
    }
  }
  return undefined;
}

/** The fewest prompts on a path to completion; undefined without one. */
export function fewestPrompts({ nodes }: Graph): number | undefined {
  const best = new Map<number, number>([[0, 0]]);
  let here = [0];
  // Level by level: an edge with a prompt leads to the next one.
  for (let prompts = 0; here.length > 0; prompts += 1) {
    const next: number[] = [];
    for (const at of here) {
      if (best.get(at) !== prompts) continue;
      if (nodes[at]?.ended === 'completed') return prompts;
      for (const edge of nodes[at]?.edges ?? []) {
        const cost = prompts + edge.prompts;
        if (cost >= (best.get(edge.to) ?? Number.POSITIVE_INFINITY)) continue;
        best.set(edge.to, cost);
        (edge.prompts === 0 ? here : next).push(edge.to);
      }
    }
    here = next;
  }
  return undefined;
}

/** The most prompts on a path to completion on which nobody asks for anything again; undefined if it has no end. */
export function mostPrompts(graph: Graph): number | undefined {
  const isAllowed = ({ isAgain }: Edge) => isAgain !== true;
  if (nodeOnCycle(graph, isAllowed) !== undefined) return undefined;
  const { nodes } = graph;
  const most = new Map<number, number>();
  for (const at of inOrder(graph, isAllowed)) {
    const node = nodes[at];
    if (node?.ended === 'completed') most.set(at, 0);
    for (const edge of node?.edges ?? []) {
      const rest = most.get(edge.to);
      if (rest === undefined || !isAllowed(edge)) continue;
      most.set(at, Math.max(most.get(at) ?? 0, rest + edge.prompts));
    }
  }
  return most.get(0);
}

/** The nodes that the start leads to, each after all that it leads to. There is no cycle. */
function inOrder({ nodes }: Graph, isAllowed: (edge: Edge) => boolean): number[] {
  const seen = new Set<number>([0]);
  const order: number[] = [];
  const stack = [{ at: 0, next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const edge = nodes[top.at]?.edges[top.next];
    top.next += 1;
    if (!edge) {
      order.push(top.at);
      stack.pop();
    } else if (isAllowed(edge) && !seen.has(edge.to)) {
      seen.add(edge.to);
      stack.push({ at: edge.to, next: 0 });
    }
  }
  return order;
}
