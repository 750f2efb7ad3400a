import type { DryRun } from '../../../schemas/rpc/methods/runStart.ts';
import type { Io } from '../../io/io.ts';
import { printFacts, printHeading, printTable } from '../output.ts';
import { printStartSettings } from '../repository.ts';
import { visible } from '../text.ts';

export function printDryRun(io: Io, plan: DryRun): void {
  io.out('Dry run: nothing was started. This would start:\n\n');
  printFacts(io, [
    ['template', `${plan.template} (${plan.templateHash.slice(0, 12)})`],
    ['repository', plan.repoPath],
    ['base', `${plan.baseBranch} at ${plan.baseCommit.slice(0, 12)}`],
  ]);
  printHeading(io, 'Roles');
  printTable(
    io,
    plan.bindings,
    [
      { title: 'ROLE', cell: (binding) => binding.roleId },
      { title: 'PERSONA', cell: (binding) => binding.persona },
      { title: 'BACKEND', cell: (binding) => binding.backend },
      { title: 'PERMISSION', cell: (binding) => binding.permissionMode },
      { title: 'REASON', cell: (binding) => binding.reason },
    ],
    'none',
  );
  printHeading(io, 'Phases');
  printTable(
    io,
    plan.phases,
    [
      { title: 'PHASE', cell: (phase) => phase.key },
      { title: 'KIND', cell: (phase) => phase.kind },
      { title: 'ROLES', cell: (phase) => phase.roles.join(', ') || '–' },
      { title: 'ARTIFACT', cell: (phase) => phase.artifact },
      { title: 'GATES', cell: (phase) => phase.gates.join(', ') || '–' },
      { title: 'TITLE', cell: (phase) => (phase.skipped ? `skipped: ${phase.skipped}` : phase.title) },
    ],
    'none',
  );
  if (plan.objective) {
    printHeading(io, 'Objective');
    for (const text of plan.objective) io.out(`${visible(text)}\n`);
    io.out('To measure the base once: devflow backtest try --objective <file>\n');
  }
  if (plan.settings) printStartSettings(io, plan.settings);
  const commands = plan.phases.flatMap(({ key, commands }) => commands.map((argv) => ({ key, argv })));
  if (commands.length === 0) return;
  printHeading(io, 'Commands');
  printTable(
    io,
    commands,
    [
      { title: 'PHASE', cell: (command) => command.key },
      { title: 'COMMAND', cell: (command) => command.argv.join(' '), whole: true },
    ],
    'none',
  );
}
