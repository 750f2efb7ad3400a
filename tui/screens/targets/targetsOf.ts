import { placeOf } from '../../../schemas/findings/findingWords.ts';
import { agentName } from '../../../schemas/mainLane.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { ArtifactView } from '../../../schemas/rpc/views/artifact.ts';
import type { CommandView } from '../../../schemas/rpc/views/command.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import type { RunDetail, RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Model } from '../../model/model.ts';
import { answerOf, query } from '../../model/query.ts';
import { baseName, shortId } from '../../text/runWords.ts';
import { type Copyable, NO_TARGETS, type Openable, type Targets } from './targets.ts';

const named = (...texts: readonly (readonly [what: string, text: string | null | undefined])[]): Copyable[] =>
  texts.flatMap(([what, text]) => (text ? [{ what, text }] : []));

const aCopy = (what: string, path: string | null): Openable[] => (path === null ? [] : [{ what, path, as: 'copy' }]);

/** A list knows only a summary of a run. The whole run offers more, once it is read. */
export function targetsOfRun(model: Model, run: RunSummary | undefined): Targets {
  if (!run) return NO_TARGETS;
  return targetsOfRunDetail(answerOf(model.data, query('run.get', { runId: run.runId }))) ?? targetsOfSummary(run);
}

function targetsOfSummary({ runId, repoPath, baseBranch }: RunSummary): Targets {
  return { copy: named(['run', runId], ['repository', repoPath], ['base branch', baseBranch]), open: [] };
}

export function targetsOfRunDetail(run: RunDetail | undefined): Targets | undefined {
  if (!run) return undefined;
  const { runId, branch, repoPath, finalReportPath, baseCommit, baseBranch } = run;
  // A run without a branch only reads, and leaves no worktree.
  const worktreeRoot = branch === null ? '' : run.worktreeRoot;
  return {
    copy: named(
      ['run', runId],
      ['branch', branch],
      ['worktree', worktreeRoot],
      ['repository', repoPath],
      ['report', finalReportPath],
      ['base branch', baseBranch],
      ['base commit', baseCommit],
    ),
    open: [
      ...(worktreeRoot === '' ? [] : [{ what: 'worktree', path: worktreeRoot, as: 'directory' } as const]),
      ...aCopy('report', finalReportPath),
    ],
    worktree: worktreeRoot === '' ? undefined : { path: worktreeRoot, label: runLabel(runId, branch) },
  };
}

/** Where a person opens files of the run: its worktree, or the repository if it only reads. */
export function filesRoot({ branch, worktreeRoot, repoPath }: RunDetail): string {
  return branch === null ? repoPath : worktreeRoot;
}

function runLabel(runId: string, branch: string | null): string {
  return `run ${shortId(runId)}${branch === null ? '' : `, branch ${branch}`}`;
}

export function targetsOfSession(session: SessionSummary | undefined, isWhole = false): Targets {
  if (!session) return NO_TARGETS;
  const { sessionId, runId, cwd, paneId } = session;
  return {
    copy: named(['session', sessionId], ['pane', paneId], ...(isWhole ? [] : [['run', runId] as const]), [
      'worktree',
      cwd,
    ]),
    open: cwd === '' ? [] : [{ what: 'worktree', path: cwd, as: 'directory' }],
    worktree: cwd === '' ? undefined : { path: cwd, label: `run ${shortId(runId)}, ${agentName(session)}` },
  };
}

export function targetsOfGate(gate: ApprovalSummary | undefined): Targets {
  return gate ? { copy: named(['approval', gate.id], ['run', gate.runId]), open: [] } : NO_TARGETS;
}

export function targetsOfArtifact(artifact: ArtifactView | undefined): Targets {
  if (!artifact) return NO_TARGETS;
  const { artifactId, path, storedPath, schema, hash } = artifact;
  return {
    copy: named([`path of ${baseName(path)}`, path], ['artifact', artifactId], ['SHA-256', hash]),
    open: aCopy(`artifact ${schema}`, storedPath ?? path),
  };
}

export function targetsOfCommand(command: CommandView | undefined): Targets {
  if (!command) return NO_TARGETS;
  const { stdoutPath, stderrPath, cwd } = command;
  return {
    copy: named(['stdout path', stdoutPath], ['stderr path', stderrPath], ['directory', cwd]),
    open: [...aCopy('stdout', stdoutPath), ...aCopy('stderr', stderrPath)],
  };
}

/** A changed file, in the worktree that holds it. */
export function targetsOfFile(path: string | undefined, worktree: string | undefined): Targets {
  if (path === undefined) return NO_TARGETS;
  if (!worktree) return { copy: named(['file', path]), open: [] };
  const whole = `${worktree}/${path}`;
  return {
    copy: named(['file', path], ['file path', whole]),
    open: [{ what: `file ${path}`, path: whole, as: 'file', root: worktree }],
  };
}

/** The file of the finding, at its line. */
export function targetsOfFinding(finding: FindingView | undefined, worktree: string): Targets {
  if (!finding) return NO_TARGETS;
  const { path, line, findingId } = finding;
  const { copy, open } = targetsOfFile(path, worktree);
  const place = placeOf(finding);
  return {
    copy: [...named(['place', place], ['finding', findingId]), ...copy],
    // The editor would show another line, or no file.
    open: finding.removed ? [] : open.map((file) => ({ ...file, what: `file ${place}`, line })),
  };
}

/** The artifacts under decision, and what the decision is bound to. */
export function targetsOfDecision({ artifacts, artifactHash, diff, subject }: ApprovalDetail): Targets {
  const made = artifacts.map(targetsOfArtifact);
  const { path } = subject;
  return {
    copy: [
      ...made.flatMap(({ copy }) => copy.slice(0, 1)),
      ...named(
        ['artifact hash', artifactHash],
        ['commit', diff?.head],
        ['path', typeof path === 'string' ? path : null],
      ),
    ],
    open: made.flatMap(({ open }) => open),
  };
}
