import type { Uncovered } from '../../../../schemas/repoFacts.ts';
import { linesOf } from '../candidate/lines.ts';
import { stepInto } from '../candidate/paths.ts';
import { plainYaml } from '../candidate/plainYaml.ts';
import type { Candidate, Found, Reader } from '../candidate/reader.ts';
import { recordOf, textsIn } from '../candidate/recordOf.ts';
import { scriptCommands } from '../candidate/scriptCommands.ts';

const MOST_STEPS = 300;
const EXPRESSION = '${{';
/** Conditions that hold in an ordinary run. */
const USUAL = /^\s*(?:\$\{\{\s*)?(?:always\(\)|success\(\)|!cancelled\(\)|true)(?:\s*\}\})?\s*$/;

type Json = Record<string, unknown>;

/** The `run:` steps of a workflow. What depends on the service itself is not run. */
export const githubActions: Reader = {
  reads: (path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
  read: (file): Found => {
    const yaml = plainYaml(file);
    const workflow = recordOf(yaml.value);
    const candidates: Candidate[] = [];
    const uncovered: Uncovered[] = [];
    const lines = linesOf(file.text);
    let left = MOST_STEPS;
    for (const [jobId, value] of Object.entries(recordOf(workflow.jobs))) {
      const job = recordOf(value);
      const lineOf = (...path: PropertyKey[]) => yaml.placeOf(['jobs', jobId, ...path])?.line ?? 1;
      const skip = (line: number, why: string) => uncovered.push({ path: file.path, why: `line ${line}: ${why}` });
      const why = whyNotJob(job);
      if (why !== undefined) {
        skip(lineOf(), `the job ${jobId} ${why}`);
        continue;
      }
      for (const note of jobNotes(job)) skip(lineOf(), `the job ${jobId} ${note}`);
      const steps = Array.isArray(job.steps) ? job.steps : [];
      for (const [nth, each] of steps.entries()) {
        const step = recordOf(each);
        if (left-- <= 0) break;
        const read = readStep(step, job, workflow);
        if (read === undefined) continue;
        // Only now, because to find a line takes longer than to read a step.
        const line = lineOf('steps', nth, 'run' in step ? 'run' : 'uses');
        if (typeof read === 'string') skip(line, read);
        else {
          const found = scriptCommands(read.script, { ...read, path: file.path, lines, line, source: 'ci' });
          candidates.push(...found.candidates);
          uncovered.push(...(found.uncovered ?? []));
        }
      }
    }
    if (left < 0) uncovered.push({ path: file.path, why: `it has more than ${MOST_STEPS} steps` });
    return { candidates, uncovered };
  },
};

function whyNotJob(job: Json): string | undefined {
  if (typeof job.uses === 'string') return 'runs another workflow';
  if (isConditional(job.if)) return 'has a condition';
  const machines = textsIn(job['runs-on']);
  return machines.some((each) => /^(?:windows|macos)/i.test(each)) ? `runs on ${machines[0]}` : undefined;
}

/** What a run on this machine lacks. */
function jobNotes(job: Json): string[] {
  const matrix = Object.keys(recordOf(recordOf(job.strategy).matrix));
  return [
    ...(matrix.length > 0 ? [`runs in a matrix (${matrix.slice(0, 5).join(', ')}): devflow runs it once, here`] : []),
    ...(job.services === undefined ? [] : ['has services, which devflow does not start']),
    ...(job.container === undefined ? [] : ['runs in a container: devflow runs it here']),
  ];
}

/** The script of a step; why it is not read; undefined for a step that says nothing. */
function readStep(
  step: Json,
  job: Json,
  workflow: Json,
): { script: string; cwd: string; variables: Record<string, string> } | string | undefined {
  if (typeof step.run !== 'string') {
    const uses = typeof step.uses === 'string' ? step.uses : '';
    return uses === '' || uses.startsWith('actions/') ? undefined : `the action ${uses.slice(0, 80)} is no command`;
  }
  const short = step.run.split('\n')[0]?.slice(0, 80) ?? '';
  if (isConditional(step.if)) return `"${short}" has a condition`;
  if (step.run.includes(EXPRESSION)) return `"${short}" has an expression of the service`;
  const defaults = [recordOf(recordOf(job.defaults).run), recordOf(recordOf(workflow.defaults).run)];
  const first = (name: string) => [step, ...defaults].map((each) => each[name]).find((each) => each !== undefined);
  const shell = first('shell');
  if (shell !== undefined && !/^(?:ba)?sh\b/.test(String(shell)))
    return `"${short}" is for the shell ${String(shell).slice(0, 40)}`;
  const directory = first('working-directory') ?? '.';
  const cwd = typeof directory === 'string' && !directory.includes(EXPRESSION) ? stepInto('.', directory) : undefined;
  if (cwd === undefined) return `"${short}" runs in a directory that devflow does not know`;
  return { script: step.run, cwd, variables: variablesOf(workflow.env, job.env, step.env) };
}

/** Those with a value in the file. Others are secrets or belong to the service. */
export function variablesOf(...levels: unknown[]): Record<string, string> {
  const all = levels.flatMap((level) => Object.entries(recordOf(level)));
  return Object.fromEntries(
    all.flatMap(([name, value]) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && !/\$[{A-Za-z]|\n/.test(String(value));
      return isPlain && /^[A-Za-z_]\w{0,60}$/.test(name) ? [[name, String(value).slice(0, 200)]] : [];
    }),
  );
}

function isConditional(value: unknown): boolean {
  return value !== undefined && value !== null && value !== true && !USUAL.test(String(value));
}
