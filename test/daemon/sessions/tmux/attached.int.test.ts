import { expect, it } from 'vitest';
import { shellQuote } from '../../../../tmux/command/command.ts';
import { readPane } from '../../../../tmux/panes/panes.ts';
import { attachArgv } from '../../../../tmux/panes/sessions.ts';
import { spawnRunner } from '../../../../tmux/server/spawnRunner.ts';
import { useScriptedSessions } from '../../../helpers/scriptedSession.ts';
import { resizeWindow } from '../../../helpers/tmuxActs.ts';
import { until } from '../../../helpers/until.ts';

const given = useScriptedSessions();

// Without hooks, state file and title, only the screen tells what the agent does.
it('delivers each prompt once while a small terminal shows the agent', async () => {
  const session = await given({ scripted: 'hooks-off,state-off,title-off,swallow=2' });
  const { adapter, input, tmux, server, envelope } = session;
  const handle = await adapter.start(input);
  const agent = await readPane(spawnRunner(server), await session.pane());
  if (!agent) throw new Error('it has no pane');
  const hasSize = (columns: number, rows: number) =>
    until(`the window has ${columns} x ${rows} cells`, async () => {
      const pane = await readPane(spawnRunner(server), agent.pane);
      return pane?.columns === columns && pane.rows === rows;
    });
  const instructions = Array.from({ length: 40 }, (_, nth) => `Line ${nth} of a prompt longer than the window.`);
  const deliver = async (attempt: number) => {
    await adapter.sendPrompt(handle, envelope({ attempt, instructions: instructions.join('\n') }));
    await session.happened('turn-ended', attempt);
  };

  const outer = await tmux.driver({ server: tmux.another('own') });
  const words = attachArgv(server, agent.session).map(shellQuote).join(' ');
  const terminal = await tmux.pane(outer, `unset TMUX; exec ${words}`, { size: { columns: 60, rows: 15 } });
  await hasSize(60, 14);
  await deliver(1);
  await deliver(2);
  await resizeWindow(outer, terminal.window, 80, 24);
  await hasSize(80, 23);
  await deliver(3);
  const journal = await session.journal();
  expect(journal.map(({ uuids, merged, dropped }) => [uuids.length, merged, dropped])).toEqual(
    Array(3).fill([1, false, false]),
  );
});
