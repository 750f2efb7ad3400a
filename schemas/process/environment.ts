import { delimiter, isAbsolute } from 'node:path';

/**
 * By default glibc keeps freed memory below any used block. After large messages a quiet daemon held 44 MB of freed
 * buffers. With these settings blocks of 16 KB and more go back at once. Other C libraries ignore them.
 */
const SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '16384', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The settings of the person stay. */
export function withAllocatorSettings(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  return { ...SETTINGS, ...env };
}

/** They were for this process. The programs that it starts get the environment without them. */
export function removeAllocatorSettings(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(SETTINGS)) if (env[name] === value) delete env[name];
}

/** The system's own programs. An empty PATH would mean the current directory. */
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);

/**
 * A PATH without relative and empty entries. Those depend on the current directory: in a worktree, `git` could be a file
 * that an agent wrote.
 */
export function absoluteSearchPath(searchPath: string): string {
  return searchPath.split(delimiter).filter(isAbsolute).join(delimiter) || SYSTEM;
}

/** This machine reaches other hosts by these. Agents and commands get them, or neither could install a package. */
export const NETWORK_VARIABLES: readonly string[] = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
];
