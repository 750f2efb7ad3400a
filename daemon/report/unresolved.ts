import { isTerminal } from '../../schemas/enums.ts';
import { sortedFindings } from '../../schemas/findings/findingGroups.ts';
import { placeOf } from '../../schemas/findings/findingWords.ts';
import type { FindingView } from '../../schemas/rpc/views/findings.ts';
import { FINDING_SEVERITIES, FINDING_STATES } from '../../schemas/states/findings.ts';
import { PHASE_STATES } from '../../schemas/states/run.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { shellWord } from '../../schemas/text/visible.ts';
import { checkoutChangeSentence } from '../../schemas/worktreeState.ts';
import { unansweredNotes } from '../core/comments/commentState.ts';
import { deliveryNote } from '../core/exchange/deliver.ts';
import { failedAudits } from '../core/exchange/failedAudits.ts';
import { isLeftOut, tasksNotDone } from '../core/run/notDone.ts';
import { attemptsOf } from '../core/run/query.ts';
import { setupViews } from '../core/run/setupViews.ts';
import type { Phase, Run } from '../core/run/state.ts';
import { reviewNotes } from '../kinds/review/reviewNotes.ts';
import {
  brokenSessions,
  failure,
  invalidArtifacts,
  openGates,
  pause,
  sentence,
  stoppedWork,
  waitingAgents,
} from './causes.ts';
import { failedCommands } from './failedCommands.ts';
import type { ReportSubject } from './subject.ts';
import type { UnresolvedItem } from './unresolvedItem.ts';

/** The points that need a person's attention, the most important first. */
export function unresolvedOf(subject: ReportSubject): UnresolvedItem[] {
  const { run } = subject;
  return [
    ...failure(run),
    ...pause(subject),
    ...stoppedWork(run),
    ...openGates(run),
    ...waitingAgents(run),
    ...phasesNotDone(run),
    ...tasksLeft(run),
    ...failedSteps(run),
    ...run.phases.flatMap((phase) => failedCommands(run, phase)),
    ...notSetUp(run),
    ...run.phases.flatMap((phase) => invalidArtifacts(run, phase)),
    ...brokenSessions(run),
    ...unmerged(subject),
    ...leftByAgents(subject),
    ...unansweredNotes(run).map(
      ({ id, sentence }): UnresolvedItem => ({ kind: 'comment_unanswered', sentence, subject: id }),
    ),
    ...openFindings(subject),
    ...reviewNotes(run).map((sentence): UnresolvedItem => ({ kind: 'review', sentence })),
    ...uncommitted(subject),
    ...nestedRepositories(run),
    ...leftOutFiles(run),
    ...changedArtifacts(subject),
    ...notDelivered(run),
    ...changedCheckout(run),
  ];
}

function phasesNotDone(run: Run): UnresolvedItem[] {
  if (!isTerminal(run.state)) return [];
  return run.phases
    .filter(({ state }) => state !== 'completed' && state !== 'skipped')
    .map((phase) => ({
      kind: 'phase_not_done',
      sentence: wasNotDone(phase),
      subject: phase.key,
    }));
}

function wasNotDone(phase: Phase): string {
  const attempts = attemptsOf(phase);
  if (attempts === 0) return `Phase ${phase.key} never started.`;
  const { word } = stateOf(PHASE_STATES, phase.state);
  return `Phase ${phase.key} was not completed: it ended as ${word} in attempt ${attempts}.`;
}

/** Steps of the plan that do not keep to their manifests, as devflow checked the commits. */
function failedSteps(run: Run): UnresolvedItem[] {
  const audits = failedAudits(run);
  return (audits?.failed ?? []).map(({ step, faults }) => ({
    kind: 'manifest_failed',
    sentence: `Step ${step} of the plan does not keep to its manifest: ${sentence(faults.join('; '))}`,
    subject: audits?.phase.key,
  }));
}

/** Tasks that no later run of the phase will do any more, and the place of the work on them. */
function tasksLeft(run: Run): UnresolvedItem[] {
  return tasksNotDone(run).map(({ taskId, title, laneId, why }) => {
    const branch = run.lanes.find((lane) => lane.id === laneId && lane.head !== null)?.branch;
    const work = branch === undefined ? '' : ` Its work so far is on the branch ${branch}.`;
    return {
      kind: 'task_not_done',
      sentence: `Task ${taskId} (${title}) was not done: ${sentence(why)}${work}`,
      subject: taskId,
    };
  });
}

/** Agents list open questions and follow-ups in their artifacts. The newest artifact of each phase counts. */
function leftByAgents({ run, contents = {} }: ReportSubject): UnresolvedItem[] {
  const kinds = [
    ['openQuestions', 'open_questions', 'open question'],
    ['followUps', 'follow_ups', 'follow-up'],
  ] as const;
  return run.phases
    .flatMap((phase) =>
      phase.assignments.flatMap((assignment) => {
        const { artifact } = assignment;
        return artifact?.valid && !isLeftOut(run, assignment) ? [{ phase, artifact }] : [];
      }),
    )
    .flatMap(({ phase, artifact }) =>
      kinds.flatMap(([field, kind, what]): UnresolvedItem[] => {
        const count = listLength(contents[artifact.id], field);
        if (count === 0) return [];
        const where = artifact.storedPath ?? artifact.path;
        const sentence = `Phase ${phase.key} left ${counted(count, what)}: see ${field} in ${where}.`;
        return [{ kind, sentence, subject: where }];
      }),
    );
}

