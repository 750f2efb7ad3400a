import { withDaemon } from '../daemon/withDaemon.ts';
import type { Run } from '../define/run.ts';
import { graphFormat } from '../input/parse.ts';
import { formatGraph } from '../print/graph/formatGraph.ts';
import { graphsOfRun } from '../print/graph/graphsOf.ts';
import { printGraph } from '../print/graph/printGraph.ts';
import { printHeading, printJson } from '../print/output.ts';
import { shortId } from '../print/text.ts';

export const action: Run['graph'] = async (params, options, io) => {
  const format = graphFormat(options);
  const answer = await withDaemon(io, (client) => client.call('run.lanes', params));
  const graphs = graphsOfRun(answer);
  if (options.json) printJson(io, graphs);
  else if (graphs.length === 0) io.err(`Run ${shortId(answer.runId)} has no phase with parallel work.\n`);
  else if (format) for (const graph of graphs) io.out(formatGraph(graph, format));
  else {
    for (const graph of graphs) {
      if (graphs.length > 1) printHeading(io, graph.name);
      if (graph.nodes.length === 0) io.out(`Phase ${graph.name} has no plan yet.\n`);
      else printGraph(io, graph);
    }
  }
  return 0;
};
