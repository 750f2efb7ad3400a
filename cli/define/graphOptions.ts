import type { Command } from 'commander';

/** Adds `--dot` and `--mermaid` to a command that shows a graph. */
export function graphOptions(command: Command): Command {
  return command
    .option('--dot', 'print the graph for Graphviz')
    .option('--mermaid', 'print the graph for Mermaid, which GitHub shows');
}
