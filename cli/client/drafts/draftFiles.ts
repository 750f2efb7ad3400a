import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { dirname } from 'node:path';
import type { NewComment } from '../../../schemas/comments/comment.ts';
import {
  type Draft,
  draftOf,
  isPartOf,
  isShownName,
  type Review,
  type ReviewedGate,
  type Sending,
  type SendingTry,
  sendingOf,
  shownName,
} from '../../../schemas/comments/draft.ts';
import { firstEntries } from '../../../schemas/files/entries.ts';
import { readInside, visitInside } from '../../../schemas/files/insideRoot.ts';
import type { Refused } from '../../../schemas/files/openRegular.ts';
import { isId } from '../../../schemas/ids.ts';
import { removeDurable, removeEmpty, writeDurable } from './durable.ts';

export const REVIEWS = 'reviews';
/** A file that is renewed after each change, so that other clients read again. */
export const CHANGED = 'changed';
const SENDING = 'sending.json';
const READ = 'read';
/** More than one decision takes. */
const MOST_DRAFTS = 200;
const MOST_GATES = 100;
const MOST_SHOWN = 20;
const MOST_OF_RUN = 1_000;
const MOST_READ = 5_000;
/** Strange names and leftovers must not hide drafts. */
const MOST_ENTRIES = 10_000;
const MOST_BYTES = 64 * 1024;
/** A hundred comments as long as possible. */
const MOST_SENDING = 4 * 1024 * 1024;

/**
 * The comments of a person that were not sent yet, as files of the client: one a comment, so that two clients need no lock. They
 * lie by run, gate and hash: `reviews/<run>/<gate>/<hash>/<uuid>.json`.
 */
export function readReview(stateDir: string, gate: ReviewedGate): Review {
  const drafts: Draft[] = [];
  let strange = 0;
  for (const { approvalId, shown, path } of roomsOf(stateDir, gate.runId)) {
    for (const name of namesIn(stateDir, path, MOST_DRAFTS, isDraftName)) {
      if (drafts.length + strange >= MOST_OF_RUN) break;
      const draft = draftOf(readText(stateDir, `${path}/${name}`, MOST_BYTES) ?? '');
      if (draft) drafts.push({ id: name.slice(0, -'.json'.length), approvalId, shown, ...draft });
      else strange += 1;
    }
  }
  drafts.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  const read = namesIn(stateDir, `${runPath(gate.runId)}/${READ}`, MOST_READ, isMark);
  const inFlight = sendingTries(stateDir, gate.runId).flatMap(({ sending }) => sending.drafts);
  return { drafts, read, sending: readSending(stateDir, gate), inFlight, strange };
}

/** The decisions of a run that were begun, and of which no answer came. */
export function sendingTries(stateDir: string, runId: string): SendingTry[] {
  return roomsOf(stateDir, runId).flatMap(({ approvalId, shown }) => {
    const sending = readSending(stateDir, { runId, approvalId, shown });
    return sending ? [{ approvalId, shown, sending }] : [];
  });
}

function roomsOf(stateDir: string, runId: string): { approvalId: string; shown: string; path: string }[] {
  const ofRun = runPath(runId);
  const gates = namesIn(stateDir, ofRun, MOST_GATES, isId);
  return gates.flatMap((approvalId) =>
    namesIn(stateDir, `${ofRun}/${approvalId}`, MOST_SHOWN, isShownName).map((shown) => {
      return { approvalId, shown, path: `${ofRun}/${approvalId}/${shown}` };
    }),
  );
}

/** Writes a draft, also over an older one of the same id. */
export function writeDraft(
  stateDir: string,
  gate: ReviewedGate,
  { id = randomUUID(), at, comment }: Pick<Draft, 'at' | 'comment'> & { id?: string },
): Draft {
  const shown = shownName(gate);
  changes(stateDir, writeDurable(stateDir, `${gatePath(gate)}/${nameOf(id)}`, `${JSON.stringify({ at, comment })}\n`));
  return { id, approvalId: gate.approvalId, shown, at, comment };
}

export function removeDraft(
  stateDir: string,
  runId: string,
  { approvalId, shown, id }: Pick<Draft, 'approvalId' | 'shown' | 'id'>,
): void {
  removed(stateDir, { runId, approvalId, shown }, nameOf(id));
}

