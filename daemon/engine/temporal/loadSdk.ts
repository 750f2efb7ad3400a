import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';

/** The version that devflow is tested with; a later one of the same major version works too. */
const VERSION = '1.24.0';
/** Without a protobufjs of their own version the packages share one that cannot replay ("type must be a Type"). */
export const PACKAGES: readonly string[] = [
  ...['activity', 'client', 'common', 'worker', 'workflow'].map((name) => `@temporalio/${name}@${VERSION}`),
  'protobufjs@8.8.1',
];

/** The packages of Temporal's SDK. They are optional, so nothing of them loads with `engine: local`. */
export interface Sdk {
  activity: typeof import('@temporalio/activity');
  client: typeof import('@temporalio/client');
  common: typeof import('@temporalio/common');
  worker: typeof import('@temporalio/worker');
  version: string;
}

/** The command that installs the packages. */
export function installLine(directory: string): string {
  return `npm install --prefix ${directory} ${PACKAGES.join(' ')}`;
}

/** Loads the client alone, which is fast. Throws `temporal_packages_missing`. */
export function loadClient(directory: string): Pick<Sdk, 'client' | 'version'> {
  const load = loaderOf(directory);
  return { client: load('client'), version: versionOf(directory) };
}

/** Loads all packages from their own directory. Throws `temporal_packages_missing`. */
export function loadSdk(directory: string): Sdk {
  const load = loaderOf(directory);
  return {
    activity: load('activity'),
    client: load('client'),
    common: load('common'),
    worker: load('worker'),
    version: versionOf(directory),
  };
}

function loaderOf(directory: string): <T>(name: string) => T {
  const file = manifestOf(directory);
  if (!existsSync(file)) throw missing(directory, `${file} is not there`);
  const require = createRequire(join(directory, 'package.json'));
  return (name) => {
    try {
      return require(`@temporalio/${name}`);
    } catch (error) {
      throw missing(directory, (error as Error).message, error);
    }
  };
}

/** An installed package of the SDK. */
export interface InstalledPackage {
  name: string;
  version: string;
  /** The version that devflow is tested with. */
  tested: string;
}

/** The versions of all packages. Call it once they are loaded. */
export function listPackages(directory: string): InstalledPackage[] {
  return PACKAGES.map((spec) => {
    const at = spec.lastIndexOf('@');
    const name = spec.slice(0, at);
    return { name, version: versionOf(directory, name), tested: spec.slice(at + 1) };
  });
}

function versionOf(directory: string, name = '@temporalio/worker'): string {
  const file = manifestOf(directory, name);
  if (!existsSync(file)) throw missing(directory, `${file} is not there`);
  return String(JSON.parse(readFileSync(file, 'utf8')).version);
}

function manifestOf(directory: string, name = '@temporalio/worker'): string {
  return join(directory, 'node_modules', name, 'package.json');
}

function missing(directory: string, why: string, cause?: unknown): DevflowError {
  return new DevflowError('temporal_packages_missing', `The packages of engine: temporal cannot be loaded: ${why}.`, {
    cause,
    recoveryHint: `Run ${installLine(directory)}`,
  });
}
