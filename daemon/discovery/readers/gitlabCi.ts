import type { Uncovered } from '../../../schemas/repoFacts.ts';
import { linesOf } from '../candidate/lines.ts';
import { type Candidate, type Found, type Reader, recordOf, shallowYaml, textsIn } from '../candidate/reader.ts';
import { scriptCommands } from '../candidate/scriptCommands.ts';
import { variablesOf } from './githubActions.ts';

const MOST_JOBS = 200;
/** Keys of the file that are no jobs. */
const RESERVED = new Set(
  'default include stages variables workflow cache image services before_script after_script pages:deploy spec'.split(
    ' ',
  ),
);

/** The scripts of the jobs of GitLab. Jobs of other files are not read. */
export const gitlabCi: Reader = {
  reads: (path) => path === '.gitlab-ci.yml' || path === '.gitlab-ci.yaml',
  read: (file): Found => {
    const yaml = shallowYaml(file);
    const pipeline = recordOf(yaml.value);
    const candidates: Candidate[] = [];
    const uncovered: Uncovered[] = [];
    const lines = linesOf(file.text);
    const lineOf = (...path: PropertyKey[]) => yaml.placeOf(path)?.line ?? 1;
    const skip = (line: number, why: string) => uncovered.push({ path: file.path, why: `line ${line}: ${why}` });
    if (pipeline.include !== undefined) skip(lineOf('include'), 'devflow does not read included files');
    const defaults = recordOf(pipeline.default);
    const jobs = Object.entries(pipeline).filter(([key]) => !RESERVED.has(key) && !key.startsWith('.'));
    if (jobs.length > MOST_JOBS) skip(1, `it has more than ${MOST_JOBS} jobs`);
    for (const [jobId, value] of jobs.slice(0, MOST_JOBS)) {
      const job = recordOf(value);
      const why = whyNotJob(job);
      if (why !== undefined) {
        skip(lineOf(jobId), `the job ${jobId.slice(0, 60)} ${why}`);
        continue;
      }
      const variables = variablesOf(pipeline.variables, job.variables);
      const before = job.before_script ?? defaults.before_script ?? pipeline.before_script;
      const beforeLine = job.before_script === undefined ? 1 : lineOf(jobId, 'before_script');
      // Together: a directory or a variable that the first part sets holds for the second one.
      const setUp = textsIn(before).join('\n');
      const script = [setUp, ...textsIn(job.script)].filter((each) => each !== '').join('\n');
      const line = setUp === '' ? lineOf(jobId, 'script') : beforeLine;
      const place = {
        path: file.path,
        lines,
        line,
        cwd: '.',
        source: 'ci' as const,
        variables,
        paths: file.paths,
        kindOf: file.kindOf,
      };
      const found = scriptCommands(script, place);
      candidates.push(...found.candidates);
      uncovered.push(...(found.uncovered ?? []));
    }
    return { candidates, uncovered };
  },
};

function whyNotJob(job: Record<string, unknown>): string | undefined {
  if (job.extends !== undefined) return 'extends another one, which devflow does not follow';
  if (job.trigger !== undefined) return 'starts another pipeline';
  if (job.script === undefined) return 'has no script';
  if (job.when === 'manual' || job.when === 'never') return 'does not run by itself';
  return textsIn(job.tags).some((tag) => /windows|macos/i.test(tag)) ? 'runs on another system' : undefined;
}
