import { MAIN } from '../../schemas/mainLane.ts';
import type { SaidView } from '../../schemas/rpc/views/sheet.ts';
import { cutTo } from '../../schemas/text/phrases.ts';
import { isLeftOut } from '../core/run/notDone.ts';
import type { Artifact, Run } from '../core/run/state.ts';

type Said = Pick<SaidView, 'summary' | 'howToCheck' | 'left'>;
type Fields = Readonly<Record<string, unknown>>;

/** Artifacts that are documents of their own: a person reads them whole, and no summary of them. */
const DOCUMENTS = ['dev/spec', 'dev/phase-plan', 'dev/dag', 'dev/review-finding-batch', 'dev/review-verdict'];
const FAMILIES = ['tpl/', 'handover/', 'autodev/', 'common/', 'bt/'];

const READERS: Readonly<Record<string, (fields: Fields) => Said | undefined>> = {
  'dev/review-response': (fields) => saidIn(fields, openAnswers(fields.answers)),
  'cycle/changes': ({ changes }) => {
    const lines = objectsIn(changes).map(({ action, file, description }) => `- ${action} ${file}: ${description}`);
    return lines.length === 0 ? undefined : { summary: lines.join('\n'), howToCheck: [], left: [] };
  },
  'bt/hypothesis': ({ hypothesis, evidence }) =>
    typeof hypothesis === 'string' ? { summary: hypothesis, howToCheck: [], left: textsIn(evidence) } : undefined,
};

/** True if its schema may tell what an agent did. */
export function tellsWork({ schema }: Pick<Artifact, 'schema'>): boolean {
  const [name = ''] = schema.split('@');
  return Object.hasOwn(READERS, name) || !(DOCUMENTS.includes(name) || FAMILIES.some((each) => name.startsWith(each)));
}

/**
 * The newest artifact of each agent that tells what it did, up to a phase, in the order of the phases. An abandoned lane has
 * nothing to tell.
 */
export function tellingArtifacts(run: Run, untilSeq: number): Artifact[] {
  const artifacts = run.phases
    .filter(({ seq }) => seq <= untilSeq)
    .flatMap(({ assignments }) =>
      assignments.flatMap((assignment) =>
        assignment.artifact && !isLeftOut(run, assignment) && tellsWork(assignment.artifact)
          ? [assignment.artifact]
          : [],
      ),
    );
  const keyOf = ({ phaseId, roleId, laneId, schema }: Artifact) => JSON.stringify([phaseId, roleId, laneId, schema]);
  const newest = new Map(artifacts.map((each) => [keyOf(each), each]));
  return artifacts.filter((each) => newest.get(keyOf(each)) === each).slice(0, MOST_ARTIFACTS);
}

/** A plan has at most as many tasks, nearly always. */
const MOST_ARTIFACTS = 50;
const MOST_SUMMARY = 4_000;
const MOST_ITEMS = 20;
const MOST_ITEM = 1_000;

export function saidViews(artifacts: readonly Artifact[], contents: ReadonlyMap<string, unknown>): SaidView[] {
  return artifacts.flatMap(({ id, schema, roleId, laneId, data }) => {
    const said = saidOf(schema, contents.get(id) ?? data);
    return said ? [{ roleId, laneId: laneId === MAIN ? null : laneId, artifactId: id, ...limited(said) }] : [];
  });
}

function saidOf(schema: string, content: unknown): Said | undefined {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return undefined;
  const fields = content as Fields;
  const [name = ''] = schema.split('@');
  return Object.hasOwn(READERS, name) ? READERS[name]?.(fields) : saidIn(fields);
}

function saidIn(fields: Fields, left: string[] = textsIn(fields.followUps)): Said | undefined {
  const { summary, howToCheck } = fields;
  if (typeof summary !== 'string' || summary.trim() === '') return undefined;
  return { summary, howToCheck: textsIn(howToCheck), left };
}

/** What the agent did not fix. */
function openAnswers(answers: unknown): string[] {
  return objectsIn(answers)
    .filter(({ action }) => action !== 'fixed')
    .map(({ id, action, note }) => `${id} ${action}: ${note}`);
}

function limited({ summary, howToCheck, left }: Said): Said {
  const few = (texts: readonly string[]) => texts.slice(0, MOST_ITEMS).map((each) => cutTo(each, MOST_ITEM));
  return { summary: cutTo(summary, MOST_SUMMARY), howToCheck: few(howToCheck), left: few(left) };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each !== '') : [];
}

function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter((each): each is Fields => typeof each === 'object' && each !== null) : [];
}
