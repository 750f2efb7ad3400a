import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { sha256hex } from '../hash.ts';
import { homeOf } from './home.ts';

export * from './runPaths.ts';

/** Where devflow keeps its files, as absolute paths. `resolvePaths` creates nothing. */
export interface Paths {
  configDir: string;
  stateDir: string;
  dataDir: string;
  /** Holds the sockets. The process that creates it sets mode 0700. devflow refuses a directory of another user. */
  runtimeDir: string;
  socketPath: string;
  postgresData: string;
  postgresSocketDir: string;
  logFile: string;
  /** The record of the daemon's keeper (`schemas/keeper/record.ts`). */
  keeperFile: string;
  databaseLog: string;
  /** The configuration of devflow's own tmux server. */
  tmuxConfig: string;
  /** One file for each tmux server with the plugin (`tmux/plugin/register.sh`). */
  tmuxServers: string;
  /** The first frames of popups (`tui/oldFrame.ts`). `bin/devflow` reads them. */
  oldFrames: string;
  binariesCache: string;
  /** The optional packages of `engine: temporal`, which a person installs there. */
  temporalPackages: string;
  userTemplates: string;
  userPersonas: string;
  /** Texts that their authors still change. The daemon does not load them. */
  templateDrafts: string;
  personaDrafts: string;
  userArtifacts: string;
  configFile: string;
  envFile: string;
  envLocalFile: string;
}

/** The directories that hold devflow's own files. */
export function devflowDirectories({ configDir, stateDir, dataDir, runtimeDir }: Paths): string[] {
  return [configDir, stateDir, dataDir, runtimeDir];
}

/**
 * The mode of the directories above the database. As root, the database server runs as another user, who must pass through
 * them. Give it to every `mkdir` there, because the umask may allow more.
 */
export const PASSABLE = process.getuid?.() === 0 ? 0o711 : 0o700;

export type Env = Readonly<Record<string, string | undefined>>;

/** The most bytes of a Unix socket path: 107 on Linux, 103 on macOS. The smaller one applies to both. */
const SOCKET_PATH_BYTES = 103;
const LONGEST_SOCKET = join('postgres', '.s.PGSQL.65535');

/** The paths for this environment: below `DEVFLOW_HOME`, else by the XDG rules. Pure. */
export function resolvePaths(env: Env): Paths {
  const wanted = directories(env);
  const runtimeDir = shortEnough(wanted.runtimeDir, wanted.configDir);
  const { configDir, stateDir, dataDir } = wanted;
  return {
    configDir,
    stateDir,
    dataDir,
    runtimeDir,
    socketPath: join(runtimeDir, 'devflow.sock'),
    postgresData: join(dataDir, 'postgres'),
    postgresSocketDir: join(runtimeDir, 'postgres'),
    logFile: join(stateDir, 'daemon.log'),
    keeperFile: join(stateDir, 'keeper.json'),
    databaseLog: join(stateDir, 'postgres.log'),
    tmuxConfig: join(stateDir, 'tmux.conf'),
    tmuxServers: join(stateDir, 'tmux-servers'),
    oldFrames: join(stateDir, 'old-frames'),
    binariesCache: join(dataDir, 'binaries'),
    temporalPackages: join(dataDir, 'temporal'),
    userTemplates: join(configDir, 'templates'),
    userPersonas: join(configDir, 'personas'),
    templateDrafts: join(configDir, 'templates', 'drafts'),
    personaDrafts: join(configDir, 'personas', 'drafts'),
    userArtifacts: join(configDir, 'artifacts'),
    configFile: join(configDir, 'config.yaml'),
    envFile: join(configDir, '.env'),
    envLocalFile: join(configDir, '.env.local'),
  };
}

type Directories = Pick<Paths, 'configDir' | 'stateDir' | 'dataDir' | 'runtimeDir'>;

function directories(env: Env): Directories {
  if (env.DEVFLOW_HOME) {
    const home = resolve(env.DEVFLOW_HOME);
    return {
      configDir: home,
      stateDir: join(home, 'state'),
      dataDir: join(home, 'data'),
      runtimeDir: join(home, 'run'),
    };
  }
  const home = homeOf(env);
  // The XDG specification says to ignore relative paths.
  const xdg = (name: string, fallback: string) => {
    const value = env[name];
    return join(value && isAbsolute(value) ? value : join(home, fallback), 'devflow');
  };
  const stateDir = xdg('XDG_STATE_HOME', '.local/state');
  return {
    configDir: xdg('XDG_CONFIG_HOME', '.config'),
    stateDir,
    dataDir: xdg('XDG_DATA_HOME', '.local/share'),
    runtimeDir:
      env.XDG_RUNTIME_DIR && isAbsolute(env.XDG_RUNTIME_DIR) ? join(env.XDG_RUNTIME_DIR, 'devflow') : stateDir,
  };
}

/** A short directory in /tmp if the socket paths would be too long. Its name derives from the home, so that all programs agree. */
function shortEnough(runtimeDir: string, home: string): string {
  if (Buffer.byteLength(join(runtimeDir, LONGEST_SOCKET)) <= SOCKET_PATH_BYTES) return runtimeDir;
  return `/tmp/devflow-${process.getuid?.() ?? 0}-${sha256hex(home).slice(0, 8)}`;
}

/**
 * The directory of the installed devflow package, searched upwards from this file (a source, or a bundle in dist/). Throws if
 * the installation is broken.
 */
export function packageRoot(): string {
  for (let directory = import.meta.dirname; ; directory = dirname(directory)) {
    const manifest = join(directory, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'devflow') return directory;
    if (directory === dirname(directory)) throw new Error(`no devflow package.json above ${import.meta.dirname}`);
  }
}
