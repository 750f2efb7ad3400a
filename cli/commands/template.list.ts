import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io.ts';
import { printJson, printTable } from '../print/output.ts';
import { printProblems } from '../print/problems.ts';

export const action: Action = async (_args: [], { json }: { json?: boolean }, io) => {
  const [templates, status] = await withDaemon(io, (client) =>
    Promise.all([client.call('template.list'), client.call('daemon.status')]),
  );
  if (json) printJson(io, templates);
  else {
    printTable(
      io,
      templates,
      [
        { title: 'TEMPLATE', cell: (template) => `${template.name}@${template.version}` },
        { title: 'ROLES', cell: (template) => template.roles.join(', ') },
        { title: 'HASH', cell: (template) => template.hash.slice(0, 12) },
        { title: 'PHASES', cell: (template) => template.phases.join(' → ') },
      ],
      'There are no templates.',
    );
    printProblems(io, status, 'template');
  }
  return 0;
};
