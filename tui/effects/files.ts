import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expandPath } from '../../cli/client/paths.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { readRegular } from '../../schemas/files/openRegular.ts';

export async function readText(path: string, cwd: string): Promise<string> {
  const file = expandPath(path, cwd);
  const read = readRegular(file, MAX_BYTES, { follow: true });
  if (!read.ok)
    throw new DevflowError('usage', `${file} cannot be read: ${read.missing ? 'it does not exist' : read.fault}.`);
  return read.bytes.toString('utf8');
}

/** The largest frame that the daemon accepts. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NAMES = 200;

/** The paths that begin with `path`, written like it. Directories end with a slash. */
export async function completePath(path: string, cwd: string, only: 'directories' | 'files'): Promise<string[]> {
  const isInside = path === '' || path.endsWith('/');
  const begun = isInside ? '' : basename(path);
  const written = isInside ? path : path.slice(0, path.length - begun.length);
  const directory = expandPath(isInside ? path || '.' : dirname(path), cwd);
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const fitting = entries.filter(({ name }) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')));
  const named = await Promise.all(
    fitting.map(async (entry) => {
      const isDirectory = entry.isSymbolicLink()
        ? await stat(join(directory, entry.name)).then(
            (found) => found.isDirectory(),
            () => false,
          )
        : entry.isDirectory();
      if (!isDirectory && only === 'directories') return [];
      return [`${written}${entry.name}${isDirectory ? '/' : ''}`];
    }),
  );
  return named.flat().sort().slice(0, MAX_NAMES);
}
