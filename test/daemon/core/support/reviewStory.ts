import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { openGates, phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Finding, Review } from '../../../../daemon/kinds/review/state.ts';
import { Template, type TemplatePhase } from '../../../../schemas/definitions/template.ts';
import type { Backend, FindingSeverity } from '../../../../schemas/enums.ts';
import { sha256hex } from '../../../../schemas/hash.ts';
import type { ChangeBrief, Witness } from '../../../../schemas/kinds/review/events.ts';
import type { ChangedFile } from '../../../../schemas/place/place.ts';
import { given, type Story } from './given.ts';
import { resultsOf } from './outcomes.ts';
import type { Shape } from './run.ts';
import { TEMPLATES } from './templates.ts';

/** What the agents of a review say. Each answer is asked for once for every assignment. */
export interface Play {
  look?(seat: LookSeat): Reported[];
  prior?(seat: LookSeat, id: string): 'fixed' | 'present' | 'cannot_tell';
  verdict?(finding: Finding, roleId: string): Judged;
  /** Whether the fix of a round changes anything. */
  fixes?(round: number): boolean;
  changedLines?: number;
  /** What reviewers are told of the change. */
  brief?: ChangeBrief;
  /** What each reviewer must quote. */
  witnesses?: Witness[];
  fixed?(round: number): ChangedFile[];
  /** Exit code of a command at the reviewed commit. */
  command?(argv: readonly string[], round: number): number;
  comment?: string;
}

export interface LookSeat {
  round: number;
  scope: string;
  roleId: string;
}

export interface Reported {
  path?: string;
  line?: number;
  severity?: FindingSeverity;
  category?: Finding['category'];
  symbol?: string | null;
  claim?: string;
  /** The quoted text. Default: another one for each line. */
  quote?: string;
  isAnchored?: boolean;
  /** Where it stood, if the change removed it. */
  removed?: { path: string; line: number };
  reproduce?: string[];
  preExisting?: boolean;
}

export type Judged = 'confirmed' | 'rejected' | 'unquoted' | 'cannot_tell' | { duplicateOf: string };

const BACKENDS: Record<string, Backend> = {
  'reviewer#0': 'claude',
  'reviewer#1': 'codex',
  verifier: 'gemini',
  implementer: 'opencode',
};

/** What a test may choose about its review. */
interface ReviewShape extends Pick<Shape, 'behaviour' | 'runId'> {
  roles?: string[];
  review?: Partial<TemplatePhase['review']>;
}

/** A run of the template `review` at its review, with agents on these backends. */
export function reviewing(
  play: Play,
  backends: Partial<Record<string, Backend>> = {},
  { behaviour, runId, ...change }: ReviewShape = {},
): Story {
  const { phases, ...of } = TEMPLATES.review;
  const changed = phases.map((phase) => (phase.kind === 'review' ? { ...phase, ...change } : phase));
  // Changes may be requested at the gate of the last phase, which needs an implementer.
  const kept = change.roles ? changed.slice(0, 2) : changed;
  const template = Template.parse({ ...of, phases: kept });
  return playOn(given({ template, behaviour, runId }), play, { ...BACKENDS, ...backends });
}

/** A run that only reviews, with a check of the project. `roles`: with the third one, it fixes what it finds. */
export function onlyReviewing(
  play: Play,
  backends: Partial<Record<string, Backend>> = {},
  { runId, roles = ['reviewer', 'verifier'] }: Pick<ReviewShape, 'runId' | 'roles'> = {},
): Story {
  const { phases, roles: all, ...of } = TEMPLATES.review;
  const review = phases.filter(({ kind }) => kind === 'review');
  const template = Template.parse({
    ...of,
    name: roles.join('-'),
    roles: all.filter(({ id }) => roles.includes(id)),
    phases: review.map((phase) => ({ ...phase, roles, gates: [], review: { rounds: 3 } })),
  });
  const extra = { review: [['npm', 'test']] };
  return playOn(given({ template, extra, runId }), play, { ...BACKENDS, ...backends });
}

/** Goes on until a person is needed or the review is over. */
export function playOn(story: Story, play: Play, backends: Partial<Record<string, Backend>> = BACKENDS): Story {
  let at = story;
  for (let step = 0; step < 500; step += 1) {
    const phase = at.run.phases.find(({ key }) => key === 'review');
    if (phase?.state === 'completed' || openGates(at.run).length > 0) return at;
    const [effect] = decide(at.run).filter(({ type }) => type !== 'expireApproval');
    if (!effect) throw new Error(`nothing is due in the ${at.run.state} run`);
    at = at.on(outcomeOf(at.run, effect, play, backends));
  }
  throw new Error('the review does not end');
}

