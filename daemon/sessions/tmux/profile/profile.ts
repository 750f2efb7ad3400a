import type { ProgramRights } from '../../../../schemas/repository/programRights.ts';
import type { ProgramPlaces } from '../../../sandbox/prepareSandbox.ts';
import type { StartInput } from '../../contract/adapter.ts';
import type { AgentState } from './evidence.ts';
import type { Screen } from './screen.ts';

/** One backend: how to start its program, and what its output means. Pure, also `launch`. */
export interface Profile {
  /** The versions that the tests ran with, the oldest first. devflow starts any other, too; `doctor --agents` warns of it. */
  readonly tried: readonly [string, ...string[]];
  launch(input: LaunchInput): Launch;
  /** Variables of the daemon's environment that its program gets, besides the common ones. */
  readonly passEnv: readonly string[];
  /** The user's files that the program needs in a sandbox. */
  places(env: Readonly<Record<string, string>>): ProgramPlaces;
  /** From where in its worktree the program would run something unasked. Absent: a flag keeps it from all of that. */
  readonly runnable?: readonly RunnablePlace[];
  /** The command with which a person logs in. */
  readonly logIn: string;
  /** A text that its agents also read before their first prompt. */
  readonly addendum?: string;
  /** Asks the program whether anybody is logged in, if its screen says so late. */
  readonly logInCheck?: {
    readonly args: readonly string[];
    isMissing(said: string): boolean;
    /** After its start. */
    readonly shownWithinMs: number;
  };
  /** Undefined if the event says nothing about the state. */
  readHook(event: HookEvent): Reading | undefined;
  /** The file in which the program reports its state, if it has one. */
  readonly stateFile?: {
    directory(env: Readonly<Record<string, string>>): string;
    /** Undefined if it is about another conversation. */
    read(data: unknown, conversationId: string): StateReading | undefined;
  };
  /** Where the program stores the record of a conversation, if no hook says so. */
  recordOf?(env: Readonly<Record<string, string>>, conversationId: string): RecordPlace;
  /** Reads a line of the program's record of its conversation, if that tells of turns. */
  readRecord?(line: string): RecordLine | undefined;
  readTitle(title: string): AgentState | undefined;
  /** The title says BUSY during the start, too. It counts as a sign of a turn only after the first hook. */
  readonly spinsAtStart?: true;
  /**
   * True for the title of a program that runs no turn. A dialog and a failure may have it too. Only for a program whose
   * record does not report the end of a turn.
   */
  isRestingTitle?(title: string): boolean;
  /** `shownAt`: when the screen was complete, to interpret times of day on it. */
  readScreen(screen: Screen, shownAt: number): ScreenReading;
  /**
   * The keys that empty the composer of an idle agent, and do nothing more if it is empty. Pressed at most once per
   * `timings.clearAgainMs`.
   */
  readonly clearKeys: readonly string[];
  /** The text to paste, so that the program takes it literally. Absent: the text itself. */
  escape?(text: string): string;
  /** `minted`: devflow chooses the conversation's id. `reported`: its hooks report it. */
  readonly conversationId: 'minted' | 'reported';
  readonly timings: Timings;
}

/**
 * A directory whose entries may run, except `unless`; or a file that may run. With `when` only if its text matches or
 * cannot be read.
 */
export type RunnablePlace = { path: string } & ({ unless: readonly string[] } | { when?: RegExp });

/** A glob below a directory. */
export interface RecordPlace {
  within: string;
  pattern: string;
}

/** The input of a program's launch for a session; the session's own facts are those of `StartInput`. */
export interface LaunchInput
  extends Pick<StartInput, 'sessionId' | 'sessionDir' | 'prelude'>,
    Required<Pick<StartInput, 'modelConfig' | 'permissionMode'>> {
  /** The conversation to start (`minted`) or to resume. */
  conversationId?: string;
  resume: boolean;
  /** The shell command for the hook of that name. */
  hookCommand(event: string): string;
  binaryPath: string;
  /** From the configuration. */
  args: readonly string[];
  /** Hooks, rules and servers that a person allowed, as they are in the base commit. Absent: none. */
  rights?: ProgramRights;
  /** The worktree, and its paths in the profile's `runnable` places; absent if there are none. */
  wouldRun?: { worktree: string; paths: readonly string[] };
  /** The program's environment. */
  env: Readonly<Record<string, string>>;
}

