import { aboutTemplate } from '../../../schemas/definitions/shippedTemplates.ts';
import type { PhaseKind } from '../../../schemas/enums.ts';
import { laneSettings } from '../../../schemas/kinds/lanes/settings.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { Io } from '../../io/io.ts';
import { printFacts, printHeading, printTable } from '../output.ts';

export function printTemplate(io: Io, { name, version, hash, definition }: RpcResult<'template.get'>): void {
  printFacts(io, [
    ['template', `${name}@${version}`],
    ['about', aboutTemplate(definition)],
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
  for (const print of Object.values(SETTINGS)) print?.(io, definition);
}

type Definition = RpcResult<'template.get'>['definition'];

/** Prints the settings of a kind; null for a kind without any. A missing kind does not compile. */
const SETTINGS: Readonly<Record<PhaseKind, ((io: Io, definition: Definition) => void) | null>> = {
  agent: null,
  command: null,
  direct: null,
  evaluate: null,
  lanes: printLanes,
  review: null,
  step: null,
};

function printLanes(io: Io, definition: Definition): void {
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
