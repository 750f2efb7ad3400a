import { describe, expect, test } from 'vitest';
import { cursorAt } from '../../../cli/completion/cursor.ts';
import { commandTree } from '../../../cli/completion/tree.ts';
import { createProgram } from '../../../cli/program.ts';
import { fakeIo } from '../fakeIo.ts';

const nodes = commandTree(createProgram({ io: fakeIo(), exit: () => {} }));

/** The line as a person types it; the last word is under the cursor. */
function at(line: string) {
  const words = line.split(' ');
  return cursorAt(nodes, words.slice(0, -1), words.at(-1) ?? '');
}

function wordsAt(line: string): string[] {
  const { offer, word } = at(line);
  if (offer.type !== 'candidates') throw new Error(`it offers ${offer.type}`);
  return offer.candidates.map(([value]) => value).filter((value) => value.startsWith(word));
}

describe('cursorAt', () => {
  test.each([
    ['ru', ['run']],
    ['run st', ['start']],
    ['run start --wa', ['--wait']],
    ['run start --repo x --dry', ['--dry-run']],
    ['run start --wait --wa', []],
    ['run start --backend planner=fake --backe', ['--backend']],
    ['approval show x --j', ['--json']],
    ['nonsense ', []],
    ['run show -- --js', undefined],
  ])('%s', (line, expected) => {
    if (expected === undefined) expect(at(line).offer).toEqual({ type: 'known', kind: 'run' });
    else expect(wordsAt(line)).toEqual(expected);
  });

  test.each([
    ['run show ', { type: 'known', kind: 'run' }, ''],
    ['run list --state ', { type: 'words', words: expect.arrayContaining(['decision']) }, ''],
    ['approval list --state=', { type: 'words', words: expect.arrayContaining(['changes_requested']) }, '--state='],
    ['tui --screen ', { type: 'words', words: expect.arrayContaining(['approval']) }, ''],
    ['tui --screen run --about ', { type: 'known', kind: 'id' }, ''],
    ['up --db ', { type: 'words', words: ['embedded', 'compose', 'external'] }, ''],
    ['run start --repo=/tm', { type: 'directories' }, '--repo='],
    ['run start --backend pl', { type: 'pairs', kind: 'backend' }, ''],
    ['run start --bind=pl', { type: 'pairs', kind: 'persona' }, '--bind='],
    ['run start --base ', { type: 'known', kind: 'branch' }, ''],
    ['run start --host ', { type: 'known', kind: 'host' }, ''],
    ['review --base ', { type: 'known', kind: 'branch' }, ''],
    ['review ', { type: 'directories' }, ''],
    ['artifact validate ', { type: 'known', kind: 'schema' }, ''],
    ['artifact validate x ', { type: 'files' }, ''],
    ['attach ', { type: 'known', kind: 'target' }, ''],
    ['policy check rm -r', { type: 'files' }, ''],
    ['run start --unknown=', { type: 'nothing' }, '--unknown='],
    ['completion ', { type: 'words', words: ['bash', 'zsh', 'fish'] }, ''],
  ])('%s', (line, offer, lead) => {
    expect(at(line)).toMatchObject({ offer, lead });
  });

  test('knows the options so far with their values', () => {
    const { given, path } = at('run start --template development --backend planner=fake --wait --base ');
    expect(path).toBe('/run/start');
    expect(Object.fromEntries(given)).toEqual({
      '--template': ['development'],
      '--backend': ['planner=fake'],
      '--wait': [],
      '--base': [],
    });
  });

  test('does not offer hidden commands', () => {
    expect(wordsAt('_')).toEqual([]);
  });
});
