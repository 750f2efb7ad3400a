import { NOT_UTF8, utf8Text } from '../../schemas/files/openRegular.ts';
import { repositoryPathFault } from '../../schemas/files/repositoryPath.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../schemas/names.ts';
import {
  type AgentRights,
  type AgentSettings,
  agentRights,
  plainSettings,
} from '../../schemas/repository/agentSettings.ts';
import type { RightsHook, RightsServer } from '../../schemas/repository/programRights.ts';
import { type CommitEntry, listCommit, type ReadObjects, readBlobs } from '../repository/git/commitBlobs.ts';
import { createGit, type Git } from '../repository/git/git.ts';
import { commonDirectory } from '../repository/git/repositoryFiles.ts';
import { namedByRights } from './frozen.ts';
import { isOfAgents, runnablePaths } from './namedPaths.ts';
import { RIGHTS_READERS } from './programs/index.ts';
import type { LeftOut, ReadProgram, RightsFault } from './programs/reading.ts';

/** A file of the commit, as it is frozen. */
export interface FrozenFile {
  bytes: Buffer;
  executable: boolean;
}

/** The rights that a commit gives to agents under these settings. */
export interface ReadRights {
  rights: AgentRights;
  /** By program; for those that the settings name. */
  programs: ReadonlyMap<AgentProgram, ReadProgram>;
  /** The settings files, and the files that hooks and servers name. */
  files: ReadonlyMap<string, FrozenFile>;
  /** The paths that count as files of the repository when a command names them. */
  known: ReadonlySet<string>;
  /** With any of these, agents get no rights at all. */
  faults: readonly RightsFault[];
  leftOut: readonly (LeftOut & { program: AgentProgram })[];
}

/** More than any settings that a person wrote. */
const MOST_SETTINGS_BYTES = 256 * 1024;
const MOST_FILE_BYTES = 1024 * 1024;
const MOST_TOTAL_BYTES = 8 * 1024 * 1024;
const MOST_FILES = 300;

/**
 * Reads the rights from the objects of a commit: no worktree, no link, no filter. Throws git_failed; faults of the
 * repository's files are in the result.
 */
export async function readRights(
  { repoPath, commit, settings }: { repoPath: string; commit: string; settings: AgentSettings },
  git: Git = createGit(),
): Promise<ReadRights> {
  const plain = plainSettings(settings);
  const gitDir = await commonDirectory(repoPath);
  const objects: ReadObjects = (args, options) =>
    git.run(gitDir, args, { ...options, gitDir, settings: ['core.bare=true'] });
  const { entries, isCut } = await listCommit(objects, commit);
  const faults: RightsFault[] = isCut
    ? [{ file: 'devflow.yaml', message: 'the repository has too many files for devflow to list', remedy: NO_RIGHTS }]
    : [];
  const paths = new Set(entries.keys());
  const wanted = [...paths].filter((path) =>
    AGENT_PROGRAMS.some((id) => RIGHTS_READERS[id].wants(path, plain[id] ?? {})),
  );
  const own = await readOwn(objects, entries, wanted, faults);
  const texts = new Map<string, string>();
  for (const [path, { bytes }] of own) {
    const text = utf8Text(bytes);
    if (text === undefined)
      faults.push({
        file: path,
        message: NOT_UTF8,
        remedy: `Save ${path} as UTF-8 and commit it.`,
      });
    else texts.set(path, text);
  }
  const known = runnablePaths(entries);
  const programs = new Map<AgentProgram, ReadProgram>();
  const named = new Set<string>();
  for (const id of AGENT_PROGRAMS) {
    const asked = plain[id];
    if (asked === undefined) continue;
    const theirs = new Map([...texts].filter(([path]) => RIGHTS_READERS[id].wants(path, asked)));
    const read = RIGHTS_READERS[id].read(theirs, asked, paths);
    const by = namedByRights(read, known);
    for (const path of by.paths) named.add(path);
    programs.set(id, withoutUnclear(read, by.unclear));
  }
  const more = await readNamed(objects, entries, named, faults);
  const files = new Map([...own, ...more]);
  const list = [...files].map(([path, { bytes, executable }]) => ({ path, sha256: sha256hex(bytes), executable }));
  return {
    rights: agentRights(plain, list),
    programs,
    files,
    known,
    faults: [...faults, ...[...programs.values()].flatMap((read) => read.faults)],
    leftOut: [...programs].flatMap(([program, read]) => read.leftOut.map((each) => ({ ...each, program }))),
  };
}

