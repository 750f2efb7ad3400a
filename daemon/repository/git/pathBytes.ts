/** A file name need not be UTF-8, so names from git are strings of one character per byte ("latin1"). */

/** The name as text for people. */
export function textOf(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/** The name of a text. */
export function latin1Of(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** The path of a file below `root`, for the file system. */
export function pathIn(root: string, latin1: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(latin1, 'latin1')]);
}
