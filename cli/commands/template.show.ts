import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printFacts, printHeading, printJson, printTable } from '../print/output.ts';

export const action: Action = async ([template]: [string], { json }: { json?: boolean }, io) => {
  const detail = await withDaemon(io, (client) => client.call('template.get', { template }));
  if (json) printJson(io, detail);
  else {
    const { definition } = detail;
    printFacts(io, [
      ['template', `${detail.name}@${detail.version}`],
      ['hash', detail.hash],
    ]);
    printHeading(io, 'Roles');
    printTable(
      io,
      definition.roles,
      [
        { title: 'ROLE', cell: (role) => role.id },
        { title: 'BACKENDS', cell: (role) => role.preferredBackends?.join(', ') },
        { title: 'CAPABILITIES', cell: (role) => role.requiredCapabilities.join(', ') },
      ],
      'none',
    );
    printHeading(io, 'Phases');
    printTable(
      io,
      definition.phases,
      [
        { title: 'PHASE', cell: (phase) => phase.key },
        { title: 'ROLES', cell: (phase) => phase.roles?.join(', ') },
        { title: 'RISK', cell: (phase) => phase.risk },
        { title: 'ARTIFACT', cell: (phase) => phase.expectedArtifact?.schema },
        { title: 'GATES', cell: (phase) => phase.gates?.join(', ') },
        { title: 'TITLE', cell: (phase) => phase.title },
      ],
      'none',
    );
  }
  return 0;
};
