import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { createPainter } from '../../../tui/terminal/painter.ts';
import { view } from '../../../tui/view.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';
import { NAMES, screenModel } from './screens.ts';

vi.stubEnv('TZ', 'UTC');
afterAll(() => void vi.unstubAllEnvs());

const tmux = useTmuxServer();
const SIZE = { columns: 80, rows: 24 };

it('a real terminal shows the captures, letter by letter', async () => {
  const driver = await tmux().driver();
  const next = join(tmux().home, 'next');
  // Each is painted over the last one, as in the dashboard.
  const script = `stty -echo; printf 'ready\\033[?25l\\033[?7l'; while read -r file; do cat "$file"; done`;
  const { pane } = await tmux().pane(driver, script, { size: SIZE });
  const shown = () => driver.run([['capture-pane', '-p', '-t', pane]]);
  await until('nothing is echoed', async () => (await shown())[0] === 'ready');
  const painter = createPainter({ colors: 256, unicode: true });
  for (const name of NAMES) {
    writeFileSync(`${next}-${name}`, painter.paint(view(screenModel(name, SIZE)), SIZE.columns));
    await driver.run([['send-keys', '-t', pane, `${next}-${name}`, 'Enter']]);
    const wanted = readFileSync(join(import.meta.dirname, `../../fixtures/screens/${name}-80x24.txt`), 'utf8');
    // What is there instead is told by the comparison.
    await until(name, async () => `${(await shown()).join('\n')}\n` === wanted).catch(() => {});
    expect(`${(await shown()).join('\n')}\n`).toBe(wanted);
  }
});
