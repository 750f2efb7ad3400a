import { afterEach, describe, expect, it } from 'vitest';
import { knowSecrets } from '../../../../daemon/sessions/transcript/knownSecrets.ts';
import { maskSecrets, safeLength } from '../../../../daemon/sessions/transcript/maskSecrets.ts';
import { compose } from '../../../../daemon/sessions/transcript/transcriptChunks.ts';

afterEach(() => {
  for (const worktree of ['/ws/a', '/ws/b']) knowSecrets(worktree, []);
});

describe('secrets of copied files', () => {
  it('are masked in any form, and the text keeps its length', () => {
    knowSecrets('/ws/a', ['p4ss wörd"x', 'p4ss']);
    const texts = ['p4ss wörd"x', 'p4ss wörd\\"x', encodeURIComponent('p4ss wörd"x'), 'p4ss'];
    for (const text of texts) {
      const masked = maskSecrets(`<${text}>`);
      expect(masked).toMatch(/^<(?:\[masked: setting\])?\**>$/);
      expect(masked).toHaveLength(text.length + 2);
    }
  });

  it('are masked as bytes in transcripts', () => {
    knowSecrets('/ws/a', ['gehéim-1234']);
    const bytes = Buffer.from('x gehéim-1234 y\n');
    const { chunks } = compose([{ kind: 'output', bytes }], Buffer.alloc(0), 'whole');
    expect(String(chunks[0]?.bytes)).toBe('x ************ y\n');
  });

  it('are found where output is cut, also with blanks in them', () => {
    knowSecrets('/ws/a', ['correct horse battery staple']);
    const parts = ['it is corr', 'ect horse ', 'battery st', 'aple, done\n'];
    let rest: Buffer = Buffer.alloc(0);
    let context: Buffer = Buffer.alloc(0);
    let stored = '';
    for (const [nth, part] of parts.entries()) {
      const bytes = Buffer.concat([rest, Buffer.from(part)]);
      const composed = compose([{ kind: 'output', bytes }], context, nth === 3 ? 'whole' : 'settled');
      stored += composed.chunks.map((chunk) => String(chunk.bytes)).join('');
      rest = Buffer.concat(composed.rest.map((piece) => piece.bytes));
      context = composed.context;
    }
    expect(stored).toBe('it is [masked: setting]***********, done\n');
  });

  it('are forgotten with their worktree, and stay for another one', () => {
    knowSecrets('/ws/a', ['first-value']);
    knowSecrets('/ws/b', ['first-value', 'second-value']);
    knowSecrets('/ws/b', []);
    expect(maskSecrets('first-value second-value')).toBe('*********** second-value');
    knowSecrets('/ws/a', []);
    expect(maskSecrets('first-value')).toBe('first-value');
    expect(safeLength('the first-')).toBe(4);
  });
});
