import { expect, test } from 'vitest';
import { classifyEnd } from '../../../daemon/discovery/classifyEnd.ts';

const classOf = (output: string) =>
  classifyEnd({ exitCode: 1, signal: null, timedOut: false, timeoutMs: 1000, output }).class;

test.each([
  "error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no default is configured.\nhelp: run 'rustup default stable' to download the latest stable release of Rust and set it as your default toolchain.",
  "error: toolchain '1.79.0-x86_64-unknown-linux-gnu' is not installed",
  "error: override toolchain 'nightly' is not installed",
  "error: 'cargo-fmt' is not installed for the toolchain 'stable'",
  'error: package `a v0.1.0` cannot be built because it requires rustc 1.90 or newer, while the currently active rustc version is 1.75',
  "pyenv: version `3.9.1' is not installed (set by /a/.python-version)",
  "rbenv: version `3.2.0' is not installed (set by /a/.ruby-version)",
  'No version is set for command node',
  'No preset version installed for command python',
  'mise ERROR node@20 is not installed',
  'Volta error: Node is not available.',
  'go: go.mod requires go >= 1.30 (running go 1.22.1; GOTOOLCHAIN=local)',
  'error: No interpreter found for Python 3.14 in managed installations or search path',
  "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH.",
  'The JAVA_HOME environment variable is not defined correctly',
  'No .NET SDKs were found.',
  'sh: 1: pytest: not found',
])('a tool that is not there is missing, and nothing is red: %s', (output) => {
  expect(classOf(output)).toBe('missing_tool');
});

test.each(['1 failed', 'test result: FAILED. 2 passed; 1 failed', 'expected version 3 is not installed by the test'])(
  'a check that fails is red: %s',
  (output) => {
    expect(classOf(output)).toBe('red_at_base');
  },
);
