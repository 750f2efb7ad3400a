import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { scan } from './scan.ts';

/** What lets a test pass without the real thing, or fail on a busy machine. */
const RULES: Record<string, { pattern: RegExp; example: string; except: readonly string[] }> = {
  'replaces no module by a mock': {
    pattern: /\bvi\.(?:do)?[mM]ock\(|\bvi\.hoisted\(/,
    example: "vi.mock('../a.ts');",
    except: [],
  },
  'waits for an event and does not sleep': {
    pattern: /\bsetTimeout\b|\bsetInterval\((?!\(\) => \{\}, )/,
    example: 'await new Promise((resolve) => setTimeout(resolve, 50));',
    // The exceptions: the one place that polls, two deadlines, and a program that a test starts.
    except: [
      'test/helpers/until.ts',
      'test/helpers/drive.ts',
      'test/helpers/daemon.ts',
      'test/daemon/sessions/tmux/output/captureChild.ts',
    ],
  },
  'waits with the patience of `eventually` or `until`, not the second of Vitest': {
    pattern: /\bvi\.wait(?:For|Until)\(/,
    example: 'await vi.waitFor(() => expect(told).toEqual([1]));',
    except: ['test/helpers/eventually.ts'],
  },
  'is not tried again': {
    pattern: /\bretry: ?[\d\w]/,
    example: "test('x', { retry: 2 }, () => {});",
    except: [],
  },
};

/** Leaves out the benchmarks, which measure over time, and the programs that play agents. */
const TESTS = scan(packageRoot(), ['test', 'vitest.config.ts']).filter(
  ({ path }) => !/^test\/(?:architecture|bench|fixtures)\//.test(path),
);

describe.each(Object.entries(RULES))('a test %s', (_, { pattern, example, except }) => {
  it('in every file', () => {
    const found = TESTS.filter(({ path, text }) => !except.includes(path) && pattern.test(text));
    expect(found.map(({ path, text }) => `${path}: ${pattern.exec(text)?.[0]}`)).toEqual([]);
  });
  it('and one that does would be found', () => {
    expect(example).toMatch(pattern);
  });
});
