import { repositoryPathFault } from '../files/repositoryPath.ts';
import { PRINTED } from '../objective/objective.ts';
import { findCycle } from './findCycle.ts';
import { normaliseGlob } from './globRule.ts';

/** A fault of an artifact: a JSON pointer (empty for the whole document) and a sentence. */
export interface ValidationError {
  path: string;
  message: string;
  /** The code of a finding in a document of a contract. */
  code?: string;
  line?: number;
}

interface Ordered {
  id: string;
  dependsOn: string[];
}
/** A list of tasks, with the field that says which files a task writes. */
type Tasks<Files extends string> = { tasks: (Ordered & Record<Files, string[]>)[] };

interface Batch {
  findings: { ref: string; path: string; line: number; endLine: number }[];
  prior: { id: string }[];
  coverage: { path: string }[];
}
interface Compared {
  metric: string;
  op: string;
}
interface Measured {
  targets: Compared[];
  editable?: string[];
  protected?: string[];
  measure: { file?: string };
  splits?: { validation?: unknown; holdout?: unknown };
}
interface Verdicts {
  verdicts: Verdict[];
}
interface Verdict {
  id: string;
  verdict: string;
  duplicateOf: string | null;
}

/**
 * Rules that a JSON Schema cannot express, by schema id. Each check gets data that its schema has accepted. A published
 * schema never changes. A check may become stricter, because runs record the verdict and never validate an artifact again.
 */
const CHECKS: Readonly<Record<string, (data: never) => ValidationError[]>> = {
  'dev/spec@1': ({ requirements }: { requirements: { id: string }[] }) =>
    duplicates(requirements, 'requirements', 'id'),
  'dev/phase-plan@1': ({ tasks }: Tasks<'files'>) => [
    ...duplicates(tasks, 'tasks', 'id'),
    ...tasks.flatMap(({ files }, index) => paths(files, `/tasks/${index}/files`)),
    ...dependencies(tasks),
  ],
  'dev/phase-plan@2': (plan: Tasks<'files'>) => taskFaults(plan, 'files'),
  'dev/dag@1': (dag: Tasks<'writeSet'>) => taskFaults(dag, 'writeSet'),
  'dev/conflict-resolution@1': ({ hunks }: { hunks: { path: string }[] }) =>
    hunks.flatMap(({ path }, index) => pathError(path, `/hunks/${index}/path`)),
  'bt/objective@1': ({ targets }: { targets: Compared[] }) => sameTargets(targets),
  'bt/objective@2': ({ targets, editable = [], protected: kept = [], measure, splits = {} }: Measured) => [
    ...sameTargets(targets),
    ...openHoldout(splits),
    ...(measure.file === undefined || measure.file === PRINTED ? [] : pathError(measure.file, '/measure/file')),
    ...globs(editable, '/editable'),
    ...globs(kept, '/protected'),
  ],
  'bt/hypothesis@1': ({ paths: files }: { paths: string[] }) => paths(files, '/paths'),
  'dev/review-finding-batch@1': batchFaults,
  'dev/review-finding-batch@2': batchFaults,
  'dev/review-verdict@1': ({ verdicts }: Verdicts) => [
    ...duplicates(verdicts, 'verdicts', 'id'),
    ...verdicts.flatMap((verdict, index) => duplicateOfError(verdict, `/verdicts/${index}/duplicateOf`)),
  ],
  'dev/comment-answers@1': ({ answers }: { answers: { id: string }[] }) => duplicates(answers, 'answers', 'id'),
  'dev/review-response@1': ({ answers }: { answers: { id: string }[] }) => duplicates(answers, 'answers', 'id'),
  'dev/implementation@1': ({ files }: { files: { path: string }[] }) => [
    ...files.flatMap(({ path }, index) => pathError(path, `/files/${index}/path`)),
    ...duplicates(files, 'files', 'path'),
  ],
};

/** The faults of data that its schema accepts. None for a schema without such rules. */
export function semanticFaults(id: string, data: unknown): ValidationError[] {
  return CHECKS[id]?.(data as never) ?? [];
}

