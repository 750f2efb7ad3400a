import { isAbsolute, relative, resolve, sep } from 'node:path';
import { COLD_START, type NextSession, nextSession } from '../../../schemas/contracts/handover/session/next.ts';
import {
  briefPathIn,
  checkSessionState,
  type SessionFacts,
} from '../../../schemas/contracts/handover/session/sessionState.ts';
import type { FileText } from '../../../schemas/contracts/report/tree.ts';
import { defined } from '../../../schemas/defined.ts';
import { lookInside } from '../../../schemas/files/insideRoot.ts';
import { contractNotFound } from '../contractPorts.ts';
import { findCheckout, isTracked } from '../gitFacts.ts';
import { below, isDirectory, type NamedPath, namedPath, readText, wholePath } from './namedPath.ts';

/** The facts of files and git about a session state. */
export async function sessionFacts(repo: string, place: NamedPath, state: FileText): Promise<SessionFacts> {
  if (!state.ok) return {};
  const path = wholePath(place);
  const base = repositoryOf(path) ?? repo;
  const checkout = checkoutOf(path);
  const brief = briefPathIn(state.text);
  return {
    ...defined({ briefExists: brief === undefined ? undefined : isFile(base, brief) }),
    isTracked: checkout !== undefined && (await isTracked(checkout, path)),
  };
}

/** The directory above `.claude`, from which paths in a state count; else that of `.git`. */
function repositoryOf(path: string): string | undefined {
  const names = path.split(sep);
  const at = names.lastIndexOf('.claude');
  return at > 0 ? names.slice(0, at).join(sep) || sep : findCheckout(path);
}

/** The checkout of git that a project belongs to. A `.git` inside of the project does not count. */
export function checkoutOf(path: string): string | undefined {
  const base = repositoryOf(path);
  return base === undefined ? undefined : findCheckout(base);
}

/** A path that leads out of the repository is not looked at. */
function isFile(base: string, given: string): boolean {
  if (given.includes('\0')) return false;
  const below = relative(base, resolve(base, given));
  if (below === '' || below === '..' || below.startsWith('../') || isAbsolute(below)) return false;
  const found = lookInside(base, below);
  return found.ok && found.facts.isFile();
}

/** The start of the next session of a project. Throws `contract_not_found` where none was interrupted. */
export async function nextOf(repo: string, project: string): Promise<NextSession> {
  const place = namedPath(repo, project);
  const state = below(place, 'session-state');
  const text = readText(state);
  if (!text.ok && text.isMissing) throw contractNotFound(isDirectory(place) ? 'session-state' : 'project', COLD_START);
  return nextSession(checkSessionState(text, state.shown, await sessionFacts(repo, state, text)));
}
