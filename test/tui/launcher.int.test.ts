import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { isCommon } from '../../schemas/text/visible.ts';
import { oldMark } from '../../tui/oldFrame.ts';
import { type Capabilities, paintWhole } from '../../tui/terminal/painter.ts';
import { type Line, line, type Style, span } from '../../tui/text/line.ts';
import { PALETTES } from '../../tui/text/palette.ts';
import { theme } from '../../tui/text/theme.ts';
import { view } from '../../tui/view.ts';
import { useTmuxServer } from '../helpers/tmuxServer.ts';
import { until } from '../helpers/until.ts';
import { NAMES, screenModel } from './captures/screens.ts';

const tmux = useTmuxServer();
const SIZE = { columns: 80, rows: 24 };
const LAUNCHER = join(packageRoot(), 'bin', 'devflow');
const FULL: Capabilities = { colors: 256, unicode: true };
const NOON = Date.parse('2026-03-01T12:00:00Z');

/** What a popup keeps of these lines: the last one is replaced by the mark. */
function frameOf(lines: readonly Line[], looks = FULL, palette?: (typeof PALETTES)[keyof typeof PALETTES]): string {
  const rows = Array.from({ length: SIZE.rows - 1 }, (_, row) => lines[row] ?? line(''));
  return paintWhole([...rows, oldMark(NOON, SIZE.columns)], SIZE.columns, looks, palette);
}

