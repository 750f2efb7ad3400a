import first from './contract@1.json' with { type: 'json' };
import second from './contract@2.json' with { type: 'json' };

/** The allowed values of a sidecar. */
export interface SidecarRule {
  status: string[];
  /** Accepted with a warning, because upstream accepts it. */
  statusUpstream: string[];
  statusRequired: boolean;
  verdict: string[];
  verdictRequired: boolean;
}

type Rules = 'id' | 'marks' | 'evict' | 'sidecars' | 'statusGated' | 'inputs' | 'initSweepsAdHoc';

/** The names, patterns and values of the state directory. A published file of data never changes. */
export interface StateContract extends Omit<typeof first, Rules> {
  id: 'devt/state-directory@1' | 'devt/state-directory@2';
  /** Names that only a directory of this version has. */
  marks: { files: readonly string[]; directories: readonly string[] };
  /** `sparesActive`: a gate marker of the active workflow stays. */
  evict: (typeof first)['evict'] & { sparesActive: boolean };
  sidecars: Readonly<Record<string, SidecarRule>>;
  statusGated: Readonly<Record<string, string[]>>;
  inputs: Readonly<Record<string, { required: string[]; recommended: string[] }>>;
  /** True if a new workflow archives what is ad hoc. A cleanup that a person asks for always does. */
  initSweepsAdHoc: boolean;
}

export const STATE_CONTRACT: StateContract = {
  ...first,
  id: 'devt/state-directory@1',
  marks: { files: [], directories: [] },
  evict: { ...first.evict, sparesActive: false },
  initSweepsAdHoc: true,
};

/** Every version, the oldest first. */
export const STATE_CONTRACTS: readonly StateContract[] = [STATE_CONTRACT, { ...second, id: 'devt/state-directory@2' }];

export const STATE_DIR = STATE_CONTRACT.directory;
export const ARCHIVE = STATE_CONTRACT.archive;
export const ARCHIVE_DIR = `${STATE_DIR}/${ARCHIVE}`;
export const LOCK_FILE = `${STATE_DIR}/.lock`;
export const WORKFLOW_FILE = `${STATE_DIR}/workflow.yaml`;
export const CONFIG_FILE = '.devt/config.json';
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The process that a lock names: a bare number, as upstream writes it. Undefined if it names none. */
export function readLock(text: string): number | undefined {
  const pid = /^\s*\d{1,10}\s*$/.test(text) ? Number(text) : 0;
  return pid > 0 ? pid : undefined;
}
