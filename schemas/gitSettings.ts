import { isAbsolute } from 'node:path';
import { absoluteSearchPath } from './absoluteSearchPath.ts';

/**
 * What settles git's own ways to run a program, on the command line of every call that devflow makes. `docs/git.md`
 * lists each setting. Settings with a free name in them (`filter.<name>.clean`) have no place here: git never reads the
 * configuration that could hold them, see `daemon/harness/laneConfig.ts`.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Programs that git starts by itself.
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.useBuiltinFSMonitor': 'false',
  'core.editor': 'false',
  'sequence.editor': 'false',
  'core.pager': 'cat',
  'core.askPass': 'false',
  'credential.helper': '',
  'interactive.diffFilter': 'cat',
  'core.alternateRefsCommand': 'false',
  'uploadpack.packObjectsHook': 'false',
  'help.autoCorrect': '0',
  // Signatures.
  'gpg.program': 'false',
  'gpg.openpgp.program': 'false',
  'gpg.x509.program': 'false',
  'gpg.ssh.program': 'false',
  'gpg.ssh.defaultKeyCommand': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'log.showSignature': 'false',
  // Connections, also those for objects that a partial clone lacks.
  'core.sshCommand': 'false',
  'core.gitProxy': 'none',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'protocol.file.allow': 'never',
  'protocol.git.allow': 'never',
  'protocol.http.allow': 'never',
  'protocol.https.allow': 'never',
  'protocol.ssh.allow': 'never',
  // Repositories inside of the worktree.
  'submodule.recurse': 'false',
  'submodule.propagateBranches': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'status.submoduleSummary': 'false',
  'diff.ignoreSubmodules': 'all',
  'diff.submodule': 'short',
  // Files that say how other files are read.
  'core.attributesFile': '/dev/null',
  'init.templateDir': '',
  // Housekeeping that would rewrite the repository in the background.
  'gc.auto': '0',
  'gc.autoDetach': 'false',
  'maintenance.auto': 'false',
};

/** Words between `git` and the subcommand. */
export const GIT_SETTINGS: readonly string[] = [
  '--no-pager',
  ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

/** Variables of every call. What git inherits from the environment is dropped, see `gitVariables`. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ATTR_NOSYSTEM: '1',
  LC_ALL: 'C',
};

/** Variables that a person sets on purpose, and that name no program. */
const KEPT = new Set(['GIT_CONFIG_NOSYSTEM', 'GIT_CEILING_DIRECTORIES']);
/** The same, where the path is absolute: a relative one would name a file of the directory that git runs in. */
const KEPT_PATHS = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_EXEC_PATH']);

/**
 * An environment for git. The other variables of git (GIT_DIR, GIT_EXTERNAL_DIFF, GIT_SSH …) run programs, or are left
 * over from a hook or a rebase and point git at another repository.
 */
export function gitVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || name === 'SSH_ASKPASS') continue;
    if (name.startsWith('GIT_') && !(KEPT.has(name) || (KEPT_PATHS.has(name) && isAbsolute(value)))) continue;
    kept[name] = value;
  }
  if (kept.PATH !== undefined) kept.PATH = absoluteSearchPath(kept.PATH);
  return { ...kept, ...VARIABLES };
}
