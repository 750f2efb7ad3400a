import type { Config } from '../../../schemas/config/config.ts';
import { tmuxWords } from '../../../schemas/config/configTmux.ts';
import type { Env, Paths } from '../../../schemas/files/paths.ts';
import { findLostServer } from '../../../tmux/process/reclaimServer.ts';
import { type Check, type Diagnosis, fail, pass, warn } from '../probe/check.ts';
import { ask, isBelow, readVersion } from '../probe/program.ts';

/** 2.38 is the first with `merge-tree --write-tree`. */
export const git: Check = {
  name: 'git',
  async run({ env, strict }) {
    const ran = await ask('git', ['--version'], env);
    const remediation = 'Install git 2.40 or later (at least 2.38).';
    if (!ran) return fail('git is not on PATH', remediation);
    if (!ran.ok) return fail(`git --version failed: ${ran.why}`, remediation);
    const version = readVersion(ran.out);
    if (!version) return warn(`${ran.out}: unknown version`, remediation);
    if (isBelow(version, strict ? [2, 40] : [2, 38])) {
      return fail(`${ran.out} is too old: devflow needs ${strict ? '2.40' : '2.38'}`, remediation);
    }
    return isBelow(version, [2, 40]) ? warn(`${ran.out} works, but 2.40 is recommended`, remediation) : pass(ran.out);
  },
};

/** The tmux that devflow needs. `tmux/plugin/fit.sh` and the README name the same version; a test compares them. */
export const TMUX_NEEDED = [3, 3] as const;
/** Older versions have faults in popups, in control mode, and when an agent's pane dies. */
export const TMUX_RECOMMENDED = [3, 5] as const;

const [NEEDED, RECOMMENDED] = [TMUX_NEEDED.join('.'), TMUX_RECOMMENDED.join('.')];
const REMEDIATION = `Install tmux ${RECOMMENDED} or later (at least ${NEEDED}): apt-get install tmux, or brew install tmux.`;

/** The version, and the server that agents run on. */
export const tmux: Check = {
  name: 'tmux',
  async run({ env, config, paths }) {
    const program = config?.tmux.binaryPath ?? 'tmux';
    const ran = await ask(program, ['-V'], env);
    if (!ran) return fail(`${program} is not on PATH`, REMEDIATION);
    if (!ran.ok) return fail(`${program} -V failed: ${ran.why}`, REMEDIATION);
    const version = readVersion(ran.out);
    if (!version) return warn(`${ran.out}: unknown version`, REMEDIATION);
    if (isBelow(version, TMUX_NEEDED)) return fail(`${ran.out} is too old: devflow needs ${NEEDED}`, REMEDIATION);
    const isOld = isBelow(version, TMUX_RECOMMENDED);
    const isUserServer = config?.tmux.server === 'user';
    const found = isUserServer ? await userServer(config.tmux, isOld, env) : lostServer(paths);
    if (found && found.status !== 'pass') return { ...found, detail: `${ran.out}; ${found.detail}` };
    const where = config ? `; agents run on ${found?.detail ?? ownServer(config.tmux)}` : '';
    return isOld
      ? warn(`${ran.out} works, but ${RECOMMENDED} is recommended${where}`, REMEDIATION)
      : pass(`${ran.out}${where}`);
  },
};

function ownServer(settings: Config['tmux']): string {
  return `a server of devflow's own (${tmuxWords(settings).join(' ')})`;
}

/** The daemon lets it make its socket again when it looks for its agents (`tmux/process/reclaimServer.ts`). */
function lostServer({ tmuxConfig }: Paths): Diagnosis | undefined {
  const pid = findLostServer({ owner: 'own', configFile: tmuxConfig });
  if (pid === undefined) return undefined;
  const remediation =
    'Run devflow down, then devflow up. devflow restores the socket when it next needs an agent, and the agents keep running.';
  return warn(`the tmux server of the agents (process ${pid}) runs, but its socket is gone`, remediation);
}

/** `-N` starts no server. It warns of settings that can end a server (docs/adr/0011-own-tmux-server.md). */
async function userServer(settings: Config['tmux'], isOld: boolean, env: Env): Promise<Diagnosis> {
  const [program = 'tmux', ...where] = tmuxWords(settings);
  const which = `your server (${[program, ...where].join(' ')})`;
  const option = async (flags: string, name: string) =>
    (await ask(program, ['-N', ...where, 'show-options', flags, name], env))?.out;
  const answer = await ask(program, ['-N', ...where, 'display-message', '-p', '#{pid}'], env);
  if (!answer?.ok) return fail(`${which} is not running`, 'Start tmux, or set tmux.server: own.');
  if ((await option('-gwv', 'window-size')) === 'manual') {
    const remediation = 'Run tmux set-option -gw window-size latest, or set tmux.server: own.';
    return fail(`${which} has window-size manual for all windows: a new window would crash it`, remediation);
  }
  if (isOld && (await option('-sv', 'focus-events')) === 'on') {
    const remediation = `Run tmux set-option -s focus-events off, set tmux.server: own, or install tmux ${RECOMMENDED}.`;
    return warn(`${which} has focus-events on: before ${RECOMMENDED} it may crash when an agent ends`, remediation);
  }
  return pass(which);
}
