import { calls, withDaemon } from '../../daemon/withDaemon.ts';
import type { Run } from '../../define/run.ts';
import { graphFormat } from '../../input/parse.ts';
import { formatGraph } from '../../print/graph/formatGraph.ts';
import { graphsOfRun } from '../../print/graph/graphsOf.ts';
import { printGraph } from '../../print/graph/printGraph.ts';
import { printHeading, printJson } from '../../print/output.ts';
import { printLanesPhase } from '../../print/run/lanes.ts';
import { shortId, visible } from '../../print/text.ts';

export const actions: Pick<Run, 'lanes' | 'graph'> = {
  lanes: calls('run.lanes', (io, { runId, phases }) => {
    if (phases.length === 0) io.err(`Run ${shortId(runId)} has no phase with parallel work.\n`);
    for (const phase of phases) {
      if (phases.length > 1) printHeading(io, `${phase.phaseKey}: ${phase.title}`);
      if (phase.planned) printLanesPhase(io, phase);
      else io.out(`Phase ${visible(phase.phaseKey)} has no plan yet.\n`);
    }
  }),
  async graph(params, options, io) {
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
  },
};
