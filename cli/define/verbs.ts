/** The short verbs, each with the command whose definition and action it has. */
export const VERBS = {
  ls: ['run', 'list'],
  show: ['run', 'show'],
  diff: ['run', 'diff'],
  apply: ['run', 'apply'],
  continue: ['run', 'continue'],
  approve: ['approval', 'approve'],
  changes: ['approval', 'request-changes'],
  reject: ['approval', 'reject'],
} as const;

/** The path of a command in completion, with the whole command for a verb: `/run/start` for `/start`. */
export function pathOfVerb(path: string): string {
  const verb = path.slice(1);
  return Object.hasOwn(VERBS, verb) ? `/${VERBS[verb as keyof typeof VERBS].join('/')}` : path;
}
