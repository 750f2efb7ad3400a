import type { Input } from '../effect/effect.ts';
import { placed } from '../run/newestArtifact.ts';
import { isLeftOut } from '../run/notDone.ts';
import type { Assignment, Phase, Run } from '../run/state.ts';

type About = Input['artifact'];

/** The artifact that says what the work is. Several agents of one phase say different things, so none of them names it. */
export function aboutWork(assignments: readonly Assignment[]): { about?: About } {
  const [only, ...others] = assignments.flatMap(({ artifact }) => artifact ?? []);
  return only === undefined || others.length > 0 ? {} : { about: placed(only) };
}

/** The artifacts of the phases and lanes that committed something, in the order of the work. */
export function aboutCommits(run: Run): About[] {
  return run.phases.flatMap((phase) =>
    phase.assignments.flatMap((each) =>
      each.artifact && hasCommits(phase, each) && !isLeftOut(run, each) ? [placed(each.artifact)] : [],
    ),
  );
}

function hasCommits({ commits }: Phase, { work }: Assignment): boolean {
  return commits.some(({ commit }) => commit !== null) || (work?.commit ?? null) !== null;
}
