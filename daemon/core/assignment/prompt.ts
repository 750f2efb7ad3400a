import { contractOf } from '../../../schemas/contracts/handover/document/contract.ts';
import { type PromptEnvelope, promptHash, STILL_HOLDS } from '../../../schemas/envelope.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { answersText } from '../comments/answersAsked.ts';
import { missingComments } from '../comments/requestText.ts';
import { auditSentence, failedAudits } from '../exchange/failedAudits.ts';
import { findingsOf } from '../iterate/judge.ts';
import { isMeasured } from '../objective/measuring.ts';
import { miningOf, shownObjective } from '../objective/mining.ts';
import { namesFailedSteps } from '../run/behaviour.ts';
import { extensionFor, iterationOf } from '../run/iterations.ts';
import { promptUuid } from '../run/keys.ts';
import { laneOf } from '../run/lanes.ts';
import type { Nudge } from '../run/nudge.ts';
import { sessionOf } from '../run/query.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';
import { editedInput, inputsFrom } from './inputs.ts';
import { artifactPaths, type Request } from './request.ts';

/** The envelope of the due prompt. The same state gives the same bytes under any interpreter. */
export function envelopeFor(run: Run, phase: Phase, assignment: Assignment, request: Request): PromptEnvelope {
  const subject = {
    runId: run.id,
    roleId: assignment.roleId,
    phaseKey: phase.key,
    attempt: assignment.attempt,
    expectedArtifact: pathOf(run, phase, assignment, request),
    expectedSchema: request.schema,
    instructions: instructionsFor(run, phase, assignment, request),
  };
  const dedupKey = promptHash(subject);
  return { ...subject, dedupKey, uuid: promptUuid(dedupKey) };
}

function pathOf(run: Run, phase: Phase, assignment: Assignment, request: Request): string {
  return artifactPaths(run, phase, assignment, request).path;
}

function instructionsFor(run: Run, phase: Phase, assignment: Assignment, request: Request): string {
  const { instructions } = request;
  const { nudge, answers } = assignment;
  if (nudge && hasWholePrompt(run, assignment)) {
    // Each attempt has its own file for the answers, so the one in the whole prompt is not the one that counts now.
    const asked =
      assignment.comments.length > 0 ? [answersText(assignment, pathOf(run, phase, assignment, request))] : [];
    return [nudgeText(nudge, answers), ...asked].join('\n\n');
  }
  const parts = [fill(run, phase, assignment, request)];
  const { changeRequest = phase.changeRequest } = request;
  const wanted = assignment.changeRequest ?? changeRequest;
  const audits = failedStepsText(run, request);
  if (audits) parts.push(audits);
  if (wanted && !instructions.includes('{{change_request}}')) parts.push(`Changes were asked for:\n${wanted}`);
  const edited = editedInput(run, phase, assignment);
  if (edited) parts.push(`${EDITED} ${edited.path}`);
  if (assignment.comments.length > 0) parts.push(commentsText(run, phase, assignment, request, parts.join('\n\n')));
  if (assignment.repair) parts.push(repairText(assignment.repair));
  if (answers.length > 0) parts.push(`${ANSWERED}\n${answers.join('\n\n')}`);
  if (assignment.resend) parts.push(`${RESEND[assignment.resend]} Go on and finish it.`);
  return parts.join('\n\n');
}

/** Recorded prompts contain it: a new wording needs a new behaviour number. */
const EDITED =
  'A person edited what you wrote for this before. Begin with their version, and keep what they wrote where nothing else is asked for:';

/** The comments that the request for changes does not have, and how to answer all of them. */
function commentsText(run: Run, phase: Phase, assignment: Assignment, request: Request, before: string): string {
  const missing = missingComments(run, assignment.comments, before);
  const answers = answersText(assignment, pathOf(run, phase, assignment, request));
  return missing === undefined ? answers : `${missing}\n\n${answers}`;
}

