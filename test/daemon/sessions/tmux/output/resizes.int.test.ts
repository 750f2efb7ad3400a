import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newEpoch, outputEnd } from '../../../../../daemon/sessions/tmux/output/outputFiles.ts';
import { tailOutput } from '../../../../../daemon/sessions/tmux/output/outputTail.ts';
import { followSize, readResizes, recordResize } from '../../../../../daemon/sessions/tmux/output/resizes.ts';
import { sessionNameOf } from '../../../../../daemon/sessions/tmux/server/sessionName.ts';
import { readPane } from '../../../../../tmux/panes/panes.ts';
import { splitSink } from '../../../../../tmux/panes/pipe.ts';
import { runSpawned } from '../../../../../tmux/server/spawnRunner.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { resizeWindow } from '../../../../helpers/tmuxActs.ts';
import { useTmuxServer } from '../../../../helpers/tmuxServer.ts';
import { until } from '../../../../helpers/until.ts';

const tmux = useTmuxServer();
const given = useScriptedSessions();

/** Text and sizes as they follow each other. */
function reading(directory: string, fromOffset = 0): { text: () => string } {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  let text = '';
  void (async () => {
    for await (const { bytes, mark } of tailOutput({ directory, fromOffset, signal: stop.signal })) {
      text += mark?.kind === 'resize' ? `<${mark.columns}x${mark.rows}>` : bytes;
    }
  })();
  return { text: () => text };
}

test('records a new size before the program redraws', async () => {
  const driver = await tmux().driver();
  // A space, and what a format or a shell would take for their own.
  const output = join(tmux().home, "o u#t'$x");
  mkdirSync(output);
  recordResize(output, { columns: 160, rows: 45 });
  const script = `stty -echo; printf start; while read -r x; do echo " drawn"; done`;
  const { pane, window } = await tmux().pane(driver, script, { sink: splitSink(output, newEpoch(output)) });
  await followSize(driver, pane, output);
  const live = reading(output);
  await until('it began', () => live.text().endsWith('start'));
  const drawn = async (times: number) => {
    await until('tmux noted it', () => readResizes(output).length === times + 1);
    await driver.run([['send-keys', '-t', pane, 'Enter']]);
    await until('it drew', () => live.text().split('\n').length === times + 1);
  };
  await resizeWindow(driver, window, 100, 30);
  await drawn(1);
  // By a person, whose client knows nothing of the driver.
  await runSpawned(tmux().server, [['split-window', '-d', '-h', '-t', pane, '--', 'sleep', '1000']]);
  await drawn(2);
  const { columns } = (await readPane(driver, pane)) ?? {};
  expect(columns).toBeLessThan(100);
  const all = `<160x45>start<100x30> drawn\r\n<${columns}x30> drawn\r\n`;
  expect(live.text()).toBe(all);
  // The same for who reads it later, from anywhere.
  const later = reading(output);
  await until('all is read', () => later.text() === all);
  const end = reading(output, outputEnd(output) - 2);
  await until('all is read', () => end.text() === '\r\n');
});

test.each([false, true])(
  'the pane of an agent is followed while no daemon runs, and its transcript tells (shared: %s)',
  async (shared) => {
    const session = await given({ shared });
    const { adapter, input, server } = session;
    await adapter.start(input);
    await adapter.release(input);
    const panes = await runSpawned(server, [['list-panes', '-a', '-F', '#{session_name} #{pane_id}']]);
    const pane = panes.find((line) => line.startsWith(`${sessionNameOf(input)} `))?.split(' ')[1] ?? '';
    await runSpawned(server, [['resize-window', '-t', pane, '-x', '90', '-y', '40']]);
    const output = join(input.sessionDir, 'output');
    expect(existsSync(output)).toBe(true);
    await until('tmux noted it', () => readResizes(output).at(-1)?.columns === 90);

    const next = session.next();
    const handle = await next.start(input);
    const marks: string[] = [];
    const captured = (async () => {
      for await (const { mark } of next.capture(handle, 0n)) {
        if (mark?.kind === 'resize') marks.push(`${mark.columns}x${mark.rows}`);
      }
    })();
    await until('both are told', () => marks.length >= 2);
    // On devflow's own server, the connection of the next daemon gives the window its own size again.
    expect(marks.slice(0, 2)).toEqual(['160x45', '90x40']);
    // It is not to read on where the directory is being removed.
    await next.release(input);
    await captured;
  },
);
