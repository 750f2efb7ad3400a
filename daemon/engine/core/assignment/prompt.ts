import { type PromptEnvelope, promptHash } from '../../../../schemas/envelope.ts';
import { promptUuid } from '../run/keys.ts';
import { laneOf } from '../run/lanes.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';
import { inputsFrom } from './inputs.ts';
import { artifactPaths, type Request } from './request.ts';

/** The envelope of the due prompt. The same state gives the same bytes under any interpreter. */
export function envelopeFor(run: Run, phase: Phase, assignment: Assignment, request: Request): PromptEnvelope {
  const subject = {
    runId: run.id,
    roleId: assignment.roleId,
    phaseKey: phase.key,
    attempt: assignment.attempt,
    expectedArtifact: artifactPaths(run, phase, assignment, request).path,
    expectedSchema: request.schema,
    instructions: instructionsFor(run, phase, assignment, request),
  };
  const dedupKey = promptHash(subject);
  return { ...subject, dedupKey, uuid: promptUuid(dedupKey) };
}

function instructionsFor(run: Run, phase: Phase, assignment: Assignment, request: Request): string {
  const { instructions } = request;
  const parts = [fill(run, phase, assignment, request)];
  const wanted = assignment.changeRequest ?? phase.changeRequest;
  if (wanted && !instructions.includes('{{change_request}}')) parts.push(`Changes were asked for:\n${wanted}`);
  if (assignment.repair) parts.push(repairText(assignment.repair));
  if (assignment.resend) parts.push(`${RESEND[assignment.resend]} Go on and finish it.`);
  return parts.join('\n\n');
}

/**
 * Says why the prompt comes again, so that the agent continues its work. Recorded prompt hashes contain these texts: a new
 * wording needs a new behaviour number.
 */
const RESEND: Record<NonNullable<Assignment['resend']>, string> = {
  timeout: 'An earlier prompt for this brought no artifact in time.',
  crash: 'The session broke off while you worked on this.',
  hung: 'You stopped moving while you worked on this, and were started again.',
  quota: 'The usage limit stopped you while you worked on this.',
  error: 'An error ended your turn while you worked on this.',
};

function repairText(repair: NonNullable<Assignment['repair']>): string {
  const faults = repair.errors.map((error) => `- ${error.path || '/'}: ${error.message}`).join('\n');
  return `The artifact you wrote to ${repair.path} is not valid:\n${faults}\nWrite a corrected one to the path expected now.`;
}

/** Fills the placeholders of `schemas/definitions/template.ts`. There are no conditions and no expressions. */
function fill(run: Run, phase: Phase, assignment: Assignment, { instructions, values = {} }: Request): string {
  return instructions.replaceAll(/\{\{([^}]*)\}\}/g, (whole, name: string) => {
    if (name.startsWith('artifact:')) {
      return artifactReference(run, name.slice('artifact:'.length), assignment.laneId) ?? whole;
    }
    switch (name) {
      case 'requirements':
        return run.requirementsMd;
      case 'objective':
        return run.objective === null ? '(none)' : JSON.stringify(run.objective, null, 2);
      case 'base_branch':
        return run.baseBranch;
      case 'worktree':
        return laneOf(run, assignment.laneId).path;
      case 'change_request':
        return assignment.changeRequest ?? phase.changeRequest ?? '(none)';
      default:
        return values[name] ?? whole;
    }
  });
}

/** The paths in the worktree where agents read an earlier artifact. */
function artifactReference(run: Run, phaseKey: string, laneId: string): string | undefined {
  const paths = inputsFrom(run, phaseKey, laneId).map(({ path }) => path);
  return paths.length > 0 ? paths.join(', ') : undefined;
}
