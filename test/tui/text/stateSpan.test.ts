import { expect, it } from 'vitest';
import { textOf } from '../../../tui/text/line.ts';
import { gateWord, phaseSign, phaseWord, runWord } from '../../../tui/text/runWords.ts';
import { sessionStateWord, stallWords } from '../../../tui/text/sessionWords.ts';

const NEW = 'rehearsing' as never;
const stall = { cause: NEW, detail: 'why', until: null, since: '' };

it.each([
  ['a phase', phaseWord(NEW), '· rehearsing'],
  ['the sign of a phase', [phaseSign(NEW)], '·'],
  ['a run', runWord({ state: NEW, waitsForPerson: false }), '· rehearsing'],
  ['a gate', gateWord({ kind: 'gate', state: NEW }), '· rehearsing'],
  ['an agent', sessionStateWord(NEW), '· rehearsing'],
  ['a name that every object has', phaseWord('constructor' as never), '· constructor'],
])('shows the name of an unknown state of %s', (_, line, text) => expect(textOf(line)).toBe(text));

it('shows the name of an unknown stall', () => expect(stallWords(stall, 0)).toBe('rehearsing: why'));
