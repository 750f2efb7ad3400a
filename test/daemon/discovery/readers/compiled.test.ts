import { describe, expect, test } from 'vitest';
import { gaps, readRepository, shortFacts } from '../readRepository.ts';

test('a Go module has the commands of every Go module', () => {
  const text = 'module example.org/shop\n\ngo 1.22\n\nrequire github.com/google/uuid v1.6.0\n';
  expect(shortFacts({ 'backend/go.mod': text, 'backend/go.sum': '' })).toEqual([
    '2 package-manager backend: go version (backend/go.mod:1)',
    '2 install backend: go mod download (backend/go.mod:1)',
    '2 lint backend: go vet ./... (backend/go.mod:1)',
    '2 build backend: go build ./... (backend/go.mod:1)',
    '2 test backend: go test ./... (backend/go.mod:1)',
  ]);
});

test('a Go workspace names its modules', () => {
  const files = {
    'go.work': 'go 1.22\n\nuse (\n\t./api\n\t./cli\n)\n',
    'api/go.mod': 'module api',
    'cli/go.mod': 'module cli',
  };
  expect(readRepository(files).workspaces.map(({ path }) => path)).toEqual(['api', 'cli']);
});

describe('Rust', () => {
  test('a crate has the commands of cargo', () => {
    const text = '[package]\nname = "fast"\n\n[[bench]]\nname = "sort"\nharness = false\n';
    expect(shortFacts({ 'Cargo.toml': text, 'Cargo.lock': '' })).toEqual([
      '2 package-manager .: cargo --version (Cargo.toml:1)',
      '2 install .: cargo fetch --locked (Cargo.toml:1)',
      '2 format .: cargo fmt --check (Cargo.toml:1)',
      '2 build .: cargo build (Cargo.toml:1)',
      '2 test .: cargo test (Cargo.toml:1)',
      '2 bench .: cargo bench (Cargo.toml:4)',
    ]);
  });

  test('the crates of a workspace are tested with it', () => {
    const files = {
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/core/Cargo.toml': '[package]\nname = "core"\n',
    };
    expect(readRepository(files).workspaces).toEqual([{ path: 'crates/core', from: 'Cargo.toml' }]);
    expect(shortFacts(files).filter((each) => each.includes(' test '))).toEqual([
      '3 test .: cargo test --workspace (Cargo.toml:1)',
    ]);
  });
});

test('a Maven project uses its wrapper and names its modules', () => {
  const pom = `<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <artifactId>shop</artifactId>
  <modules>
    <!-- <module>old</module> -->
    <module>core</module>
    <module>../outside</module>
  </modules>
</project>
`;
  const files = { 'pom.xml': pom, mvnw: '', 'core/pom.xml': '<project/>', 'old/pom.xml': '<project/>' };
  expect(shortFacts(files)).toEqual([
    '3 package-manager .: ./mvnw --version (pom.xml:3)',
    '3 install .: ./mvnw -B dependency:go-offline (pom.xml:3)',
    '3 build .: ./mvnw -B compile (pom.xml:3)',
    '3 test .: ./mvnw -B test (pom.xml:3)',
  ]);
  expect(readRepository(files).workspaces).toEqual([{ path: 'core', from: 'pom.xml' }]);
});

test('a Gradle build is read from its settings', () => {
  const files = {
    'settings.gradle.kts': 'rootProject.name = "shop"\n\ninclude(":core", ":web:api")\n',
    'build.gradle.kts': 'plugins { java }\n',
    'core/build.gradle.kts': '',
    'web/api/build.gradle': '',
    gradlew: '',
  };
  expect(shortFacts(files)).toEqual([
    '3 package-manager .: ./gradlew --version (settings.gradle.kts:1)',
    '3 build .: ./gradlew assemble (settings.gradle.kts:1)',
    '3 test .: ./gradlew test (settings.gradle.kts:1)',
  ]);
  expect(readRepository(files).workspaces.map(({ path }) => path)).toEqual(['core', 'web/api']);
});

test('the targets of a Makefile are facts, if they check something', () => {
  const text = [
    'CC := gcc',
    '.PHONY: all test lint clean',
    'all: app',
    'app: main.o',
    '\t$(CC) -o app main.o',
    'test check: all',
    '\t./run-tests.sh',
    'lint:',
    '\t@echo "no linter yet"',
    'clean:',
    '\trm -f app',
  ].join('\n');
  expect(shortFacts({ Makefile: text })).toEqual([
    '3 build .: make all (Makefile:3)',
    '3 test .: make test (Makefile:6)',
    '3 test .: make check (Makefile:6)',
    '5 lint .: make lint (Makefile:8)',
  ]);
});

test('what devflow sees and does not read is a gap', () => {
  const files = { Jenkinsfile: '', '.circleci/config.yml': '', 'CMakeLists.txt': '', 'nx.json': '', 'src/main.c': '' };
  expect(gaps(files)).toEqual([
    'Jenkinsfile: devflow does not read files of Jenkins',
    '.circleci/config.yml: devflow does not read files of CircleCI',
    'CMakeLists.txt: devflow does not read files of CMake',
    'nx.json: devflow does not read files of Nx',
  ]);
  expect(readRepository(files).languages).toEqual(['C']);
});
