import type { ProbeClass } from '../../schemas/repoFacts.ts';
import { visible } from '../../schemas/text/visible.ts';

const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ENOTCACHED|getaddrinfo|ERR_INTERNET_DISCONNECTED)\b|could not resolve|couldn't resolve|temporary failure in name resolution|name or service not known|network is unreachable|no such host|cache mode is 'only-if-cached'|disabled by GOPROXY=off|network (?:connectivity|access) is disabled|attempting to make an HTTP request|you may need to run without --offline|you're using the "--offline"|(?:in|for) offline mode|UnknownHostException|failed to establish a new connection|NameResolutionError/i;
const MISSING =
  /\bcommand not found\b|: not found$|No module named ['"]?\w|ModuleNotFoundError|Cannot find (?:module|package) '[^./'][^']*'|error: no such command|is not installed for the toolchain|npm error npx canceled|Error 127\b|spawn \S+ ENOENT|ERR_MODULE_NOT_FOUND/im;
/** Version managers stand in for a missing tool. */
const VERSION =
  /rustup could not choose a version|^error: (?:override )?toolchain '[^']*' is not installed|\b(?:pyenv|rbenv|goenv|nodenv|jenv)\b.* version [`'][^`']*' is not installed|No (?:preset )?version (?:is set|installed) for command|^mise (?:ERROR|WARN) .*(?:not installed|missing)|Volta error: (?:Node|Could not)|running go [\d.]+; GOTOOLCHAIN=local|requires rustc [\d.]+ or newer|No \.NET SDKs were found|compatible \.NET SDK was not found|No interpreter found for|JAVA_HOME (?:is not set|environment variable is not defined)|Unable to locate a Java Runtime|xcrun: error: invalid active developer path/im;
const REASON_CHARACTERS = 160;

/** The kind of a command's end, as far as exit code and output tell. */
export function classifyEnd(end: {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  timeoutMs: number;
  output: string;
}): { class: ProbeClass; reason: string | null } {
  const { exitCode, signal, timedOut, timeoutMs, output } = end;
  if (timedOut) return { class: 'timed_out', reason: `it did not end within ${timeoutMs / 1000} s` };
  if (exitCode === 0) return { class: 'green', reason: null };
  if (exitCode === 127) return { class: 'missing_tool', reason: lineOf(output, MISSING) ?? 'a program is missing' };
  const network = lineOf(output, NETWORK);
  if (network !== undefined) return { class: 'needs_network', reason: network };
  const missing = lineOf(output, MISSING) ?? lineOf(output, VERSION);
  if (missing !== undefined) return { class: 'missing_tool', reason: missing };
  const how = signal ? `ended by ${signal}` : `exit ${exitCode}`;
  const last = output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return { class: 'red_at_base', reason: last === '' ? how : shown(`${how}: ${last}`) };
}

/** The line that a pattern fits. */
function lineOf(output: string, pattern: RegExp): string | undefined {
  const line = output.split('\n').find((each) => pattern.test(each.trimEnd()));
  return line === undefined ? undefined : shown(line.trim());
}

function shown(text: string): string {
  const plain = visible(text.toWellFormed());
  return plain.length > REASON_CHARACTERS ? `${plain.slice(0, REASON_CHARACTERS).toWellFormed()}…` : plain;
}
