import { type PromptEnvelope, promptHash } from '../../../schemas/envelope.ts';
import { artifactPathInWorktree, storedArtifactPath } from '../../../schemas/files/runPaths.ts';
import { inputsFrom } from './inputs.ts';
import { promptUuid } from './run/keys.ts';
import { definitionOf } from './run/query.ts';
import type { Assignment, Phase, Run } from './run/state.ts';

/** The expected path of an artifact in the worktree, and the path of its validated copy. Each attempt has its own. */
export function artifactPaths(run: Run, phase: Phase, assignment: Assignment): { path: string; storedPath: string } {
  const file = definitionOf(run, phase).expectedArtifact?.path ?? 'artifact.json';
  const role = phase.assignments.length > 1 ? assignment.roleId : undefined;
  return {
    path: artifactPathInWorktree(run.worktreeRoot, phase.key, assignment.attempt, file, role),
    storedPath: storedArtifactPath(run.workspaceRoot, run.id, phase.key, assignment.attempt, file, role),
  };
}

/** The envelope of the due prompt. The same state gives the same bytes under any interpreter. */
export function envelopeFor(run: Run, phase: Phase, assignment: Assignment): PromptEnvelope {
  const subject = {
    runId: run.id,
    roleId: assignment.roleId,
    phaseKey: phase.key,
    attempt: assignment.attempt,
    expectedArtifact: artifactPaths(run, phase, assignment).path,
    expectedSchema: definitionOf(run, phase).expectedArtifact?.schema ?? '',
    instructions: instructionsFor(run, phase, assignment),
  };
  const dedupKey = promptHash(subject);
  return { ...subject, dedupKey, uuid: promptUuid(dedupKey) };
}

function instructionsFor(run: Run, phase: Phase, assignment: Assignment): string {
  const asked = fill(run, phase, definitionOf(run, phase).instructions ?? '');
  const parts = [asked];
  const asksForChange = (definitionOf(run, phase).instructions ?? '').includes('{{change_request}}');
  if (phase.changeRequest && !asksForChange) parts.push(`Changes were asked for:\n${phase.changeRequest}`);
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
function fill(run: Run, phase: Phase, text: string): string {
  return text.replaceAll(/\{\{([^}]*)\}\}/g, (whole, name: string) => {
    if (name.startsWith('artifact:')) return artifactReference(run, name.slice('artifact:'.length)) ?? whole;
    switch (name) {
      case 'requirements':
        return run.requirementsMd;
      case 'objective':
        return run.objective === null ? '(none)' : JSON.stringify(run.objective, null, 2);
      case 'base_branch':
        return run.baseBranch;
      case 'worktree':
        return run.worktreeRoot;
      case 'change_request':
        return phase.changeRequest ?? '(none)';
      default:
        return whole;
    }
  });
}

/** The paths in the worktree where agents read an earlier artifact. */
function artifactReference(run: Run, phaseKey: string): string | undefined {
  const paths = inputsFrom(run, phaseKey).map(({ path }) => path);
  return paths.length > 0 ? paths.join(', ') : undefined;
}
