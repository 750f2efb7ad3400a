import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unlessDead } from '../../tmux/command/command.ts';
import { readPaneOption } from '../../tmux/panes/options.ts';
import { setPaneOption } from '../helpers/tmuxActs.ts';
import { useTmuxServer } from '../helpers/tmuxServer.ts';

const tmux = useTmuxServer();

/** Words made of what means something to tmux, to its formats or to a shell, and of any other characters. */
const word = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ';',
        '\n',
        '#{pid}',
        '-',
        '~',
        '$HOME',
        '\\',
        '"',
        "'",
        '{',
        '}',
        '%1',
        '#',
        ' ',
        '\t',
        '\x1b',
        '\r',
      ),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('é', '漢', '👩‍💻', '\u0085', '%end 1 1 1', '%%', '\\;', '~root', '-p', '--'),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => Buffer.from(parts.join('').replaceAll('\0', '')).toString())
  .filter((text) => text !== '');

it('passes an argument unchanged: over the connection, spawned, and inside a guard', async () => {
  const driver = await tmux().driver();
  const { pane } = await tmux().pane(driver, 'exec sleep 1000');
  const file = join(tmux().home, 'buffer');
  await fc.assert(
    fc.asyncProperty(word, fc.constantFrom('connection', 'spawned', 'guarded'), async (text, way) => {
      const set = ['set-buffer', '-b', 'x', '--', text] as const;
      const save = ['save-buffer', '-b', 'x', file] as const;
      const runner = way === 'spawned' ? tmux().spawned : driver;
      await runner.run(way === 'guarded' ? [unlessDead(pane, [set, save])] : [set, save]);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }),
    {
      numRuns: 300,
      examples: [';', '\n', '~', '-', '#{pid}', "'", '"', '\\', '{', '}', '$HOME', 'a;', '\\;'].flatMap((text) =>
        (['connection', 'spawned', 'guarded'] as const).map((way): [string, typeof way] => [text, way]),
      ),
    },
  );
});

it("reads a pane's mark as it was set, also an empty one", async () => {
  const driver = await tmux().driver();
  const { pane } = await tmux().pane(driver, 'exec sleep 1000');
  await fc.assert(
    fc.asyncProperty(word, async (text) => {
      await setPaneOption(driver, pane, '@mark', text);
      expect(await readPaneOption(driver, pane, '@mark')).toBe(text);
    }),
    { numRuns: 200, examples: [['|\\'], ['a\n%end 1 1 1\nb'], ['\n'], ['|']] },
  );
  await setPaneOption(driver, pane, '@mark', '');
  expect(await readPaneOption(driver, pane, '@mark')).toBe('');
});

it('sends a megabyte over the connection', async () => {
  const driver = await tmux().driver();
  const text = 'x€\n'.repeat(250_000);
  const file = join(tmux().home, 'buffer');
  await driver.run([
    ['set-buffer', '-b', 'x', '--', text],
    ['save-buffer', '-b', 'x', file],
  ]);
  expect(readFileSync(file, 'utf8') === text).toBe(true);
});
