import { holdsResult } from '../../schemas/gates/gateKinds.ts';
import { ruleText } from '../../schemas/gates/ruleText.ts';
import { shownHash } from '../../schemas/gates/shownHash.ts';
import { MAIN } from '../../schemas/mainLane.ts';
import type { Sheet } from '../../schemas/rpc/views/sheet.ts';
import { aboutOf } from '../../schemas/sheet/aboutOf.ts';
import { cutTo } from '../../schemas/text/phrases.ts';
import { isReplacement, rulesNamed } from '../core/rules/rulesAt.ts';
import { seqAt } from '../core/run/query.ts';
import type { Approval, Artifact, Run } from '../core/run/state.ts';
import { runTitle } from '../core/run/title.ts';
import { alarmsOf } from './alarms.ts';
import { checksOf, checkViews } from './checks.ts';
import { leadsTo } from './leadsTo.ts';
import { measuredLines } from './measuredLines.ts';
import { decidesOf } from './question.ts';
import { reviewChecks, reviewPart } from './reviewPart.ts';
import { saidViews, tellingArtifacts, tellsWork } from './said.ts';
import type { SheetFacts } from './sheetFacts.ts';
import { walkLines } from './walkLines.ts';

/**
 * The page of a gate: everything that a person needs to decide it, from the run and what the edge read beside. Pure, and the
 * same for every reader. It shows the run as it is given, so a prefix of the log gives the page of that time.
 */
export function composeSheet(run: Run, approval: Approval, facts: SheetFacts): Sheet {
  const decides = decidesOf(run, approval);
  const untilSeq = seqAt(run, approval);
  const isWork = holdsResult(approval);
  const said = isWork ? saidViews(tellingAt(run, approval), facts.contents) : [];
  const documents = artifactsAt(run, approval);
  const checks = checkViews(checksOf(run, approval), facts.tails);
  return {
    shown: shownHash(approval),
    runTitle: runTitle(run),
    decides,
    leadsTo: leadsTo(run, approval),
    alarms: alarmsOf(run, approval, facts),
    about: [...aboutOf(approval, decides), ...ruleAbout(run, approval)],
    asked: { requirements: cutTo(run.requirementsMd, MOST_REQUIREMENTS), changes: changesBefore(run, approval) },
    // Their patches are in `comments` beside the sheet: one answer has a limit.
    comments: facts.comments.map((each) => ({ ...each, patch: null })),
    said,
    checks: checks.length > 0 ? checks : reviewChecks(run, untilSeq),
    review: reviewPart(run, untilSeq),
    measured: measuredLines(run),
    walk: walkLines(rehearsalIn(documents, facts)),
    change: changeOf(facts),
    documents: documents.map((each) => documentOf(each, said)),
  };
}

/** What the person's rules for the gate did, or why they did nothing. */
function ruleAbout(run: Run, approval: Approval): Sheet['about'] {
  const { decision, rule } = approval;
  const name = 'rule';
  if (decision?.by) return [{ name, text: `Your rule passed this gate: ${decision.by.rule}.` }];
  const rules = rulesNamed(run, approval).map(ruleText);
  if (rules.length === 0 || decision) return [];
  if (isReplacement(approval)) return [{ name, text: 'Your rules do not pass this gate: it replaces an earlier one.' }];
  if (!rule) return [{ name, text: `devflow passes this gate by itself if your rule is met: ${rules.join('; ')}.` }];
  return [
    { name, text: `Your rule does not pass this gate: ${rules.join('; ')}.` },
    ...rule.why.map((text) => ({ name: null, text })),
  ];
}

/** The diff beside the sheet lists all. */
const MOST_FILES = 1_000;
const MOST_REQUIREMENTS = 4_000;

/** The artifacts under decision. */
export function artifactsAt(run: Run, { subject }: Pick<Approval, 'subject'>): Artifact[] {
  const decidedOn = Array.isArray(subject.artifacts) ? (subject.artifacts as { path: string; hash: string }[]) : [];
  // Compare the path too: two attempts may have written the same bytes.
  return run.artifacts.filter(({ path, hash }) => decidedOn.some((it) => it.path === path && it.hash === hash));
}

/** All artifacts whose content the sheet of a gate needs. */
export function sheetArtifacts(run: Run, approval: Approval): Artifact[] {
  const telling = holdsResult(approval) ? tellingAt(run, approval) : [];
  return [...new Set([...artifactsAt(run, approval), ...telling])];
}

/** What agents tell about the work of the gate; at the gate of a lane, only about that lane. */
function tellingAt(run: Run, approval: Approval): Artifact[] {
  const { laneId } = approval;
  const all = tellingArtifacts(run, seqAt(run, approval));
  return laneId === null || laneId === MAIN ? all : all.filter((each) => each.laneId === laneId);
}

function rehearsalIn(documents: readonly Artifact[], { contents }: SheetFacts): unknown {
  const rehearsal = documents.findLast(({ schema }) => schema.startsWith('tpl/rehearsal@'));
  return rehearsal && contents.get(rehearsal.id);
}

/** The newest request for changes at a gate of the same name before this one. */
function changesBefore({ approvals }: Run, { id, gateKey, phaseId }: Approval): string | null {
  const before = approvals.slice(
    0,
    approvals.findIndex((each) => each.id === id),
  );
  const asked = before.findLast(
    (each) => each.gateKey === gateKey && each.phaseId === phaseId && each.decision?.action === 'request_changes',
  );
  const comment = asked?.decision?.comment ?? null;
  return comment === null ? null : cutTo(comment, MOST_REQUIREMENTS);
}

function changeOf({ change }: SheetFacts): Sheet['change'] {
  if (change === null) return null;
  const sum = (name: 'insertions' | 'deletions') => change.files.reduce((total, file) => total + file[name], 0);
  const { files } = change;
  const listed = files.slice(0, MOST_FILES);
  const sums = { insertions: sum('insertions'), deletions: sum('deletions') };
  return { ...change, files: listed, more: files.length - listed.length, ...sums };
}

const REVIEWED = ['dev/review-finding-batch', 'dev/review-verdict', 'dev/review-response'];

function documentOf(artifact: Artifact, said: Sheet['said']): Sheet['documents'][number] {
  const { id, schema, path, hash: hashed } = artifact;
  const [name = ''] = schema.split('@');
  const isTold = said.some((each) => each.artifactId === id || isOlder(artifact, each));
  const isSaid = REVIEWED.includes(name) || name === 'tpl/rehearsal' || isTold;
  return { artifactId: id, schema, path, hash: hashed, edited: artifact.edited !== undefined, isSaid };
}

/** An earlier attempt at work that the same agent tells about. */
function isOlder(artifact: Artifact, { roleId, laneId }: Sheet['said'][number]): boolean {
  return tellsWork(artifact) && artifact.roleId === roleId && artifact.laneId === (laneId ?? MAIN);
}
