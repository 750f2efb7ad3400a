import { type MessageEnvelope, type PromptEnvelope, STILL_HOLDS } from '../../../schemas/envelope.ts';
import { isMachineFault, toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { titleOf } from '../../../schemas/text/titleOf.ts';
import { backoffMs } from '../../../schemas/time/steadyTime.ts';
import type { AgentExit, AgentStall, ProbeResult, SentPrompt, SessionSignal, StartInput } from '../contract/adapter.ts';
import { createOutputLog, type OutputLog } from '../transcript/outputLog.ts';
import { askedComments } from './answerComments.ts';
import { appendFakeJournal, type JournalEntry, type JournalLine, type Received, readFacts } from './fakeJournal.ts';
import { plannedGraph, SLOW_FACTOR, scenarioFor } from './fakeScenario.ts';
import { codeChange, doWork, type Fixtures, projectDirIn, readFixture } from './fakeWork.ts';
import { improvementFor, improvementWork } from './improvement.ts';
import { assignmentOf, readLanePrompt } from './lane/lanePrompt.ts';
import { readReviewPrompt } from './review/reviewPrompt.ts';
import { templateWork } from './templateWork.ts';

export interface FakeOptions {
  /** Holds `<schema id>/<scenario>.json`. */
  fixturesDir: Fixtures;
  delayMs: number;
}

/** Between two tries to write. */
const RETRY = { firstMs: 250, longestMs: 10_000 };

/** One fake agent: its journal, the timers of its unfinished work, and its output. */
export class FakeAgent {
  readonly output: OutputLog = createOutputLog();
  readonly exits = new Set<(exit: AgentExit) => void>();
  readonly #input: StartInput;
  readonly #options: FakeOptions;
  readonly #journal: JournalLine[];
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #atWork = new Set<Promise<void>>();
  /** Prompts whose work failed for good. A restart tries them once more. */
  readonly #givenUp = new Set<string>();
  #dead: string | undefined;
  #closed = false;

  constructor(input: StartInput, options: FakeOptions, journal: JournalLine[]) {
    this.#input = input;
    this.#options = options;
    this.#journal = journal;
  }

  /** Continues the work that the journal says is unfinished. A new agent introduces itself. */
  async open(): Promise<void> {
    const last = this.#journal.findLast((line) => line.type === 'started' || line.type === 'disposed');
    if (last?.type === 'started') {
      this.#say(`adopted session ${this.#input.sessionId}`);
      if (endedUnnoticed(this.#journal)) this.#dead = ENDED;
      this.#continueWork();
    } else {
      await this.#note({ type: 'started' });
      this.#bootstrap();
    }
  }

  hasPrompt(dedupKey: string): boolean {
    return readFacts(this.#journal).promptIds.has(dedupKey);
  }

  async take(given: PromptEnvelope): Promise<SentPrompt> {
    const facts = readFacts(this.#journal);
    const known = facts.promptIds.get(given.dedupKey);
    if (known !== undefined) {
      const sent = { promptId: known, proof: 'conversation' as const };
      return facts.dropped.has(given.dedupKey) ? { ...sent, takerEnded: true } : sent;
    }
    this.#refuseIfDead();
    const envelope = this.#remembering(given);
    const { phaseKey, dedupKey, instructions, expectedArtifact: path, expectedSchema: schema } = envelope;
    const assignment = assignmentOf(path);
    const attempt = facts.attemptOf({ phaseKey, assignment }, dedupKey);
    const { name: scenario, delayMs } = scenarioFor(instructions, phaseKey, attempt, this.#options.delayMs);
    if (scenario === 'crash') {
      await this.#note({ type: 'crashed', dedupKey, phaseKey, assignment });
      this.#dead = 'it crashed at a prompt (scenario crash)';
      this.#say(`crashed at prompt ${envelope.uuid}`);
    }
    this.#refuseIfDead();
    await readFixture(this.#options.fixturesDir, schema, scenario);
    const lane = readLanePrompt(envelope, scenario);
    const code = lane ? undefined : codeChange(envelope);
    const review = readReviewPrompt(envelope, attempt);
    const content =
      plannedGraph(schema, instructions) ??
      improvementWork(envelope, attempt) ??
      templateWork(envelope, attempt, this.#input.cwd);
    const improvement = code && improvementFor(instructions, attempt);
    const projectDir = projectDirIn(instructions);
    const comments = askedComments(instructions);
    const work: Received = {
      type: 'received',
      dedupKey,
      promptId: envelope.uuid,
      path,
      schema,
      scenario,
      phaseKey,
      ...(envelope === given ? { instructions } : {}),
      assignment,
      attempt,
      delayMs,
      code,
      improvement,
      lane,
      review,
      content,
      projectDir,
      ...(comments ? { comments } : {}),
    };
    await this.#note(work);
    this.#say(`received prompt ${work.promptId}; ${intention(work)}`);
    this.#schedule(work);
    return { promptId: work.promptId, proof: 'conversation' };
  }

  /** Its turn is over at once: a message asks for no work. */
  async read({ dedupKey, uuid, text }: MessageEnvelope): Promise<SentPrompt> {
    const known = readFacts(this.#journal).promptIds.get(dedupKey);
    if (known !== undefined) return { promptId: known, proof: 'conversation' };
    this.#refuseIfDead();
    await this.#note({ type: 'read', dedupKey, promptId: uuid, text });
    this.#say(`read message ${uuid}: ${titleOf(text)}`);
    return { promptId: uuid, proof: 'conversation' };
  }

  /** One that a person leads waits for them after each message, and before the first. */
  rest(): AgentStall | undefined {
    if (!this.#input.isLed || !this.probe().alive) return undefined;
    const last = this.#journal.findLast((line) => line.type === 'read');
    return { cause: 'idle', detail: last?.type === 'read' ? `read: ${titleOf(last.text)}` : '' };
  }

  /** A short prompt counts as what it reminds of. */
  #remembering(envelope: PromptEnvelope): PromptEnvelope {
    if (!envelope.instructions.includes(STILL_HOLDS)) return envelope;
    const assignment = assignmentOf(envelope.expectedArtifact);
    const asked = this.#journal.findLast(
      (line) =>
        line.type === 'received' &&
        line.phaseKey === envelope.phaseKey &&
        line.assignment === assignment &&
        line.instructions !== undefined,
    );
    const before = asked?.type === 'received' ? (asked.instructions ?? '') : '';
    return { ...envelope, instructions: `${before}\n\n${envelope.instructions}` };
  }

  probe(): ProbeResult {
    const lastOutputAt = this.output.lastAt();
    if (this.#dead !== undefined) return { alive: false, paneActive: false, lastOutputAt, hint: this.#dead };
    const current = readFacts(this.#journal).unfinished.findLast(({ dedupKey }) => !this.#givenUp.has(dedupKey));
    const hint = current ? `BUSY ${current.phaseKey} attempt ${current.attempt} (${current.scenario})` : 'READY';
    return { alive: true, paneActive: this.#timers.size + this.#atWork.size > 0, lastOutputAt, hint };
  }

  async resume(): Promise<void> {
    await this.#note({ type: 'resumed' });
    this.#dead = undefined;
    this.#say('resumed');
    this.#continueWork();
  }

  async rebootstrap(): Promise<void> {
    await this.#stopWork();
    await this.#note({ type: 'rebootstrapped' });
    this.#dead = undefined;
    this.#bootstrap();
  }

  /** With `ended` the end is recorded, so that a later start begins a new conversation. Otherwise the agent is only released. */
  async close(ended: boolean): Promise<void> {
    this.#closed = true;
    await this.#stopWork();
    this.exits.clear();
    this.output.end();
    if (ended) await this.#note({ type: 'disposed' });
  }

  explain(): SessionSignal[] {
    return this.#journal.map(({ at, type, ...facts }) => {
      const about = 'phaseKey' in facts ? ` for ${facts.phaseKey}` : '';
      return { at: new Date(at), source: 'fake journal', fact: `${type}${about}` };
    });
  }

  #refuseIfDead(): void {
    if (this.#dead === undefined) return;
    throw new DevflowError('prompt_send_transient', `The fake agent took no prompt: ${this.#dead}.`, {
      runId: this.#input.runId,
    });
  }

  #bootstrap(): void {
    this.#say(this.#input.prelude ? `ready; prelude: ${this.#input.prelude}` : 'ready');
  }

  #continueWork(): void {
    for (const work of readFacts(this.#journal).unfinished) {
      if (this.#timers.has(work.dedupKey)) continue;
      this.#say(`goes on with prompt ${work.promptId}; ${intention(work)}`);
      this.#schedule(work);
    }
  }

  /** `slow` does the same work in many steps and prints a line after each; `left` counts the remaining steps. */
  #schedule(work: Received, left = work.scenario === 'slow' ? SLOW_FACTOR : 1): void {
    if (work.scenario === 'timeout' || this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(work.dedupKey);
      if (left > 1) {
        this.#say(`working on prompt ${work.promptId}: ${SLOW_FACTOR - left + 1} of ${SLOW_FACTOR}`);
        this.#schedule(work, left - 1);
        return;
      }
      this.#perform(work, 0);
    }, work.delayMs);
    this.#timers.set(work.dedupKey, timer);
  }

  async #finish(work: Received, tries: number): Promise<void> {
    try {
      if (work.scenario === 'exit') return await this.#exit(work);
      await doWork(this.#input.cwd, this.#options.fixturesDir, work);
      await this.#note({ type: 'wrote', dedupKey: work.dedupKey });
      this.#say(`wrote ${work.path}`);
    } catch (error) {
      const { code, message } = toErrorRecord(error);
      this.#say(`could not write ${work.path}: ${message}`);
      if (isMachineFault(code)) return this.#tryAgain(work, tries);
      // Its turn is over without the artifact, as for an agent that gives up.
      this.#givenUp.add(work.dedupKey);
    }
  }

  /** Somebody may free a full disk. Trying twice does no harm: the same work writes the same files. */
  #tryAgain(work: Received, tries: number): void {
    if (this.#closed) return;
    const timer = setTimeout(
      () => {
        this.#timers.delete(work.dedupKey);
        this.#perform(work, tries + 1);
      },
      backoffMs(tries, RETRY),
    );
    this.#timers.set(work.dedupKey, timer);
  }

  #perform(work: Received, tries: number): void {
    const done = this.#finish(work, tries).finally(() => this.#atWork.delete(done));
    this.#atWork.add(done);
  }

  async #exit(work: Received): Promise<void> {
    await this.#note({ type: 'exited', dedupKey: work.dedupKey });
    this.#dead = ENDED;
    this.#say('ended');
    for (const listener of [...this.exits]) listener({ reason: ENDED, exitCode: 1 });
  }

  async #stopWork(): Promise<void> {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#atWork);
  }

  async #note(entry: JournalEntry): Promise<void> {
    this.#journal.push(await appendFakeJournal(this.#input.sessionDir, entry));
  }

  #say(text: string): void {
    this.output.push(`[fake] ${text}\n`);
  }
}

const ENDED = 'it ended during its work (scenario exit)';

/** It ended and nothing followed; perhaps the daemon was dead by then. */
function endedUnnoticed(journal: readonly JournalLine[]): boolean {
  const about = ['exited', 'resumed', 'rebootstrapped', 'started', 'disposed'];
  return journal.findLast(({ type }) => about.includes(type))?.type === 'exited';
}

function intention(work: Received): string {
  if (work.scenario === 'timeout') return 'will never write';
  const ms = work.scenario === 'slow' ? work.delayMs * SLOW_FACTOR : work.delayMs;
  return work.scenario === 'exit' ? `will end in ${ms}ms` : `will write ${work.path} in ${ms}ms`;
}
