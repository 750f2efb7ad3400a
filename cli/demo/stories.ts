import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';

/** The story of a demo: a repository, and a run in it. */
export interface Story {
  /** The name of its directory. */
  repo: string;
  commit: string;
  files(): Record<string, string>;
  run: Pick<RpcParams<'run.start'>, 'template' | 'requirements' | 'backend' | 'extra' | 'objective'>;
}

const GREET = `Greet by name.

- \`node src/greet.js Ada\` prints "Hello, Ada!"; without a name it stays as it is.
- A test for both.
`;

const GREETING_FILES: Record<string, string> = {
  'README.md': '# greeting\n\nPrints a greeting: `node src/greet.js`. Tests: `node --test`.\n',
  'package.json': `{
  "name": "greeting",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'src/greet.js': `/** The sentence that is printed. */
export function greeting() {
  return 'Hello, world!';
}

if (import.meta.filename === process.argv[1]) console.log(greeting());
`,
  'test/world.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greeting } from '../src/greet.js';

test('greets the world', () => {
  assert.equal(greeting(), 'Hello, world!');
});
`,
};

/** A small change with a specification, a plan and gates. */
export const greeting: Story = {
  repo: 'greeting',
  commit: 'A small program that greets',
  files: () => GREETING_FILES,
  run: {
    template: 'development@1',
    requirements: GREET,
    backend: { planner: 'fake', implementer: 'fake' },
    extra: { verify: [[process.execPath, '--test']] },
  },
};

/** The tests use the same files. */
const STRATEGY = 'test/fixtures/backtest';

const IMPROVE = `Improve the strategy.

Improve: spike, longer, crash, quiet
`;

/** A loop that is judged by measurements: what is luck is undone, and what meets the objective is confirmed. */
export function strategy(): Story {
  const { measure, ...objective } = JSON.parse(readStrategy('objective.json'));
  return {
    repo: 'strategy',
    commit: 'A strategy and its evaluator',
    files: () =>
      Object.fromEntries(
        readdirSync(join(packageRoot(), STRATEGY), { recursive: true, encoding: 'utf8' })
          .filter((name) => /\.(?:ts|json|csv|md)$/.test(name))
          .map((name) => [name, readStrategy(name)]),
      ),
    run: {
      template: 'backtest-strategy@1',
      requirements: IMPROVE,
      backend: { planner: 'fake', implementer: 'fake', reviewer: 'fake', verifier: 'fake' },
      objective: { ...objective, measure: { ...measure, argv: [process.execPath, 'evaluate.ts'] } },
    },
  };
}

const WISH = `A template for small changes.

- An agent makes the change, the repository's own tests check it, and I accept it.
`;

/** The script only prints, the document is out of date, and only CI has the right command. */
const LYING_FILES: Record<string, string> = {
  'README.md': '# abacus\n\nAdds numbers. Run the tests with:\n\n```sh\nmake check\n```\n',
  'package.json':
    '{ "name": "abacus", "private": true, "type": "module", "scripts": { "test": "echo no tests yet; exit 1" } }\n',
  '.github/workflows/ci.yml': `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - run: node --test test/unit/add.test.js
      - run: node --test test/slow/sum.test.js
`,
  'src/add.js': 'export const add = (a, b) => a + b;\n',
  'test/unit/add.test.js': `import { add } from '../../src/add.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';

test('adds', () => assert.equal(add(1, 2), 3));
`,
  'test/slow/sum.test.js': `import { test } from 'node:test';

test('is red since last year', () => {
  throw new Error('not yet');
});
`,
};

/** From a wish to a rehearsed template. The first draft cites no fact, so it goes back to its author. */
export const factory: Story = {
  repo: 'abacus',
  commit: 'An abacus',
  files: () => LYING_FILES,
  run: {
    template: 'template-factory@2',
    requirements: `${WISH}\nDraft: uncited, right\n`,
    backend: { planner: 'fake', reviewer: 'fake', verifier: 'fake' },
  },
};

function readStrategy(name: string): string {
  return readFileSync(join(packageRoot(), STRATEGY, name), 'utf8');
}