/** Removes a file of a gate, and its directories if nothing else is there. */
function removed(stateDir: string, gate: ReviewedGate, name: string): void {
  const room = gatePath(gate);
  const result = removeDurable(stateDir, `${room}/${name}`);
  removeEmpty(stateDir, [room, dirname(room), runPath(gate.runId)]);
  changes(stateDir, result);
}

export function markRead(stateDir: string, runId: string, mark: string, isRead: boolean): void {
  if (!isMark(mark)) throw new TypeError(`${mark} is no mark`);
  const path = `${runPath(runId)}/${READ}/${mark}`;
  const result = isRead ? writeDurable(stateDir, path, '') : removeDurable(stateDir, path);
  if (!isRead) removeEmpty(stateDir, [dirname(path), runPath(runId)]);
  changes(stateDir, result);
}

/** Notes what is about to be sent. If another try noted something before, that is what must be sent. */
export function beginSending(
  stateDir: string,
  gate: ReviewedGate,
  { comments, drafts }: { comments: readonly NewComment[]; drafts: readonly string[] },
): Sending {
  const sending: Sending = { clientToken: randomUUID(), comments, drafts };
  const path = `${gatePath(gate)}/${SENDING}`;
  for (;;) {
    const written = writeDurable(stateDir, path, `${JSON.stringify(sending)}\n`, true);
    if (written.ok) return sending;
    if (written.code !== 'EEXIST') done(written);
    const begun = readSending(stateDir, gate);
    if (begun) return begun;
    // Whatever else has this name is no decision of ours.
    done(removeDurable(stateDir, path));
  }
}

/** After the answer. `isTaken`: the daemon has the decision, so its drafts go. Otherwise nothing was recorded. */
export function endSending(stateDir: string, gate: ReviewedGate, sending: Sending, isTaken: boolean): void {
  // Drafts first: after a crash between, the same token finds the same decision, and the rest goes.
  if (isTaken) {
    const sent = readReview(stateDir, gate).drafts.filter((each) => isPartOf(each, sending));
    for (const draft of sent) removeDraft(stateDir, gate.runId, draft);
  }
  if (readSending(stateDir, gate)?.clientToken === sending.clientToken) removed(stateDir, gate, SENDING);
}

/** The try that was begun at this gate, and of which no answer came. */
export function readSending(stateDir: string, gate: ReviewedGate): Sending | undefined {
  return sendingOf(readText(stateDir, `${gatePath(gate)}/${SENDING}`, MOST_SENDING) ?? '');
}

function runPath(runId: string): string {
  if (!isId(runId)) throw new TypeError(`${runId} is no id of a run`);
  return `${REVIEWS}/${runId}`;
}

function gatePath(gate: ReviewedGate): string {
  if (!isId(gate.approvalId)) throw new TypeError(`${gate.approvalId} is no id of a gate`);
  return `${runPath(gate.runId)}/${gate.approvalId}/${shownName(gate)}`;
}

function nameOf(id: string): string {
  if (!isId(id)) throw new TypeError(`${id} is no id of a draft`);
  return `${id}.json`;
}

const isMark = (name: string) => /^[0-9a-f]{64}$/.test(name);
const isDraftName = (name: string) => name.endsWith('.json') && isId(name.slice(0, -'.json'.length));

/** The first entries of a directory that have such names; none if there is no directory. */
function namesIn(stateDir: string, relPath: string, most: number, fits: (name: string) => boolean): string[] {
  let entries: Dirent[] = [];
  visitInside(stateDir, relPath, (directory) => {
    entries = firstEntries(directory, MOST_ENTRIES);
  });
  return entries
    .map(({ name }) => name)
    .filter(fits)
    .slice(0, most);
}

function readText(stateDir: string, relPath: string, most: number): string | undefined {
  const read = readInside(stateDir, relPath, most);
  return read.ok ? read.bytes.toString('utf8') : undefined;
}

/** Tells other clients. The change itself is made, also if that fails. */
function changes(stateDir: string, result: { ok: true } | Refused): void {
  done(result);
  try {
    writeDurable(stateDir, `${REVIEWS}/${CHANGED}`, '');
  } catch {
    // The disk is full. They read the files when they open the gate again.
  }
}

function done(result: { ok: true } | Refused): void {
  if (!result.ok) throw new Error(`Your drafts cannot be kept: ${result.fault}.`);
}
