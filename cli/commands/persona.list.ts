import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io.ts';
import { printJson, printTable } from '../print/output.ts';
import { printProblems } from '../print/problems.ts';

export const action: Action = async (_args: [], { json }: { json?: boolean }, io) => {
  const [personas, status] = await withDaemon(io, (client) =>
    Promise.all([client.call('persona.list'), client.call('daemon.status')]),
  );
  if (json) printJson(io, personas);
  else {
    printTable(
      io,
      personas,
      [
        { title: 'PERSONA', cell: (persona) => `${persona.name}@${persona.version}` },
        { title: 'BACKEND', cell: (persona) => persona.backend },
        { title: 'RISK', cell: (persona) => persona.maxRiskLevel },
        { title: 'ROLES', cell: (persona) => persona.allowedRoles?.join(', ') ?? 'any' },
        { title: 'CAPABILITIES', cell: (persona) => persona.capabilities.join(', ') },
      ],
      'There are no personas.',
    );
    printProblems(io, status, 'persona');
  }
  return 0;
};
