import { reviewSettings } from '../../../schemas/kinds/review/settings.ts';
import { commandsOf, definitionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { ReviewPhase } from './reviewOf.ts';
import type { ReviewRound } from './state.ts';

/** A command that devflow runs at the reviewed commit, and the finding that it shows. */
export interface ReviewCommand {
  argv: string[];
  findingId: string | null;
  timeoutMs?: number;
}

/**
 * True if a command of a finding is a check with more words, such as `npm test -- login`. Only a person decides which
 * programs run. The text under review may have told reviewers what to write.
 */
export function narrowsCheck(argv: readonly string[], checks: readonly ReviewCommand[]): boolean {
  return checks.some((check) => check.argv.every((word, index) => argv[index] === word));
}

/** The project's commands that failed at the commit of a round. */
export function failedChecks({ checked }: Pick<ReviewRound, 'checked'>): ReviewRound['checked'][number]['results'] {
  const ofProject = checked.filter(({ what }) => what === 'checks');
  return ofProject.flatMap(({ results }) => results.filter(({ exitCode }) => exitCode !== 0));
}

/** The commands that must pass: of the command phase that the template names, else those given to the review. */
export function checksOf(run: Run, phase: ReviewPhase): ReviewCommand[] {
  const { checks } = reviewSettings(definitionOf(run, phase));
  const source = run.phases.find(({ key }) => key === checks) ?? phase;
  return commandsOf(run, source).map(({ argv, timeoutMs }) => ({ argv, timeoutMs, findingId: null }));
}
