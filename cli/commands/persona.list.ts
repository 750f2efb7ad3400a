import type { PersonaSummary } from '../../schemas/rpc/views/definition.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { type Column, printList } from '../print/output.ts';
import { printProblems } from '../print/problems.ts';

export const action: Action = async (_args: [], { json }: { json?: boolean }, io) => {
  const [rows, status] = await withDaemon(io, (client) =>
    Promise.all([client.call('persona.list'), client.call('daemon.status')]),
  );
  printList(io, { json, rows, columns: COLUMNS, whenEmpty: 'There are no personas.' });
  if (!json) printProblems(io, status, 'persona');
  return 0;
};

const COLUMNS: Column<PersonaSummary>[] = [
  { title: 'PERSONA', cell: (persona) => `${persona.name}@${persona.version}` },
  { title: 'BACKEND', cell: (persona) => persona.backend },
  { title: 'RISK', cell: (persona) => persona.maxRiskLevel },
  { title: 'ROLES', cell: (persona) => persona.allowedRoles?.join(', ') ?? 'any' },
  { title: 'CAPABILITIES', cell: (persona) => persona.capabilities.join(', ') },
];
