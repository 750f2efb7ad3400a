import { byLastUse } from '../../../schemas/definitions/shippedTemplates.ts';
import type { TemplateSummary } from '../../../schemas/rpc/views/definition.ts';
import { age } from '../../../schemas/time/duration.ts';
import { withDaemon } from '../../daemon/withDaemon.ts';
import type { Template } from '../../define/catalog.ts';
import { graphFormat } from '../../input/parse.ts';
import { printProblems } from '../../print/definition/problems.ts';
import { printTemplate } from '../../print/definition/template.ts';
import { formatGraph } from '../../print/graph/formatGraph.ts';
import { graphOfTemplate } from '../../print/graph/graphsOf.ts';
import { printTemplateGraph } from '../../print/graph/printTemplateGraph.ts';
import { type Column, printJson, printList } from '../../print/output.ts';

export const actions: Pick<Template, 'list' | 'show'> = {
  async list(_params, { json }, io) {
    const [rows, status] = await withDaemon(io, (client) =>
      Promise.all([client.call('template.list'), client.call('daemon.status')]),
    );
    printList(io, {
      json,
      rows: json ? rows : byLastUse(rows),
      columns: COLUMNS,
      whenEmpty: 'There are no templates.',
    });
    if (!json) printProblems(io, status, 'template');
    return 0;
  },
  async show(params, options, io) {
    const format = graphFormat(options);
    const detail = await withDaemon(io, (client) => client.call('template.get', params));
    if (options.json) printJson(io, detail);
    else if (options.graph) printTemplateGraph(io, detail.definition);
    else if (format)
      io.out(formatGraph(graphOfTemplate(`${detail.name}@${detail.version}`, detail.definition), format));
    else printTemplate(io, detail);
    return 0;
  },
};

const COLUMNS: Column<TemplateSummary>[] = [
  { title: 'TEMPLATE', cell: (template) => `${template.name}@${template.version}` },
  { title: 'ABOUT', cell: (template) => template.about },
  { title: 'LAST USED', cell: ({ lastUsedAt }) => (lastUsedAt ? `${age(lastUsedAt)} ago` : null), spare: 1 },
  { title: 'ROLES', cell: (template) => template.roles.join(', '), spare: 3 },
  { title: 'HASH', cell: (template) => template.hash.slice(0, 12), spare: 2 },
  { title: 'PHASES', cell: (template) => template.phases.join(' → '), spare: 4 },
];
