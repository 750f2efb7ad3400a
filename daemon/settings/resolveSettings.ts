import { findOnPath } from '../../schemas/config/backendBinaries.ts';
import type { Config } from '../../schemas/config/config.ts';
import { defined } from '../../schemas/defined.ts';
import { type Problem, problemSentence } from '../../schemas/definitions/yamlFile.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { SETTINGS_FILE } from '../../schemas/names.ts';
import { type MergedSettings, mergeSettings, type SettingsLayer } from '../../schemas/repository/mergeSettings.ts';
import { repositoryName } from '../../schemas/repository/personsFile.ts';
import { originText } from '../../schemas/repository/settingText.ts';
import { nameOf } from '../discovery/candidate/paths.ts';
import { readCommitFiles } from '../discovery/commitFiles.ts';
import { readAll } from '../discovery/discover.ts';
import { checkPolicy } from '../policy/policy.ts';
import { type Checkout, withCheckout } from '../repository/checkout/checkout.ts';
import { createGit } from '../repository/git/git.ts';
import { commonDirectory } from '../repository/git/repositoryFiles.ts';
import { commitNamed } from '../repository/privateGit/workCommit.ts';
import type { ReadRights } from '../rights/readRights.ts';
import { type BaseFiles, hashInCommit, readBaseFiles } from './baseFiles.ts';
import { agentsSubject, rightsOf, rightsProblems } from './consent/agentsSubject.ts';
import { type Subject, subjectsOf } from './consent/consentParts.ts';
import { chosenTemplateSubject, type FindTemplate } from './consent/templateSubject.ts';
import { type Clone, clonesIn } from './guess/clones.ts';
import { type Guess, guessSettings, USUAL } from './guess/guessSettings.ts';
import { type PersonsFile, readPersonsFile } from './personsFile.ts';

const git = createGit();

export interface SettingsPorts {
  paths: Pick<Paths, 'configDir' | 'configFile'>;
  config: Pick<Config, 'defaults' | 'gates'>;
  /** `PATH`, to know which tools this machine has. */
  searchPath: string;
  findTemplate: FindTemplate;
}

export interface SettingsRequest {
  repo: string;
  /** The base branch, or a commit; absent: the one of the settings, else the one that is checked out. */
  base?: string;
  /** The commit with the settings, if a run does not begin at a branch. */
  commit?: string;
  /** False: only what settings files say, without guesses and rights of agents. That is faster. */
  guesses?: boolean;
}

/** Everything that settings and guesses say about a repository, before anybody allowed anything. */
export interface ResolvedSettings {
  repoPath: string;
  /** git's directory of all worktrees, which identifies the repository. */
  repository: string;
  name: string;
  /** Null if HEAD is detached and nothing names a branch. */
  baseBranch: string | null;
  baseCommit: string;
  hasFile: boolean;
  person: Pick<PersonsFile, 'path' | 'exact'> & { exists: boolean };
  merged: MergedSettings;
  /** The settings without any file. */
  guess: SettingsLayer;
  include: string[];
  clones: Clone[];
  /** The rights that agents would get from the repository's own settings; null: none are named. */
  rights: ReadRights | null;
  subjects: Subject[];
}

/** Reads the settings that hold for a run. Throws `settings_invalid` with all faults of the files. */
export async function resolveSettings(
  request: SettingsRequest,
  { paths, config, searchPath, findTemplate }: SettingsPorts,
): Promise<ResolvedSettings> {
  const { repoPath, headBranch } = await git.inspectRepository(request.repo);
  const repository = await commonDirectory(repoPath);
  const person = readPersonsFile(paths.configDir, repository);
  return withCheckout(repoPath, git, async (checkout) => {
    const { base, files } = await findBase(request, { repoPath, headBranch, checkout, person });
    refuseProblems([...files.problems, ...person.problems]);
    const isGuessed = request.guesses ?? true;
    const { layer, clones } = isGuessed ? await guessFor(checkout, base.commit, searchPath) : NOTHING_GUESSED;
    const merged = mergeSettings([layer, defaultsLayer(config, paths), ...layersOf(files, person)]);
    const rights = isGuessed ? await rightsOf(merged, { repoPath, commit: base.commit }) : null;
    if (rights) refuseProblems(rightsProblems(rights));
    const agents = rights && agentsSubject(rights);
    const template = isGuessed ? await chosenTemplateSubject(merged, findTemplate) : undefined;
    return {
      repoPath,
      repository,
      name: repositoryName(repository),
      baseBranch: base.branch,
      baseCommit: base.commit,
      hasFile: files.settings !== null,
      person: { path: person.path, exact: person.exact, exists: person.settings !== null },
      merged,
      guess: layer,
      include: files.include,
      clones,
      rights,
      subjects: [...subjectsOf(merged, files.include), ...[agents, template].filter((each) => each != null)],
    };
  });
}

interface Where {
  repoPath: string;
  headBranch: string | null;
  checkout: Checkout;
  person: PersonsFile;
}

