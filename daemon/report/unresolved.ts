import { isTerminal } from '../../schemas/enums.ts';
import type { Phase, Run } from '../engine/core/state.ts';
import type { ReportSubject } from './compose.ts';

/** Something a person should know or do, in a sentence without markup. */
export interface Unresolved {
  kind:
    | 'failure'
    | 'gate_open'
    | 'phase_not_done'
    | 'command_failed'
    | 'command_unfinished'
    | 'artifact_invalid'
    | 'session_failed'
    | 'open_questions'
    | 'follow_ups'
    | 'finding'
    | 'uncommitted_files'
    | 'nested_repository';
  sentence: string;
  /** What is meant: a phase key, a session id, a path. */
  subject?: string;
}

/** What the run leaves to a person, the weightiest first. */
export function unresolvedOf(subject: ReportSubject): Unresolved[] {
  const { run } = subject;
  return [
    ...failure(run),
    ...openGates(run),
    ...phasesNotDone(run),
    ...run.phases.flatMap((phase) => commandTrouble(run, phase)),
    ...run.phases.flatMap(invalidArtifacts),
    ...failedSessions(run),
    ...leftByAgents(subject),
    ...openFindings(subject),
    ...uncommitted(subject),
    ...nestedRepositories(run),
  ];
}

function failure({ failure, state }: Run): Unresolved[] {
  if (!failure) return [];
  const what = state === 'aborted' ? 'The run was aborted' : `The run failed (${failure.code})`;
  return [{ kind: 'failure', sentence: `${what}: ${sentence(failure.reason)}` }];
}

function openGates(run: Run): Unresolved[] {
  return run.approvals
    .filter(({ state }) => state === 'pending' || state === 'paused')
    .map(({ gateKey, phaseKey, id }) => ({
      kind: 'gate_open',
      sentence: `The gate ${gateKey} of phase ${phaseKey} waits for a decision.`,
      subject: id,
    }));
}

function phasesNotDone(run: Run): Unresolved[] {
  if (!isTerminal(run.state)) return [];
  return run.phases
    .filter(({ state }) => state !== 'completed' && state !== 'skipped')
    .map(({ key, state, attempts }) => ({
      kind: 'phase_not_done',
      sentence:
        attempts === 0
          ? `Phase ${key} was never started.`
          : `Phase ${key} was not completed: it ended as ${state} in attempt ${attempts}.`,
      subject: key,
    }));
}

function commandTrouble(run: Run, phase: Phase): Unresolved[] {
  const commands = run.commands.filter(({ phaseId, attempt }) => phaseId === phase.id && attempt === phase.attempts);
  const approved = phase.state === 'completed' ? ' and was approved anyway' : '';
  return commands.flatMap(({ state, argv, exitCode, reason, stderrPath }): Unresolved[] => {
    const name = argv.join(' ');
    if (state === 'failed') {
      const how = exitCode === null ? (reason ?? 'no exit code') : `exit code ${exitCode}`;
      const sentence = `${name} failed (${how})${approved}; its output is in ${stderrPath}.`;
      return [{ kind: 'command_failed', sentence, subject: phase.key }];
    }
    if (state === 'started' && isTerminal(run.state)) {
      return [{ kind: 'command_unfinished', sentence: `${name} was started and has no end.`, subject: phase.key }];
    }
    return [];
  });
}

function invalidArtifacts(phase: Phase): Unresolved[] {
  return phase.works.flatMap(({ artifact, roleId }) =>
    artifact && !artifact.valid
      ? [
          {
            kind: 'artifact_invalid' as const,
            sentence: `The last artifact of ${roleId} in phase ${phase.key} does not satisfy ${artifact.schema} (${artifact.errors?.length ?? 0} errors).`,
            subject: artifact.path,
          },
        ]
      : [],
  );
}

function failedSessions(run: Run): Unresolved[] {
  return run.sessions
    .filter(({ state }) => state === 'FAILED_NEEDS_HUMAN')
    .map(({ id, roleId, failure }) => ({
      kind: 'session_failed',
      sentence: `The session of ${roleId} gave out${failure ? ` (${failure.code}): ${sentence(failure.reason)}` : '.'}`,
      subject: id,
    }));
}

/** Agents say what they leave open in two lists of their artifacts; the newest of each phase counts. */
function leftByAgents({ run, contents = {} }: ReportSubject): Unresolved[] {
  const kinds = [
    ['openQuestions', 'open_questions', 'left open, each with an assumption'],
    ['followUps', 'follow_ups', 'noted to be done later'],
  ] as const;
  return run.phases
    .flatMap((phase) => phase.works.flatMap(({ artifact }) => (artifact?.valid ? [{ phase, artifact }] : [])))
    .flatMap(({ phase, artifact }) =>
      kinds.flatMap(([field, kind, what]): Unresolved[] => {
        const count = listLength(contents[artifact.id], field);
        if (count === 0) return [];
        const points = count === 1 ? '1 point was' : `${count} points were`;
        const where = artifact.storedPath ?? artifact.path;
        return [
          { kind, sentence: `${points} ${what} by phase ${phase.key}: see ${field} in ${where}.`, subject: where },
        ];
      }),
    );
}

function listLength(content: unknown, field: string): number {
  const list = (content as Record<string, unknown> | null | undefined)?.[field];
  return Array.isArray(list) ? list.length : 0;
}

function openFindings({ findings }: ReportSubject): Unresolved[] {
  return findings
    .filter(({ verifierStatus }) => verifierStatus !== 'rejected')
    .map(({ findingId, severity, summary }) => ({
      kind: 'finding',
      sentence: `A reviewer found (${severity}): ${sentence(summary)}`,
      subject: findingId,
    }));
}

function uncommitted({ run, dirtyFiles = 0 }: ReportSubject): Unresolved[] {
  if (dirtyFiles === 0) return [];
  const files = dirtyFiles === 1 ? '1 file in the worktree is' : `${dirtyFiles} files in the worktree are`;
  return [
    {
      kind: 'uncommitted_files',
      sentence: `${files} not committed.`,
      subject: run.worktreeRoot,
    },
  ];
}

/** The newest commit of each phase tells which repositories inside of the worktree it left out. */
function nestedRepositories(run: Run): Unresolved[] {
  const paths = new Set(run.phases.flatMap(({ work }) => work?.nestedRepositories ?? []));
  return [...paths].map((path) => ({
    kind: 'nested_repository',
    sentence: `The git repository ${path} in the worktree is in no commit.`,
    subject: path,
  }));
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
