// Without zod: the dashboard and each command load it.
import { SETTINGS_FILE } from '../names.ts';
import type { ConsentView } from './consent.ts';

/**
 * The wrap that the person's own file names, while nobody decided about it here. Agents outside of it would reach more than the
 * person wants. A repository's wish is no such wall: without it, agents run as they do anywhere.
 */
export function undecidedWall(consents: readonly ConsentView[]): ConsentView | undefined {
  return consents.find(
    ({ part, state, from }) => part === 'wrap' && state === 'unknown' && from.some((each) => each !== SETTINGS_FILE),
  );
}