function outcomeOf(
  run: Run,
  effect: ReturnType<typeof decide>[number],
  play: Play,
  backends: Partial<Record<string, Backend>>,
): Outcome {
  const [first] = resultsOf(effect, run);
  if (!first) throw new Error(`no outcome of ${effect.type}`);
  if (first.type === 'bindingsLocked') {
    const bindings = first.bindings.map((each) => ({ ...each, backend: backends[each.roleId] ?? each.backend }));
    return { ...first, bindings };
  }
  if (first.type === 'reviewPrepared') {
    const { changedLines = 12, fixed, brief, witnesses: drawn } = play;
    const witnesses = Object.fromEntries(Object.entries(first.witnesses).map(([key, own]) => [key, drawn ?? own]));
    return { ...first, changedLines, fixed: fixed?.(first.round) ?? first.fixed, witnesses, brief };
  }
  if (first.type === 'workCommitted' && first.part) {
    const isChanged = play.fixes?.(roundOf(run)) ?? true;
    return isChanged ? first : { ...first, work: { ...first.work, commit: null, files: 0 } };
  }
  if (first.type === 'mergeTested') {
    const results = first.test.results.map((result) => ({
      ...result,
      exitCode: play.command?.(result.argv, roundOf(run)) ?? 0,
    }));
    return { ...first, test: { ...first.test, results } };
  }
  if (effect.type === 'awaitArtifact' && effect.review && first.type === 'artifactFound')
    return answered(run, effect, first, play);
  return first;
}

export const reviewIn = (run: Run): Review =>
  phasesOf('review', run).find(({ key }) => key === 'review')?.review ?? {
    rounds: [],
    findings: [],
    changeRequest: null,
  };

const roundOf = (run: Run) => reviewIn(run).rounds.at(-1)?.round ?? 0;

type Found = Extract<Outcome, { type: 'artifactFound' }>;

function answered(run: Run, effect: EffectOf<'awaitArtifact'>, found: Found, play: Play): Outcome {
  const { review, roleId } = effect;
  const round = roundOf(run);
  const data = () => {
    switch (review?.what) {
      case 'look': {
        const seat = { round, scope: review.scope, roleId };
        return {
          findings: (play.look?.(seat) ?? []).map(reported),
          prior: review.prior.map((id) => ({ id, verdict: play.prior?.(seat, id) ?? 'fixed', evidence: 'I looked.' })),
        };
      }
      case 'verdict':
        return { verdicts: review.asked.map((id) => judged(run, id, roleId, play)) };
      default:
        return { answers: review?.asked.map((id) => ({ id, action: 'fixed', note: '' })) ?? [] };
    }
  };
  const made = data();
  const hash = sha256hex(JSON.stringify([effect.path, made]));
  return { ...found, hash, verdict: { valid: true, storedPath: effect.storedPath, data: made } };
}

function reported(found: Reported, index: number) {
  const { path = 'a.ts', line = 10, severity = 'high', category = 'correctness', symbol = null } = found;
  const { claim = 'It is wrong.', isAnchored = true, reproduce, preExisting = false } = found;
  const { quote = `line ${line} of ${path}`, removed } = found;
  const at = { line, text: quote.replaceAll(' ', ''), occurrence: 1, ...(removed && { removed }) };
  const anchor = isAnchored ? at : null;
  return {
    ref: `F${index}`,
    category,
    severity,
    path,
    line,
    endLine: line,
    quote,
    symbol,
    claim,
    failure: 'It fails.',
    evidence: [],
    reproduce: reproduce ? { argv: reproduce } : null,
    preExisting,
    anchor,
  };
}

function judged(run: Run, id: string, roleId: string, play: Play) {
  const finding = reviewIn(run).findings.find((each) => each.id === id);
  if (!finding) throw new Error(`asked about an unknown finding ${id}`);
  const said = play.verdict?.(finding, roleId) ?? 'confirmed';
  const duplicateOf = typeof said === 'object' ? said.duplicateOf : null;
  const verdict = typeof said === 'object' ? 'duplicate' : said === 'unquoted' ? 'rejected' : said;
  return { id, verdict, duplicateOf, quote: null, reason: `${roleId} says so.`, isQuoted: said !== 'unquoted' };
}