const NO_RIGHTS = 'Take agents out of devflow.yaml.';

/** A hook is left out. A server was asked for by its name, so it is a fault. */
function withoutUnclear(read: ReadProgram, unclear: ReadonlyMap<RightsHook | RightsServer, string>): ReadProgram {
  const why = (path: string) => `it names ${path} in a way that devflow cannot read; name it ./${path}`;
  const hooks = read.hooks.filter((hook) => unclear.has(hook));
  const servers = read.servers.filter((server) => unclear.has(server));
  return {
    ...read,
    hooks: read.hooks.filter((hook) => !unclear.has(hook)),
    servers: read.servers.filter((server) => !unclear.has(server)),
    leftOut: [
      ...read.leftOut,
      ...hooks.map((hook) => ({
        file: hook.file,
        what: `${hook.event}: ${hook.command}`,
        why: why(unclear.get(hook) ?? ''),
      })),
    ],
    faults: [
      ...read.faults,
      ...servers.map((server) => ({
        file: server.file,
        message: `the MCP server ${server.name} names ${unclear.get(server)} inside of a longer word`,
        remedy: 'Give the path as an argument of its own.',
      })),
    ],
  };
}

async function readOwn(
  objects: ReadObjects,
  entries: ReadonlyMap<string, CommitEntry>,
  wanted: readonly string[],
  faults: RightsFault[],
): Promise<Map<string, FrozenFile>> {
  const good = wanted.filter((path) => {
    const { isFile } = entries.get(path) as CommitEntry;
    if (!isFile)
      faults.push({ file: path, message: 'this is a link or a submodule', remedy: `Replace ${path} by a file.` });
    return isFile;
  });
  return readSome(objects, entries, good, MOST_SETTINGS_BYTES, faults);
}

/** A script may use what stands beside it, so its directory is frozen as a whole. */
async function readNamed(
  objects: ReadObjects,
  entries: ReadonlyMap<string, CommitEntry>,
  named: ReadonlySet<string>,
  faults: RightsFault[],
): Promise<Map<string, FrozenFile>> {
  const paths = new Set<string>();
  for (const path of named) {
    const entry = entries.get(path);
    if (entry && !entry.isFile) {
      faults.push({
        file: path,
        message: 'a hook or server runs it, and it is a link',
        remedy: `Name the file that ${path} leads to.`,
      });
      continue;
    }
    const directory = entry ? path.slice(0, Math.max(0, path.lastIndexOf('/'))) : path;
    const below =
      directory === ''
        ? [path]
        : [...entries].flatMap(([each, { isFile }]) => (isFile && each.startsWith(`${directory}/`) ? [each] : []));
    for (const each of below) paths.add(each);
    if (paths.size <= MOST_FILES) continue;
    const remedy = isOfAgents(path) ? `Keep fewer files in ${directory}.` : `Move ${path} into a directory of its own.`;
    faults.push({
      file: path,
      message: `devflow would have to freeze more than ${MOST_FILES} files beside it`,
      remedy,
    });
    return new Map();
  }
  const usable = [...paths].filter((path) => repositoryPathFault(path) === undefined);
  return readSome(objects, entries, usable, MOST_FILE_BYTES, faults);
}

async function readSome(
  objects: ReadObjects,
  entries: ReadonlyMap<string, CommitEntry>,
  paths: readonly string[],
  mostBytes: number,
  faults: RightsFault[],
): Promise<Map<string, FrozenFile>> {
  const { blobs, tooLarge } = await readBlobs(objects, entries, paths, { mostBytes, mostTotal: MOST_TOTAL_BYTES });
  for (const path of tooLarge) {
    const message = `the file is larger than ${mostBytes} bytes, or all of them than ${MOST_TOTAL_BYTES}`;
    faults.push({ file: path, message, remedy: 'Make it smaller, or keep it in another directory.' });
  }
  return new Map(
    [...blobs].map(([path, bytes]) => [path, { bytes, executable: entries.get(path)?.executable ?? false }]),
  );
}
