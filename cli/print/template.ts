import { laneSettings } from '../../schemas/kinds/lanes/settings.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io/io.ts';
import { printFacts, printHeading, printTable } from './output.ts';

export function printTemplate(io: Io, { name, version, hash, definition }: RpcResult<'template.get'>): void {
  printFacts(io, [
    ['template', `${name}@${version}`],
    ['hash', hash],
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
      { title: 'KIND', cell: (phase) => phase.kind },
      { title: 'ROLES', cell: (phase) => phase.roles?.join(', ') },
      { title: 'RISK', cell: (phase) => phase.risk },
      { title: 'ARTIFACT', cell: (phase) => phase.expectedArtifact?.schema },
      { title: 'GATES', cell: (phase) => phase.gates?.join(', ') },
      { title: 'TITLE', cell: (phase) => phase.title },
    ],
    'none',
  );
  const lanes = definition.phases
    .filter(({ kind }) => kind === 'lanes')
    .map((phase) => ({ key: phase.key, ...laneSettings(definition, phase) }));
  if (lanes.length === 0) return;
  printHeading(io, 'Lanes');
  printTable(
    io,
    lanes,
    [
      { title: 'PHASE', cell: ({ key }) => key },
      { title: 'TASKS FROM', cell: ({ from }) => from },
      { title: 'AT ONCE', cell: ({ max }) => String(max) },
      { title: 'BATCH', cell: ({ batch }) => String(batch) },
      { title: 'CHECKS', cell: ({ checks }) => checks ?? '–' },
    ],
    'none',
  );
}
