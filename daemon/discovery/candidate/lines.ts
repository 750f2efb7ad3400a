import { visible } from '../../../schemas/text/visible.ts';

/** Lines count from 1, as editors do. Carriage returns at the end of a line are not part of it. */
export function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}

/** The first line from `from` on that fits; `otherwise` if none does. */
export function lineWhere(
  lines: readonly string[],
  fits: (line: string) => boolean,
  { from = 1, otherwise = from }: { from?: number; otherwise?: number } = {},
): number {
  for (let line = from; line <= lines.length; line++) if (fits(lines[line - 1] ?? '')) return line;
  return otherwise;
}

/** The first line of a table of a TOML or INI file. */
export function tableLine(lines: readonly string[], table: string): number {
  return lineWhere(lines, (line) => line.replaceAll(/[\s"']/g, '').startsWith(`[${table}]`));
}

/** A text of a repository in one line, cut to what a person reads. */
export function shownText(text: string, most: number): string {
  const line = visible(text.replaceAll(/\s+/g, ' ').trim().toWellFormed());
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}
