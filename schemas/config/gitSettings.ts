import { isAbsolute } from 'node:path';
import { absoluteSearchPath } from '../process/environment.ts';

/**
 * Settings on the command line of every git call, which disable git's own ways to run a program. `docs/git.md` lists
 * them. Settings with a free name (`filter.<name>.clean`) are not here. devflow's git reads no configuration that could
 * hold them (`daemon/repository/privateGit/privateConfig.ts`).
 */
const SETTINGS: Readonly<Record<string, string>> = {
  // Programs that git starts.
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
  // Connections, also for objects that a partial clone lacks.
  'core.sshCommand': 'false',
  'core.gitProxy': 'none',
  'protocol.allow': 'never',
  'protocol.ext.allow': 'never',
  'protocol.file.allow': 'never',
  'protocol.git.allow': 'never',
  'protocol.http.allow': 'never',
  'protocol.https.allow': 'never',
  'protocol.ssh.allow': 'never',
  // Repositories inside the worktree.
  'submodule.recurse': 'false',
  'submodule.propagateBranches': 'false',
  'fetch.recurseSubmodules': 'false',
  'push.recurseSubmodules': 'no',
  'status.submoduleSummary': 'false',
  'diff.ignoreSubmodules': 'all',
  'diff.submodule': 'short',
  // Files that control how git reads other files.
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

/** Variables of every call. `gitVariables` drops the inherited variables of git. */
const VARIABLES: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
  // git would read another object than the one that a commit names.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ATTR_NOSYSTEM: '1',
  LC_ALL: 'C',
};

/** Variables that a person sets on purpose. */
const KEPT = new Set(['GIT_CONFIG_NOSYSTEM', 'GIT_CEILING_DIRECTORIES']);
/** The same for absolute paths: a relative one would name a file of git's working directory. */
const KEPT_PATHS = new Set(['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_EXEC_PATH']);

/**
 * An environment for git. It drops other variables of git: some run programs (GIT_EXTERNAL_DIFF, GIT_SSH). Others, left from a
 * hook or a rebase, name another repository (GIT_DIR).
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
