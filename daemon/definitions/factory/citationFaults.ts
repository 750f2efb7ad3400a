import type { Template } from '../../../schemas/definitions/template.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import type { DraftCode } from '../../../schemas/lint/draftCodes.ts';
import { checksOf, type Fact, type RepoFacts } from '../../../schemas/repoFacts.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { type Draft, draftFault } from './draft.ts';

/** Commands of a draft that do not come from a fact of the repository that may verify a change. */
export function citationFaults(
  template: Template,
  { cites }: Pick<Draft, 'cites'>,
  facts: RepoFacts,
): ValidationError[] {
  const byId = new Map(facts.facts.map((fact) => [fact.id, fact]));
  const usable = new Set(checksOf(facts));
  const cited = cites.flatMap(({ argv, fact: id }, index) => {
    const fault = citedFault(argv, byId.get(id), id, usable);
    return fault === undefined ? [] : [draftFault(`/cites/${index}`, ...fault)];
  });
  const known = new Set(cites.map(({ argv }) => JSON.stringify(argv)));
  const uncited = template.phases.flatMap(({ key, commands }) =>
    commands
      .filter(({ argv }) => !known.has(JSON.stringify(argv)))
      .map(({ argv }) => draftFault('/cites', 'uncited_command', `${textOf(argv)} of phase ${key} cites no fact`)),
  );
  return [...cited, ...uncited];
}

function citedFault(
  argv: string[],
  fact: Fact | undefined,
  id: string,
  usable: ReadonlySet<Fact>,
): [DraftCode, string] | undefined {
  if (!fact) return ['wrong_citation', `there is no fact ${id}`];
  if (JSON.stringify(fact.argv) !== JSON.stringify(argv))
    return ['wrong_citation', `fact ${id} is the command ${textOf(fact.argv)}`];
  if (fact.cwd !== '.')
    return ['unusable_fact', `fact ${id} runs in ${fact.cwd}, and commands of a template run in the root`];
  if (usable.has(fact)) return undefined;
  const why = fact.source === 'doc' ? `it is only in ${fact.from.path}` : (fact.probe.reason ?? fact.probe.class);
  return ['unusable_fact', `fact ${id} shows nothing: ${why}`];
}

function textOf(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}
