import { counted } from '../../schemas/counted.ts';
import { isTerminal } from '../../schemas/enums.ts';
import { PHASE_STATES } from '../../schemas/states/run.ts';
import { stateOf } from '../../schemas/states/state.ts';
import type { Phase, Run } from '../engine/core/run/state.ts';
import {
  brokenSessions,
  failure,
  invalidArtifacts,
  openGates,
  pause,
  sentence,
  stoppedPhases,
  waitingAgents,
} from './causes.ts';
import type { ReportSubject } from './compose.ts';

/** Something a person should know or do, in a sentence without markup. */
export interface Unresolved {
  kind:
    | 'failure'
    | 'paused'
    | 'phase_stopped'
    | 'agent_waits'
    | 'gate_open'
    | 'phase_not_done'
    | 'command_failed'
    | 'command_unfinished'
    | 'artifact_invalid'
    | 'session_failed'
    | 'open_questions'
    | 'follow_ups'
    | 'finding'
    | 'branch_unmerged'
    | 'uncommitted_files'
    | 'nested_repository'
    | 'artifact_changed';
  sentence: string;
  /** What is meant: a phase key, a session id, a path. */
  subject?: string;
}

/** What the run leaves to a person, the weightiest first. */
export function unresolvedOf(subject: ReportSubject): Unresolved[] {
  const { run } = subject;
  return [
    ...failure(run),
    ...pause(subject),
    ...stoppedPhases(run),
    ...openGates(run),
    ...waitingAgents(run),
    ...phasesNotDone(run),
    ...run.phases.flatMap((phase) => commandTrouble(run, phase)),
    ...run.phases.flatMap((phase) => invalidArtifacts(run, phase)),
    ...brokenSessions(run),
    ...unmerged(subject),
    ...leftByAgents(subject),
    ...openFindings(subject),
    ...uncommitted(subject),
    ...nestedRepositories(run),
    ...changedArtifacts(subject),
  ];
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
          : `Phase ${key} was not completed: it ended as ${stateOf(PHASE_STATES, state).word} in attempt ${attempts}.`,
      subject: key,
    }));
}

function commandTrouble(run: Run, phase: Phase): Unresolved[] {
  const commands = run.commands.filter(({ phaseId, attempt }) => phaseId === phase.id && attempt === phase.attempts);
  const approved = phase.state === 'completed' ? ' and was approved anyway' : '';
  return commands.flatMap(({ state, argv, exitCode, reason, stderrPath }): Unresolved[] => {
    const name = argv.join(' ');
    if (state === 'failed') {
      const how = howFailed(exitCode, reason);
      const sentence = `${name} failed (${how})${approved}; its output is in ${stderrPath}.`;
      return [{ kind: 'command_failed', sentence, subject: phase.key }];
    }
    if (state === 'started' && isTerminal(run.state)) {
      return [{ kind: 'command_unfinished', sentence: `${name} was started and has no end.`, subject: phase.key }];
    }
    return [];
  });
}

/** The reason adds something to an exit code only if devflow ended or refused the command. */
function howFailed(exitCode: number | null, reason: string | null): string {
  const isOwn = reason !== null && !reason.startsWith('exit ');
  if (exitCode === null) return reason ?? 'no exit code';
  return isOwn ? `${reason}, exit code ${exitCode}` : `exit code ${exitCode}`;
}

/** Agents say what they leave open in two lists of their artifacts; the newest of each phase counts. */
function leftByAgents({ run, contents = {} }: ReportSubject): Unresolved[] {
  const kinds = [
    ['openQuestions', 'open_questions', 'left open, each with an assumption'],
    ['followUps', 'follow_ups', 'noted to be done later'],
  ] as const;
  return run.phases
    .flatMap((phase) => phase.assignments.flatMap(({ artifact }) => (artifact?.valid ? [{ phase, artifact }] : [])))
    .flatMap(({ phase, artifact }) =>
      kinds.flatMap(([field, kind, what]): Unresolved[] => {
        const count = listLength(contents[artifact.id], field);
        if (count === 0) return [];
        const points = counted(count, 'point was', 'points were');
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

/** Work that only the run's own branch has. An open run may still add to it. */
function unmerged({ run, branchCommits = [], takenOver }: ReportSubject): Unresolved[] {
  const made = new Set([
    ...branchCommits,
    ...run.phases.flatMap(({ commits }) => commits.flatMap((each) => each.commit ?? [])),
  ]);
  if (!isTerminal(run.state) || run.branch === null || made.size === 0 || takenOver?.length !== 0) return [];
  const [id, commits] = [run.id.slice(0, 8), counted(made.size, 'commit is', 'commits are')];
  const sentence = `${commits} only on the branch ${run.branch}. Look with devflow run diff ${id}, and take the work over with devflow run apply ${id}.`;
  return [{ kind: 'branch_unmerged', sentence, subject: run.branch }];
}

function uncommitted({ run, dirtyFiles = 0 }: ReportSubject): Unresolved[] {
  if (dirtyFiles === 0) return [];
  const files = counted(dirtyFiles, 'file in the worktree is', 'files in the worktree are');
  return [
    {
      kind: 'uncommitted_files',
      sentence: `${files} not committed.`,
      subject: run.worktreeRoot,
    },
  ];
}

/** The repositories inside the worktree that the newest commit of each phase left out. */
function nestedRepositories(run: Run): Unresolved[] {
  const paths = new Set(run.phases.flatMap(({ work }) => work?.nestedRepositories ?? []));
  return [...paths].map((path) => ({
    kind: 'nested_repository',
    sentence: `The git repository ${path} in the worktree is in no commit.`,
    subject: path,
  }));
}

/** devflow used the validated bytes, but a person should know that somebody changed the files. */
function changedArtifacts({ changedArtifacts = [], events }: ReportSubject): Unresolved[] {
  const found = events.flatMap((event) =>
    event.type === 'prompt.sent' || event.type === 'prompt.repaired' ? (event.payload.changedInputs ?? []) : [],
  );
  return [...new Set([...found, ...changedArtifacts])].map((path) => ({
    kind: 'artifact_changed',
    sentence: `The file ${path} was changed after its artifact had been judged. devflow used the judged bytes.`,
    subject: path,
  }));
}
