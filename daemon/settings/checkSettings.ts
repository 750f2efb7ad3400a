import type { z } from 'zod';
import { defined } from '../../schemas/defined.ts';
import { type Problem, problemSentence } from '../../schemas/definitions/yamlFile.ts';
import { readInside } from '../../schemas/files/insideRoot.ts';
import type { Paths } from '../../schemas/files/paths.ts';
import { SETTINGS_FILE } from '../../schemas/names.ts';
import { mergeSettings, type SettingsLayer } from '../../schemas/repository/mergeSettings.ts';
import { parseSettings, type ReadSettings, textOfSettings } from '../../schemas/repository/parseSettings.ts';
import { sharedFileNote } from '../../schemas/repository/personsFile.ts';
import type { CheckedSettings } from '../../schemas/rpc/views/repository.ts';
import { checkPolicy } from '../policy/policy.ts';
import { withCheckout } from '../repository/checkout/checkout.ts';
import { createGit } from '../repository/git/git.ts';
import { commonDirectory } from '../repository/git/repositoryFiles.ts';
import { MOST_BYTES } from './baseFiles.ts';
import { rightsOf, rightsProblems } from './consent/agentsSubject.ts';
import { subjectsOf } from './consent/consentParts.ts';
import { chosenTemplateSubject, type FindTemplate } from './consent/templateSubject.ts';
import { readPersonsFile } from './personsFile.ts';
import { findBase, layersOf } from './resolveSettings.ts';

type Checked = z.infer<typeof CheckedSettings>;

/**
 * The faults of the settings files of a repository: in the checkout, in the base commit, and of the person. `defaults` decides what
 * needs consent, as for a start.
 */
export async function checkSettings(
  { repo, base }: { repo: string; base?: string },
  {
    configDir,
    findTemplate,
    defaults,
  }: Pick<Paths, 'configDir'> & { findTemplate?: FindTemplate; defaults?: SettingsLayer },
): Promise<Checked[]> {
  const git = createGit();
  const { repoPath, headBranch } = await git.inspectRepository(repo);
  const person = readPersonsFile(configDir, await commonDirectory(repoPath));
  const files: Checked[] = [];
  let note: string | undefined;
  const add = (file: string, where: Checked['where'], problems: readonly Problem[]) =>
    files.push({ file, where, faults: problems.map(problemSentence) });
  await withCheckout(repoPath, git, async (checkout) => {
    const here = readInside(checkout.path, SETTINGS_FILE, MOST_BYTES);
    const read = here.ok ? textOfSettings(here.bytes) : here;
    const text = read.ok ? read.text : null;
    if (read.ok) {
      const parsed = parseSettings(SETTINGS_FILE, read.text);
      add(SETTINGS_FILE, 'checkout', parsed.ok ? refusedCommands(SETTINGS_FILE, parsed) : parsed.problems);
    } else if (here.ok || !here.missing)
      add(SETTINGS_FILE, 'checkout', [{ file: SETTINGS_FILE, path: '', message: read.fault }]);
    // CI checks out a commit, and may have no other branch.
    const isCommit = base === undefined && headBranch === null;
    const commit = isCommit ? (checkout.commit ?? undefined) : undefined;
    const request = { repo, ...defined({ base, commit }) };
    const { base: start, files: committed } = await findBase(request, { repoPath, headBranch, checkout, person });
    const isSame = committed.problems.every(({ file }) => file === SETTINGS_FILE) && committed.text === text;
    if (!isSame && (committed.text !== null || committed.problems.length > 0))
      add(SETTINGS_FILE, 'base', [...committed.problems, ...refusedCommands(SETTINGS_FILE, committed.settings)]);
    const merged = mergeSettings([...(defaults ? [defaults] : []), ...layersOf(committed, person)]);
    const template = findTemplate && (await chosenTemplateSubject(merged, findTemplate));
    note = sharedFileNote(person, [...subjectsOf(merged, []), ...(template ? [template] : [])]);
    const rights = await rightsOf(merged, { repoPath, commit: start.commit });
    for (const problem of rights ? rightsProblems(rights) : []) add(problem.file, 'base', [problem]);
  });
  if (person.settings !== null || person.problems.length > 0) {
    const problems = [...person.problems, ...refusedCommands(person.path, person.settings)];
    files.push({ file: person.path, where: 'person', faults: problems.map(problemSentence), ...defined({ note }) });
  }
  return files;
}

/** The commands that the policy keeps from running, whatever a person allows. */
function refusedCommands(file: string, read: ReadSettings | null): Problem[] {
  return (['setup', 'teardown'] as const).flatMap((key) =>
    (read?.settings.worktree?.[key] ?? []).flatMap((argv, at) => {
      const { allowed, reason } = checkPolicy(argv, { makesEnvFiles: key === 'setup' });
      const path = ['worktree', key, String(at)];
      const message = `devflow will not run "${argv.join(' ')}": ${reason}`;
      return allowed ? [] : [{ file, ...defined({ line: read?.lineOf(path) }), path: path.join('.'), message }];
    }),
  );
}
