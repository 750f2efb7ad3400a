import { versionAfter, versionsIn } from '../../../schemas/definitions/schemaIds.ts';
import { type Promoted, type Promotion, promoteTemplate, type UserDefinitions } from './promoteTemplate.ts';

/** The needs of publishing a template or persona. */
export interface Publishing {
  places: UserDefinitions;
  /** The versions of a name that are stored, also those whose files are gone. */
  storedVersions(kind: 'template' | 'persona', name: string): Promise<readonly Version[]>;
  /** Resolves once the files, as they are now, are in force. */
  takeUp(): Promise<void>;
}

interface Version {
  version: number;
  hash: string;
}

/** Without a daemon: the next one reads the files when it starts. */
export function publishingAlone(places: UserDefinitions): Publishing {
  return { places, storedVersions: async () => [], takeUp: async () => {} };
}

/** Publishes a template. Every run that starts afterwards finds it. */
export async function publishTemplate(given: Promoted, hash: string, publishing: Publishing): Promise<Promotion> {
  const { name, version } = given;
  const { places } = publishing;
  const reason = await whyTaken('template', { name, version, hash }, publishing);
  if (reason !== undefined) return { ok: false, reason };
  const promotion = promoteTemplate(places, given);
  if (promotion.ok) await publishing.takeUp();
  return promotion;
}

/** The reason why a version cannot get this content: the stored one would stay in force. Undefined if it can. */
export async function whyTaken(
  kind: 'template' | 'persona',
  { name, version, hash }: Version & { name: string },
  { places, storedVersions }: Pick<Publishing, 'places' | 'storedVersions'>,
): Promise<string | undefined> {
  const stored = await storedVersions(kind, name);
  if (!stored.some((each) => each.version === version && each.hash !== hash)) return undefined;
  const next = versionAfter([...stored.map((each) => each.version), ...versionsIn(places[`${kind}s`], name)]);
  return `${name}@${version} was published before with other content. The next free version is ${next}`;
}
