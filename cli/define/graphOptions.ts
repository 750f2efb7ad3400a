import type { Command } from 'commander';

/** Adds `--graph`, where the usual output is no graph, to what `graphOptions` adds. */
export function graphOption(command: Command): Command {
  return graphOptions(command.option('--graph', 'draw the phases with their gates and loops'));
}

/** Adds `--dot` and `--mermaid` to a command that shows a graph. */
export function graphOptions(command: Command): Command {
  return command
    .option('--dot', 'print the graph for Graphviz')
    .option('--mermaid', 'print the graph for Mermaid, which GitHub shows');
}
