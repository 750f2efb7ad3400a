import { COLD_START, type NextSession, nextSession } from '../../../schemas/contracts/handover/next.ts';
import { checkSessionState } from '../../../schemas/contracts/handover/sessionState.ts';
import { contractNotFound } from '../contractPorts.ts';
import { below, isDirectory, placeOf, readText } from './place.ts';
import { sessionFacts } from './sessionFacts.ts';

/** The start of the next session of a project. Throws `contract_not_found` where none was interrupted. */
export async function nextOf(repo: string, project: string): Promise<NextSession> {
  const place = placeOf(repo, project);
  const state = below(place, 'session-state');
  const text = readText(state);
  if (!text.ok && text.isMissing) throw contractNotFound(isDirectory(place) ? 'session-state' : 'project', COLD_START);
  return nextSession(checkSessionState(text, state.shown, await sessionFacts(repo, state, text)));
}
