import { cut, widthOf } from './textWidth.ts';

/** A path within so many columns: its beginning and its last names stay, `~/src/…/greeting`. */
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

/** The end of a name says more than its beginning where many begin alike. */
function lastColumns(name: string, columns: number): string {
  const letters = [...name];
  while (letters.length > 1 && widthOf(letters.join('')) > columns - 1) letters.shift();
  return cut(`…${letters.join('')}`, columns).text;
}
