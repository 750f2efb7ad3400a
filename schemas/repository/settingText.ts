import { shellWord, visible } from '../text/visible.ts';

/** The file and line of a setting, or what a guess is based on. */
export function originText({ from, line, why }: { from?: string; line?: number; why?: string } = {}): string {
  if (from === 'guess') return why === undefined ? 'guess' : `guess: ${visible(why)}`;
  return visible(line === undefined ? `${from}` : `${from}:${line}`);
}

/** A command as a person would type it. */
export function commandText(argv: readonly string[]): string {
  return argv.map(shellWord).join(' ');
}

/** The value of a setting in one line. Commands as a person would type them, one after the other. */
export function settingText(value: unknown): string {
  if (!Array.isArray(value)) return visible(typeof value === 'string' ? value : JSON.stringify(value));
  return value
    .map((each) => (Array.isArray(each) ? commandText(each.map(String)) : visible(itemText(each))))
    .join(value.some((each) => typeof each === 'object') ? '; ' : ', ');
}

/** A rule for gates is no text. */
function itemText(item: unknown): string {
  return typeof item === 'object' ? JSON.stringify(item) : String(item);
}
