import { resolve } from 'node:path';
import { homeOf } from '../../schemas/files/home.ts';
import { cut, widthOf } from './textWidth.ts';

/** Makes a path absolute as a shell would: `~/` is the home directory. */
export function expandPath(path: string, cwd: string): string {
  return resolve(
    cwd,
    path.replace(/^~(?=\/|$)/, () => homeOf(process.env)),
  );
}

/** Shortens a path to so many columns. It keeps the beginning and the last names: `~/src/…/greeting`. */
export function shortenPath(path: string, columns: number): string {
  if (widthOf(path) <= columns) return path;
  const parts = path.split('/');
  const head = path.startsWith('/') ? `/${parts[1] ?? ''}` : (parts[0] ?? '');
  for (const start of [`${head}/…`, '…']) {
    for (let from = 1; from < parts.length; from += 1) {
      const text = `${start}/${parts.slice(from).join('/')}`;
      if (widthOf(text) <= columns) return text;
    }
  }
  return lastColumns(parts.at(-1) ?? path, columns);
}

/** Keeps the end of a name, because many names begin alike. */
function lastColumns(name: string, columns: number): string {
  const letters = [...name];
  while (letters.length > 1 && widthOf(letters.join('')) > columns - 1) letters.shift();
  return cut(`…${letters.join('')}`, columns).text;
}
