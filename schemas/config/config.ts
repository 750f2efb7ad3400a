import type { Backend } from '../enums.ts';
import type { Settings } from './settings.ts';

/** A backend, looked up when the process started. Binding uses this and never PATH itself. */
export interface BackendConfig {
  enabled: boolean;
  /** Enabled, and its binary was found when the process started. `fake` needs none. */
  available: boolean;
  binaryPath?: string;
  /** Why the backend is not available, for a person. */
  reason?: string;
  args: string[];
  env: Record<string, string>;
}

/** Where a value comes from: a file's path, `environment` or `default`; and the key as written there. */
export interface SettingSource {
  from: string;
  key: string;
}

/** The settings of this process, frozen, and read once when it starts. */
export type Config = Readonly<Omit<Settings, 'backends'>> & {
  readonly backends: Readonly<Record<Backend, BackendConfig>>;
  /** By dotted path, e.g. `recovery.artifactTimeoutMs`. */
  readonly sources: Readonly<Record<string, SettingSource>>;
  /** Flat names, such as DATABASE_URL, that the environment has without `DEVFLOW_`. They are ignored. */
  readonly unprefixed: readonly string[];
};