function batchFaults({ findings, prior, coverage }: Batch): ValidationError[] {
  return [
    ...duplicates(findings, 'findings', 'ref'),
    ...duplicates(prior, 'prior', 'id'),
    ...coverage.flatMap(({ path }, index) => pathError(path, `/coverage/${index}/path`)),
    ...findings.flatMap(({ path }, index) => pathError(path, `/findings/${index}/path`)),
    ...findings.flatMap(({ line, endLine }, index) =>
      endLine < line ? [{ path: `/findings/${index}/endLine`, message: 'must not be before line' }] : [],
    ),
  ];
}

/** Quotes and shortens an agent's text for a sentence. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

function duplicates<K extends string>(
  items: readonly Record<K, string>[],
  list: string,
  key: K,
  asCompared = (text: string) => text,
): ValidationError[] {
  const first = new Map<string, number>();
  return items.flatMap((item, index) => {
    const compared = asCompared(item[key]);
    const before = first.get(compared);
    if (before === undefined) first.set(compared, index);
    if (before === undefined) return [];
    const message = `${quoted(item[key])} is already at /${list}/${before}/${key}`;
    return [{ path: `/${list}/${index}/${key}`, message }];
  });
}

function sameTargets(targets: readonly Compared[]): ValidationError[] {
  return targets.flatMap(({ metric, op }, index) => {
    const first = targets.findIndex((each) => each.metric === metric && each.op === op);
    if (first === index) return [];
    return [{ path: `/targets/${index}`, message: `${quoted(metric)} ${op} is already at /targets/${first}` }];
  });
}

/** Without a validation part everything is judged, and the holdout would be a part of it. */
function openHoldout({ validation, holdout }: NonNullable<Measured['splits']>): ValidationError[] {
  if (holdout === undefined || validation !== undefined) return [];
  return [{ path: '/splits', message: 'must have validation beside holdout' }];
}

function duplicateOfError({ id, verdict, duplicateOf }: Verdict, path: string): ValidationError[] {
  if (verdict !== 'duplicate') return duplicateOf === null ? [] : [{ path, message: 'is only for a duplicate' }];
  if (duplicateOf === null) return [{ path, message: 'must name the finding that stays' }];
  return duplicateOf === id ? [{ path, message: 'must name another finding' }] : [];
}

/** Ids become parts of paths, and some file systems ignore case. */
function lowerCase(id: string): string {
  return id.toLowerCase();
}

function paths(files: readonly string[], at: string): ValidationError[] {
  return files.flatMap((file, index) => pathError(file, `${at}/${index}`));
}

function pathError(file: string, path: string): ValidationError[] {
  const fault = repositoryPathFault(file);
  return fault === undefined ? [] : [{ path, message: `${quoted(file)} ${fault}` }];
}

function taskFaults<Files extends string>({ tasks }: Tasks<Files>, files: Files): ValidationError[] {
  return [
    ...duplicates(tasks, 'tasks', 'id', lowerCase),
    ...tasks.flatMap((task, index) => globs(task[files], `/tasks/${index}/${files}`)),
    ...dependencies(tasks),
  ];
}

function globs(texts: readonly string[], at: string): ValidationError[] {
  return texts.flatMap((text, index) => {
    const result = normaliseGlob(text);
    return 'glob' in result ? [] : [{ path: `${at}/${index}`, message: `${quoted(text)} ${result.fault}` }];
  });
}

function dependencies(tasks: readonly Ordered[]): ValidationError[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const unknown = tasks.flatMap(({ dependsOn }, index) =>
    dependsOn.flatMap((id, nth) =>
      ids.has(id) ? [] : [{ path: `/tasks/${index}/dependsOn/${nth}`, message: `there is no task ${quoted(id)}` }],
    ),
  );
  const cycle = findCycle(tasks);
  if (!cycle) return unknown;
  const index = tasks.findIndex(({ id }) => id === cycle[0]);
  const more = cycle.length > MOST_NAMED ? ` and ${cycle.length - MOST_NAMED} more` : '';
  const circle = cycle.slice(0, MOST_NAMED).map(quoted).join(' needs ');
  const message = `tasks must not wait for each other: ${circle}${more}`;
  return [...unknown, { path: `/tasks/${index}/dependsOn`, message }];
}

/** The beginning of a long cycle shows where to cut it. */
const MOST_NAMED = 8;
