import { describe, expect, it } from 'vitest';
import { claude } from '../../../../../daemon/sessions/profiles/claude.ts';
import { codex } from '../../../../../daemon/sessions/profiles/codex.ts';
import { createOutputReader } from '../../../../../daemon/sessions/tmux/output/outputSignals.ts';
import { written } from '../../../../../daemon/sessions/tmux/profile/screen.ts';

const NOW = Date.UTC(2026, 0, 5, 12);
const RULE = '─'.repeat(60);
const composer = (...rows: string[]) =>
  claude.readScreen({ lines: ['✻ Welcome', RULE, ...rows, RULE, '  ? for help'] }, NOW);

describe('the composer', () => {
  it.each([
    ['empty', '❯ ', ''],
    ['a placeholder is nothing', '❯ \x1b[2mTry "edit"\x1b[22m', ''],
    ['nor is a cursor drawn upon one', '❯ \x1b[7mT\x1b[27m\x1b[2mry "edit"\x1b[0m', ''],
    ['a draft', '❯ also rename', 'also rename'],
    ['one letter under the cursor', '❯ \x1b[7mx\x1b[27m', 'x'],
    ['a colour of 2 is not dim', '❯ \x1b[38;5;2mtext\x1b[39m', 'text'],
  ])('%s', (_, row, text) => expect(composer(row).composer).toBe(text));

  it('is not empty if its first row is out of sight', () => {
    expect(composer('  last rows', '  of it').composer).not.toBe('');
  });

  it('is absent while a dialog is shown', () => {
    const lines = [RULE, 'Do you want to make this edit?', '', '❯ 1. Yes', '  2. No', '', 'Esc to cancel'];
    expect(claude.readScreen({ lines }, NOW)).toEqual({ dialog: 'permission' });
    expect(claude.readScreen({ lines: [RULE, 'text', ...lines] }, NOW)).toEqual({ dialog: 'permission' });
  });

  it('of Codex', () => {
    const lines = ['• done', '', '› \x1b[2mAsk Codex to do anything\x1b[0m', '', '  100% context left'];
    expect(codex.readScreen({ lines }, NOW)).toEqual({ composer: '', state: 'READY' });
    const busy = ['• Working (3s • esc to interrupt)', '', '› draft', '', '  hints'];
    expect(codex.readScreen({ lines: busy }, NOW)).toEqual({ composer: 'draft', state: 'BUSY' });
  });
});

describe('what the bytes say', () => {
  it('reads titles and bracketed paste, wherever a piece is cut', () => {
    const all = Buffer.from('a\x1b[?2004hb\x1b]0;✳ one\x07c\x1b]2;⠋ two\x1b\\d');
    for (let at = 0; at <= all.length; at++) {
      const reader = createOutputReader();
      const [first, second] = [reader.push(all.subarray(0, at)), reader.push(all.subarray(at))];
      expect([...first.titles, ...second.titles]).toEqual(['✳ one', '⠋ two']);
      expect(second.bracketedPaste).toBe(true);
    }
  });

  it('tells a title once', () => {
    const reader = createOutputReader();
    expect(reader.push(Buffer.from('\x1b]0;⠋ one\x07')).titles).toEqual(['⠋ one']);
    expect(reader.push(Buffer.from('more output')).titles).toEqual([]);
  });

  it('ignores dim text', () => expect(written('a\x1b[2mb\x1b[22mc')).toBe('ac'));
});
