import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { isSelected, readPattern } from '../../../daemon/setup/ignorePattern.ts';
import { scratchRepo } from '../../helpers/repo.ts';

const name = fc.constantFrom('a', 'b', 'ab', 'a b', '.env', 'x.y', ']', '!', '#', '*');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const segment = fc.constantFrom('a', 'b', 'a*', '*', '**', '?', '*.y', '[a-b]', '[!a]', '[]a]', '.e*v', 'a\\ b', '\\*');
const pattern = fc
  .tuple(
    fc.constantFrom('', '!', '/'),
    fc.array(segment, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '/', ' '),
  )
  .map(([start, parts, end]) => `${start}${parts.join('/')}${end}`);

/** git says of each path whether a list of patterns ignores it. */
it('selects what git would ignore', () => {
  const repo = scratchRepo({ empty: true });
  onTestFinished(repo.cleanup);
  fc.assert(
    fc.property(
      fc.array(pattern, { minLength: 1, maxLength: 4 }),
      fc.array(path, { maxLength: 30 }),
      (lines, paths) => {
        writeFileSync(join(repo.dir, '.git/info/exclude'), `${lines.join('\n')}\n`);
        // Nothing exists there, so git takes each path for a file.
        const options = { cwd: repo.dir, input: paths.map((each) => `${each}\0`).join('') };
        const args = ['check-ignore', '--no-index', '-z', '--stdin', '--verbose', '--non-matching'];
        const fields = execFileSync('sh', ['-c', `git ${args.join(' ')} || true`], options)
          .toString()
          .split('\0');
        const ignored = paths.filter((_, at) => {
          const found = fields[at * 4 + 2] ?? '';
          return found !== '' && !found.startsWith('!');
        });
        const patterns = lines.flatMap((line) => readPattern(line) ?? []);
        expect(paths.filter((each) => isSelected(patterns, each.split('/'), false))).toEqual(ignored);
      },
    ),
    { numRuns: 150 },
  );
});
