import type { Binding } from '../../../schemas/definitions/persona.ts';
import { gatesOf, isPlanPhase, type TemplatePhase } from '../../../schemas/definitions/template.ts';
import type { PhaseKind, Recovery, RunPhaseState, RunState, StallCause } from '../../../schemas/enums.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import { blocksRun, holdsFailure } from '../../../schemas/gates/gateKinds.ts';
import { UNCERTAIN_GATE } from '../../../schemas/gates/ownGates.ts';
import { STALLS } from '../../../schemas/states/stall.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import { REBOOTSTRAP_BUDGET, RESUME_BUDGET } from '../machines/session.ts';
import { keepsFailuresLocal } from './behaviour.ts';
import { BOUNDARY, hasBoundaryAfter } from './boundary.ts';
import type { CommandRun } from './commandRun.ts';
import type { Approval, Assignment, Phase, PhaseOf, Run, Session } from './state.ts';

export function isOf<K extends PhaseKind>(kind: K, phase: Phase): phase is Phase & PhaseOf<K> {
  return phase.kind === kind;
}

/** The phases of one kind, in order. */
export function phasesOf<K extends PhaseKind>(kind: K, { phases }: Pick<Run, 'phases'>): (Phase & PhaseOf<K>)[] {
  return phases.filter((phase) => isOf(kind, phase));
}

/** The running or next phase: the first that is neither completed nor skipped. */
export function currentPhase(run: Run): Phase | undefined {
  return run.phases.find((phase) => phase.state !== 'completed' && phase.state !== 'skipped');
}

/** True while agents or commands of the phase have something to do. */
export function isPhaseAtWork({ state }: Pick<Phase, 'state'>): boolean {
  return state === 'running' || state === 'awaiting_artifact' || state === 'validating';
}

/** The frozen definition of a phase. */
export function definitionOf(run: Run, phase: Phase): TemplatePhase {
  const definition = run.template.phases.find((candidate) => candidate.key === phase.key);
  if (!definition) throw new TypeError(`phase ${phase.key} is not in the run's template`);
  return definition;
}

/** The artifact that the definition of a phase expects: its relative path and its schema. */
export function expectedArtifactOf(run: Run, phase: Phase): { file: string; schema: string } {
  const { path: file = 'artifact.json', schema = '' } = definitionOf(run, phase).expectedArtifact ?? {};
  return { file, schema };
}

/** The next gate that this attempt of the phase must pass. */
export function nextGate(run: Run, phase: Phase): string | undefined {
  const gates = gatesOf(run.template, definitionOf(run, phase));
  const all = hasBoundaryAfter(run, phase) ? [...gates, BOUNDARY] : gates;
  return all.find((gate) => !phase.gatesPassed.includes(gate));
}

/** `planning` up to and including the phase that writes the phase plan, then `executing`. */
export function activeStateAt(run: Run, phaseSeq: number): Extract<RunState, 'planning' | 'executing'> {
  const plan = run.phases.find((phase) => isPlanPhase(definitionOf(run, phase)));
  return plan && phaseSeq <= plan.seq ? 'planning' : 'executing';
}

/** The gates at which a person must decide, oldest first. Those of agents, answered in the pane, are not among them. */
export function openGates(run: Run): Approval[] {
  return run.approvals.filter((gate) => blocksRun(gate) && isUndecided(gate));
}

/** True while nobody decided at the gate, though it may have timed out. */
export function isUndecided({ state }: Pick<Approval, 'state'>): boolean {
  return state === 'pending' || state === 'paused';
}

/** The open recovery gates, where devflow cannot continue alone. */
export function openRecoveryGates(run: Run): Approval[] {
  return openGates(run).filter(holdsFailure);
}

/** True while a gate about the phase itself is open. Gates of assignments and lanes do not hold the phase. */
export function isHeld(run: Run, { id }: Phase): boolean {
  if (!keepsFailuresLocal(run)) return run.state === 'awaiting_approval';
  return openGates(run).some(({ phaseId, assignment, laneId }) => phaseId === id && !assignment && !laneId);
}

/** True while a gate about the lane is open. It holds the lane only; for `main`, the merge queue. */
export function isLaneHeld(run: Run, { id }: Phase, laneId: string): boolean {
  return openGates(run).some((gate) => gate.phaseId === id && gate.laneId === laneId);
}

/** True while nothing new may begin: after a person's pause or a timeout. Older runs also wait at a recovery gate. */
export function isFrozen(run: Run): boolean {
  return keepsFailuresLocal(run) ? run.frozen : run.state === 'paused';
}

/** True for a run that is paused only because a recovery gate is open. */
export function waitsAtRecovery(run: Run): boolean {
  return run.state === 'paused' && !isFrozen(run);
}

/** A session by id; undefined before its first event. */
export function sessionOf(run: Run, sessionId: string): Session | undefined {
  return run.sessions.find((session) => session.id === sessionId);
}

