import type { ApprovalDetail, ApprovalSummary } from '../../schemas/rpc/views/approval.ts';
import type { ArtifactView } from '../../schemas/rpc/views/artifact.ts';
import type { CommandView } from '../../schemas/rpc/views/command.ts';
import type { RunDetail, RunSummary } from '../../schemas/rpc/views/run.ts';
import type { SessionSummary } from '../../schemas/rpc/views/session.ts';
import type { Model } from '../model/model.ts';
import { answerOf, query } from '../model/query.ts';
import { baseName, shortId } from '../text/runWords.ts';
import { type Copyable, NO_THINGS, type Openable, type Things } from './things.ts';

const named = (...texts: readonly (readonly [what: string, text: string | null | undefined])[]): Copyable[] =>
  texts.flatMap(([what, text]) => (text ? [{ what, text }] : []));

const aCopy = (what: string, path: string | null): Openable[] => (path === null ? [] : [{ what, path, as: 'copy' }]);

/** A list knows only a summary of a run. The whole run offers more, once it is read. */
export function runThings(model: Model, run: RunSummary | undefined): Things {
  if (!run) return NO_THINGS;
  return detailThings(answerOf(model.data, query('run.get', { runId: run.runId }))) ?? summaryThings(run);
}

function summaryThings({ runId, repoPath, baseBranch }: RunSummary): Things {
  return { copy: named(['run', runId], ['repository', repoPath], ['base branch', baseBranch]), open: [] };
}

export function detailThings(run: RunDetail | undefined): Things | undefined {
  if (!run) return undefined;
  const { runId, branch, worktreeRoot, repoPath, finalReportPath, baseCommit, baseBranch } = run;
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

function runLabel(runId: string, branch: string | null): string {
  return `run ${shortId(runId)}${branch === null ? '' : `, branch ${branch}`}`;
}

export function sessionThings(session: SessionSummary | undefined, isWhole = false): Things {
  if (!session) return NO_THINGS;
  const { sessionId, runId, cwd, paneId, roleId } = session;
  return {
    copy: named(['session', sessionId], ['pane', paneId], ...(isWhole ? [] : [['run', runId] as const]), [
      'worktree',
      cwd,
    ]),
    open: cwd === '' ? [] : [{ what: 'worktree', path: cwd, as: 'directory' }],
    worktree: cwd === '' ? undefined : { path: cwd, label: `run ${shortId(runId)}, ${roleId}` },
  };
}

export function gateThings(gate: ApprovalSummary | undefined): Things {
  return gate ? { copy: named(['approval', gate.id], ['run', gate.runId]), open: [] } : NO_THINGS;
}

export function artifactThings(artifact: ArtifactView | undefined): Things {
  if (!artifact) return NO_THINGS;
  const { artifactId, path, storedPath, schema, hash } = artifact;
  return {
    copy: named([`path of ${baseName(path)}`, path], ['artifact', artifactId], ['SHA-256', hash]),
    open: aCopy(`artifact ${schema}`, storedPath ?? path),
  };
}

export function commandThings(command: CommandView | undefined): Things {
  if (!command) return NO_THINGS;
  const { stdoutPath, stderrPath, cwd } = command;
  return {
    copy: named(['stdout path', stdoutPath], ['stderr path', stderrPath], ['directory', cwd]),
    open: [...aCopy('stdout', stdoutPath), ...aCopy('stderr', stderrPath)],
  };
}

/** A changed file, in the worktree that holds it. */
export function changedFileThings(path: string | undefined, worktree: string | undefined): Things {
  if (path === undefined) return NO_THINGS;
  if (!worktree) return { copy: named(['file', path]), open: [] };
  const whole = `${worktree}/${path}`;
  return {
    copy: named(['file', path], ['file path', whole]),
    open: [{ what: `file ${path}`, path: whole, as: 'file', root: worktree }],
  };
}

/** The artifacts under decision, and what the decision is bound to. */
export function decisionThings({ artifacts, artifactHash, diff, subject }: ApprovalDetail): Things {
  const made = artifacts.map(artifactThings);
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
