import { withDaemon } from '../daemon/withDaemon.ts';
import type { Template } from '../define/catalog.ts';
import { graphFormat } from '../input/parse.ts';
import { formatGraph } from '../print/graph/formatGraph.ts';
import { graphOfTemplate } from '../print/graph/graphsOf.ts';
import { printTemplateGraph } from '../print/graph/printTemplateGraph.ts';
import { printJson } from '../print/output.ts';
import { printTemplate } from '../print/template.ts';

export const action: Template['show'] = async (params, options, io) => {
  const format = graphFormat(options);
  const detail = await withDaemon(io, (client) => client.call('template.get', params));
  if (options.json) printJson(io, detail);
  else if (options.graph) printTemplateGraph(io, detail.definition);
  else if (format) io.out(formatGraph(graphOfTemplate(`${detail.name}@${detail.version}`, detail.definition), format));
  else printTemplate(io, detail);
  return 0;
};
