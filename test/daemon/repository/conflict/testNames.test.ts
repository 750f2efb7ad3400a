import { describe, expect, it } from 'vitest';
import { droppedTests, isTestFile, testNames } from '../../../../daemon/repository/conflict/testNames.ts';

describe('the tests that a text declares', () => {
  it.each<[string, string, string[]]>([
    ['vitest', 'it(\'adds\', () => {});\ntest("takes", f);\ndescribe(`all`, f);', ['adds', 'takes', 'all']],
    ['vitest with options', "it.concurrent('a', f); test.only.fails('b', f); it(\n  'c', f);", ['a', 'b', 'c']],
    ['vitest with a table', "it.each([[1, 'x']])('is %s', f);\ntest.each`a`('b', f);", ['is %s', 'b']],
    ['a skipped test', "it.skip('a', f); test.todo('b'); xit('c', f); xdescribe('d', f);", []],
    ['other calls', "submit('a'); await.it('b'); obj.test('c'); /x/.test('d')", []],
    ['RSpec', 'describe \'a\' do\n  it "b" do\n  end\nend', ['a', 'b']],
    ['ExUnit', 'test "adds" do', ['adds']],
    [
      'pytest',
      'def test_adds():\n  pass\nclass TestSum:\n  async def test_more(self):',
      ['test_adds', 'TestSum', 'test_more'],
    ],
    [
      'Go',
      'func TestAdd(t *testing.T) {\nfunc BenchmarkAdd (b *testing.B) {\nfunc helper() {',
      ['TestAdd', 'BenchmarkAdd'],
    ],
    [
      'Rust',
      '#[test]\nfn adds() {}\n#[tokio::test(flavor = "x")]\n#[ignore]\npub async fn takes() {}',
      ['adds', 'takes'],
    ],
    [
      'JUnit',
      '@Test\nvoid adds() {}\n@ParameterizedTest @ValueSource(ints = 1)\npublic void takes(int n) {',
      ['adds', 'takes'],
    ],
    ['Kotlin', '@Test\nfun `adds two`() {}', ['adds two']],
    ['xUnit', '[Fact]\npublic void Adds() {}\n[Theory]\npublic async Task Takes(int n) {}', ['Adds', 'Takes']],
    ['XCTest and PHPUnit', 'func testAdds() {\npublic function testTakes() {', ['testAdds', 'testTakes']],
    ['GoogleTest and Catch2', 'TEST(Sum, Adds) {\nTEST_CASE("takes", "[x]") {', ['Sum, Adds', 'takes']],
    ['Bats', "@test 'adds' {", ['adds']],
  ])('in %s', (_, text, names) => {
    expect([...testNames(text)].sort()).toEqual([...names].sort());
  });

  it('are found in a hostile text in linear time', () => {
    for (const piece of ['it.x(', 'it.a().b()', '@Test ', '#[test', '[Fact ', "it('", ') ( ', '\tit ', 'TEST(']) {
      testNames(piece.repeat(30_000));
    }
  });
});

describe('a dropped test', () => {
  const dropped = (base: string[], ours: string[], theirs: string[], result: string[]) => {
    const [b, o, t, r] = [base, ours, theirs, result].map((names) =>
      names.map((name) => `it('${name}', f);`).join('\n'),
    );
    return droppedTests({ base: b as string, ours: o as string, theirs: t as string, result: r as string });
  };
  it.each<[string, string[], string[], string[], string[], string[]]>([
    ['is one that a side added', [], ['x'], ['y'], ['y'], ['x']],
    ['is one that both sides still have', ['a'], ['a', 'x'], ['a', 'y'], ['x', 'y'], ['a']],
    ['is none that a side removed', ['a'], ['x'], ['a', 'y'], ['x', 'y'], []],
    ['is none that moved', ['a', 'b'], ['b', 'a', 'x'], ['a', 'b', 'y'], ['x', 'b', 'y', 'a'], []],
  ])('%s', (_, base, ours, theirs, result, expected) => {
    expect(dropped(base, ours, theirs, result)).toEqual(expected);
  });
  it('is one that is skipped now', () => {
    const one = "it('a', f);";
    expect(droppedTests({ base: one, ours: one, theirs: one, result: "it.skip('a', f);" })).toEqual(['a']);
  });
});

it.each<[string, boolean]>([
  ['test/sum.ts', true],
  ['src/__tests__/sum.js', true],
  ['src/sum.test.ts', true],
  ['src/sum.spec.tsx', true],
  ['pkg/sum_test.go', true],
  ['tests/test_sum.py', true],
  ['app/conftest.py', true],
  ['src/test/java/SumTest.java', true],
  ['spec/sum_spec.rb', true],
  ['e2e/login.cy.js', true],
  ['src/sum.ts', false],
  ['src/latest/sum.ts', false],
  ['src/contest.py', false],
  ['docs/testing.md', false],
])('%s is a test file: %s', (path, expected) => {
  expect(isTestFile(path)).toBe(expected);
});
