/** Editors that take `+LINE file`. */
const PLUS = ['vi', 'vim', 'nvim', 'view', 'gvim', 'nano', 'pico', 'emacs', 'emacsclient', 'kak', 'micro', 'joe', 'ne'];
/** Editors that take `file:LINE`. */
const COLON = ['hx', 'helix', 'subl', 'zed'];
/** Editors that take `--goto file:LINE`. */
const GOTO = ['code', 'code-insiders', 'codium', 'cursor', 'windsurf'];

/** The words that make an editor open a file at a line. An unknown editor opens only the file. */
export function editorArguments(command: string, file: string, line?: number): string[] {
  const program = programOf(command);
  if (line === undefined) return [file];
  if (PLUS.includes(program)) return [`+${line}`, file];
  if (COLON.includes(program)) return [`${file}:${line}`];
  return GOTO.includes(program) ? ['--goto', `${file}:${line}`] : [file];
}

/** The name of the program that a shell would run: `/usr/bin/nvim -p` is `nvim`. */
function programOf(command: string): string {
  const [, double, single, plain] = /^\s*(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(command) ?? [];
  return (double ?? single ?? plain ?? '').split('/').at(-1) ?? '';
}
