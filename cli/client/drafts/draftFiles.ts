import { randomUUID } from 'node:crypto';
import type { Dirent } from 'node:fs';
import type { NewComment } from '../../../schemas/comments/comment.ts';
import { firstEntries } from '../../../schemas/files/entries.ts';
import { readInside, visitInside } from '../../../schemas/files/insideRoot.ts';
import type { Refused } from '../../../schemas/files/openRegular.ts';
import { isId } from '../../../schemas/ids.ts';
import { type Draft, draftOf, type Sending, sendingOf } from './draft.ts';
import { removeDurable, writeDurable } from './durable.ts';

/** A gate of a run, and the hash of what it shows; empty if the daemon does not say. */
export interface ReviewedGate {
  readonly runId: string;
  readonly approvalId: string;
  readonly shown: string;
}

export interface Review {
  /** Of this gate, and of earlier ones of the run that were not sent; the oldest first. */
  readonly drafts: readonly Draft[];
  /** The marks of files that a person has read. */
  readonly read: readonly string[];
  /** Of this gate, if an earlier try may have sent it. */
  readonly sending: Sending | undefined;
  /** How many files are no drafts. */
  readonly strange: number;
}

const ROOM = 'reviews';
const SENDING = 'sending.json';
const READ = 'read';
const SHOWN_LENGTH = 12;
/** More than one decision takes. */
const MOST_DRAFTS = 200;
const MOST_GATES = 100;
const MOST_READ = 5_000;
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
  const ofRun = runPath(gate.runId);
  for (const approvalId of namesIn(stateDir, ofRun, MOST_GATES, isId)) {
    for (const shown of namesIn(stateDir, `${ofRun}/${approvalId}`, MOST_GATES, isShown)) {
      const room = `${ofRun}/${approvalId}/${shown}`;
      for (const name of namesIn(stateDir, room, MOST_DRAFTS, isDraftName)) {
        const draft = draftOf(readText(stateDir, `${room}/${name}`, MOST_BYTES) ?? '');
        if (draft) drafts.push({ id: name.slice(0, -'.json'.length), approvalId, shown, ...draft });
        else strange += 1;
      }
    }
  }
  drafts.sort((a, b) => (a.at === b.at ? (a.id < b.id ? -1 : 1) : a.at < b.at ? -1 : 1));
  const read = namesIn(stateDir, `${ofRun}/${READ}`, MOST_READ, isMark);
  return { drafts, read, sending: readSending(stateDir, gate), strange };
}

/** Writes a draft, also over an older one of the same id. */
export function writeDraft(
  stateDir: string,
  gate: ReviewedGate,
  { id = randomUUID(), at, comment }: Pick<Draft, 'at' | 'comment'> & { id?: string },
): Draft {
  const shown = shownName(gate);
  done(writeDurable(stateDir, `${gatePath(gate)}/${nameOf(id)}`, `${JSON.stringify({ at, comment })}\n`));
  return { id, approvalId: gate.approvalId, shown, at, comment };
}

export function removeDraft(
  stateDir: string,
  runId: string,
  { approvalId, shown, id }: Pick<Draft, 'approvalId' | 'shown' | 'id'>,
): void {
  done(removeDurable(stateDir, `${gatePath({ runId, approvalId, shown })}/${nameOf(id)}`));
}

export function markRead(stateDir: string, runId: string, mark: string, isRead: boolean): void {
  if (!isMark(mark)) throw new TypeError(`${mark} is no mark`);
  const path = `${runPath(runId)}/${READ}/${mark}`;
  done(isRead ? writeDurable(stateDir, path, '') : removeDurable(stateDir, path));
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
export function endSending(
  stateDir: string,
  gate: ReviewedGate,
  { clientToken, drafts }: Pick<Sending, 'clientToken' | 'drafts'>,
  isTaken: boolean,
): void {
  // Drafts first: after a crash between, the same token finds the same decision, and the rest goes.
  if (isTaken) {
    const all = readReview(stateDir, gate).drafts.filter(({ id }) => drafts.includes(id));
    for (const draft of all) removeDraft(stateDir, gate.runId, draft);
  }
  if (readSending(stateDir, gate)?.clientToken === clientToken)
    done(removeDurable(stateDir, `${gatePath(gate)}/${SENDING}`));
}

function readSending(stateDir: string, gate: ReviewedGate): Sending | undefined {
  return sendingOf(readText(stateDir, `${gatePath(gate)}/${SENDING}`, MOST_SENDING) ?? '');
}

function runPath(runId: string): string {
  if (!isId(runId)) throw new TypeError(`${runId} is no id of a run`);
  return `${ROOM}/${runId}`;
}

function gatePath(gate: ReviewedGate): string {
  if (!isId(gate.approvalId)) throw new TypeError(`${gate.approvalId} is no id of a gate`);
  return `${runPath(gate.runId)}/${gate.approvalId}/${shownName(gate)}`;
}

/** The part of the hash that stands in paths and drafts. */
export function shownName({ shown }: Pick<ReviewedGate, 'shown'>): string {
  const begin = shown.slice(0, SHOWN_LENGTH);
  return isShown(begin) ? begin : 'unknown';
}

function nameOf(id: string): string {
  if (!isId(id)) throw new TypeError(`${id} is no id of a draft`);
  return `${id}.json`;
}

const isShown = (name: string) => name === 'unknown' || /^[0-9a-f]{12}$/.test(name);
const isMark = (name: string) => /^[0-9a-f]{64}$/.test(name);
const isDraftName = (name: string) => name.endsWith('.json') && isId(name.slice(0, -'.json'.length));

/** The first entries of a directory that have such names; none if there is no directory. */
function namesIn(stateDir: string, relPath: string, most: number, fits: (name: string) => boolean): string[] {
  let entries: Dirent[] = [];
  visitInside(stateDir, relPath, (directory) => {
    entries = firstEntries(directory, 2 * most);
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

function done(result: { ok: true } | Refused): void {
  if (!result.ok) throw new Error(`Your drafts cannot be kept: ${result.fault}.`);
}
