import {
  type Fault,
  faultIf,
  foreignOptions,
  type KindDefinition,
  type Subject,
} from '../../definitions/phase/kindDefinition.ts';
import { writesTaskGraph } from '../../definitions/phase/plans.ts';
import type { TemplatePhase } from '../../definitions/phase/templatePhase.ts';
import { isOwnGate } from '../../gates/ownGates.ts';

/** The tasks of a task graph, in parallel. Each lane has a worktree of its own, and its work lands when it is checked. */
export const lanesDefinition: KindDefinition = {
  sharesWorktree: false,
  mustEdit: true,
  readers: 0,
  mayChange: () => true,
  producer: 'itself',
  isOwnWork: false,
  hasRounds: true,
  commands: 'none',
  reads: graphPhaseOf,
  placeholders: ['task'],
  faults: (subject) => [...shapeFaults(subject), ...roleFaults(subject), ...referenceFaults(subject)],
};

/** The nearest phase before that writes a task graph, or the one that `lanes.from` names. */
export function graphPhaseOf(
  { lanes }: Pick<TemplatePhase, 'lanes'>,
  before: readonly TemplatePhase[],
): TemplatePhase | undefined {
  const graphs = before.filter((phase) => phase.kind === 'agent' && writesTaskGraph(phase));
  return lanes?.from === undefined ? graphs.at(-1) : graphs.find(({ key }) => key === lanes.from);
}

function shapeFaults(subject: Subject): Fault[] {
  const { phase, gates } = subject;
  const { instructions, expectedArtifact, commands } = phase;
  const own = gates.find(isOwnGate);
  return [
    ...faultIf(own !== undefined, 'gates', `the gate ${own} is devflow's own; choose another name`, 'reserved_gate'),
    ...faultIf(!expectedArtifact, 'expectedArtifact', 'a lanes phase needs an expected artifact'),
    ...faultIf(!instructions?.includes('{{task}}'), 'instructions', 'a lanes phase needs instructions with {{task}}'),
    ...faultIf(commands.length > 0, 'commands', 'commands belong to a phase of kind command'),
    ...foreignOptions(subject),
  ];
}

function roleFaults({ phase, roles }: Subject): Fault[] {
  const distinct = new Set(phase.roles);
  const several = roles.find(({ id, count }) => distinct.has(id) && count > 1);
  const isOneOrTwo = phase.roles.length <= 2 && distinct.size === phase.roles.length && distinct.size > 0;
  return [
    ...faultIf(!isOneOrTwo, 'roles', 'a lanes phase needs a role, or two: the second resolves conflicts'),
    ...faultIf(
      several !== undefined,
      'roles',
      `role ${several?.id} has a count; in a lanes phase, lanes.max says how many agents work`,
    ),
  ];
}

function referenceFaults({ phase, before, after }: Subject): Fault[] {
  const { from, checks } = phase.lanes ?? {};
  const noGraph =
    from === undefined
      ? 'a lanes phase needs an earlier agent phase that writes a task graph (dev/dag)'
      : `${from} is no earlier agent phase that writes a task graph (dev/dag)`;
  const isCommand = after.some(({ key, kind }) => key === checks && kind === 'command');
  return [
    ...faultIf(graphPhaseOf(phase, before) === undefined, 'lanes', noGraph),
    ...faultIf(checks !== undefined && !isCommand, 'lanes', `${checks} is no later phase of kind command`),
  ];
}
