import contract from './contract@1.json' with { type: 'json' };
import olderProgress from './olderProgress@1.json' with { type: 'json' };

/** The files of a handover, in the order of the work. */
export const HANDOVER_KINDS = [
  'brief',
  'research',
  'architecture',
  'plan',
  'progress',
  'review',
  'session-state',
  'session-prompt',
] as const;
export type HandoverKind = (typeof HANDOVER_KINDS)[number];

export const HANDOVER = contract;

/** Where a document was before there were projects. */
export interface OlderPlace {
  kind: 'plan' | 'research' | 'progress';
  directory: string;
  prefix: string;
  suffix: string;
}

export const OLDER_PLACES = [
  ...contract.olderPlaces.map((place) => ({ ...place, suffix: '.md' })),
  olderProgress,
] as readonly OlderPlace[];

export function contractOf(kind: HandoverKind): `handover/${HandoverKind}@1` {
  return `handover/${kind}@1`;
}

/** The path of a handover in a project. The project is empty if the paths begin in it. */
export function pathIn(project: string, kind: HandoverKind): string {
  return joined(project, HANDOVER.files[kind]);
}

/** True if git must not see a file: the session state, or the prompt beside it. Both are about one machine. */
export function isLocalFile(path: string): boolean {
  return path.endsWith('.local.json') || path.endsWith(HANDOVER.files['session-prompt']);
}

export function joined(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`;
}
