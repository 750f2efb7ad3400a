import { expect, test } from 'vitest';
import { readRepository, shortFacts } from './readRepository.ts';

const WORKFLOW = 'jobs:\n  a:\n    steps:\n      - run: npm run test\n';

test('the same command from several files is one fact of the best source', () => {
  const files = {
    'package.json': '{"scripts": {"test": "vitest run"}}',
    '.github/workflows/ci.yml': WORKFLOW,
    'README.md': '```sh\nnpm t\n```\n',
  };
  expect(shortFacts(files).filter((each) => each.includes(' test '))).toEqual([
    '1 test .: npm run test (.github/workflows/ci.yml:4)',
  ]);
});

test('a script that only prints stays hollow, although CI runs it', () => {
  const files = { 'package.json': '{"scripts": {"test": "echo fine"}}', '.github/workflows/ci.yml': WORKFLOW };
  expect(shortFacts(files).filter((each) => each.includes(' test '))).toEqual(['5 test .: npm test (package.json:1)']);
});

test('the id is the same, whatever else the repository says', () => {
  const [small] = readRepository({ Makefile: 'test:\n\tx\n' }).facts;
  const { facts } = readRepository({ Makefile: '# more\nlint:\n\ty\ntest:\n\tx\n', 'go.mod': 'module x' });
  expect(facts.find(({ argv }) => argv.join(' ') === 'make test')?.id).toBe(small?.id);
});

test('a quote is cut after 200 characters', () => {
  const [fact] = readRepository({ Makefile: `test: ${'é'.repeat(500)}\n\tx\n` }).facts;
  expect(fact?.from.quote).toBe(`test: ${'é'.repeat(194)}`);
});
