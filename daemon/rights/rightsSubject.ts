import type { AgentProgram } from '../../schemas/names.ts';
import type { RightsHook, RightsServer } from '../../schemas/repository/programRights.ts';
import { maskSecrets } from '../sessions/transcript/maskSecrets.ts';
import { wordsOf } from './frozen.ts';
import type { RightsFault } from './programs/reading.ts';
import type { ReadRights } from './readRights.ts';

/** One thing that a person allows. */
export interface RightsLine {
  program: AgentProgram;
  kind: 'hook' | 'rule' | 'server';
  /** In plain words, with the command or the rule itself. It may have any characters. */
  text: string;
  /** The file of the repository that says it. */
  file: string;
}

/** The rights that a person is asked about, and those that agents do not get. */
export interface RightsSubject {
  /** Names exactly what the person allows: one changed byte gives another hash. */
  hash: string;
  allows: RightsLine[];
  /** Files that are frozen because a hook or server runs them, or because they stand beside such a file. */
  frozen: string[];
  leftOut: { program: AgentProgram; text: string; file: string }[];
  /** With any of these, agents get no rights. */
  faults: RightsFault[];
}

/** The rights in words, for the question to a person. Undefined if there is nothing to allow and nothing to say. Pure. */
export function rightsSubject({ rights, programs, files, faults, leftOut }: ReadRights): RightsSubject | undefined {
  const allows = [...programs].flatMap(([program, read]): RightsLine[] => [
    ...read.hooks.map((hook) => ({
      program,
      kind: 'hook' as const,
      text: hookText(hook) + outside(program),
      file: hook.file,
    })),
    ...read.rules.map(({ decision, text, file }) => ({
      program,
      kind: 'rule' as const,
      text: `${decision} ${text}`,
      file,
    })),
    ...read.servers.map((server) => ({
      program,
      kind: 'server' as const,
      text: serverText(server) + outside(program),
      file: server.file,
    })),
  ]);
  const settings = new Set(allows.map(({ file }) => file));
  if (allows.length + faults.length + leftOut.length === 0) return undefined;
  return {
    hash: rights.hash,
    allows,
    frozen: [...files.keys()].filter((path) => !settings.has(path)).sort(),
    leftOut: leftOut.map(({ program, file, what, why }) => ({ program, file, text: `${what} (${why})` })),
    faults: [...faults],
  };
}

/** Codex runs commands of its agents in a sandbox of its own, but not these. */
const outside = (program: AgentProgram) => (program === 'codex' ? "; outside of Codex's own sandbox" : '');

function hookText({ event, matcher, command, args = [] }: RightsHook): string {
  const when = matcher === undefined ? event : `${event} of ${matcher}`;
  return `at ${when}: ${[command, ...args].join(' ')}`;
}

function serverText(server: RightsServer): string {
  const { name, forAll, entry } = server;
  const does = entry.url === undefined ? wordsOf(server).join(' ') : `calls ${entry.url}`;
  const values = ['env', 'environment', 'headers', 'http_headers'].flatMap((key) => variablesIn(entry[key]));
  const passed = [entry.env_vars, entry.bearer_token_env_var, Object.values(entry.env_http_headers ?? {})].flat(2);
  const names = passed.filter((each) => typeof each === 'string').map((each) => `your ${each}`);
  const all = [...values, ...names];
  const gets = all.length === 0 ? '' : `, with ${all.join(', ')}`;
  const dir = entry.cwd === undefined ? '' : `, in ${String(entry.cwd)}`;
  return `${name}: ${does}${gets}${dir}; for agents of ${forAll ? 'all roles' : 'roles that run commands'}`;
}

const SECRET_NAME = /key|token|secret|passw|credential|authorization|cookie/i;

/** A value that may be a secret is not shown. It is part of the hash all the same. */
function variablesIn(record: unknown): string[] {
  return Object.entries((record ?? {}) as Record<string, unknown>).map(([name, value]) => {
    const text = String(value);
    const isReference = /^\$\{?\w+\}?$|^\{env:\w+\}$/.test(text);
    if (SECRET_NAME.test(name) && !isReference) return `${name}=…`;
    return `${name}=${maskSecrets(text)}`;
  });
}
