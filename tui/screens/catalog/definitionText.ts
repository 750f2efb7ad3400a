import type { Model } from '../../model/model.ts';
import { answerOf, STATUS } from '../../model/query.ts';
import { labelled } from '../../text/labelled.ts';
import { EMPTY, type Line, line, type Style, span, wrap } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';

const LABEL = 14;

export function nameOf({ name, version }: { name: string; version: number }): string {
  return `${name}@${version}`;
}

export function fact(label: string, text: string, columns: number, style?: Style): Line[] {
  return labelled(label, text, columns, LABEL, style);
}

export function heading(text: string): Line[] {
  return [EMPTY, line(span(text, theme.title))];
}

/** Text written for an agent, word for word, marked off from devflow's own words. */
export function quoted(text: string, columns: number): Line[] {
  const bar = span('│ ', theme.muted);
  return text
    .trimEnd()
    .split('\n')
    .flatMap((each) => wrap(each, columns - 2))
    .map((each) => line(bar, ...each));
}

export function usedBy(runIds: readonly string[] | undefined): string {
  if (runIds === undefined) return '…';
  if (runIds.length === 0) return 'no runs';
  const first = runIds.slice(0, 12).map((id) => id.slice(0, 8));
  return `${runIds.length === 1 ? 'run' : `${runIds.length} runs:`} ${first.join(' ')}${runIds.length > 12 ? ' …' : ''}`;
}

/** The user's files that the daemon could not load and directories that it does not watch, each with the reason. */
export function problemLines(model: Model, kind: 'template' | 'persona', columns: number): Line[] {
  const problems =
    answerOf(model.data, STATUS)?.problems.filter((each) => [kind, 'directory'].includes(each.kind)) ?? [];
  if (problems.length === 0) return [];
  const lines = problems.flatMap(({ file, message }) => [
    ...wrap(`✗ ${file}`, columns - 2, theme.bad),
    ...wrap(message, columns - 4).map((each) => line('  ', ...each)),
  ]);
  const remedy = 'The daemon ignores these files until you fix them. It reads a file again when you save it.';
  const hasFile = problems.some((each) => each.kind === kind);
  return [...lines, ...(hasFile ? wrap(remedy, columns - 2, theme.muted) : [])].map((each) => line(' ', ...each));
}
