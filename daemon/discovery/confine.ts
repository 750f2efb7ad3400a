import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { absoluteSearchPath } from '../../schemas/process/environment.ts';
import { makeHome, ownHome } from '../commands/ownHome.ts';
import { nameOf } from './candidate/paths.ts';
import { innerCommand } from './candidate/wrappers.ts';

/** The limits of a command of a repository. */
export interface Confinement {
  /**
   * It runs in namespaces of its own, without network. It reaches none of the sockets that were open at its start, and
   * nothing outlives it.
   */
  hasNamespaces: boolean;
  /** The person's home is read-only. */
  protectsHome: boolean;
  /** The words before a command that may write below these directories. */
  before(...writable: string[]): string[];
}

/** Nothing but a home of its own. */
export const UNCONFINED: Confinement = { hasNamespaces: false, protectsHome: false, before: () => [] };

const TRIAL_MS = 10_000;
/** The script could not build the confinement. */
const CANNOT = 125;

/** Root keeps the rights that checks need, but not those to undo the confinement. */
const DROPPED = ['sys_admin', 'sys_ptrace', 'net_admin', 'sys_module', 'sys_rawio'].map((each) => `-${each}`).join(',');

/**
 * Runs as the first process of its namespaces. When it ends, the kernel ends all others. Line by line:
 * It has a loopback of its own, so that a test can start a server and ask it.
 * The home and the repository become read-only. Writable directories are mounted before, because they may lie below.
 * The outer directory is mounted first: it would hide what is mounted below it.
 * Nobody listens in the place of a socket. A read-only mount would not close it. A socket may be gone by then. Lines are
 * `num refs protocol flags type state inode path`.
 * `cd` enters the directory again: the old one still belongs to a writable mount.
 */
const SCRIPT = `
mounts=$1 closed=$2 at=$(pwd -P); shift 2
ip link set lo up || exit ${CANNOT}
set -f; before=$IFS; IFS='
'
for each in $mounts; do mount --bind "$each" "$each" || exit ${CANNOT}; done
for each in $closed; do mount -o remount,bind,ro "$each" || exit ${CANNOT}; done
while IFS= read -r each; do
  each=/\${each#*/}
  [ ! -S "$each" ] || mount --bind /dev/null "$each" || [ ! -S "$each" ] || exit ${CANNOT}
done <&3
exec 3<&-
set +f; IFS=$before
cd "$at" || exit ${CANNOT}
if ! command -v -- "$1" >/dev/null 2>&1; then
  printf 'devflow: there is no program %s (PATH is %s)\\n' "$1" "$PATH" >&2
  exit 127
fi
setpriv --ambient-caps=-all --inh-caps=-all --bounding-set=${DROPPED} -- "$@"
exit $?
`;

/**
 * Opens the list of the sockets that somebody listens on. In the namespaces it would be empty. A command line limits its
 * length. To kill the processes that name a socket would kill this one, too.
 */
const OPEN = ['/bin/sh', '-c', 'exec 3</proc/net/unix; exec "$@"', 'devflow-probe'];

/** The best that this system can do for a repository; it is tried with a command that does nothing. */
export async function findConfinement(repository: string, scratch: string): Promise<Confinement> {
  if (process.platform !== 'linux') return UNCONFINED;
  const home = await realpath(homedir()).catch(() => '/');
  const unshare = ['unshare', '--net', '--pid', '--mount', '--mount-proc', '--fork', '--kill-child'];
  const asUser = process.getuid?.() === 0 ? [] : ['--map-current-user', '--keep-caps'];
  for (const protectsHome of home === '/' ? [false] : [true, false]) {
    const start = [...OPEN, ...unshare, ...asUser, '/bin/sh', '-c', SCRIPT, 'devflow-probe'];
    const mountsFor = (writable: string[]) => (protectsHome ? mountsOf([home, repository], writable) : ['', '']);
    const before = (...writable: string[]) => [...start, ...mountsFor(writable)];
    const works = await isPossible([...before(scratch), 'true'], scratch);
    if (works) return { hasNamespaces: true, protectsHome, before };
  }
  return UNCONFINED;
}

/** All directories to mount, outer ones first, and those of them that become read-only. */
function mountsOf(guarded: readonly string[], writable: readonly string[]): [mounts: string, closed: string] {
  const open = writable.map((path) => realpathSync(path));
  const closed = guarded.map((path) => realpathSync(path)).filter((path) => !open.includes(path));
  const mounts = [...new Set([...closed, ...open])].sort((a, b) => a.length - b.length);
  return [mounts.join('\n'), closed.join('\n')];
}

async function isPossible([program = '', ...args]: readonly string[], cwd: string): Promise<boolean> {
  const env = { PATH: absoluteSearchPath(process.env.PATH ?? '') };
  return promisify(execFile)(program, args, { cwd, env, timeout: TRIAL_MS }).then(
    () => true,
    () => false,
  );
}

/** A check works with what is installed. Tools that would fetch packages say instead that they need to. */
const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_yes: 'false',
  npm_config_offline: 'true',
  YARN_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_NETWORK: '0',
  PIP_NO_INDEX: '1',
  UV_OFFLINE: '1',
  CARGO_NET_OFFLINE: 'true',
  GOPROXY: 'off',
  GOTOOLCHAIN: 'local',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_GLOBAL: '/dev/null',
};
/** For tools without such a setting, where the network cannot be taken away: nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const JAVA_NOWHERE = ['http', 'https'].flatMap((each) => [`-D${each}.proxyHost=127.0.0.1`, `-D${each}.proxyPort=9`]);
const NO_PROXY = 'localhost,127.0.0.1,::1';

/** The environment of a command that works offline, with a home of its own. */
export function confinedEnvironment(home: string, { hasNamespaces }: Confinement): Record<string, string> {
  return {
    ...OFFLINE,
    ...(hasNamespaces ? {} : towardsNowhere()),
    ...ownHome(home),
    MAVEN_ARGS: mavenOffline(home).join(' '),
  };
}

function towardsNowhere(): Record<string, string> {
  const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const java = JAVA_NOWHERE.join(' ');
  return {
    ...Object.fromEntries(names.map((name) => [name, NOWHERE])),
    no_proxy: NO_PROXY,
    NO_PROXY,
    MAVEN_OPTS: java,
    GRADLE_OPTS: java,
  };
}

/** Maven reads the packages of the person, and writes into a repository of its own. */
function mavenOffline(home: string): string[] {
  const local = `-Dmaven.repo.local=${join(home, '.m2/repository')}`;
  return ['-o', local, `-Dmaven.repo.local.tail=${join(homedir(), '.m2/repository')}`];
}

/** The command with the options by which its tool stays offline, where no variable can say so in every version. */
export function offlineCommand(argv: readonly string[], home: string): string[] {
  const name = nameOf(innerCommand(argv)[0] ?? '');
  if (name === 'mvn' || name === 'mvnw') return [...argv, ...mavenOffline(home)];
  return name === 'gradle' || name === 'gradlew' ? [...argv, '--offline', '--no-daemon'] : [...argv];
}

/** A home in which builds find no server of theirs. */
export async function makeOfflineHome(home: string): Promise<void> {
  await makeHome(home);
  await mkdir(join(home, '.gradle/init.d'), { recursive: true, mode: 0o700 });
  await writeFile(join(home, '.gradle/init.d/offline.gradle'), 'gradle.startParameter.offline = true\n');
  await writeFile(join(home, '.gradle/gradle.properties'), 'org.gradle.daemon=false\n');
}
