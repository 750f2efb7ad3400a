/**
 * By default glibc keeps freed memory: after a burst a quiet daemon held 28 MB of freed buffers. With these settings large
 * blocks go back at once. Other C libraries ignore them.
 */
const SETTINGS = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' };

/** The settings of the person stay. */
export function withAllocatorSettings(env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv {
  return { ...SETTINGS, ...env };
}

/** They were for this process. The programs that it starts get the environment without them. */
export function removeAllocatorSettings(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(SETTINGS)) if (env[name] === value) delete env[name];
}
