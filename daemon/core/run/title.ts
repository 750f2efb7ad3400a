import { titleOf } from '../../../schemas/text/titleOf.ts';

/** The part of a run that its title comes from. */
export interface Titled {
  requirementsMd: string;
  /** What the person calls the run; null: nothing. */
  title: string | null;
  /** From the newest valid artifact, or from the first message of a run without requirements; null before. */
  agentTitle: string | null;
}

/** What a person or an agent calls the run; null: nobody named it. The person's word stands. */
export function givenTitle({ title, agentTitle }: Pick<Titled, 'title' | 'agentTitle'>): string | null {
  return title ?? agentTitle;
}

export function runTitle(run: Titled): string {
  return givenTitle(run) ?? titleOf(run.requirementsMd);
}
