/** The options of `devflow run start` that a form has a field for, and the name of that field. */
export const START_FIELDS = {
  '--repo': 'Repository',
  '--base': 'Base branch',
  '--template': 'Template',
  '--requirements': 'Requirements',
  '--message': 'Requirements',
  '--objective': 'Objective',
  '--extra': 'Checks',
  '--verify': 'Checks',
  '--bind': 'Roles',
  '--backend': 'Roles',
  '--parallel': 'Parallel',
} as const;

/** An option with the value that follows it in a sentence: `--repo <dir>`, `--backend role=fake`, `--verify (extra.verify)`. */
const OPTION = new RegExp(
  `(${Object.keys(START_FIELDS).join('|')})(?![\\w-])(?: <[^>]*>| [^\\s=]+=[\\w<>@-]+)?(?: \\(extra\\.[\\w-]+\\))?`,
  'g',
);

/** A sentence about the command line, for a reader of the form. */
export function inFormWords(sentence: string): string {
  return sentence
    .replace('devflow --help', 'the help (?)')
    .replace(OPTION, (_, option: keyof typeof START_FIELDS) => `the field ${START_FIELDS[option]}`);
}
