import { gatesOf, isPlanPhase, type TemplatePhase } from '../../../../schemas/definitions/template.ts';
import type { RunPhaseState, RunState } from '../../../../schemas/enums.ts';
import type { CommittedWork } from '../../../../schemas/events/phase.ts';
import { blocksRun } from '../../../../schemas/gateKinds.ts';
import { REBOOTSTRAP_BUDGET, RESUME_BUDGET } from '../machines/session.ts';
import type { Approval, Assignment, CommandRun, Phase, Run, Session } from './state.ts';

/** The running or next phase: the first that is neither completed nor skipped. */
export function currentPhase(run: Run): Phase | undefined {
  return run.phases.find((phase) => phase.state !== 'completed' && phase.state !== 'skipped');
}

/** The frozen definition of a phase. */
export function definitionOf(run: Run, phase: Phase): TemplatePhase {
  const definition = run.template.phases.find((candidate) => candidate.key === phase.key);
  if (!definition) throw new TypeError(`phase ${phase.key} is not in the run's template`);
  return definition;
}

/** The next gate that this attempt of the phase must pass. */
export function nextGate(run: Run, phase: Phase): string | undefined {
  return gatesOf(run.template, definitionOf(run, phase)).find((gate) => !phase.gatesPassed.includes(gate));
}

/** The phase whose work a gate of `phase` is about: itself, or the agent phase before a command phase. */
export function producerOf(run: Run, phase: Phase): Phase {
  const before = run.phases.filter(
    (candidate) => candidate.seq <= phase.seq && definitionOf(run, candidate).kind === 'agent',
  );
  return before.at(-1) ?? phase;
}

/** `planning` up to and including the phase that writes the phase plan, then `executing`. */
export function activeStateAt(run: Run, phaseSeq: number): Extract<RunState, 'planning' | 'executing'> {
  const plan = run.phases.find((phase) => isPlanPhase(definitionOf(run, phase)));
  return plan && phaseSeq <= plan.seq ? 'planning' : 'executing';
}

/** The gate at which the run waits for a person, if any. There is at most one at a time. */
export function openApproval(run: Run): Approval | undefined {
  return run.approvals.find((gate) => blocksRun(gate) && (gate.state === 'pending' || gate.state === 'paused'));
}

/** The recovery gate that keeps the run paused, if any. */
export function openRecoveryGate(run: Run): Approval | undefined {
  const approval = openApproval(run);
  return approval?.kind === 'recovery' ? approval : undefined;
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

/** The started commands of the phase's present attempt, in order. */
export function commandsStarted(run: Run, phase: Phase): CommandRun[] {
  return run.commands.filter((command) => command.phaseId === phase.id && command.attempt === phase.attempts);
}

/** Recoveries since the budget was reset, including the due one. */
export function recoveriesUsed(session: Session): number {
  return session.recoveryAttempts - session.recoveryBase;
}

/** The way of recovery that is due, or undefined when both budgets are spent. */
export function dueRecovery(session: Session): 'resume' | 'rebootstrap' | undefined {
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

export type StalledSession = Session & { stall: NonNullable<Session['stall']> };

export function isStalled(session: Session | undefined): session is StalledSession {
  return session?.stall != null;
}

/** The sessions whose assignments in this phase are not done. */
export function sessionsAtWork(run: Run, { assignments }: Phase): Session[] {
  const due = assignments.filter(({ status }) => status === 'to_prompt' || status === 'prompted');
  return due.map((assignment) => sessionOf(run, assignment.sessionId)).filter((session) => session !== undefined);
}

/** The state of an agent phase, derived from its assignments. */
export function phaseStateOf(
  assignments: Assignment[],
): Extract<RunPhaseState, 'running' | 'awaiting_artifact' | 'validating'> {
  if (assignments.some((assignment) => assignment.status === 'to_prompt')) return 'running';
  return assignments.some((assignment) => assignment.status === 'prompted') ? 'awaiting_artifact' : 'validating';
}

/** The newest commit that devflow made on the run's branch, or null. */
export function lastCommit(run: Run, made: CommittedWork | null = null): string | null {
  const commits = [...run.phases.flatMap((phase) => phase.commits), made].flatMap((work) => work?.commit ?? []);
  return commits.at(-1) ?? null;
}
