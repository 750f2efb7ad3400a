/**
 * Commands that no agent may run with its tools, as far as its program can enforce it. These patterns only compare
 * text. `daemon/policy` parses and checks the commands that devflow runs itself. In a pattern `*` is any text, and a `
 * *` at the end may also be nothing.
 */
export const FORBIDDEN_COMMANDS: readonly string[] = [
  ...['rm -rf*', 'rm -fr*', 'rm -Rf*', 'rm -fR*', 'rm -r -f*', 'rm -f -r*', 'rm * -rf*', 'rm * -fr*'],
  ...git('reset', '--hard'),
  ...git('clean'),
  ...git('push', '--force*', '-f', '+*'),
  ...git('branch', '-D'),
  ...git('worktree remove', '--force', '-f'),
  ...['docker volume rm *', 'docker volume prune *'],
  ...['docker compose', 'docker-compose']
    .flatMap((compose) => [`${compose} down`, `${compose} * down`])
    .flatMap((down) => [`${down} -v *`, `${down} --volumes *`, `${down} * -v *`, `${down} * --volumes *`]),
];

/** Files with secrets, by the start of their names, anywhere; and directories of the user's home. */
export const SECRET_FILES: readonly string[] = ['.env'];
export const SECRET_DIRECTORIES: readonly string[] = ['.ssh', '.aws', '.config/gcloud', '.kube'];

/** Commands that name such a file or directory. */
export const SECRETS_NAMED: readonly string[] = [
  ...SECRET_FILES.flatMap((name) => [`* ${name}*`, `*/${name}*`]),
  ...SECRET_DIRECTORIES.map((directory) => `*/${directory}*`),
];

/** A git subcommand with one of these words anywhere in it; without words, the whole subcommand. */
function git(subcommand: string, ...words: readonly string[]): string[] {
  // `git -C elsewhere …` is the same command.
  const forms = [`git ${subcommand}`, `git -* ${subcommand}`];
  if (words.length === 0) return forms.map((form) => `${form} *`);
  return forms.flatMap((form) => words.flatMap((word) => [`${form} ${open(word)}`, `${form} * ${open(word)}`]));
}

function open(word: string): string {
  return word.endsWith('*') ? word : `${word} *`;
}
