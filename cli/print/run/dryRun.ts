import type { ContinuePlan } from '../../../schemas/rpc/methods/runContinue.ts';
import type { DryRun } from '../../../schemas/rpc/methods/runStart.ts';
import type { BindingView } from '../../../schemas/rpc/views/run.ts';
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
  printTable(io, plan.bindings, ROLE_COLUMNS, 'none');
  printPhases(io, plan.phases);
  if (plan.objective) {
    printHeading(io, 'Objective');
    for (const text of plan.objective) io.out(`${visible(text)}\n`);
    io.out('To measure the base once: devflow backtest try --objective <file>\n');
  }
  if (plan.settings) printStartSettings(io, plan.settings);
  printCommands(io, plan.phases);
}

/** What would follow in a run. */
export function printContinuePlan(io: Io, plan: ContinuePlan): void {
  io.out('Dry run: nothing was changed. This would follow:\n\n');
  printFacts(io, [
    ['run', plan.runId],
    ['template', `${plan.template} (${plan.templateHash.slice(0, 12)})`],
  ]);
  printHeading(io, 'Roles');
  const agent = { title: 'AGENT', cell: ({ fresh }: ContinuePlan['bindings'][number]) => (fresh ? 'new' : 'goes on') };
  printTable(io, plan.bindings, [...ROLE_COLUMNS, agent], 'none');
  printPhases(io, plan.phases);
  printCommands(io, plan.phases);
}

const ROLE_COLUMNS = [
  { title: 'ROLE', cell: (binding: BindingView) => binding.roleId },
  { title: 'PERSONA', cell: (binding: BindingView) => binding.persona },
  { title: 'BACKEND', cell: (binding: BindingView) => binding.backend },
  { title: 'PERMISSION', cell: (binding: BindingView) => binding.permissionMode },
  { title: 'REASON', cell: (binding: BindingView) => binding.reason },
];

function printPhases(io: Io, planned: DryRun['phases']): void {
  printHeading(io, 'Phases');
  printTable(
    io,
    planned,
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
}

function printCommands(io: Io, planned: DryRun['phases']): void {
  const commands = planned.flatMap(({ key, commands }) => commands.map((argv) => ({ key, argv })));
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
