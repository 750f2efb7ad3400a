import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandLine, quote, spawnArgs } from '../../../tmux/command/command.ts';
import { paneId, sessionId } from '../../../tmux/command/ids.ts';
import { sessionName } from '../../../tmux/panes/sessions.ts';

describe('a command line', () => {
  it('is one line without control characters, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('latin1')),
          { minLength: 1 },
        ),
        (words) => {
          fc.pre(!words.some((word) => word.includes('\0')));
          // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
          expect(commandLine([['x', ...words]])).not.toMatch(/[\x00-\x1f\x7f]/);
        },
      ),
    );
  });

  it('separates commands and keeps a semicolon that is an argument', () => {
    expect(commandLine([['a', ';'], ['b']])).toBe("a ';' ; b");
    expect(spawnArgs([['a', ';', 'x;', '\\;'], ['b']])).toEqual(['a', '\\;', 'x\\;', '\\\\;', ';', 'b']);
  });

  it('refuses NUL', () => {
    expect(() => quote('a\0b')).toThrow('NUL');
    expect(() => spawnArgs([['x', '\0']])).toThrow('NUL');
  });
});

describe('names', () => {
  it('of panes, windows and sessions are checked', () => {
    expect([paneId('%1'), sessionId('$3')]).toEqual(['%1', '$3']);
    for (const wrong of ['', '1', '%', '%1 ', '%1\n', '{end}']) expect(() => paneId(wrong)).toThrow('pane id');
  });

  it.each(['a:b', 'a.b', '-a', '', 'a b', '=a', '$1'])('a session is not called %j', (name) => {
    expect(() => sessionName(name)).toThrow('Invalid tmux session name');
  });
});
