import type { ProgramSettings } from '../../../schemas/repository/agentSettings.ts';
import type { RightsServer } from '../../../schemas/repository/programRights.ts';
import { type Json, type LeftOut, otherKeys, type RightsFault, recordIn, textIn } from './reading.ts';

/** The servers that the settings name. */
export function namedServers({ mcp = [], mcpForAll = [] }: ProgramSettings): string[] {
  return [...new Set([...mcp, ...mcpForAll])];
}

/** The form of a server's entry. */
export interface ServerForm {
  /** For messages: the files that may have servers. */
  files: string;
  /** Keys of an entry that starts a program, and of one that names an address. */
  local: readonly string[];
  remote: readonly string[];
  /** The key of an entry that has its command. */
  command: 'text' | 'list';
}

export interface ReadServers {
  servers: RightsServer[];
  leftOut: LeftOut[];
  faults: RightsFault[];
}

/** The named servers among the entries. Each one without an entry is a fault, because somebody asked for it. */
export function serversIn(
  entries: ReadonlyMap<string, { file: string; value: unknown }>,
  settings: ProgramSettings,
  form: ServerForm,
): ReadServers {
  const servers: RightsServer[] = [];
  const leftOut: LeftOut[] = [];
  const faults: RightsFault[] = [];
  for (const name of namedServers(settings)) {
    const found = entries.get(name);
    if (!found) {
      const there = [...entries.keys()].slice(0, 10).join(', ') || 'none';
      const message = `there is no MCP server ${name} (there: ${there})`;
      faults.push({ file: form.files, message, remedy: 'Correct the name in devflow.yaml, or add the server.' });
      continue;
    }
    const { file } = found;
    const read = readEntry(found.value, form);
    if ('why' in read) {
      faults.push({ file, message: `the MCP server ${name} ${read.why}`, remedy: `Correct its entry in ${file}.` });
      continue;
    }
    servers.push({ file, name, forAll: settings.mcpForAll?.includes(name) ?? false, entry: read.entry });
    if (read.others.length > 0) {
      const why = 'devflow does not know these keys';
      leftOut.push({ file, what: `${name}: ${read.others.slice(0, 5).join(', ')}`, why });
    }
  }
  return { servers, leftOut, faults };
}

function readEntry(value: unknown, form: ServerForm): { entry: Json; others: string[] } | { why: string } {
  const entry = recordIn(value);
  if (!entry) return { why: 'is no object' };
  const isLocal = entry.command !== undefined;
  if (isLocal === (entry.url !== undefined)) return { why: 'has not one of command and url' };
  if (isLocal && !isCommand(entry.command, form)) return { why: 'has a command that devflow cannot read' };
  if (!isLocal && !/^https?:\/\//.test(textIn(entry.url) ?? '')) return { why: 'has an address that is no URL' };
  const keys = isLocal ? form.local : form.remote;
  const known = Object.entries(entry).filter(([key]) => keys.includes(key));
  const strange = known.find(([, each]) => !isPlain(each));
  if (strange) return { why: `has a value of ${strange[0]} that is no text, number, list or table of them` };
  return { entry: Object.fromEntries(known), others: otherKeys(entry, keys) };
}

function isCommand(value: unknown, { command }: ServerForm): boolean {
  if (command === 'text') return textIn(value) !== undefined;
  return Array.isArray(value) && value.length > 0 && value.every((each) => textIn(each) !== undefined);
}

const MOST_VALUES = 200;

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.length <= MOST_VALUES && value.every(isAtom);
  const record = recordIn(value);
  if (!record) return isAtom(value);
  const entries = Object.entries(record);
  return entries.length <= MOST_VALUES && entries.every(([key, each]) => textIn(key) !== undefined && isAtom(each));
}

function isAtom(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || value === '' || textIn(value) !== undefined;
}
