/** `index.ts`, `x.d.ts`, but not `.github`, `v1.2` or `Acme.Core`. */
const WITH_EXTENSION = /.\.[a-z][a-z0-9]{0,9}$/;
/** `Makefile`, `LICENSE`. */
const WITHOUT_EXTENSION = /^(?:[A-Z]{3,}|.+file)$/;
/** `.gitignore`, `.nvmrc`. */
const HIDDEN = /^\.(?:\w+(?:ignore|rc|attributes|modules|keep|version)|editorconfig|env)$/;

/** True if the last segment of a pattern is surely meant as a file, not as a directory. */
export function isFileName(pattern: string): boolean {
  const segment = pattern.slice(pattern.lastIndexOf('/') + 1);
  // `[...slug]` is a directory, `x.[jt]s` a file.
  const name = segment.replaceAll(/\\?\[[^\]]*\]/g, 'x');
  return [WITH_EXTENSION, WITHOUT_EXTENSION, HIDDEN].some((form) => form.test(name));
}
