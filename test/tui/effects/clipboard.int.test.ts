import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyText } from '../../../tui/effects/clipboard.ts';
import { seatRobotInTmux } from '../../helpers/robot.ts';
import { until } from '../../helpers/until.ts';

const HOSTILE = 'devflow/naïve 世界 #{pane_id} $(touch x) `id` \' " \u202e';

async function givenTmux(config: string[]) {
  const directory = mkdtempSync(join(tmpdir(), 'devflow-clip-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const room = { directory, env: process.env as Record<string, string> };
  const { socket, tmux } = await seatRobotInTmux(room, 'person', { config });
  /** The terminal outside of the person's tmux. */
  const outer = (...words: string[]) =>
    execFileSync('tmux', ['-S', join(directory, 'person'), ...words], { encoding: 'utf8', stdio: 'pipe' });
  outer('set-option', '-s', 'set-clipboard', 'on');
  const client = tmux('list-clients', '-F', '#{client_name}');
  const pid = tmux('display-message', '-p', '#{pid}');
  // As in a popup: it has no pane, and knows its client by the plugin.
  const env = { PATH: process.env.PATH, TMUX: `${socket},${pid},0`, DEVFLOW_INTERNAL_TMUX_CLIENT: client };
  const clipboard = () => {
    try {
      return outer('show-buffer');
    } catch {
      return undefined;
    }
  };
  return { tmux, env, clipboard };
}

test('in a popup, copies the exact bytes to the tmux buffer and the terminal', async () => {
  const { tmux, env, clipboard } = await givenTmux([]);
  const sent: string[] = [];
  const copied = await copyText(HOSTILE, (sequence) => sent.push(sequence), env);
  expect(copied).toEqual({ to: 'the tmux buffer and the clipboard of your terminal' });
  expect(tmux('show-buffer')).toBe(HOSTILE);
  await until('the terminal has it', () => clipboard() === HOSTILE);
  expect(sent).toEqual([]);
});

test('with set-clipboard off, copies only to the buffer', async () => {
  const { tmux, env, clipboard } = await givenTmux(['set -s set-clipboard off']);
  expect(await copyText('main', () => {}, env)).toEqual({ to: 'the tmux buffer (set-clipboard is off)' });
  expect(tmux('show-buffer')).toBe('main');
  expect(clipboard()).toBeUndefined();
});

test('without tmux, sends OSC 52 to the terminal', async () => {
  for (const env of [{ PATH: process.env.PATH }, { PATH: process.env.PATH, TMUX: '/nowhere/tmux,1,0' }]) {
    const sent: string[] = [];
    const copied = await copyText(HOSTILE, (sequence) => sent.push(sequence), env);
    expect(copied).toEqual({ to: 'the clipboard of your terminal, if it takes OSC 52' });
    expect(sent).toHaveLength(1);
    const [sequence = ''] = sent;
    expect([sequence.slice(0, 7), sequence.slice(-1)]).toEqual(['\u001b]52;c;', '\u0007']);
    expect(Buffer.from(sequence.slice(7, -1), 'base64').toString()).toBe(HOSTILE);
  }
});

test.each(['src/a\nrm -rf ~\n', 'a\u001b[201~b', 'a\u0000b', 'a\u009bb', 'a\u2028b'])(
  '%j would paste as keys, and is refused',
  async (text) => {
    const sent: string[] = [];
    expect(await copyText(text, (sequence) => sent.push(sequence), {})).toHaveProperty('why');
    expect(sent).toEqual([]);
  },
);
