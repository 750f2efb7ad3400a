import type { Versions } from './goneLines.ts';

const QUOTED = String.raw`(?:'([^'\n]{1,500})'|"([^"\n]{1,500})"|\x60([^\x60]{1,500})\x60)`;

/**
 * The declarations of tests in each language. The last group that matches is the test's name. A skipped test is none.
 * Each repetition has a limit, because an agent wrote the text.
 */
const DECLARATIONS: readonly RegExp[] = [
  // JavaScript, TypeScript: it('…'), it.concurrent('…'), describe('…')
  new RegExp(
    String.raw`(?<![\w.$])(?:it|test|describe|suite|context|specify)(?:\.(?!skip|todo)\w{1,20}){0,3}\s{0,20}\(\s{0,200}${QUOTED}`,
    'g',
  ),
  // test.each([…])('…', …)
  new RegExp(String.raw`[)\x60]\s{0,20}\(\s{0,200}${QUOTED}\s{0,20},`, 'g'),
  // Ruby, Elixir: it "…" do, test "…" do
  new RegExp(String.raw`^[ \t]{0,200}(?:it|test|describe|context|specify|scenario)[ \t]{1,20}${QUOTED}`, 'gm'),
  // Python: def test_…, class Test…
  /^[ \t]{0,200}(?:(?:async[ \t]+)?def[ \t]{1,20}(test_?\w{0,200})|class[ \t]{1,20}(Test\w{0,200}))/gm,
  // Go: func TestX(t *testing.T)
  /^func[ \t]{1,20}((?:Test|Benchmark|Fuzz|Example)\w{0,200})[ \t]{0,20}\(/gm,
  // Rust: #[test], #[tokio::test], #[rstest]
  /#\[(?:\w{1,40}::){0,3}(?:test|rstest|quickcheck)\b[^\]]{0,200}\]\s{0,100}(?:#\[[^\]]{0,200}\]\s{0,100}){0,5}(?:pub\s{1,20})?(?:async\s{1,20})?fn\s{1,20}(\w{1,200})/g,
  // Java, Kotlin, Scala: @Test and its kin
  /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b[^{;]{0,500}?\b(?:void|fun|def|func)\s{1,20}(?:`([^`\n]{1,200})`|(\w{1,200}))\s{0,20}\(/g,
  // C#: [Fact], [Theory], [Test], [TestMethod]
  /\[(?:Fact|Theory|Test|TestCase|TestMethod)\b[^{;]{0,500}?\b(?:void|Task)\s{1,20}(\w{1,200})\s{0,20}\(/g,
  // Swift, PHP
  /\bfunc(?:tion)?[ \t]{1,20}(test\w{1,200})[ \t]{0,20}\(/g,
  // C, C++: TEST(Suite, Name), TEST_CASE("…")
  /^[ \t]{0,200}(?:TEST|TEST_F|TEST_P|TYPED_TEST|BOOST_AUTO_TEST_CASE)\(([^)\n]{1,300})\)/gm,
  /^[ \t]{0,200}(?:TEST_CASE|SCENARIO)\([ \t]{0,20}"([^"\n]{1,300})"/gm,
  // Bats: @test "…" {
  new RegExp(String.raw`^[ \t]{0,200}@test[ \t]{1,20}${QUOTED}`, 'gm'),
];

/** The names of the tests that a text declares. */
export function testNames(text: string): Set<string> {
  const found = DECLARATIONS.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match.slice(1).find((group) => group !== undefined) ?? ''),
  );
  return new Set(found.map((name) => name.trim()).filter((name) => name !== ''));
}

type Names = Set<string>;

/** Tests that both sides have, or that one side added, and that the result lacks. */
export function droppedTests({ base, ours, theirs, result }: Versions): string[] {
  const [before, mine, their, after] = [base, ours, theirs, result].map(testNames) as [Names, Names, Names, Names];
  const isWanted = (name: string) => !before.has(name) || (mine.has(name) && their.has(name));
  return [...new Set([...mine, ...their])].filter((name) => isWanted(name) && !after.has(name));
}

const TEST_FILES = [
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\//i,
  /[._-](?:test|tests|spec|cy|e2e)\.\w+$/i,
  /(?:^|\/)(?:test_[^/]*|conftest)\.py$/,
  /(?:Test|Tests|Spec|IT)\.(?:java|kt|kts|groovy|scala|cs|swift|php)$/,
  /\.(?:bats|feature)$/,
];

/** True for a path that looks like a test file. */
export function isTestFile(path: string): boolean {
  return TEST_FILES.some((pattern) => pattern.test(path));
}
