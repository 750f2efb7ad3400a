import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../../cli/client/textWidth.ts';
import { createPainter } from '../../../tui/terminal/painter.ts';
import { clean } from '../../../tui/text/clean.ts';
import { line, lineWidth, span } from '../../../tui/text/line.ts';
import { useTmuxServer } from '../../helpers/tmuxServer.ts';
import { until } from '../../helpers/until.ts';

const tmux = useTmuxServer();

const TEXTS = [
  'plain',
  'wide 日本語 한글 ｆｕｌｌ',
  'pictures 👍 🚀 ❤ ⚠ ✅',
  'joined 👨‍👩‍👧‍👦 👍🏽 🇩🇪 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤️ 1️⃣',
  'marks e\u0301 x\u0323\u0307 z\u0335\u0321\u0335\u0321\u0335\u0321\u0335\u0321',
  'scripts नमस्ते สวัสดี שלום مرحبا',
  'turned \u202eabc\u202c \u2066def\u2069',
  'signs │─╭ ●○✓✗▌ →↑ · … ½ ¶',
  'orders \u001b[2J\u001b]0;x\u0007 \u009b5A a\rb\nc\td',
];

/** Column of the marker in each row, as tmux has it: rows are read as cells, a wide character filling two. */
function columnsOf(rows: readonly string[]): number[] {
  return rows.map((row) => {
    const before = row.slice(0, row.indexOf('¦'));
    return [...before].reduce((sum, letter) => sum + cellsOf(letter), 0);
  });
}

async function show(bytes: string, count: number): Promise<string[]> {
  const { home } = tmux();
  const driver = await tmux().driver();
  const file = join(home, 'painted');
  writeFileSync(file, bytes);
  const { pane } = await tmux().pane(driver, `printf '\\033[?7l'; cat ${file}; sleep 60`);
  return until('all rows are there', async () => {
    const out = await driver.run([['capture-pane', '-p', '-t', pane]]);
    return out.filter((row) => row.includes('¦')).length === count ? out.slice(0, count) : undefined;
  });
}

describe('painted rows in tmux', () => {
  it('keep the text after a wide character in its column', async () => {
    const marked = TEXTS.map((text) => line(span(text), '¦'));
    const rows = await show(createPainter({ colors: 256, unicode: true }).paint(marked, 80), TEXTS.length);
    expect(columnsOf(rows)).toEqual(marked.map((each) => lineWidth(each) - 1));
  });

  it('measures the same widths as devflow', async () => {
    // The text alone, with nothing that sets a column: where tmux itself puts what comes after it.
    const texts = TEXTS.slice(0, 5).map(clean);
    const rows = await show(texts.map((text) => `${text}¦\r\n`).join(''), texts.length);
    expect(columnsOf(rows)).toEqual(texts.map((text) => lineWidth(line(text))));
  });
});
