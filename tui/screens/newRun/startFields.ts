/** The options of `devflow run start` that have a field in the dashboard's form, and its name. */
export const START_FIELDS = {
  '--host': 'Host',
  '--repo': 'Repository',
  '--base': 'Base branch',
  '--template': 'Template',
  '--requirements': 'Requirements',
  '--message': 'Requirements',
  '--title': 'Title',
  '--objective': 'Objective',
  '--extra': 'Checks',
  '--verify': 'Checks',
  '--bind': 'Roles',
  '--backend': 'Roles',
  '--allow-setup': 'Set-up',
  '--sandbox': 'Sandbox',
  '--parallel': 'Parallel',
} as const;

/** An option and its value in a sentence: `--repo <dir>`, `--backend role=fake`, `--verify (extra.verify)`. */
const OPTION = new RegExp(
  `(${Object.keys(START_FIELDS).join('|')})(?![\\w-])(?: <[^>]*>| [^\\s=]+=[\\w<>@-]+)?(?: \\(extra\\.[\\w-]+\\))?`,
  'g',
);

/** Rewords a sentence about the command line for a reader of the form. */
export function inFormWords(sentence: string): string {
  return sentence
    .replace('devflow --help', 'the help (?)')
    .replace(OPTION, (_, option: keyof typeof START_FIELDS) => `the field ${START_FIELDS[option]}`);
}
