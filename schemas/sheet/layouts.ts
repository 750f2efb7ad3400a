/** How to show the JSON of one schema. Fields that it does not name are shown, too, after the others. */
export interface Layout {
  /** The fields of the document that come first, in this order. */
  first?: readonly string[];
  titles?: Readonly<Record<string, string>>;
  /** The fields of an item of a list that stand in its first line, after its mark. */
  names?: readonly string[];
  /** The field of an item that is its mark. */
  mark?: string;
  /** The fields of an item that need no title of their own. */
  untitled?: readonly string[];
  /** Texts that are shown as code. */
  code?: readonly string[];
}

const PLAN: Layout = {
  first: ['summary', 'tasks'],
  mark: 'id',
  names: ['title'],
  untitled: ['description'],
  titles: { dependsOn: 'After', writeSet: 'Writes', requirements: 'Meets' },
};

const FINDINGS: Layout = {
  first: ['findings', 'prior', 'coverage', 'scope'],
  mark: 'severity',
  names: ['path', 'line', 'claim'],
  untitled: ['failure'],
  code: ['quote'],
};

const LAYOUTS: Readonly<Record<string, Layout>> = {
  'dev/spec': {
    first: ['title', 'summary', 'goals', 'nonGoals', 'requirements', 'openQuestions'],
    titles: { nonGoals: 'Not goals' },
    mark: 'id',
    names: ['text'],
    untitled: ['acceptance'],
  },
  'dev/phase-plan': PLAN,
  'dev/dag': PLAN,
  'cycle/plan': {
    first: ['tasks', 'critical_path', 'exploration'],
    mark: 'id',
    names: ['description'],
    titles: { depends_on: 'After' },
  },
  'dev/implementation': {
    first: ['summary', 'howToCheck', 'followUps', 'files'],
    titles: { followUps: 'Left over' },
    mark: 'change',
    names: ['path'],
    untitled: ['note'],
  },
  'cycle/changes': { mark: 'action', names: ['file'], untitled: ['description'] },
  'dev/conflict-resolution': { mark: 'decision', names: ['path'], untitled: ['reason'], code: ['text'] },
  'dev/review-finding-batch': FINDINGS,
  'dev/review-verdict': { mark: 'id', names: ['verdict'], untitled: ['reason'] },
  'dev/review-response': { first: ['summary', 'answers'], mark: 'id', names: ['action'], untitled: ['note'] },
  'bt/hypothesis': { first: ['hypothesis', 'evidence', 'expect', 'paths'] },
  'tpl/intent': { first: ['goal', 'phases', 'gates', 'checks', 'notAsked'], names: ['title'], untitled: ['purpose'] },
  'tpl/draft': { first: ['yaml', 'cites', 'artifacts'], titles: { yaml: 'Template' }, code: ['yaml'] },
  'tpl/rehearsal': { first: ['walk', 'run', 'warnings', 'template'], mark: 'code', names: ['line', 'message'] },
};

const GENERIC: Layout = {};

/** The layout of a schema id such as `dev/spec@1`, whatever its version. */
export function layoutOf(schema: string): Layout {
  const [name = ''] = schema.split('@');
  return Object.hasOwn(LAYOUTS, name) ? (LAYOUTS[name] ?? GENERIC) : GENERIC;
}