/** The commit where a run begins, and its files. */
export async function findBase(
  request: SettingsRequest,
  { person, ...where }: Where,
): Promise<{ base: Base; files: BaseFiles }> {
  const own = request.base === undefined ? person.settings?.settings.base : undefined;
  const named = request.base ?? own;
  const start = startOf({ ...request, base: named }, where).catch((error) => atCommit(request, where.checkout, error));
  const first = await (own === undefined ? start : namingPlace(start, { from: person.path, ...person.settings }));
  return followBase(first, named !== undefined || request.commit !== undefined, where.checkout);
}

interface Base {
  branch: string | null;
  commit: string;
}

async function startOf(
  { base, commit }: SettingsRequest,
  { repoPath, headBranch, checkout }: Omit<Where, 'person'>,
): Promise<Base> {
  if (commit !== undefined) return { branch: null, commit };
  if (base !== undefined || headBranch !== null) return git.resolveBranch(repoPath, base);
  if (checkout.commit !== null) return { branch: null, commit: checkout.commit };
  return git.resolveBranch(repoPath);
}

/** A review has the settings of a commit, which no branch needs to name. */
async function atCommit({ base }: SettingsRequest, checkout: Checkout, error: unknown): Promise<Base> {
  const isId = base !== undefined && /^[0-9a-f]{7,64}$/.test(base);
  const commit = isId ? await commitNamed(checkout.privateGit, base) : undefined;
  if (commit === undefined) throw error;
  return { branch: null, commit };
}

/** The settings of a commit can name another base. Then the settings of that one hold. */
async function followBase(
  first: Base,
  isFixed: boolean,
  { path, privateGit }: Checkout,
): Promise<{ base: Base; files: BaseFiles }> {
  const files = await readBaseFiles(privateGit, first.commit);
  const next = files.settings?.settings.base;
  if (isFixed || next === undefined || next === first.branch) return { base: first, files };
  const base = await namingPlace(git.resolveBranch(path, next), { from: SETTINGS_FILE, ...files.settings });
  return { base, files: await readBaseFiles(privateGit, base.commit) };
}

/** An error about a base names the file that names it. */
async function namingPlace<T>(work: Promise<T>, { from, lineOf }: Pick<SettingsLayer, 'from' | 'lineOf'>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DevflowError ? namedIn({ from, ...defined({ line: lineOf?.(['base']) }) }, error) : error;
  }
}

/** The same error, with the place that names what is wrong. */
export function namedIn(place: Parameters<typeof originText>[0], error: DevflowError): DevflowError {
  const { code, message, data } = error;
  return new DevflowError(code, `${message} It is named in ${originText(place)}.`, { cause: error, data });
}

/**
 * The settings of the files, the weakest first. The file for a name holds in each repository of that name, a stranger's too.
 * So it is the person's word only where it is the file of this repository alone.
 */
export function layersOf(files: BaseFiles, person: PersonsFile): SettingsLayer[] {
  const isPersons = person.path === person.exact;
  return [
    ...(files.settings ? [{ ...files.settings, from: SETTINGS_FILE, isPersons: false }] : []),
    ...(person.settings ? [{ ...person.settings, from: person.path, isPersons, mayOpen: true }] : []),
  ];
}

/** The person's settings for all repositories. */
export function defaultsLayer(
  { defaults, gates }: SettingsPorts['config'],
  { configFile }: SettingsPorts['paths'],
): SettingsLayer {
  const { template, backends, sandbox } = defaults;
  return {
    from: configFile,
    isPersons: true,
    settings: {
      ...defined({ template, sandbox }),
      ...(Object.keys(backends).length > 0 && { backends }),
      ...(gates.auto.length > 0 && { gates }),
    },
  };
}

/** Throws all problems of settings files as one error. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new DevflowError('settings_invalid', `${problems.map(problemSentence).join('; ')}.`, { data: { problems } });
}

const NOTHING_GUESSED = { layer: USUAL, clones: [] };

/** Files of which guesses need the text, and which name no command. */
const MORE =
  /(?:^|\/)(?:\.yarnrc\.yml|setup\.py|(?:requirements|tests?)\/[\w.-]+\.txt|[\w.-]*requirements[\w.-]*\.txt)$/;
const MOST_MORE = 40;
const MOST_DEPTH = 4;

async function guessFor(
  { path: checkout, privateGit }: Checkout,
  commit: string,
  searchPath: string,
): Promise<Pick<Guess, 'layer'> & { clones: Clone[] }> {
  const files = await readCommitFiles(privateGit, commit);
  const { facts, workspaces } = await readAll(files);
  const isShallow = (path: string) => path.split('/').length <= MOST_DEPTH;
  const more = [...files.paths].filter((path) => isShallow(path) && MORE.test(path)).slice(0, MOST_MORE);
  const texts = new Map([...files.texts, ...(await files.readMore(more.filter((path) => !files.texts.has(path))))]);
  const has = (program: string) => findOnPath(nameOf(program), searchPath) !== undefined;
  const guess = guessSettings({ paths: files.paths, texts, facts, workspaces, has }, checkPolicy);
  const clones = await clonesIn(checkout, guess.cloneable, (path) => hashInCommit(privateGit, commit, path));
  return { layer: guess.layer, clones };
}
