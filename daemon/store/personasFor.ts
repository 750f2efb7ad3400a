import type { Brought } from '../../schemas/definitions/brought.ts';
import type { Definitions, PersonaRecord } from './definitions.ts';

/** The personas that can play a role of a run: all published ones, and drafts that a role names. */
export async function personasFor(
  brought: Brought | null,
  definitions: Pick<Definitions, 'listPersonas'>,
): Promise<(Pick<PersonaRecord, 'id' | 'hash' | 'persona'> & { onlyByName?: true })[]> {
  const drafts = (brought?.personas ?? []).map((each) => ({ ...each, onlyByName: true as const }));
  return [...(await definitions.listPersonas()), ...drafts];
}
