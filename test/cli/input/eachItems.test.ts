import { describe, expect, it } from 'vitest';
import { eachItems } from '../../../cli/input/eachItems.ts';

const titles = (text: string) => eachItems(text, 'tasks.md').map(({ title }) => title);
const texts = (text: string) => eachItems(text, 'tasks.md').map((item) => item.text);

describe('a list of tasks', () => {
  it('gives each unchecked task with what is indented below it', () => {
    const text =
      '# Plan\n\n- [ ] Add a parser\n  It reads JSON.\n\n  And YAML.\n- [x] Done\n* [ ] Print it\nNo part of it.\n';
    expect(texts(text)).toEqual(['Add a parser\n\nIt reads JSON.\n\nAnd YAML.', 'Print it']);
  });

  it('keeps nested tasks as parts of their task, and leaves out those of one that is done', () => {
    expect(texts('- [ ] A\n  - [ ] one\n  - [x] two\n- [x] B\n  - [ ] three\n')).toEqual(['A\n\n- [ ] one\n- [x] two']);
  });

  it('reads no task and no heading in a block of code', () => {
    expect(texts('```\n- [ ] no\n## no\n```\n- [ ] A\n  ~~~~\n  - [ ] of A\n  ~~~\n  ~~~~\n- [ ] B\n')).toEqual([
      'A\n\n~~~~\n- [ ] of A\n~~~\n~~~~',
      'B',
    ]);
    expect(() => titles('```\n- [ ] never closed\n')).toThrow('has no item');
  });

  it('wants the form of a task: a sign, a blank, and a box with a blank', () => {
    expect(titles('-[ ] a\n- [] b\n- [  ] c\n- [ ]d\n1. [ ] e\n+ [ ] yes\n')).toEqual(['yes']);
  });

  it('reads all ends of lines, tabs, and a mark of the byte order', () => {
    expect(texts('\uFEFF- [ ] A\r\n\tmore\r\n- [ ] B\r  less\n')).toEqual(['A\n\nmore', 'B\n\nless']);
  });

  it('leaves out an empty task, and names one by its second line if the first has no words', () => {
    expect(titles('- [ ]\n- [ ]   \n- [ ] A\n')).toEqual(['A']);
    expect(eachItems('- [ ]\n  Do it.\n', 'f')).toEqual([{ title: 'Do it.', text: 'Do it.' }]);
  });
});

describe('sections', () => {
  it('are the items of a file without tasks, up to the next heading of their level or above', () => {
    const text = '# Plan\nIntro\n## One ##\nDo it.\n### Detail\nmore\n\n## Two #tag\n# End\nafter\n##\n## Three\n';
    expect(texts(text)).toEqual(['One\n\nDo it.\n### Detail\nmore', 'Two #tag', 'Three']);
  });

  it('count only if there is no task, done or not', () => {
    expect(() => titles('## One\n- [x] done\n')).toThrow('has no item');
  });
});

describe('a hostile file', () => {
  it.each<[string, string, RegExp]>([
    ['nothing', '', /has no item/],
    ['no list', 'Just text.\n', /has no item/],
    ['more than 200 items', '- [ ] a\n'.repeat(201), /201 items, and 200 are the most/],
    [
      'an item of more than 256 KB',
      `- [ ] a\n- [ ] ${'ü'.repeat(140_000)}\n`,
      /item 2 of tasks.md is longer than 256 KB/,
    ],
  ])('is refused with %s', (_, text, message) => expect(() => titles(text)).toThrow(message));

  it('with long lines, deep lists and a million marks is read in one pass', () => {
    const long = ' '.repeat(1_000_000);
    expect(titles(`- [ ] a${long}\n${long}- [ ] b\n${'#'.repeat(1_000_000)}\n${'`'.repeat(1_000_000)}\n`)).toEqual([
      'a',
    ]);
    expect(() => titles('- [x] a\n'.repeat(300_000))).toThrow('has no item');
    expect(() => titles('> '.repeat(1_000_000))).toThrow('has no item');
    expect(() => titles(`## ${'# '.repeat(500_000)}x`)).toThrow('longer than 256 KB');
  });

  it('keeps the signs of a text as they are', () => {
    expect(texts('- [ ] {{requirements}} $(rm) \u001b[31m\u202e\n')).toEqual([
      '{{requirements}} $(rm) \u001b[31m\u202e',
    ]);
  });
});
