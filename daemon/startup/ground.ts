import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../schemas/config/config.ts';
import type { SettingsFile } from '../../schemas/config/settingsFiles.ts';
import type { DevflowError } from '../../schemas/errors.ts';
import { PASSABLE, type Paths } from '../../schemas/files/paths.ts';
import type { OpenOptions } from '../db/database.ts';
import { type PackagePlaces, packagePlaces } from '../definitions/places.ts';
import { moduleLogs } from '../log/log.ts';
import { sweepTemporaryGit } from '../repository/privateGit/temporaryGit.ts';
import type { Faults } from '../system/faults.ts';
import { type Backends, createBackends } from './backends.ts';
import type { Lifecycle } from './lifecycle.ts';

export interface BootOptions {
  config: Config;
  /** The files of the configuration, read before it. */
  settings: SettingsFile[];
  paths: Paths;
  log: Logger;
  faults: Faults;
  lifecycle: Lifecycle;
  /** Only `devflow up` may migrate. */
  mayMigrate: boolean;
  /** Another installation, whose host a person gives to this one. */
  takeFrom?: string;
  patience: Pick<OpenOptions, 'patienceMs' | 'onWaiting'>;
  /** A client asked for the end. */
  onStop(): void;
  /** This daemon no longer leads: the process must end at once. */
  onLost(error: DevflowError): void;
}

/** The base of all parts of the daemon. Its configuration says which backends this machine can drive. */
export interface Ground extends Omit<BootOptions, 'log'>, Pick<Backends, 'adapters'> {
  startedAt: Date;
  places: PackagePlaces;
  logOf: ReturnType<typeof moduleLogs>;
}

export function prepareGround({ log, ...options }: BootOptions): Ground {
  const startedAt = new Date();
  const { paths, lifecycle } = options;
  const logOf = moduleLogs(log);
  const places = packagePlaces();
  const backends = createBackends({ config: options.config, places, paths, env: process.env });
  lifecycle.hold('tmux', () => backends.close());
  void backends
    .cleanEnvironment()
    .catch((err: unknown) => logOf('sessions').warn({ err }, 'could not clean the tmux environment'));
  void sweepTemporaryGit().catch((err: unknown) =>
    logOf('engine').warn({ err }, 'could not remove temporary git directories'),
  );
  for (const file of [paths.logFile, paths.databaseLog]) mkdirSync(dirname(file), { recursive: true, mode: PASSABLE });
  const { config, adapters } = backends;
  return { ...options, startedAt, places, logOf, config, adapters };
}