/** The commands of a command phase: the template's, then those given at start as `extra.<phase key>`. */
export function commandsOf(run: Run, phase: Phase): { kind: CommandRun['kind']; argv: string[]; timeoutMs: number }[] {
  const definition = definitionOf(run, phase);
  const given = run.extra?.[phase.key];
  const fromStart = Array.isArray(given) ? (given as string[][]).map((argv) => ({ kind: 'test' as const, argv })) : [];
  return [...definition.commands, ...fromStart].map((command) => ({
    kind: command.kind,
    argv: command.argv,
    timeoutMs:
      ('timeoutMs' in command ? command.timeoutMs : undefined) ?? definition.timeoutMs ?? run.options.commandTimeoutMs,
  }));
}

/** The tries of a phase, for people: the most attempts of its assignments. Keys and ids have `phase.attempts`. */
export function attemptsOf({ attempts, assignments }: Pick<Phase, 'attempts' | 'assignments'>): number {
  return Math.max(attempts, ...assignments.map(({ attempt }) => attempt));
}

/** The started commands of the phase's present attempt, in order. */
export function commandsStarted(run: Run, phase: Phase): CommandRun[] {
  return run.commands.filter(
    ({ phaseId, attempt, kind }) => phaseId === phase.id && attempt === phase.attempts && kind !== 'setup',
  );
}

/** Recoveries since the budget was reset, including the due one. */
export function recoveriesUsed(session: Session): number {
  return session.recoveryAttempts - session.recoveryBase;
}

/** The way of recovery that is due, or undefined when both budgets are spent. */
export function dueRecovery(session: Session): Recovery | undefined {
  const used = recoveriesUsed(session);
  if (used <= RESUME_BUDGET) return session.renews ? 'rebootstrap' : 'resume';
  return used <= RESUME_BUDGET + REBOOTSTRAP_BUDGET ? 'rebootstrap' : undefined;
}

/** True while the session needs a recovery before it can take a prompt. */
export function isBroken(session: Session): boolean {
  return ['CRASHED', 'HUNG', 'ARTIFACT_TIMEOUT', 'FAILED_NEEDS_HUMAN'].includes(session.state);
}

/** True while the agent works on a prompt, according to the log. */
export function isAtWork(session: Session): boolean {
  return session.state === 'BUSY' || session.state === 'WAITING_FOR_APPROVAL';
}

/** The stall that the adapter reports, or null. Without work, the end of a turn is no stall. */
export function stallThatCounts<T extends { cause: StallCause }>(session: Session, stall: T | null): T | null {
  return stall && STALLS[stall.cause].endsTurn && !isAtWork(session) ? null : stall;
}

export type StalledSession = Session & { stall: NonNullable<Session['stall']> };

export function isStalled(session: Session | undefined): session is StalledSession {
  return session?.stall != null;
}

/** True while an agent has to work on the assignment. */
export function isDue({ status }: Assignment): boolean {
  return status === 'to_prompt' || status === 'prompted';
}

/** The sessions whose assignments in this phase are not done. */
export function sessionsAtWork(run: Run, { assignments }: Phase): Session[] {
  return assignments
    .filter(isDue)
    .map((assignment) => sessionOf(run, assignment.sessionId))
    .filter((session) => session !== undefined);
}

/** The state of a phase at work, derived from its assignments. One with steps of its own runs until the last of them. */
export function phaseStateOf(
  { assignments }: Pick<Phase, 'assignments'>,
  { kind }: Pick<Phase, 'kind'>,
): Extract<RunPhaseState, 'running' | 'awaiting_artifact' | 'validating' | 'failed'> {
  const some = (status: Assignment['status']) => assignments.some((assignment) => assignment.status === status);
  if (!stateRulesOf({ kind }).endsWithAssignments || some('to_prompt')) return 'running';
  if (some('prompted')) return 'awaiting_artifact';
  return some('failed') ? 'failed' : 'validating';
}

/** The newest commit that devflow made on the run's branch, or null. */
export function lastCommit(run: Run, made: CommittedWork | null = null): string | null {
  return made?.commit ?? run.lastCommit;
}

/** The binding of a role instance. */
export function getBinding(run: Run, roleId: string): Binding {
  const binding = run.bindings.find((each) => each.roleId === roleId);
  if (!binding) throw new TypeError(`role ${roleId} is not bound`);
  return binding;
}

/** Counts the run's uncertain deliveries, about which a person was asked. */
export function countDoubts({ approvals }: Run): number {
  return approvals.filter(({ gateKey }) => gateKey === UNCERTAIN_GATE).length;
}

/** The place of a gate's phase among all. A gate without a phase stands after the last one. */
export function seqAt({ phases }: Run, { phaseId }: Pick<Approval, 'phaseId'>): number {
  return phases.find(({ id }) => id === phaseId)?.seq ?? Number.POSITIVE_INFINITY;
}
