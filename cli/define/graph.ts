import { flag, own } from './entry.ts';

/** `--dot` and `--mermaid` of a command that shows a graph. */
export const GRAPH = {
  dot: own(flag('print the graph for Graphviz')),
  mermaid: own(flag('print the graph for Mermaid, which GitHub shows')),
};
