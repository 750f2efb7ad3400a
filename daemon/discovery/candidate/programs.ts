/** Shells by name, which run the text or the file that they get. */
export const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash']);
/** They run scripts of package.json. */
export const NODE_MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** They print or do nothing, and fail only with the machine. */
export const QUIET: ReadonlySet<string> = new Set(['echo', 'printf', 'true', ':']);
