import { expect, test } from 'vitest';
import { withKnownTerminal } from '../../../cli/attach/knownTerminal.ts';
import { listClients } from '../../../tmux/clients/clients.ts';
import { shellQuote } from '../../../tmux/command/command.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

/** A terminal (a pane of another server) that runs `before` and then attaches to an agent. */
async function givenTerminal(before: string, isThere = true) {
  const agents = tmux().another('own');
  const driver = await tmux().driver({ server: agents });
  const agent = await tmux().pane(driver, 'echo here it is; exec sleep 1000');
  const argv = withKnownTerminal(attachArgv(agents, isThere ? agent.session : '$99'));
  const outer = await tmux().driver();
  const script = `${before}; unset TMUX; ${argv.map(shellQuote).join(' ')}; echo "exit $?"; exec sleep 1000`;
  const terminal = await tmux().pane(outer, script);
  const types = () => driver.run([['list-clients', '-F', '#{client_control_mode} #{client_termname}']]);
  return {
    attached: () =>
      until('it is attached', async () => (await listClients(driver)).some(({ controlMode }) => !controlMode)),
    type: async () => (await types()).flatMap((line) => /^0 (.*)/.exec(line)?.[1] ?? []),
    leave: () => outer.run([['send-keys', '-t', terminal.pane, 'C-b', 'd']]),
    async ended() {
      const read = async () => (await outer.run([['capture-pane', '-p', '-J', '-t', terminal.pane]])).join('\n');
      await until('it has ended', async () => (await read()).includes('exit '));
      return (await read()).trim().split('\n');
    },
  };
}

test.each([
  ['TERM=xterm-ghostty', 'xterm-ghostty'],
  ['TERM=dumb', 'dumb'],
  ['unset TERM', '(none)'],
])('with %s uses a usual terminal type, and says so', async (before, named) => {
  const terminal = await givenTerminal(before);
  await terminal.attached();
  expect(await terminal.type()).toEqual([expect.stringMatching(/^(tmux|screen|xterm)-256color$/)]);
  const [type] = await terminal.type();
  await terminal.leave();
  const lines = await terminal.ended();
  expect(lines).toContain(`devflow: tmux does not know the terminal type ${named} here; it used ${type}.`);
  expect(lines.at(-1)).toBe('exit 0');
});

test('keeps a known terminal type, and says nothing', async () => {
  const terminal = await givenTerminal('TERM=screen-256color');
  await terminal.attached();
  expect(await terminal.type()).toEqual(['screen-256color']);
  await terminal.leave();
  expect((await terminal.ended()).join('\n')).not.toContain('devflow:');
});

test("passes tmux's own refusal on", async () => {
  const terminal = await givenTerminal('TERM=xterm-ghostty', false);
  const lines = await terminal.ended();
  expect(lines.join('\n')).toMatch(/can't find session/);
  expect(lines.at(-1)).toBe('exit 1');
});
