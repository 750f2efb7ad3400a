import type { TemplateSummary } from '../../schemas/rpc/views/definition.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Template } from '../define/catalog.ts';
import { type Column, printList } from '../print/output.ts';
import { printProblems } from '../print/problems.ts';

export const action: Template['list'] = async (_params, { json }, io) => {
  const [rows, status] = await withDaemon(io, (client) =>
    Promise.all([client.call('template.list'), client.call('daemon.status')]),
  );
  printList(io, { json, rows, columns: COLUMNS, whenEmpty: 'There are no templates.' });
  if (!json) printProblems(io, status, 'template');
  return 0;
};

const COLUMNS: Column<TemplateSummary>[] = [
  { title: 'TEMPLATE', cell: (template) => `${template.name}@${template.version}` },
  { title: 'ROLES', cell: (template) => template.roles.join(', ') },
  { title: 'HASH', cell: (template) => template.hash.slice(0, 12) },
  { title: 'PHASES', cell: (template) => template.phases.join(' → ') },
];