const FRAME = frameOf(view(screenModel('runs', SIZE)));
const [OPENED = '', ROWS = ''] = FRAME.split(/(?<=\[2J)/);

function frameWith(bytes: string): string {
  return `${OPENED}${bytes}${ROWS}`;
}

/** What the launcher's own function prints for each frame. */
function printed(frames: readonly (string | Buffer)[], shell = ['sh']): string[] {
  const source = /^print_frame\(\) \{[\s\S]*?^\}$/m.exec(readFileSync(LAUNCHER, 'utf8'))?.[0];
  const files = frames.map((frame, nth) => {
    const file = join(tmux().home, `frame-${nth}`);
    writeFileSync(file, frame);
    return file;
  });
  const script = `${source}\nfor file in "$@"; do print_frame "$file" ${SIZE.rows} >"$file.out"; done; :`;
  const [program = 'sh', ...options] = shell;
  execFileSync(program, [...options, '-c', script, 'sh', ...files], { stdio: 'inherit' });
  return files.map((file) => readFileSync(`${file}.out`, 'utf8'));
}

const isShown = (frame: string, shell?: string[]) => printed([frame], shell)[0] === `${frame}\n`;

it('the launcher prints each screen as the painter writes it, and only common characters', () => {
  const looks = [
    FULL,
    { colors: 8, unicode: true },
    { colors: 0, unicode: true },
    { colors: 256, unicode: false },
  ] as const;
  const frames = NAMES.flatMap((name) => {
    const lines = view(screenModel(name, SIZE));
    return looks.map((each) => frameOf(lines, each));
  });
  const others = Object.values(PALETTES).map((palette) => frameOf(view(screenModel('approvals', SIZE)), FULL, palette));
  const all = [...frames, ...others];
  const common = all.filter((frame) => isCommon(frame.replaceAll('\u001b', '')));
  const shown = printed(all);
  expect(all.filter((frame, nth) => (shown[nth] === `${frame}\n`) !== common.includes(frame))).toEqual([]);
  expect(shown.filter((text) => text !== '')).toHaveLength(common.length);
  expect(common.length).toBeGreaterThan((all.length * 3) / 4);
});

it('the launcher prints all lines of common characters that the painter writes', () => {
  const style: fc.Arbitrary<Style | undefined> = fc.option(
    fc.oneof(
      fc.constantFrom(...Object.values(theme)),
      fc.record(
        { fg: fc.nat(255), bg: fc.nat(255), bold: fc.constant(true as const), dim: fc.constant(true as const) },
        { requiredKeys: [] },
      ),
      fc.record({ underline: fc.constant(true as const), inverse: fc.constant(true as const) }, { requiredKeys: [] }),
    ),
    { nil: undefined },
  );
  const text = fc.string({ unit: fc.constantFrom(...'ab [;1Hm é ●─✓… 日한ぁЖ\u009b\u202e'), maxLength: 30 });
  const spans = fc.array(fc.tuple(text, style), { maxLength: 5 });
  const looks = fc.record({ colors: fc.constantFrom(0, 8, 256), unicode: fc.boolean() });
  fc.assert(
    fc.property(fc.array(spans, { maxLength: 23 }), looks, (rows, wanted) => {
      const lines = rows.map((row) => line(...row.map(([letters, of]) => span(letters, of))));
      const frame = frameOf(lines, wanted as Capabilities);
      expect(isShown(frame)).toBe(isCommon(frame.replaceAll('\u001b', '')));
    }),
    { numRuns: 30 },
  );
});

it('the launcher knows the same characters as the sources', () => {
  const letters = Array.from({ length: 0x11_0000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point))
    .filter((letter) => letter !== '\n');
  const edges = letters.filter((letter, nth) => {
    const next = letters[nth + 1];
    const before = letters[nth - 1];
    return [next, before].some((other) => other !== undefined && isCommon(other) !== isCommon(letter));
  });
  expect(edges.length).toBeGreaterThan(40);
  const shown = printed(edges.map(frameWith));
  expect(edges.filter((_, nth) => shown[nth] !== '')).toEqual(edges.filter(isCommon));
});

const BEFORE_END = FRAME.slice(0, -'\u001b[H'.length);
const MARK = '\u001b[24;1H\u001b[0;7m Old: from';
const HOSTILE: Readonly<Record<string, string | Buffer>> = {
  'an OSC 52': frameWith('\u001b]52;c;cm0gLXJm\u0007'),
  'a title': frameWith('\u001b]2;approve\u0007'),
  'a passthrough of tmux': frameWith('\u001bPtmux;x\u001b\\'),
  'a reset': frameWith('\u001bc'),
  'a C1 control': frameWith('\u009b5A'),
  'a C1 control as a byte': Buffer.from(frameWith('\u009b5A'), 'latin1'),
  'a NUL': frameWith('\0'),
  'a backspace': frameWith('\b'),
  'a carriage return': frameWith('\r'),
  'a newline': frameWith('\n'),
  'a right-to-left override': frameWith('\u202e'),
  'half a letter': Buffer.concat([Buffer.from(OPENED), Buffer.from([0xe2, 0x94]), Buffer.from(ROWS)]),
  'a surrogate': Buffer.concat([Buffer.from(OPENED), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from(ROWS)]),
  'a request to report': frameWith('\u001b[6n'),
  'a mouse mode': frameWith('\u001b[?1000h'),
  'a scroll region': frameWith('\u001b[2;5r'),
  'a step to another row': frameWith('\u001b[5B'),
  'a conceal': frameWith('\u001b[0;8m'),
  'a blink': frameWith('\u001b[0;5m'),
  'no mark': FRAME.slice(0, FRAME.indexOf(MARK)),
  'no mark at the end': `${FRAME.slice(0, FRAME.indexOf(MARK))}\u001b[H`,
  'a mark that a later row covers': `${BEFORE_END}\u001b[24;1HApprove? \u001b[m\u001b[H`,
  'a mark that its own row covers': `${BEFORE_END}\u001b[1GApprove? \u001b[m\u001b[H`,
  'a mark that its own row erases': `${BEFORE_END}\u001b[2K\u001b[H`,
  'a mark in another row': FRAME.replace(MARK, MARK.replace('24', '23')),
  'a mark in the colour of the ground': FRAME.replace(MARK, MARK.replace('0;7m', '0;38;5;16;48;5;16m')),
  'a mark of other words': FRAME.replace('Reading the daemon', 'Approve the merge'),
  'bytes before it': `x${FRAME}`,
  'a screen that is not cleared': FRAME.replace('\u001b[2J', ''),
  'a cursor at the end, which a newline would scroll': BEFORE_END,
  'more than any screen': frameWith(' '.repeat(65_536)),
};

it('the launcher prints nothing that the painter never writes', () => {
  const names = Object.keys(HOSTILE);
  expect(isShown(FRAME)).toBe(true);
  const shown = printed(Object.values(HOSTILE));
  expect(names.filter((_, nth) => shown[nth] !== '')).toEqual([]);
});

it('the launcher prints a frame without the lines beside it', () => {
  expect(printed([`\u001b]2;x\u0007\n${FRAME}\nx`])).toEqual([`${FRAME}\n`]);
});

const SHELLS = [['dash'], ['bash', '--posix'], ['busybox', 'sh'], ['zsh', '--emulate', 'sh'], ['ksh']];

test.for(SHELLS)('the launcher judges alike in %s', (shell, context) => {
  const found = execFileSync('sh', ['-c', 'command -v "$1" || :', 'sh', shell[0] ?? ''], { encoding: 'utf8' });
  if (found === '') return context.skip('this machine has no such shell');
  expect(isShown(FRAME, shell)).toBe(true);
  expect(printed(Object.values(HOSTILE), shell).join('')).toBe('');
});

interface Popup {
  /** What the terminal shows once Node runs. A stand-in for Node says whether it was told of an old frame. */
  readonly screen: string;
  /** The terminal's title and the buffers of its tmux. */
  readonly title: string;
  readonly buffers: readonly string[];
}

interface GivenPopup {
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the directory of the frames, or the frame in it. */
  change?(frame: string): void;
}

/** Opens the launcher in a terminal, with a frame in `<home>/state/old-frames`. */
async function popup({ env = { DEVFLOW_HOME: tmux().home }, change }: GivenPopup): Promise<Popup> {
  const { home } = tmux();
  for (const directory of ['package/bin', 'package/dist', 'state/old-frames']) {
    mkdirSync(join(home, directory), { recursive: true });
  }
  copyFileSync(LAUNCHER, join(home, 'package/bin/devflow'));
  writeFileSync(join(home, 'package/dist/cli.cjs'), '');
  const node = join(home, 'node');
  writeFileSync(node, '#!/bin/sh\nprintf "\\033[3;1Hold frame: %s." "$DEVFLOW_INTERNAL_OLD_FRAME"; exec sleep 60\n');
  chmodSync(node, 0o755);
  const frame = join(home, 'state/old-frames/runs-24x80-tmux-u');
  writeFileSync(frame, FRAME);
  change?.(frame);
  const given = { TERM: 'tmux', LANG: 'C.UTF-8', DEVFLOW_INTERNAL_TMUX_CLIENT: 'x', DEVFLOW_NODE: node, ...env };
  const words = Object.entries(given).map(([name, value]) => `${name}='${value}'`);
  const script = `unset COLORTERM NO_COLOR LC_ALL LC_CTYPE XDG_STATE_HOME; exec env ${words.join(' ')} package/bin/devflow tui`;
  const driver = await tmux().driver();
  await driver.run([['set-option', '-s', 'set-clipboard', 'on']]).catch(() => {});
  const { pane } = await tmux().pane(driver, script, { size: SIZE });
  const screen = await until('Node runs', async () => {
    const shown = (await driver.run([['capture-pane', '-p', '-t', pane]])).join('\n');
    return /old frame: 1?\./.test(shown) ? shown : undefined;
  });
  const title = (await driver.run([['display-message', '-p', '-t', pane, '#{pane_title}']])).join('\n');
  return { screen, title, buffers: await driver.run([['list-buffers']]) };
}

test('a terminal shows the old frame, and Node is told', async () => {
  const { screen } = await popup({});
  expect(screen).toContain('old frame: 1.');
  expect(screen).toContain('Book refunds');
  expect(screen.trimEnd().split('\n').at(-1)).toMatch(/^ Old: from .* Reading the daemon…$/);
});

function moveAndLink(place: string): void {
  const other = join(tmux().home, 'planted');
  renameSync(place, other);
  symlinkSync(other, place);
}

test.for<[string, (frame: string) => void]>([
  ['a linked frame', moveAndLink],
  ['a linked directory', (frame) => moveAndLink(dirname(frame))],
  ['an empty frame', (frame) => writeFileSync(frame, '')],
  ['a frame with a title', (frame) => writeFileSync(frame, frameWith('\u001b]2;planted\u0007'))],
  ['a frame with an OSC 52', (frame) => writeFileSync(frame, frameWith('\u001b]52;c;cGxhbnRlZA==\u0007'))],
])('a terminal shows nothing of %s', async ([, change]) => {
  const { screen, title, buffers } = await popup({ change });
  expect(screen.trim()).toBe('old frame: .');
  expect(title).not.toContain('planted');
  expect(buffers.join('')).toBe('');
});

test.for([
  ['home', 'not told'],
  ['', 'not told'],
  ['x:/home', 'not told'],
  ['<home>', 'told'],
] as const)('with the HOME %j, Node is %s of an old frame', async ([home, shown]) => {
  const place = join(tmux().home, 'home');
  const { screen } = await popup({
    env: { HOME: home.replace('<home>', place), DEVFLOW_HOME: '' },
    change: (frame) => {
      // The launcher starts in a directory with such a home.
      for (const below of [place, join(tmux().home, 'x:/home'), tmux().home]) {
        const frames = join(below, '.local/state/devflow/old-frames');
        mkdirSync(frames, { recursive: true });
        copyFileSync(frame, join(frames, 'runs-24x80-tmux-u'));
      }
    },
  });
  expect(screen).toContain(`old frame: ${shown === 'told' ? 1 : ''}.`);
});
