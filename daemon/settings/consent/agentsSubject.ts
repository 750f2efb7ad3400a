import type { Problem } from '../../../schemas/definitions/yamlFile.ts';
import { plainSettings } from '../../../schemas/repository/agentSettings.ts';
import type { MergedSettings } from '../../../schemas/repository/mergeSettings.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { type ReadRights, readRights } from '../../rights/readRights.ts';
import { type RightsSubject, rightsSubject } from '../../rights/rightsSubject.ts';
import type { Subject } from './consentParts.ts';

/**
 * The rights from the repository's own settings that a person must allow. The hash is of all that runs: whoever named it,
 * the bytes are not the person's. Pure.
 */
export function agentsSubject(read: ReadRights): Subject | undefined {
  const subject = rightsSubject(read);
  if (subject === undefined || subject.allows.length === 0) return undefined;
  const from = [...new Set(subject.allows.map(({ file }) => visible(file)))];
  return { part: 'agents', hash: subject.hash, lines: linesOf(subject), from };
}

function linesOf({ allows, frozen, leftOut }: RightsSubject): string[] {
  return [
    ...allows.map(({ program, kind, text, file }) => `${program} ${kind} ${visible(text)} (${visible(file)})`),
    ...listed(frozen, (path) => `freeze ${visible(path)}`),
    ...listed(leftOut, ({ program, text, file }) => `leave out ${program} ${visible(text)} (${visible(file)})`),
  ];
}

const MOST_LISTED = 20;

function listed<T>(items: readonly T[], line: (item: T) => string): string[] {
  const more = items.length - MOST_LISTED;
  return [...items.slice(0, MOST_LISTED).map(line), ...(more > 0 ? [`and ${more} more like the last line`] : [])];
}

/** The rights from the repository's own settings; null if nothing is named. */
export async function rightsOf(
  { settings }: Pick<MergedSettings, 'settings'>,
  where: { repoPath: string; commit: string },
): Promise<ReadRights | null> {
  const agents = plainSettings(settings.agents ?? {});
  return Object.keys(agents).length === 0 ? null : readRights({ ...where, settings: agents });
}

/** The reasons for no rights, as problems of the repository's files. */
export function rightsProblems({ faults }: Pick<ReadRights, 'faults'>): Problem[] {
  return faults.map(({ file, message, remedy }) => ({
    file,
    path: '',
    message: `${message}. ${remedy.replace(/\.$/, '')}`,
  }));
}
