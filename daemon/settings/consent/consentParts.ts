import { hash } from '../../../schemas/hash.ts';
import { CONSENT_PARTS } from '../../../schemas/names.ts';
import type { ConsentPart } from '../../../schemas/repository/consent.ts';
import { leavesOf, type MergedSettings } from '../../../schemas/repository/mergeSettings.ts';
import type { RepositorySettings } from '../../../schemas/repository/settings.ts';
import { commandText, originText, settingText } from '../../../schemas/repository/settingText.ts';
import { visible } from '../../../schemas/text/visible.ts';

/** The values of one part that are not the person's word for this repository, so a person must allow them. */
export interface Subject {
  part: ConsentPart;
  hash: string;
  lines: string[];
  from: string[];
}

/** The parts with a subject of their own. */
const AGENTS = 'agents';
const TEMPLATE = 'template';
const SANDBOX = 'sandbox';

/** Lines of `.worktreeinclude` of the base commit. */
export const INCLUDE_FILE = '.worktreeinclude';

/** Each part with something in it that is not the person's word, without the rights of agents and the template. Pure. */
export function subjectsOf(merged: MergedSettings, include: readonly string[]): Subject[] {
  const foreign = foreignLeaves(merged);
  return CONSENT_PARTS.filter((part) => part !== AGENTS && part !== TEMPLATE).flatMap((part) => {
    const leaves = foreign.filter(({ path }) => path[0] === part);
    const files = part === 'worktree' ? include : [];
    if (leaves.length === 0 && files.length === 0) return [];
    const values = Object.fromEntries(leaves.map(({ key, value }) => [key, value]));
    const lines = [
      ...leaves.flatMap(({ path, key, value }) =>
        linesOf(path, value).map((line) => `${line} (${originText(merged.origins.get(key))})`),
      ),
      ...files.map((each) => `copy ${visible(each)} (${INCLUDE_FILE})`),
    ];
    const from = [...leaves.map(({ key }) => merged.origins.get(key)?.from ?? ''), ...files.map(() => INCLUDE_FILE)];
    const subject = { part, values, ...(files.length > 0 && { include: [...files] }) };
    return [{ part, hash: hash(subject), lines, from: [...new Set(from)] }];
  });
}

/** Values that do something, and that are not the person's word for this repository. */
function foreignLeaves({ settings, origins, closed }: MergedSettings) {
  const isFree = (key: string) => key === 'worktree.again' || (key === SANDBOX && closed === undefined);
  return leavesOf(settings)
    .map(({ path, value }) => ({ path, value, key: path.join('.') }))
    .filter(({ key, value }) => !isFree(key) && !isNothing(value) && origins.get(key)?.isPersons === false);
}

function isNothing(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

/**
 * The settings without the foreign values of the parts that nobody allowed. The rights of agents come from files of the
 * repository, whoever asks for them. Pure.
 */
export function allowedSettings(merged: MergedSettings, isAllowed: (part: ConsentPart) => boolean): RepositorySettings {
  const settings = structuredClone(merged.settings);
  for (const { path } of foreignLeaves(merged)) {
    const part = CONSENT_PARTS.find((each) => each === path[0]);
    if (part !== undefined && !isAllowed(part)) removeIn(settings, path);
  }
  if (!isAllowed(AGENTS)) delete settings.agents;
  if (merged.closed?.sandbox !== undefined && !isAllowed(SANDBOX)) settings.sandbox = merged.closed.sandbox;
  return settings;
}

function removeIn(target: Record<string, unknown>, [head = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) delete target[head];
  else removeIn(target[head] as Record<string, unknown>, rest);
}

/** The effect of a value, in words for a person. */
function linesOf([part, key = '', ...rest]: readonly string[], value: unknown): string[] {
  const list = Array.isArray(value) ? value : [];
  switch (part === 'worktree' ? key : part) {
    case 'setup':
      return list.map((argv) => `run ${commandText(argv)}`);
    case 'verify':
      return list.map((argv) => `check with ${commandText(argv)}`);
    case 'teardown':
      return list.map((argv) => `at the end run ${commandText(argv)}`);
    case 'env':
      return [`set ${visible(`${rest.join('.')}=${String(value)}`)}`];
    case 'ports':
      return [`take a free port for ${list.map((each) => visible(each)).join(', ')}`];
    case SANDBOX:
      return [`set the sandbox to ${settingText(value)}`];
    case 'wrap':
      return [`start agents with ${commandText(list)}`];
    default:
      return list.map((each) => `${key} ${visible(each)}`);
  }
}