function listLength(content: unknown, field: string): number {
  const list = (content as Record<string, unknown> | null | undefined)?.[field];
  return Array.isArray(list) ? list.length : 0;
}

/** The findings that the change could not pass with. */
function openFindings({ findings }: ReportSubject): UnresolvedItem[] {
  return sortedFindings(findings)
    .filter(({ isBlocker }) => isBlocker)
    .map((finding) => ({
      kind: 'finding',
      sentence: `A finding at ${placeOf(finding)} is ${openWords(finding)}: ${sentence(finding.summary)}`,
      subject: finding.findingId,
    }));
}

function openWords({ severity, state }: FindingView): string {
  return `${stateOf(FINDING_STATES, state).word} (${stateOf(FINDING_SEVERITIES, severity).word})`;
}

/** Commits that no other branch has. An open run may still add some. */
function unmerged({ run, branchCommits = [], takenOver }: ReportSubject): UnresolvedItem[] {
  const made = new Set([
    ...branchCommits,
    ...run.phases.flatMap(({ commits }) => commits.flatMap((each) => each.commit ?? [])),
  ]);
  if (!isTerminal(run.state) || run.branch === null || made.size === 0 || takenOver?.length !== 0) return [];
  const [id, commits] = [run.id.slice(0, 8), counted(made.size, 'commit is', 'commits are')];
  const sentence = `${commits} only on the branch ${run.branch}. See the change with devflow run diff ${id}. Apply it with devflow run apply ${id}.`;
  return [{ kind: 'branch_unmerged', sentence, subject: run.branch }];
}

function uncommitted({ run, dirtyFiles = 0 }: ReportSubject): UnresolvedItem[] {
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

/** Repositories inside the worktree that the newest commit of each phase leaves out. */
function nestedRepositories(run: Run): UnresolvedItem[] {
  const paths = new Set(run.phases.flatMap(({ work }) => work?.nestedRepositories ?? []));
  return [...paths].map((path) => ({
    kind: 'nested_repository',
    sentence: `No commit contains the git repository ${path} in the worktree.`,
    subject: path,
  }));
}

/** Its commits are no ancestors of the result. */
function leftOutFiles(run: Run): UnresolvedItem[] {
  const paths = new Set(run.phases.flatMap(({ work }) => work?.leftOut ?? []));
  return [...paths].map((path) => ({
    kind: 'left_out',
    sentence: `An agent committed ${path}, which the set-up copied or made. devflow took it out of the commits.`,
    subject: path,
  }));
}

/** devflow uses the validated content, but a person should know that somebody changed the files. */
function changedArtifacts({ changedArtifacts = [], events }: ReportSubject): UnresolvedItem[] {
  const found = events.flatMap((event) =>
    event.type === 'prompt.sent' || event.type === 'prompt.repaired' ? (event.payload.changedInputs ?? []) : [],
  );
  return [...new Set([...found, ...changedArtifacts])].map((path) => ({
    kind: 'artifact_changed',
    sentence: `Somebody changed the file ${path} after validation. devflow used the validated content.`,
    subject: path,
  }));
}

function notDelivered(run: Run): UnresolvedItem[] {
  const sentence = deliveryNote(run);
  return sentence === null ? [] : [{ kind: 'files_not_delivered', sentence, subject: run.branch ?? undefined }];
}

/** devflow never writes there. An agent may have, or the person. */
function changedCheckout({ checkoutChanges, repoPath }: Run): UnresolvedItem[] {
  return checkoutChanges.map((change) => ({
    kind: 'checkout_changed',
    sentence: `${checkoutChangeSentence(change)} devflow did not write there: git -C ${shellWord(repoPath)} status.`,
    subject: repoPath,
  }));
}

/** Worktrees that were not set up, and what their set-up changed or made. */
function notSetUp(run: Run): UnresolvedItem[] {
  const views = (setupViews(run) ?? []).filter(({ state }) => state === 'failed' || state === 'without');
  const lanes = views.map(
    (view): UnresolvedItem => ({
      kind: 'not_set_up',
      sentence: `The worktree ${view.laneId} was not set up: ${view.reason ?? ''}.`,
      subject: view.laneId,
    }),
  );
  return [...lanes, ...checksNotSetUp(run)];
}

/** The newest test or check of each phase that ran without its guessed set-up. */
function checksNotSetUp(run: Run): UnresolvedItem[] {
  return run.phases.flatMap((phase): UnresolvedItem[] => {
    const ofQueue = 'dag' in phase ? (phase.dag?.tests ?? []) : [];
    const ofReview = 'review' in phase ? (phase.review?.rounds.flatMap(({ checked }) => checked) ?? []) : [];
    const failed = [...ofQueue, ...ofReview].findLast(({ setup }) => setup !== undefined)?.setup;
    if (failed === undefined) return [];
    const why = `${failed.argv.join(' ')}: ${failed.reason}. Its output is in ${failed.stderrPath}.`;
    const sentence = `Checks of ${phase.key} ran in a worktree that was not set up: ${why}`;
    return [{ kind: 'not_set_up', sentence, subject: phase.key }];
  });
}
