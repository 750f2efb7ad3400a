import type { Row } from './prepared.ts';

/** The table of the documents: what was guessed, how long the set-up took, and what came of it. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [...rows].sort(byLanguage).map(lineOf);
  const green = rows.filter(({ reason }) => reason === undefined).length;
  return [
    '| project | language | set-up (guessed) | tests (guessed) | by install | by clone | result |',
    '|---|---|---|---|---|---|---|',
    ...lines,
    '',
    `${green} of ${rows.length} are green.`,
  ].join('\n');
}

function lineOf({ name, language, setup, verify, installMs, cloneMs, reason }: Row): string {
  const code = (commands: readonly string[]) => commands.map((each) => `\`${each}\``).join(', ') || 'none';
  const cells = [name, language, code(setup), code(verify), seconds(installMs), seconds(cloneMs), reason ?? 'green'];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(ms / 1000).toFixed(1)} s`;
}

function byLanguage(a: Row, b: Row): number {
  return a.language.localeCompare(b.language) || a.name.localeCompare(b.name);
}
