import { NESTED_GATE } from '../../../schemas/definitions/template.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { holdsResult } from '../../../schemas/gates/gateKinds.ts';
import { isOwnGate } from '../../../schemas/gates/ownGates.ts';
import { KIND_DEFINITIONS } from '../../../schemas/kinds/index.ts';
import type { Approval, Artifact, Assignment, Phase, Run } from '../run/state.ts';

/** An artifact as the subject of a gate names it. */
interface ShownArtifact {
  roleId: string;
  path: string;
  storedPath: string | null;
  schema: string;
  hash: string;
}

/** A document at a gate, with the assignment that wrote it. */
export interface Editable {
  artifact: Artifact;
  assignment: Assignment;
  phase: Phase;
}

/** The artifacts under decision at a gate. */
export function shownArtifacts({ subject }: Pick<Approval, 'subject'>): ShownArtifact[] {
  return Array.isArray(subject.artifacts) ? (subject.artifacts as ShownArtifact[]) : [];
}

/** The documents that a person may edit at a gate, or a sentence that says why there are none. */
export function editableAt(run: Run, approval: Approval): Editable[] | string {
  const { gateKey, kind, laneId, assignment, state } = approval;
  const isResult = kind === 'gate' && laneId === null && assignment === null && holdsResult(approval);
  if (!isResult || isOwnGate(gateKey) || gateKey === NESTED_GATE) {
    return `The gate ${gateKey} asks about no document that can be edited.`;
  }
  if (state === 'pending' && !decidable(approval, run.state).includes('approve')) {
    return 'The run is paused. Resume it before you edit what its gate shows.';
  }
  const shown = shownArtifacts(approval);
  const faults = shown.map((each) => faultOf(run, each));
  const found = faults.filter((each) => typeof each !== 'string');
  if (found.length > 0) return found;
  return faults.find((each) => typeof each === 'string') ?? `The gate ${gateKey} shows no document.`;
}

/** The place of an artifact in the run, or why nobody edits it at a gate. */
function faultOf(run: Run, { path, hash, schema }: ShownArtifact): Editable | string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (CONTRACTS.some((family) => schema.startsWith(family))) {
    return `${name} follows a contract of the repository (${schema}). Its file is in the worktree ${run.worktreeRoot}: edit it there.`;
  }
  const all = run.phases.flatMap((phase) => phase.assignments.map((assignment) => ({ phase, assignment })));
  const owner = all.find(({ assignment: { artifact } }) => artifact?.path === path && artifact.hash === hash);
  const artifact = owner?.assignment.artifact;
  if (!owner || !artifact) return `${name} is not the newest version any more.`;
  if (!isPlainWork(owner.phase) || REPORTS.some((report) => schema.startsWith(report))) {
    return `${name} (${schema}) reports what was done or found. Only documents such as specifications and plans are edited.`;
  }
  return { ...owner, artifact };
}

/** Schemas of reports about what an agent did or found, and of what devflow has checked with more than the schema. */
const REPORTS = [
  'dev/implementation',
  'dev/review-',
  'dev/conflict-resolution',
  'dev/comment-answers',
  'bt/',
  'common/',
  'tpl/',
];

/** Families of documents that devflow publishes in the worktree. */
const CONTRACTS = ['handover/', 'cycle/', 'autodev/'];

/** Work in rounds, and that of devflow itself, counts by more than its artifacts. */
function isPlainWork({ kind }: Phase): boolean {
  const { producer, hasRounds, isOwnWork } = KIND_DEFINITIONS[kind];
  return producer === 'itself' && !hasRounds && !isOwnWork;
}

/** The place of the person's bytes, beside those of the agent. */
export function editedPath({ storedPath, path }: Pick<Artifact, 'storedPath' | 'path'>, hash: string): string {
  const from = storedPath ?? path;
  const at = from.lastIndexOf('/');
  const directory = from.slice(0, at).replace(/\/edited\/[0-9a-f]{12}$/, '');
  return `${directory}/edited/${hash.slice(0, 12)}${from.slice(at)}`;
}
