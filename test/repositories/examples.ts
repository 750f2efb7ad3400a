import type { Tool } from './tools.ts';

/** A small project for one example of docs/repository.md. */
export interface Example {
  /** The words in bold before the example. */
  name: string;
  tools: readonly Tool[];
  files: Readonly<Record<string, string>>;
  /** Files of the checkout that git ignores. */
  ignored?: Readonly<Record<string, string>>;
  /** Commands that make lock files before the first commit. */
  lock?: readonly string[];
  /** Commands of its developers after it: what they make can be cloned. */
  byHand?: readonly string[];
  /** What comes from the checkout into each worktree. */
  placed?: readonly string[];
}

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`;

const NPM_LOCK = 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund';
const TEST = `const test = require('node:test');
const assert = require('node:assert');
`;
const nodeTest = (condition: string) => `${TEST}test('it works', () => assert.ok(${condition}));\n`;
const NODE = { name: 'thing', version: '1.0.0', scripts: { test: 'node --test' }, dependencies: { ms: '2.1.3' } };

const PYTHON = `[project]
name = "thing"
version = "1.0.0"
requires-python = ">=3.10"
[project.optional-dependencies]
test = ["pytest"]
`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>thing</groupId><artifactId>thing</artifactId><version>1.0.0</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>
  </dependencies>
</project>
`;

const RAKEFILE = `task "db:prepare" do
  File.write("tmp.db", ENV.fetch("DATABASE_URL"))
end
task :test do
  abort "no key" unless File.exist?("config/master.key")
  abort "another database" unless File.read("tmp.db") == ENV.fetch("DATABASE_URL")
end
`;

const PHPUNIT = `<phpunit><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>
`;

export const EXAMPLES: readonly Example[] = [
  {
    name: 'Node',
    tools: ['npm'],
    files: {
      '.gitignore': 'node_modules\n.env*\n',
      'package.json': json(NODE),
      'thing.test.js': nodeTest(
        "require('ms')('1s') === 1000 && process.env.PORT && require('fs').existsSync('.env.local')",
      ),
    },
    ignored: { '.env.local': 'A=1\n' },
    lock: [NPM_LOCK],
    placed: ['.env.local'],
  },
  {
    name: 'Python',
    tools: ['uv'],
    files: {
      '.gitignore': '__pycache__/\n.pytest_cache/\n',
      'pyproject.toml': PYTHON,
      'test_thing.py':
        'import sys, os\n\ndef test_it():\n    assert sys.prefix == os.path.join(os.getcwd(), ".venv")\n',
    },
    lock: ['uv lock'],
    byHand: ['uv sync --frozen --all-extras'],
    placed: ['.venv'],
  },
  {
    name: 'Go',
    tools: ['go'],
    files: {
      'go.mod': 'module example.org/thing\n\ngo 1.20\n',
      'thing.go': 'package thing\n\nfunc One() int { return 1 }\n',
      'thing_test.go':
        'package thing\n\nimport "testing"\n\nfunc TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Fatal("not one")\n\t}\n}\n',
    },
  },
  {
    name: 'Rust',
    tools: ['cargo'],
    files: {
      '.gitignore': '/target\n',
      'Cargo.toml': '[package]\nname = "thing"\nversion = "1.0.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn one() -> u8 {\n    1\n}\n\n#[test]\nfn is_one() {\n    assert_eq!(one(), 1);\n}\n',
    },
    lock: ['cargo generate-lockfile'],
    byHand: ['cargo build'],
    placed: ['target'],
  },
  {
    name: 'Java',
    tools: ['mvn'],
    files: {
      '.gitignore': 'target/\n',
      'pom.xml': POM,
      'src/test/java/ThingTest.java':
        'public class ThingTest {\n  @org.junit.Test\n  public void works() {\n    org.junit.Assert.assertEquals(1, 1);\n  }\n}\n',
    },
  },
  {
    name: 'Ruby',
    tools: ['ruby'],
    files: {
      '.gitignore': 'config/master.key\ntmp.db\n',
      Gemfile: 'source "https://rubygems.org"\ngem "rake"\n',
      Rakefile: RAKEFILE,
      'config/keep': '',
      'db/schema.rb': '',
    },
    ignored: { 'config/master.key': 'secret\n' },
    lock: ['bundle lock --local'],
    placed: ['config/master.key'],
  },
  {
    name: 'PHP',
    tools: ['php'],
    files: {
      '.gitignore': '/vendor/\n/composer.lock\n/.env\n.phpunit.result.cache\n',
      'composer.json': json({ name: 'thing/thing', 'require-dev': { 'phpunit/phpunit': '^9' } }),
      'phpunit.xml': PHPUNIT,
      'tests/ThingTest.php':
        "<?php\nclass ThingTest extends PHPUnit\\Framework\\TestCase {\n  public function testIt() { $this->assertFileExists('.env'); }\n}\n",
    },
    ignored: { '.env': 'A=1\n' },
    placed: ['.env'],
  },
  {
    name: 'A monorepo with workspaces',
    tools: ['npm', 'uv'],
    files: {
      '.gitignore': 'node_modules\n.venv/\n__pycache__/\n.pytest_cache/\n',
      'package.json': json({ name: 'things', private: true, workspaces: ['packages/*'] }),
      'packages/a/package.json': json({ ...NODE, name: 'a' }),
      'packages/a/a.test.js': nodeTest("require('ms') && require('b')"),
      'packages/b/package.json': json({ ...NODE, name: 'b' }),
      'packages/b/index.js': '',
      'packages/b/b.test.js': nodeTest("require('ms')"),
      'backend/pyproject.toml': `${PYTHON}[dependency-groups]\ndev = ["pytest"]\n`,
      'backend/test_thing.py': 'def test_it():\n    pass\n',
    },
    lock: [NPM_LOCK, 'uv lock --directory backend'],
    byHand: ['npm ci'],
    placed: ['node_modules'],
  },
  {
    name: 'A package in a subdirectory',
    tools: ['npm'],
    files: {
      '.gitignore': 'node_modules\n',
      'web/package.json': json(NODE),
      'web/web.test.js': nodeTest("require('ms')"),
    },
    lock: [`${NPM_LOCK} --prefix web`],
    byHand: ['npm --prefix web ci'],
    placed: ['web/node_modules'],
  },
  {
    name: 'Services',
    tools: ['npm'],
    files: {
      'package.json': json({ name: 'thing', scripts: { test: 'node --test' } }),
      'thing.test.js': nodeTest(
        "process.env.DATABASE_URL === 'postgres://localhost:' + process.env.DB_PORT + '/thing'",
      ),
    },
  },
];
