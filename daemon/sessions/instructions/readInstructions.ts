import { AGENT_FILES, INSTRUCTION_NAMES } from '../../../schemas/backends/agentFiles.ts';
import type { InstructionFile, Instructions, ListedFile } from './instructions.ts';
import { MOST_BYTES, renderInstructions } from './renderInstructions.ts';
import { findFiles, readText, type Walk } from './worktreeFiles.ts';

/** The repository's instructions for agents, as text for any program; '' if there are none. */
export async function repositoryInstructions(worktree: string): Promise<string> {
  return renderInstructions(await readInstructions(worktree));
}

export async function readInstructions(worktree: string): Promise<Instructions> {
  const nested = await findFiles(worktree, '', NESTED);
  return {
    files: readFiles(worktree),
    nested: nested.paths.filter((path) => path.includes('/')),
    isCut: nested.isCut,
    skills: await list(worktree, AGENT_FILES.skills, SKILL),
    agents: await list(worktree, AGENT_FILES.agents, MARKDOWN),
    commands: await list(worktree, AGENT_FILES.commands, COMMAND),
  };
}

const NESTED: Walk = {
  depth: 12,
  accepts: (name) => INSTRUCTION_NAMES.includes(name),
  skips: (name) => name.startsWith('.') || name === 'node_modules',
};
const SKILL: Walk = { depth: 2, accepts: (name) => name === 'SKILL.md' };
const MARKDOWN: Walk = { depth: 2, accepts: (name) => name.endsWith('.md') };
const COMMAND: Walk = { depth: 3, accepts: (name) => /\.(?:md|toml)$/.test(name) };

function readFiles(worktree: string): InstructionFile[] {
  const files = new Map<string, InstructionFile>();
  for (const path of AGENT_FILES.files) {
    const read = readText(worktree, path, MOST_BYTES);
    if (!read.ok && read.missing) continue;
    // The same text under two names is given once.
    const key = read.ok ? read.text : path;
    const known = files.get(key);
    if (known) known.paths.push(path);
    else files.set(key, read.ok ? { paths: [path], text: read.text } : { paths: [path], fault: read.fault });
  }
  return [...files.values()].filter(({ text }) => text?.trim() !== '');
}

/** The most files to list of one directory. */
const MOST_LISTED = 60;
const MOST_DESCRIBED_BYTES = 64 * 1024;
const MOST_DESCRIBED_CHARACTERS = 200;

async function list(worktree: string, directories: readonly string[], walk: Walk): Promise<ListedFile[]> {
  const listed: ListedFile[] = [];
  for (const directory of directories) {
    const { paths } = await findFiles(worktree, directory, walk);
    listed.push(...paths.slice(0, MOST_LISTED).map((path) => describe(worktree, path)));
  }
  return listed;
}

function describe(worktree: string, path: string): ListedFile {
  const read = readText(worktree, path, MOST_DESCRIBED_BYTES);
  const description = read.ok ? descriptionIn(read.text) : undefined;
  return description === undefined ? { path } : { path, description };
}

/**
 * The description in the head of a Markdown file or in a TOML file, as one line. Heads are often no valid YAML, so this
 * only looks for the line and what is indented below it.
 */
export function descriptionIn(text: string): string | undefined {
  const head = /^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? (text.startsWith('---\n') ? '' : tomlHead(text));
  const lines = head.split('\n');
  const at = lines.findIndex((line) => /^description\s*[:=]/.test(line));
  if (at < 0) return undefined;
  const first = (lines[at] as string).replace(/^description\s*[:=]\s*/, '').replace(/^[>|][+-]?\s*$/, '');
  const after = lines.slice(at + 1);
  const end = after.findIndex((line) => !/^\s+\S/.test(line));
  const words = [first, ...after.slice(0, end < 0 ? undefined : end)].join(' ').replaceAll(/\s+/g, ' ').trim();
  const unquoted = words.replace(/^(["'])(.*)\1$/, '$2');
  // By characters: half of one is no text, and a program's settings would be refused.
  return unquoted === '' ? undefined : [...unquoted].slice(0, MOST_DESCRIBED_CHARACTERS).join('');
}

function tomlHead(text: string): string {
  return /^description\s*=.*$/m.exec(text)?.[0] ?? '';
}
