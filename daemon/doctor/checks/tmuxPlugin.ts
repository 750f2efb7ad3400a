import { join } from 'node:path';
import { type Check, pass, warn } from '../probe/check.ts';
import { ask } from '../probe/program.ts';

/** Looks for devflow.tmux in the tmux from which this is called. It is optional. */
export const tmuxPlugin: Check = {
  name: 'tmux-plugin',
  async run({ env, config, packageDir }) {
    const [socket = ''] = (env.TMUX ?? '').split(',');
    if (socket === '') return pass('not checked: you are not inside tmux');
    const program = config?.tmux.binaryPath ?? 'tmux';
    const option = async (name: string) =>
      (await ask(program, ['-N', '-S', socket, 'show-options', '-gqv', name], env))?.out ?? '';
    const loaded = await option('@devflow_loaded');
    if (loaded === packageDir) return pass('loaded in this tmux server');
    if (loaded !== '') return pass(`loaded in this tmux server, from ${loaded}`);
    if ((await option('@devflow_own')) !== '') return pass("not needed: this tmux server is devflow's own");
    const line = `run-shell ${join(packageDir, 'devflow.tmux')}`;
    return warn('not loaded in this tmux server', `For its keys and status, add this to ~/.tmux.conf: ${line}`);
  },
};