/** For reviewers: where the work breaks its plan. */
function failedStepsText(run: Run, { schema }: Request): string | undefined {
  const audits = schema === contractOf('review') && namesFailedSteps(run) ? failedAudits(run) : undefined;
  if (!audits) return undefined;
  const steps = audits.failed.map((each) => `- ${auditSentence(each)}`).join('\n');
  return `devflow compared the commits with the manifests of the plan. These steps do not keep to theirs:\n${steps}`;
}

/**
 * Says why the prompt comes again, so that the agent continues its work. Recorded prompt hashes contain these texts: a new
 * wording needs a new behaviour number.
 */
export const RESEND: Record<NonNullable<Assignment['resend']>, string> = {
  timeout: 'An earlier prompt for this brought no artifact in time.',
  crash: 'The session broke off while you worked on this.',
  hung: 'You stopped moving while you worked on this, and were started again.',
  quota: 'The usage limit stopped you while you worked on this.',
  error: 'An error ended your turn while you worked on this.',
};

/** An agent that was restarted in a new conversation needs the whole prompt again. */
function hasWholePrompt(run: Run, { askedIn, sessionId }: Assignment): boolean {
  return askedIn !== null && askedIn === sessionOf(run, sessionId)?.conversation;
}

const ANSWERED = 'A person answered you:';

function nudgeText({ bringsAnswer, dueBy }: Nudge, answers: readonly string[]): string {
  const due = `${dueBy.slice(0, 19).replace('T', ' ')} UTC`;
  const missing = `The file that this phase expects is still missing; it is due by ${due}.`;
  const wanted = `${STILL_HOLDS} Finish the work, and write the file to the path above.`;
  return `${bringsAnswer ? `${ANSWERED}\n${answers.at(-1) ?? ''}\n\n` : ''}${missing} ${wanted}`;
}

function repairText(repair: NonNullable<Assignment['repair']>): string {
  const faults = repair.errors.map((error) => `- ${whereIs(error)}: ${error.message}`).join('\n');
  return `The artifact you wrote to ${repair.path} is not valid:\n${faults}\nWrite a corrected one to the path expected now.`;
}

/** Where a fault is. A finding of a contract has a code and often a line. */
function whereIs({ path, code, line }: ValidationError): string {
  if (code === undefined) return path || '/';
  return [line === undefined ? '' : `line ${line}`, path, code].filter((part) => part !== '').join(', ');
}

/** Fills the placeholders of `schemas/definitions/template.ts`. There are no conditions and no expressions. */
export function fill(run: Run, phase: Phase, assignment: Assignment, { instructions, values = {} }: Request): string {
  return instructions.replaceAll(/\{\{([^}]*)\}\}/g, (whole, name: string) => {
    if (name.startsWith('artifact:')) {
      const key = name.slice('artifact:'.length);
      const nothingYet = run.template.iterate?.phases.includes(key) ? '(none yet)' : whole;
      return artifactReference(run, key, assignment.laneId) ?? nothingYet;
    }
    if (name.startsWith('findings:')) return findingsOf(run, name.slice('findings:'.length));
    switch (name) {
      case 'requirements':
        return run.requirementsMd;
      case 'objective':
        return run.objective === null ? '(none)' : JSON.stringify(shownObjective(run), null, 2);
      case 'mining':
        return isMeasured(run) ? JSON.stringify(miningOf(run), null, 2) : whole;
      case 'base_branch':
        return run.baseBranch;
      case 'worktree':
        return laneOf(run, assignment.laneId).path;
      case 'change_request':
        return assignment.changeRequest ?? phase.changeRequest ?? extensionFor(run, phase) ?? '(none)';
      case 'iteration':
        return String(iterationOf(run)?.nth ?? 1);
      case 'project_dir':
        return run.exchangePaths[0] ?? whole;
      default:
        return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
    }
  });
}

/** The paths in the worktree where agents read an earlier artifact. */
function artifactReference(run: Run, phaseKey: string, laneId: string): string | undefined {
  const paths = inputsFrom(run, phaseKey, laneId).map(({ path }) => path);
  return paths.length > 0 ? paths.join(', ') : undefined;
}
