import contract from './contract@1.json' with { type: 'json' };

/** What a sidecar may say. */
export interface SidecarRule {
  status: string[];
  /** Accepted with a warning, because upstream accepts it. */
  statusUpstream: string[];
  statusRequired: boolean;
  verdict: string[];
  verdictRequired: boolean;
}

/** The names, patterns and values of the state directory. A published file of data never changes. */
export const STATE_CONTRACT = contract;
export const STATE_ID = 'devt/state-directory@1';
export const STATE_DIR = contract.directory;
export const ARCHIVE = contract.archive;
export const ARCHIVE_DIR = `${STATE_DIR}/${contract.archive}`;
export const LOCK_FILE = `${STATE_DIR}/.lock`;
export const WORKFLOW_FILE = `${STATE_DIR}/workflow.yaml`;
export const CONFIG_FILE = '.devt/config.json';
export const DAY_MS = 24 * 60 * 60 * 1000;

export const SIDECARS: Readonly<Record<string, SidecarRule>> = contract.sidecars;
export const STATUS_GATED: Readonly<Record<string, string[]>> = contract.statusGated;
export const INPUTS: Readonly<Record<string, { required: string[]; recommended: string[] }>> = contract.inputs;
