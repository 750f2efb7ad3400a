import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { absoluteSearchPath, NETWORK_VARIABLES } from '../../schemas/process/environment.ts';
import { addedVariables } from '../../schemas/repository/variables.ts';
import type { CommandFiles } from './commandFiles.ts';

/**
 * Runs "$@" and writes its status to a file, so that the result outlives the daemon. The argv arrives as positional
 * parameters, so no shell parses it again. Line by line:
 * `ln` claims the command. Only one of two wrappers can make the hard link.
 * The trap keeps the wrapper alive when the group gets TERM. Unlike '' the command does not inherit it.
 * `exec` in a subshell runs only programs, so `exit` or `eval` as argv[0] does nothing.
 * Output is appended, so that the file can be cut while the command writes (outputCap.ts).
 * Processes that the command left in its group end before the status is written.
 */
const SCRIPT = `
base=$1; shift
if [ -r "/proc/$$/stat" ]; then started=$(sed 's/.*) //' "/proc/$$/stat" | cut -d' ' -f20)
else started=$(LC_ALL=C ps -o lstart= -p $$); fi
printf '%s %s\\n' $$ "$started" >"$base.pid.$$" || exit 74
ln "$base.pid.$$" "$base.pid" 2>/dev/null || { rm -f "$base.pid.$$"; exit 75; }
rm -f "$base.pid.$$"
trap : TERM INT HUP
if command -v -- "$1" >/dev/null 2>&1; then
  : >"$base.out"; : >"$base.err"
  (exec "$@") >>"$base.out" 2>>"$base.err" </dev/null
  status=$?
else
  : >"$base.out"
  printf 'devflow: there is no program %s (PATH is %s)\\n' "$1" "$PATH" >"$base.err"
  status=127
fi
trap '' TERM
kill -TERM 0
printf '%s\\n' "$status" >"$base.exit.tmp" && mv "$base.exit.tmp" "$base.exit"
`;

/** Starts the wrapper as leader of its own session and group. Rejects if it cannot start. */
export async function spawnWrapper(
  files: CommandFiles,
  input: { argv: readonly string[]; cwd: string; env: Record<string, string> },
): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'devflow-command', files.base, ...input.argv], {
    cwd: input.cwd,
    env: input.env,
    detached: true,
    stdio: 'ignore',
  });
  child.unref();
  await once(child, 'spawn');
  return child;
}

/** The environment of every command. The daemon's own may contain secrets. */
export function commandEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  const env: Record<string, string> = { TERM: 'dumb', CI: '1', LANG: process.env.LANG ?? 'C.UTF-8' };
  for (const name of ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', ...NETWORK_VARIABLES]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  if (env.PATH !== undefined) env.PATH = absoluteSearchPath(env.PATH);
  return { ...env, ...addedVariables(extra, env.PATH) };
}
