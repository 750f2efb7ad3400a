import { expect, it } from 'vitest';
import { shellQuote } from '../../../tmux/command/command.ts';
import { attachArgv } from '../../../tmux/panes/sessions.ts';
import { sendText } from '../../helpers/tmuxActs.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

/** What a terminal sends for Shift+Enter once it is asked for extended keys. */
const SHIFT_ENTER = '\x1b[13;2u';

/** An agent's program, and a terminal (a pane of another server) that shows it. */
async function givenTerminal(program: string) {
  const agents = tmux().another('own');
  const driver = await tmux().driver({ server: agents });
  const agent = await tmux().pane(driver, program);
  const screen = async () => (await driver.run([['capture-pane', '-p', '-t', agent.pane]])).join('');
  await until('it is ready', async () => (await screen()).includes('ready'));
  const outer = await tmux().driver();
  const words = attachArgv(agents, agent.session).map(shellQuote).join(' ');
  const { pane } = await tmux().pane(outer, `unset TMUX; exec ${words}`);
  const shown = async () => (await outer.run([['capture-pane', '-p', '-t', pane]])).join('');
  await until('the terminal shows it', async () => (await shown()).includes('ready'));
  return {
    driver,
    async type(...texts: string[]) {
      for (const text of texts) await sendText(outer, pane, text);
      await until('all has arrived', async () => (await screen()).includes(texts.at(-1) as string));
      return screen();
    },
  };
}

it('passes Shift+Enter to a program that asks for it', async () => {
  const { driver, type } = await givenTerminal("stty raw -echo; printf '\\033[>4;2mready '; exec cat -v");
  const features = await driver.run([['list-clients', '-F', '#{client_termfeatures}']]);
  expect(features).toContainEqual(expect.stringContaining('extkeys'));
  expect(await type('[Enter]', '\r', '[Shift+Enter]', SHIFT_ENTER, '[Ctrl+C]', '\x03', '[end]')).toBe(
    'ready [Enter]^M[Shift+Enter]^[[13;2u[Ctrl+C]^C[end]',
  );
});

it('changes no other key of a program that does not ask', async () => {
  const { type } = await givenTerminal("stty raw -echo; printf 'ready '; exec cat -v");
  expect(await type('[Enter]', '\r', '[Ctrl+C]', '\x03', '[end]')).toBe('ready [Enter]^M[Ctrl+C]^C[end]');
});