export interface Launch {
  argv: [string, ...string[]];
  env: Record<string, string>;
  /** Files in `sessionDir`, by name. */
  files: Record<string, string>;
}

/** One event as a hook received it. */
export interface HookEvent {
  name: string;
  /** When its file was written, by the wall clock. */
  at: number;
  data: Readonly<Record<string, unknown>>;
}

export interface Reading {
  state: AgentState;
  detail?: string;
  /** When the state ends by itself, by the wall clock. */
  until?: number;
  /** The state after `until`, if not READY. */
  after?: 'BUSY';
  /** The program reports the end of its turn: it runs no tool and writes nothing until the next prompt. */
  endsTurn?: true;
  /** It looks like the end of a turn, and proves nothing: the program may still run a tool. */
  mayEndTurn?: true;
  /** The agent's last words in the turn that ended. */
  words?: string;
  /** For a hook about a call of a tool: its name. A question that waits is not over because another tool reports. */
  tool?: string;
}

export interface StateReading extends Reading {
  pid: number;
  /** As in /proc; absent if the program does not report it. */
  procStart?: string;
  /** By the wall clock, as the program wrote it. */
  at: number;
}

/** The conversation of the record; the start (BUSY) or end (READY) of a turn; or another entry, without a state. */
export type RecordLine = { conversationId: string } | RecordEntry;

/** `at` is of the wall clock. */
export type RecordEntry = { state?: 'BUSY' | 'READY'; at: number; detail: string } & Pick<
  Reading,
  'endsTurn' | 'mayEndTurn' | 'words'
>;

export interface ScreenReading {
  /** The text in the composer; undefined if no composer is visible. */
  composer?: string;
  /** The name of a dialog that needs an answer. It counts only if no composer is visible. */
  dialog?: string;
  /** The agent's state by the screen, as the last resort. */
  state?: AgentState;
  detail?: string;
  until?: number;
  /** The state after `until`, if not READY. */
  after?: 'BUSY';
}

/** Milliseconds. */
export interface Timings {
  /** From the launch until it can take a prompt. */
  startMs: number;
  /** The same if it resumes a conversation. */
  resumeMs: number;
  /** Between the first sign of readiness and the first prompt; an earlier prompt is lost. */
  settleStartMs: number;
  /** The time for which it must be READY and silent before devflow types. */
  stableMs: number;
  /** For an agent that is busy, asks a question, or holds a person's draft. */
  readyMs: number;
  /** The minimum between paste and Enter, the silence that ends the paste, and its maximum. */
  pasteMs: number;
  quietMs: number;
  pasteCapMs: number;
  /**
   * The silence after which Enter may come earlier, once a short paste stands in the composer. Longer than the time for
   * which a program takes an Enter after a paste for a part of it.
   */
  shownMs: number;
  /** Press Enter again after this, then after twice that, up to the longest, this many times. */
  enterMs: number;
  enterLongestMs: number;
  enters: number;
  /** The longest wait for the strongest proof after a weaker one. */
  proofMs: number;
  /** The time for which a prompt must be missing everywhere before devflow pastes it again, or asks a person. */
  goneMs: number;
  /** The same for a paste after which the program prints nothing: it has not read it, or has dropped it. */
  unreadMs: number;
  clearAgainMs: number;
}

/**
 * `goneMs` of a program without a hook or record that reports prompts. Its silence proves nothing, so waiting loses
 * nothing. On a busy machine Gemini once gave no sign within 10 s.
 */
export const UNREPORTED_GONE_MS = 30_000;

/** C-c alone quits some programs if their composer is empty (Codex 0.171.0). The character is gone with the rest. */
export const CLEAR_KEYS: Profile['clearKeys'] = ['.', 'C-c'];

export const TIMINGS: Timings = {
  startMs: 60_000,
  resumeMs: 60_000,
  settleStartMs: 700,
  stableMs: 150,
  readyMs: 30 * 60_000,
  pasteMs: 300,
  quietMs: 120,
  pasteCapMs: 3000,
  shownMs: 150,
  enterMs: 250,
  enterLongestMs: 2000,
  enters: 7,
  proofMs: 3000,
  goneMs: 10_000,
  unreadMs: 60_000,
  clearAgainMs: 3000,
};
