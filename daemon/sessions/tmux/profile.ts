import type { PermissionMode } from '../../../schemas/enums.ts';
import type { AgentState } from './observe/evidence.ts';
import type { Screen } from './observe/screen.ts';

/** One backend: how its program is started and what it means by what it shows. Pure but for `launch`, which is too. */
export interface Profile {
  readonly id: string;
  launch(input: LaunchInput): Launch;
  /** Variables of the daemon's own environment that its program is given, besides the common ones. */
  readonly passEnv: readonly string[];
  /** What a person runs in a terminal to log in. */
  readonly logIn: string;
  /** Undefined when the event says nothing of the state. */
  readHook(event: HookEvent): Reading | undefined;
  /** A file that the program keeps up to date about itself, if it has one. */
  readonly stateFile?: {
    directory(env: Readonly<Record<string, string>>): string;
    /** Undefined when it is not about that conversation. */
    read(data: unknown, conversationId: string): StateReading | undefined;
  };
  /** Where its program keeps the record of a conversation, if no hook tells: a glob, below a directory. */
  recordOf?(env: Readonly<Record<string, string>>, conversationId: string): { within: string; pattern: string };
  /** A line of the record that the program keeps of its conversation, where that tells of turns. */
  readRecord?(line: string): RecordLine | undefined;
  readTitle(title: string): AgentState | undefined;
  /** `shownAt`: by when all of it was shown, for times of day that stand there. */
  readScreen(screen: Screen, shownAt: number): ScreenReading;
  /** Empties the composer of an idle agent; pressed once at most in `waits.clearAgainMs`, for a second may quit. */
  readonly clearKeys: readonly string[];
  /** Whether devflow gives a conversation its id, or its hooks tell it. */
  readonly conversationId: 'minted' | 'reported';
  readonly timings: Timings;
}

export interface LaunchInput {
  sessionId: string;
  /** The conversation to begin (`minted`), or to go on with. */
  conversationId?: string;
  resume: boolean;
  /** Devflow's own directory, absolute. */
  sessionDir: string;
  /** The shell command that a hook of that name runs. */
  hookCommand(event: string): string;
  /** What the agent is told before anything else. */
  prelude?: string;
  permissionMode: PermissionMode;
  modelConfig: Readonly<Record<string, unknown>>;
  binaryPath: string;
  /** Of the configuration. */
  args: readonly string[];
  /** What the program will get. */
  env: Readonly<Record<string, string>>;
}

export interface Launch {
  argv: [string, ...string[]];
  env: Record<string, string>;
  /** Under `sessionDir`, by name. */
  files: Record<string, string>;
}

/** One event as a hook was told of it. */
export interface HookEvent {
  name: string;
  /** When its file was written. */
  at: number;
  data: Readonly<Record<string, unknown>>;
}

export interface Reading {
  state: AgentState;
  detail?: string;
  /** When the state ends by itself. */
  until?: number;
  /** What it is then, where that is not READY. */
  after?: 'BUSY';
}

export interface StateReading extends Reading {
  pid: number;
  /** As in /proc; absent where the program does not tell it. */
  procStart?: string;
  at: number;
}

/** Whose record it is, or that a turn has begun (BUSY) or ended (READY) at that time. */
export type RecordLine = { conversationId: string } | { state: 'BUSY' | 'READY'; at: number; detail: string };

export interface ScreenReading {
  /** What stands in the input row; undefined when there is none to be seen. */
  composer?: string;
  /** The name of a dialog that wants an answer. Counts only where no composer is to be seen. */
  dialog?: string;
  /** What the screen says of the agent, as the last resort. */
  state?: AgentState;
  detail?: string;
  until?: number;
}

/** Milliseconds. */
export interface Timings {
  /** From the launch until it can take a prompt. */
  startMs: number;
  /** Between the first sign of readiness and the first prompt: what comes earlier is lost. */
  settleStartMs: number;
  /** READY and silent for so long before anything is typed. */
  stableMs: number;
  /** For an agent that is busy, asks something, or holds a person's draft. */
  readyMs: number;
  /** The least between paste and Enter, the silence that ends the paste, and the most it may take. */
  pasteMs: number;
  quietMs: number;
  pasteCapMs: number;
  /** Enter again after this, twice that, and so on up to the longest, so many times. */
  enterMs: number;
  enterLongestMs: number;
  enters: number;
  /** For the strongest proof, once weaker ones are there. */
  proofMs: number;
  clearAgainMs: number;
}

export const TIMINGS: Timings = {
  ...{ startMs: 60_000, settleStartMs: 700, stableMs: 150, readyMs: 30 * 60_000 },
  ...{ pasteMs: 300, quietMs: 120, pasteCapMs: 3000 },
  ...{ enterMs: 250, enterLongestMs: 2000, enters: 7, proofMs: 3000, clearAgainMs: 3000 },
};
