import type { Action } from '../io.ts';
import { printJson, printTable } from '../output.ts';
import { withDaemon } from '../withDaemon.ts';

export const action: Action = async (_args: [], { json }: { json?: boolean }, io) => {
  const personas = await withDaemon(io, (client) => client.call('persona.list'));
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
  }
  return 0;
};
