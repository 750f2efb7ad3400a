import type { Uncovered } from '../../../schemas/repoFacts.ts';
import { linesOf } from '../candidate/lines.ts';
import { stepInto } from '../candidate/paths.ts';
import { type Candidate, type Found, type Reader, recordOf, shallowYaml, textsIn } from '../candidate/reader.ts';
import { scriptCommands } from '../candidate/scriptCommands.ts';
import { combinationsOf, fill, holds, MOST_CHARACTERS, type Values } from './workflowValues.ts';

const MOST_STEPS = 300;

type Json = Record<string, unknown>;

/** The `run:` steps of a workflow. Commands that need the service itself are not run. */
export const githubActions: Reader = {
  reads: (path) => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path),
  read: (file): Found => {
    const yaml = shallowYaml(file);
    const workflow = recordOf(yaml.value);
    const candidates: Candidate[] = [];
    const uncovered: Uncovered[] = [];
    const lines = linesOf(file.text);
    let left = MOST_STEPS;
    for (const [jobId, value] of Object.entries(recordOf(workflow.jobs))) {
      const job = recordOf(value);
      const lineOf = (...path: PropertyKey[]) => yaml.placeOf(['jobs', jobId, ...path])?.line ?? 1;
      const skip = (line: number, why: string) => uncovered.push({ path: file.path, why: `line ${line}: ${why}` });
      const combinations = combinationsOf(job);
      const why = whyNotJob(job, combinations);
      if (why !== undefined) {
        skip(lineOf(), `the job ${jobId} ${why}`);
        continue;
      }
      for (const note of jobNotes(job, combinations)) skip(lineOf(), `the job ${jobId} ${note}`);
      const steps = Array.isArray(job.steps) ? job.steps : [];
      for (const [nth, each] of steps.entries()) {
        const step = recordOf(each);
        if (left-- <= 0) break;
        const read = readStep(step, job, workflow, combinations);
        if (read.length === 0) continue;
        // Found late, because finding a line takes longer than reading a step.
        const line = lineOf('steps', nth, 'run' in step ? 'run' : 'uses');
        for (const one of read) {
          if (typeof one === 'string') skip(line, one);
          else {
            const place = { ...one, path: file.path, lines, line, source: 'ci' as const };
            const found = scriptCommands(one.script, { ...place, paths: file.paths, kindOf: file.kindOf });
            candidates.push(...found.candidates);
            uncovered.push(...(found.uncovered ?? []));
          }
        }
      }
    }
    if (left < 0) uncovered.push({ path: file.path, why: `it has more than ${MOST_STEPS} steps` });
    return { candidates, uncovered };
  },
};

function whyNotJob(job: Json, combinations: readonly Values[]): string | undefined {
  if (typeof job.uses === 'string') return 'runs another workflow';
  if (combinations.every((values) => holds(job.if, values) === false)) return 'has a condition that does not hold here';
  const machines = textsIn(job['runs-on']).map((each) => fill(each, combinations[0] ?? {}) ?? each);
  return machines.some((each) => /^(?:windows|macos)/i.test(each)) ? `runs on ${machines[0]}` : undefined;
}

/** Notes on the parts of the job that a run on this machine lacks. */
function jobNotes(job: Json, combinations: readonly Values[]): string[] {
  const matrix = Object.keys(recordOf(recordOf(job.strategy).matrix));
  const isOpen = combinations.some((values) => holds(job.if, values) === undefined);
  return [
    ...(isOpen ? [`has the condition "${short(job.if)}": devflow reads it as if it held`] : []),
    ...(matrix.length > 0 ? [`runs in a matrix (${matrix.slice(0, 5).join(', ')}): devflow runs it once, here`] : []),
    ...(job.services === undefined ? [] : ['has services, which devflow does not start']),
    ...(job.container === undefined ? [] : ['runs in a container: devflow runs it here']),
  ];
}

interface Read {
  script: string;
  cwd: string;
  variables: Record<string, string>;
}

/**
 * The scripts of a step, one for each combination that differs, and the reason if one is not read. Empty for a step
 * that says nothing.
 */
function readStep(step: Json, job: Json, workflow: Json, combinations: readonly Values[]): (Read | string)[] {
  if (typeof step.run !== 'string') {
    const uses = typeof step.uses === 'string' ? step.uses : '';
    return uses === '' || uses.startsWith('actions/') ? [] : [`the action ${uses.slice(0, 80)} is no command`];
  }
  const script = step.run;
  const held = combinations.map((values) => holds(step.if, values));
  const first = short(script);
  if (held.every((each) => each === false)) return [`"${first}" has a condition that does not hold here`];
  const isOpen = held.includes(undefined) && !held.includes(true);
  const note = isOpen ? [`"${first}" has a condition: devflow reads it as if it held`] : [];
  const all = combinations
    .filter((_, nth) => held[nth] !== false)
    .map((values) => readCombination({ ...step, run: script }, job, workflow, values));
  const differing = new Map(all.map((each) => [JSON.stringify(each), each]));
  return [...note, ...differing.values()];
}

function readCombination(step: Json & { run: string }, job: Json, workflow: Json, matrix: Values): Read | string {
  const variables = variablesOf(...[workflow.env, job.env, step.env].map((level) => filledIn(level, matrix)));
  const ofEnv = Object.entries(variables).map(([name, value]) => [`env.${name}`, value]);
  const values = { ...matrix, ...Object.fromEntries(ofEnv) };
  const defaults = [recordOf(recordOf(job.defaults).run), recordOf(recordOf(workflow.defaults).run)];
  const first = (name: string) => [step, ...defaults].map((each) => each[name]).find((each) => each !== undefined);
  const named = short(step.run);
  if (step.run.length > MOST_CHARACTERS) return `"${named}" is too long`;
  const script = fill(step.run, values);
  if (script === undefined) return `"${named}" has an expression of the service`;
  const shell = fill(String(first('shell') ?? 'sh'), values) ?? '';
  if (!/^(?:ba)?sh\b/.test(shell)) return `"${named}" is for the shell ${shell.slice(0, 40)}`;
  const directory = first('working-directory') ?? '.';
  const filled = typeof directory === 'string' ? fill(directory, values) : undefined;
  const cwd = filled === undefined ? undefined : stepInto('.', filled);
  if (cwd === undefined) return `"${named}" runs in a directory that devflow does not know`;
  return { script, cwd, variables };
}

function filledIn(level: unknown, values: Values): Json {
  return Object.fromEntries(
    Object.entries(recordOf(level)).map(([name, value]) => [name, fill(String(value), values) ?? value]),
  );
}

function short(text: unknown): string {
  return String(text).split('\n')[0]?.slice(0, 80) ?? '';
}

/** The variables with a value in the file. Others are secrets or belong to the service. */
export function variablesOf(...levels: unknown[]): Record<string, string> {
  const all = levels.flatMap((level) => Object.entries(recordOf(level)));
  return Object.fromEntries(
    all.flatMap(([name, value]) => {
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && !/\$[{A-Za-z]|\n/.test(String(value));
      return isPlain && /^[A-Za-z_]\w{0,60}$/.test(name) ? [[name, String(value).slice(0, 200)]] : [];
    }),
  );
}
