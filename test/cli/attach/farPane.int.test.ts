import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sshArgv } from '../../../cli/attach/sshArgv.ts';
import { listClients } from '../../../tmux/clients/clients.ts';
import { shellQuote } from '../../../tmux/command/command.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import type { Server } from '../../../tmux/server/server.ts';
import { sshdProgram, startSshServer } from '../../helpers/sshServer.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

// .ci/run installs it. A machine without an ssh server still runs everything else.
test.skipIf(sshdProgram() === undefined)(
  'a client over ssh shows the pane with every letter, keeps its size, and gives the terminal back (needs sshd)',
  async () => {
    const ssh = await startSshServer(join(tmux().home, 'ssh'));
    const control = join(tmux().home, 'c');
    mkdirSync(control, { mode: 0o700 });
    const agents = await tmux().driver();
    const agent = await tmux().pane(agents, 'printf "Grüße ✓"; exec sleep 1000');
    const [socket = ''] = await agents.run([['display-message', '-p', '#{socket_path}']]);
    const far: Server = { owner: 'theirs', binary: 'tmux', address: { socketPath: socket } };
    const attach = sshArgv(ssh.words, attachArgv(far, agent.session), control);

    const outer = await tmux().driver({ server: tmux().another('own') });
    const script = `unset TMUX LANG; ${attach.map(shellQuote).join(' ')}; echo "exit $?"; exec sleep 1000`;
    const size = { columns: 60, rows: 15 };
    const terminal = await tmux().pane(outer, script, { size });
    const screen = async () => (await outer.run([['capture-pane', '-p', '-t', terminal.pane]])).join('\n');
    await until('the far pane is shown', async () => (await screen()).includes('Grüße ✓'));
    const client = (await listClients(agents)).find(({ controlMode }) => !controlMode);
    expect(client).toMatchObject({ session: agent.session, columns: 60 });
    expect(await agents.run([['display-message', '-p', '-t', agent.pane, '#{window_width}']])).toEqual(['160']);
    expect(readdirSync(control).filter((name) => name.startsWith('ssh-'))).toHaveLength(1);

    await outer.run([['send-keys', '-t', terminal.pane, 'C-b', 'd']]);
    await until('the terminal is given back', async () => /^exit 0$/m.test(await screen()));
    ssh.endShared(control);
    await until('no connection is left', () => readdirSync(control).length === 0);
    expect(existsSync(agent.directory)).toBe(true);
  },
);
