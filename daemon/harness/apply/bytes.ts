/** Names of files as git's bytes: one character per byte, because a name need not be UTF-8. */
export function bytesOf(latin1: string): Buffer {
  return Buffer.from(latin1, 'latin1');
}

/** The same as text, for people. */
export function textOf(name: Buffer): string {
  return name.toString('utf8');
}

/** Where a file is, by its name in bytes. */
export function pathIn(root: string, latin1: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), bytesOf(latin1)]);
}
