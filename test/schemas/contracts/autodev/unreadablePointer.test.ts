import { describe, expect, it } from 'vitest';
import { showPointer } from '../../../../schemas/contracts/autodev/autodevPart.ts';
import { POINTER_FILE } from '../../../../schemas/contracts/autodev/pointer.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import { changed, codesOf, givenPointer, givenTree, show } from './given.ts';

describe('AD-15: what cannot be parsed', () => {
  it.each([
    ['nothing', ''],
    ['prose', 'We are at the plan now.\n'],
    ['prose below the heading', '# Autodev State\n\n## Current Step\n\nStep 3 of 11, going well.\n'],
    ['a file torn in a heading', '# Autodev State\n## Curr'],
    ['a file torn in a text', renderPointer(givenPointer()).replace('""\nretry_count: 0\ncycle: 1\n', '"batch')],
    ['a file torn in a name', '## Current Step\nflow: greenfield\nstep: 3\nna'],
    ['a field that is given twice', changed('step: 3', 'step: 3\nstep: 4')],
    ['a sub-field that is given twice', changed('  phase: 4', '  phase: 4\n  phase: 5')],
    ['a text that goes on after its quote', changed('detail: ""', 'detail: "a" b')],
  ])('%s is a parse error', (_, text) => {
    expect(codesOf(text)).toContain('AUTODEV_PARSE_ERROR');
    expect(show(text).valid).toBe(false);
  });
  it('names the line, and cuts what it quotes', () => {
    const { errors } = show(changed('name: Plan', `${'x'.repeat(500)}`));
    expect(errors[0]).toMatchObject({ code: 'AUTODEV_PARSE_ERROR', line: 5 });
    expect(errors[0]?.message.length).toBeLessThan(120);
  });
  it('may be a file that was not read', () => {
    const link = { path: POINTER_FILE, kind: 'link' as const, size: 1, mtime: 0 };
    expect(showPointer(givenTree({}, [link])).errors).toMatchObject([
      { code: 'AUTODEV_PARSE_ERROR', message: 'The pointer cannot be read: it is a symbolic link.' },
    ]);
  });
});
