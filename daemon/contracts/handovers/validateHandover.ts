import { architectureIn, discoverArchitecture } from '../../../schemas/contracts/handover/document/architecture.ts';
import { checkBrief } from '../../../schemas/contracts/handover/document/brief.ts';
import { HANDOVER, type HandoverKind, joined } from '../../../schemas/contracts/handover/document/contract.ts';
import { checkResearch, checkResearchDirectory } from '../../../schemas/contracts/handover/document/research.ts';
import { checkPlan } from '../../../schemas/contracts/handover/plan/plan.ts';
import { checkProgress } from '../../../schemas/contracts/handover/progress/progress.ts';
import { checkReview } from '../../../schemas/contracts/handover/review/review.ts';
import { checkSessionPrompt } from '../../../schemas/contracts/handover/session/sessionPrompt.ts';
import { checkSessionState } from '../../../schemas/contracts/handover/session/sessionState.ts';
import type { Report } from '../../../schemas/contracts/report/report.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { beside, type NamedPath, namedPath, readText } from './namedPath.ts';
import { readPlace } from './readProject.ts';
import { sessionFacts } from './sessionFacts.ts';

export interface ValidateOptions {
  soft: boolean;
  /** With research: the path is its directory. */
  dir: boolean;
  /** With progress: it must have something left to do. */
  resume: boolean;
}

/** Checks one handover at any path. */
export async function validateHandover(
  repo: string,
  kind: HandoverKind,
  subject: string,
  { soft, dir, resume }: ValidateOptions,
  now: number,
): Promise<Report> {
  const place = namedPath(repo, subject);
  const mode = soft ? 'soft' : 'strict';
  const path = place.shown || '.';
  switch (kind) {
    case 'brief':
      return checkBrief(readText(place), path, mode, subject);
    case 'research':
      if (dir) return checkResearchDirectory(readDirectory(place, now), place.shown, mode, subject);
      return checkResearch(readText(place), path, mode, subject);
    case 'architecture': {
      const tree = readDirectory(place, now);
      return discoverArchitecture(tree, architectureIn(tree, place.shown), subject);
    }
    case 'plan':
      return checkPlan(readText(place), path, subject);
    case 'progress':
      return checkProgress(readText(place), path, { subject, isResume: resume });
    case 'review':
      return checkReview(readText(place), path, mode, subject);
    case 'session-state': {
      const state = readText(place);
      return checkSessionState(state, path, { subject, ...(await sessionFacts(repo, place, state)) });
    }
    case 'session-prompt': {
      const state = readText(beside(place, HANDOVER.files['session-state']));
      return checkSessionPrompt(readText(place), path, { subject, state });
    }
  }
}

/** Throws `usage` if an option does not go with this kind of handover. */
export function requireFitting(kind: HandoverKind, { soft, dir, resume }: ValidateOptions): void {
  const wrong =
    (soft && kind === 'plan' && '--soft does not go with plan, which is as strict for its reader as for its writer') ||
    (dir && kind !== 'research' && `--dir goes with research, not with ${kind}`) ||
    (resume && kind !== 'progress' && `--resume goes with progress, not with ${kind}`);
  if (wrong) throw new DevflowError('usage', wrong);
}

/** A directory of documents, and one below it for an architecture. */
function readDirectory(place: NamedPath, now: number) {
  const isText = (path: string) => path.endsWith('.md') || path.endsWith('.markdown');
  return readPlace(
    place,
    (path) => [
      { path, depth: 1, text: isText },
      { path: joined(path, HANDOVER.files.architecture), depth: 1, text: isText },
    ],
    now,
  );
}
