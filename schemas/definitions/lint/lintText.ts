import type { z } from 'zod';
import { fileNameFault } from '../definitionFile.ts';
import { changedBuiltin, isBuiltin, type Loaded } from '../definitions.ts';
import type { Fault } from '../phase/kindDefinition.ts';
import { unstorableFaults } from '../unstorableText.ts';
import { type ParsedYaml, type Problem, parseYaml, problemAt, problemsOf, textTooLarge } from '../yamlFile.ts';
import { findingsOf, type LintFinding } from './finding.ts';
import { hiddenCharacters } from './hiddenText.ts';
import { hiddenInValues } from './hiddenValues.ts';

/** A text, and the name that its findings give it. */
export interface LintedText {
  text: string;
  file: string;
  /** True if the name is that of a file, which must agree with the content. */
  isFile: boolean;
}

/** The findings of a text. `identity` is null if the text has no name and version. */
export interface Linted {
  identity: { name: string; version: number; hash: string } | null;
  findings: LintFinding[];
  more: boolean;
}

/** The differences between the lint of templates and that of personas. */
export interface LintedKind<T> {
  /** With the rules between fields. */
  schema: z.ZodType<T>;
  /** The keys and types alone. */
  shape: z.ZodType<T>;
  hashOf(definition: T): string;
  /** Lists that a text must not fill without end, and how long they may be. */
  limits: Readonly<Record<string, number>>;
  builtin: readonly Loaded<T>[];
  /** The faults of a definition that has the right shape. */
  faults(definition: T): Fault[];
}

/** Checks one text by all rules that it can be checked by. Never throws. */
export function lintText<T extends { name: string; version: number }>(given: LintedText, kind: LintedKind<T>): Linted {
  const { text, file } = given;
  const fault = textTooLarge(text);
  if (fault !== undefined) return tooLarge(file, fault);
  const hidden = hiddenProblems(text, file);
  const parsed = parseYaml(file, text);
  if (!parsed.ok) return { identity: null, ...findingsOf([...hidden, ...parsed.problems]) };
  const { yaml } = parsed;
  const overfull = overfullList(yaml, kind.limits);
  if (overfull !== undefined) return tooLarge(file, overfull);
  const inValues = hidden.length > 0 ? [] : hiddenInValues(yaml.value).map((fault) => problemAt(fault, yaml));
  const checked = kind.schema.safeParse(yaml.value);
  const broken = checked.success ? [] : problemsOf(checked.error, kind.schema, yaml);
  const shaped = checked.success ? checked : kind.shape.safeParse(yaml.value);
  const before = [...hidden, ...inValues, ...broken];
  if (!shaped.success) return { identity: null, ...findingsOf(before) };
  const identity = identityOf(shaped.data, kind);
  const faults = [
    ...identityFaults(identity, given, kind.builtin),
    ...unstorableFaults(shaped.data),
    ...kind.faults(shaped.data),
  ];
  return { identity, ...findingsOf([...before, ...faults.map((fault) => problemAt(fault, yaml))]) };
}

function tooLarge(file: string, message: string): Linted {
  return { identity: null, ...findingsOf([{ file, path: '', code: 'too_large', message }]) };
}

function hiddenProblems(text: string, file: string): Problem[] {
  return hiddenCharacters(text).map(({ name, line, column }) => ({
    file,
    line,
    column,
    path: '',
    code: 'hidden_text',
    message: `the line has the hidden character ${name}`,
  }));
}

function overfullList({ value }: ParsedYaml, limits: LintedKind<unknown>['limits']): string | undefined {
  const lists = (value ?? {}) as Record<string, unknown>;
  for (const [key, most] of Object.entries(limits)) {
    const list = lists[key];
    if (Array.isArray(list) && list.length > most) return `there are ${list.length} ${key}, more than ${most}`;
  }
  return undefined;
}

function identityOf<T extends { name: string; version: number }>(definition: T, { hashOf }: LintedKind<T>) {
  const { name, version } = definition;
  return { name, version, hash: hashOf(definition) };
}

function identityFaults(
  identity: NonNullable<Linted['identity']>,
  { file, isFile }: LintedText,
  builtin: readonly Loaded<unknown>[],
): Fault[] {
  const changed = changedBuiltin(builtin.filter(isBuiltin), identity);
  const misnamed = isFile ? fileNameFault(file, identity) : undefined;
  return [
    ...(changed === undefined ? [] : [{ path: ['version'], code: 'changed_builtin' as const, message: changed }]),
    ...(misnamed === undefined ? [] : [{ path: ['name'], code: 'file_name' as const, message: misnamed }]),
  ];
}
