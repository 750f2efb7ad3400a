import { HANDOVER, pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import { checkPlan } from '../../../schemas/contracts/handover/plan/plan.ts';
import {
  type CommitFact,
  type Derived,
  type Drift,
  deriveStep,
  driftReport,
  reconciledText,
} from '../../../schemas/contracts/handover/progress/drift.ts';
import { checkProgress } from '../../../schemas/contracts/handover/progress/progress.ts';
import { refresh } from '../../../schemas/contracts/handover/session/refresh.ts';
import type { Report } from '../../../schemas/contracts/report/report.ts';
import { type TreeSnapshot, textOf } from '../../../schemas/contracts/report/tree.ts';
import { type ContractPorts, requireUnused } from '../contractPorts.ts';
import { commitsSince } from '../gitFacts.ts';
import { createMatcher } from '../match.ts';
import { writeWhole } from '../writeWhole.ts';
import { excludeLocalFiles } from './excludeLocalFiles.ts';
import { type NamedPath, wholePath } from './namedPath.ts';
import { readProject } from './readProject.ts';
import { checkoutOf } from './sessionFacts.ts';

interface Compared {
  /** The text for `progress.json`; undefined if nothing is to be written. */
  text?: string;
  derived: Derived | { unchecked: string; currentStep: number | null };
}

/**
 * Compares the progress of a project with git. With `apply` it writes what git says, only forward, and refreshes the session
 * state. Whatever it finds, it holds nobody up.
 */
export async function driftOf(
  ports: ContractPorts,
  place: NamedPath,
  subject: string,
  apply: boolean,
): Promise<Report<Drift>> {
  const now = ports.now();
  const path = pathIn(place.shown, 'progress');
  const commits = await commitsOf(place, readProject(place, now));
  // Nothing is awaited between reading and writing, so nobody else's change is lost.
  const look = () => {
    const tree = readProject(place, now);
    const file = (kind: 'session-state' | 'session-prompt') => textOf(tree, pathIn(place.shown, kind));
    return {
      compared: compare(place, tree, commits, now),
      session: refresh(file('session-state'), file('session-prompt'), now),
    };
  };
  const { compared, session } = look();
  if (!apply || (compared.text === undefined && session.is !== 'would refresh')) {
    return driftReport({ subject, path }, compared.derived, { written: false, sessionState: session.is });
  }
  await requireUnused(ports, wholePath(place));
  const latest = look();
  if (latest.compared.text !== undefined) write(place, 'progress', latest.compared.text);
  if (latest.session.is === 'would refresh') {
    write(place, 'session-state', latest.session.text);
    await excludeLocalFiles(checkoutOf(wholePath(place)));
  }
  return driftReport({ subject, path }, latest.compared.derived, {
    written: latest.compared.text !== undefined,
    sessionState: latest.session.is === 'would refresh' ? 'refreshed' : latest.session.is,
  });
}

/** The commits since the start of the recorded session; or why there are none. */
async function commitsOf(place: NamedPath, tree: TreeSnapshot): Promise<readonly CommitFact[] | string> {
  const { parsed } = checkProgress(textOf(tree, pathIn(place.shown, 'progress')), '');
  const from = parsed?.session_start_sha;
  if (typeof from !== 'string') return `${HANDOVER.files.progress} has no session_start_sha`;
  const checkout = checkoutOf(wholePath(place));
  if (checkout === undefined) return 'the project is in no git repository';
  const found = await commitsSince(checkout, from);
  return found.ok ? found.commits : found.reason;
}

function compare(place: NamedPath, tree: TreeSnapshot, commits: readonly CommitFact[] | string, now: number): Compared {
  const progressFile = textOf(tree, pathIn(place.shown, 'progress'));
  const progress = checkProgress(progressFile, '');
  const unchecked = (why: string, currentStep: number | null): Compared => ({
    derived: { unchecked: why, currentStep },
  });
  if (!progressFile.ok && progressFile.isMissing) return unchecked(`there is no ${HANDOVER.files.progress}`, null);
  if (!progress.valid || !progress.parsed) return unchecked(`${HANDOVER.files.progress} is not valid`, null);
  const currentStep = progress.parsed.current_step as number;
  if (typeof commits === 'string') return unchecked(commits, currentStep);
  const planFile = textOf(tree, pathIn(place.shown, 'plan'));
  if (!planFile.ok && planFile.isMissing) return unchecked(`there is no ${HANDOVER.files.plan}`, currentStep);
  const plan = checkPlan(planFile, '');
  if (!plan.valid || !plan.parsed) return unchecked(`${HANDOVER.files.plan} is not valid`, currentStep);
  const derived = deriveStep(progress.parsed, plan.parsed.steps, commits, createMatcher());
  const isDrift = derived.derivedStep > currentStep;
  return { derived, ...(isDrift && { text: reconciledText(progress.parsed, derived, now) }) };
}

function write({ root, path }: NamedPath, kind: 'progress' | 'session-state', text: string): void {
  writeWhole(root, pathIn(path, kind), text);
}
