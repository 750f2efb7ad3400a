import { onlyReviews, type Template } from '../../../schemas/definitions/template.ts';
import type { Behaviour } from '../../../schemas/events/run.ts';
import type { Run } from './state.ts';

/** Every new run gets this number. */
export const NEWEST_BEHAVIOUR: Behaviour = 7;

/**
 * All differences between behaviours. A run keeps the number that it was created with, so recorded histories and older
 * open runs do not change.
 *
 * 1: version 1.
 * 2: a gate binds the commit and the tree under decision; prompts name read-only copies of the approved artifacts;
 *    `sessionBoundary` begins a new conversation.
 * 3: a failure stays with its assignment, and several gates may be open. The state of the run follows from what goes on.
 *    Attempts are counted for each assignment.
 * 4: a turn that ends without the artifact opens a gate at once. devflow reminds the agent once, then a person decides.
 *    Reminders and messages are short while the agent has the whole prompt in its conversation.
 * 5: reviews, lanes and objectives: each predicate below says what it changes.
 * 6: contracts and measured loops: as with 5, each predicate below says what it changes.
 * 7: silent hosts, edits at a boundary, targets that are met by accident. Each predicate below says what it changes.
 */
export const bindsWorktree = ({ behaviour }: Run): boolean => behaviour >= 2;
export const copiesInputs = ({ behaviour }: Run): boolean => behaviour >= 2;
export const keepsSessionBoundary = ({ behaviour }: Run): boolean => behaviour >= 2;
export const keepsFailuresLocal = ({ behaviour }: Run): boolean => behaviour >= 3;
export const asksAboutTurns = ({ behaviour }: Run): boolean => behaviour >= 4;

/** Prompts of lanes name the checks of every merge, the files of other tasks, and both sides of a conflict. */
export const namesOtherTasks = ({ behaviour }: Run): boolean => behaviour >= 5;
/** A check of a task that failed runs once more in its lane, before its agent must repair anything. */
export const looksTwiceAtChecks = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Protected files over 64 MB are compared by their content, and not by size and time. */
export const hashesLargeFiles = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Reports at one place are one finding only if they claim the same. */
export const comparesClaims = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Each finding that nobody could settle has a gate of its own. A comment there is about that finding only. */
export const asksEachDispute = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Reviewers quote removed lines as they were, and report them: in `dev/review-finding-batch@2`. */
export const quotesRemovedLines = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Reviewers are told of commits, files and commands of the change, and of what they can do. */
export const briefsReviewers = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Prompts do not name artifacts of abandoned lanes. */
export const leavesOutAbandoned = ({ behaviour }: Run): boolean => behaviour >= 5;
/** The merge queue searches for the landing that a lane collides with. */
export const namesCulprit = ({ behaviour }: Run): boolean => behaviour >= 5;
/** Checks are compared with an accepted red base: one that fails worse counts, one that passed is required again. */
export const comparesRed = ({ behaviour }: Run): boolean => behaviour >= 5;

/** After its end, a run commits the last files of its exchange: they say how it ended. */
export const deliversAtEnd = ({ behaviour }: Run): boolean => behaviour >= 6;

/** At a boundary, the pointer of a flow is at the next step already. At a gate it has the true number of failed retries. */
export const pointsPastBoundary = ({ behaviour }: Run): boolean => behaviour >= 6;
/** The gate after the review of a configuration is passed only once a person has confirmed it there. */
export const needsConfirmation = ({ behaviour }: Run): boolean => behaviour >= 6;
/**
 * A changed file must be right for its run before a person can take it. It is compared once more when somebody does.
 */
export const checksDriftsAgain = ({ behaviour }: Run): boolean => behaviour >= 6;
/** Changes that a person wants beyond the iterations of the template are a question about the limit first. */
export const asksBeyondLimit = ({ behaviour }: Run): boolean => behaviour >= 6;
/** A cycle completes its tasks, and logs what its agents tell each other and what devflow recovered from. */
export const keepsWholeCycle = ({ behaviour }: Run): boolean => behaviour >= 6;
/** A reviewer is told which steps of the plan do not keep to their manifests. */
export const namesFailedSteps = ({ behaviour }: Run): boolean => behaviour >= 6;
/** The work of a plan is one commit for each step, as far as the manifests name its files. */
export const commitsEachStep = ({ behaviour }: Run): boolean => behaviour >= 6;

/** Met targets outrank the primary metric. A change that looks better is measured again, and compared with the noise of the whole run. */
export const ranksByTargets = ({ behaviour }: Run): boolean => behaviour >= 6;
/** A bare number beside a percent target is a percentage. Metrics that a target names and nothing measures are a fault of the base. */
export const readsPercentages = ({ behaviour }: Run): boolean => behaviour >= 6;
/** Iterations that were not measured on the holdout do not miss it. More iterations that a person grants may open it once more. */
export const reopensHoldout = ({ behaviour }: Run): boolean => behaviour >= 6;
/** Measurements run at the commit in a place of devflow's own, and write to a directory that no event names. */
export const measuresApart = ({ behaviour }: Run): boolean => behaviour >= 6;

/** Both answers at a boundary are about the worktree as it is, with the edit that the gate asks for. */
export const bindsBoundary = ({ behaviour }: Run): boolean => behaviour >= 7;
/** A host that takes no work fails nothing: a gate holds the run until the host is back. */
export const keepsWorkOfSilentHost = ({ behaviour }: Run): boolean => behaviour >= 7;
/** Targets that a state meets by less than the noise do not meet the objective. */
export const doubtsMetTargets = ({ behaviour }: Run): boolean => behaviour >= 7;

/** A run that only reads a change has no branch. A review that fixes what it finds has a branch for its commits. */
export const readsWithoutBranch = (run: {
  behaviour: Behaviour;
  reviewHead?: string | null;
  template: Template;
}): boolean => run.behaviour >= 5 && Boolean(run.reviewHead) && onlyReviews(run.template);
