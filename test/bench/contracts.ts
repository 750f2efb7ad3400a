import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { POINTER_FILE } from '../../schemas/contracts/autodev/pointer.ts';
import { renderPointer } from '../../schemas/contracts/autodev/renderPointer.ts';
import { statePath } from '../../schemas/contracts/cycle/state/cyclePaths.ts';
import { newCycle } from '../../schemas/contracts/cycle/state/newCycle.ts';
import { STATE_DIR } from '../../schemas/contracts/stateDirectory/contract.ts';
import { givenPointer } from '../schemas/contracts/autodev/given.ts';
import { closed, delivered, ID, NOW, Played, started } from '../schemas/contracts/cycle/givenCycle.ts';
import {
  givenBrief,
  givenPlan,
  givenProgress,
  givenResearch,
  givenReview,
  PROJECT,
  REVIEW_BODY,
} from '../schemas/contracts/handover/given.ts';
import { type Bench, createSheet } from './figure.ts';
import { CLI, ROOT, runProgram, withPlace } from './place.ts';

/** How long `contract check` takes, as CI calls it: without a daemon. */
export const contracts: Bench = {
  name: 'contracts',
  title: 'Check of a repository',
  reading:
    'A repository with all four conventions and 500 files: 20 projects of eight, 25 cycles with their documents, a ' +
    'state directory and a pointer. No daemon runs. `devflow contract check --json` is measured from before its start until ' +
    'its end, in turns with Node itself.',
  run: ({ rounds = 40 }) =>
    withPlace(async ({ home, env }) => {
      const repo = join(home, 'repository');
      const files = Object.entries(repositoryFiles());
      for (const [path, text] of files) {
        mkdirSync(dirname(join(repo, path)), { recursive: true });
        writeFileSync(join(repo, path), text);
      }
      const programs: Record<string, readonly string[]> = {
        node: ['-e', '0'],
        empty: [CLI, 'contract', 'check', '--json', '--repo', ROOT],
        check: [CLI, 'contract', 'check', '--json', '--repo', repo],
      };
      const sheet = createSheet();
      for (let round = -3; round < rounds; round += 1) {
        for (const [name, args] of Object.entries(programs)) {
          const { ms } = await runProgram(args, env);
          if (round >= 0) sheet.add(name, ms);
        }
      }
      return [
        { name: 'node -e 0', unit: 'ms', rounds: sheet.of('node') },
        { name: 'contract check, nothing to check', unit: 'ms', rounds: sheet.of('empty') },
        { name: `contract check, ${files.length} files`, unit: 'ms', rounds: sheet.of('check'), aim: { below: 150 } },
      ];
    }),
};

/** Five hundred files, all of them valid, in the proportions of a repository that has been worked on for a while. */
function repositoryFiles(): Record<string, string> {
  const files: Record<string, string> = { [POINTER_FILE]: renderPointer(givenPointer()) };
  for (let nth = 0; nth < 20; nth += 1) {
    const project = `.claude/projects/2026-01-22-login-${nth}`;
    const documents = {
      'brief.md': givenBrief(),
      'research/01-one.md': givenResearch(),
      'research/02-two.md': givenResearch(),
      'architecture/overview.md': '# Overview\n',
      'architecture/gaps.md': '# Gaps\n',
      'plan.md': givenPlan(),
      'progress.json': givenProgress(),
      'review.md': givenReview(),
    };
    for (const [name, text] of Object.entries(documents))
      files[`${project}/${name}`] = text.replaceAll(PROJECT, project);
  }
  for (let nth = 0; nth < 25; nth += 1) {
    const id = `${ID.slice(0, -2)}${String(nth).padStart(2, '0')}`;
    const created = newCycle({ id, task: 'Implement OAuth authentication' }, NOW);
    const played = new Played(created).change((state) => closed(delivered(started(state))));
    files[statePath(id)] = JSON.stringify(played.state, null, 2);
    Object.assign(files, played.files);
  }
  for (let nth = 0; Object.keys(files).length < 500; nth += 1)
    files[`${STATE_DIR}/review-part-${nth}.md`] = REVIEW_BODY;
  return files;
}
