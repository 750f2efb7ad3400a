import { loadavg } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Envelope, renderEnvelope } from '../../schemas/envelope.ts';
import { pasteable } from '../../tmux/panes/buffers.ts';
import { SHAPES, type Shape } from '../fixtures/scripted/torture.ts';
import { until } from '../helpers/until.ts';
import { isTriedWhole, PROGRAMS, type Program } from './programs/pins.ts';
import { attemptsOf, messagesOf } from './support/attempts.ts';
import { DAEMON_KILLS, type Kill, PROGRAM_KILLS, sendDespiteKill } from './support/kills.ts';
import { useRealSessions } from './support/realSession.ts';
import { BELIEVES_FLAGS, hasWrapped, switchWrapperOff } from './support/wrapper.ts';

/** How many prompts of each shape. `DEVFLOW_TEST_PROMPTS=20` makes a hundred, and every second one meets a kill. */
const ASKED = process.env.DEVFLOW_TEST_PROMPTS;
const EACH = Number(ASKED ?? 2);
const KILLS: readonly Kill[] = ASKED ? [...DAEMON_KILLS, ...PROGRAM_KILLS] : [];
const ROW = { times: EACH, attempts: 3, every: 2 };
const ALL_AT_ONCE: { shapes: readonly Shape[] }[] = [{ shapes: SHAPES }];

/** The oldest Claude Code wraps no paste. */
const CAN_WRAP = process.env.DEVFLOW_TEST_CLAUDE !== process.env.DEVFLOW_TEST_CLAUDE_OLDEST;

interface Wanted {
  shapes: readonly Shape[];
  /** How many prompts. */
  times: number;
  /** How many of them ask for the same phase. */
  attempts: number;
  /** They strike in turn. */
  kills?: readonly Kill[];
  /** Which prompts meet a kill: every second one, for example. */
  every?: number;
  wraps?: boolean;
  /** Messages of a person in place of prompts. */
  areMessages?: boolean;
}

describe.each(PROGRAMS)('%s', (program) => {
  const given = useRealSessions();

  /** Delivers the prompts into one conversation. */
  async function deliver(wanted: Wanted): Promise<void> {
    const { shapes, times, attempts, kills = [], every = 1, wraps = true, areMessages = false } = wanted;
    const session = await given(program, { scenario: 'claims-done', env: wraps ? {} : BELIEVES_FLAGS });
    const { start, model, input, home, screen } = session;
    const configuration = join(home, 'claude-config');
    if (!wraps) switchWrapperOff(configuration);
    let { adapter } = session;
    await start();
    const asked = { seed: `real ${program}`, shapes, attempts, cwd: input.cwd };
    const prompts: Iterator<Envelope, never> = areMessages ? messagesOf(asked) : attemptsOf(asked);
    const rests = () => until('the agent rests', async () => (await adapter.probe(input)).hint === 'READY');
    const sent: string[] = [];
    const takings: number[] = [];
    for (let nth = 0; nth < times; nth++) {
      const envelope = prompts.next().value;
      const kill = nth % every === every - 1 ? kills[Math.floor(nth / every) % kills.length] : undefined;
      // A program that is killed at the end of a turn may not have stored it yet.
      if (kill?.program) await rests();
      const began = performance.now();
      if (kill) adapter = await sendDespiteKill(session, adapter, envelope, kill);
      else await adapter.sendPrompt(input, envelope);
      if (!kill) takings.push(Math.round(performance.now() - began));
      sent.push(envelope.uuid);
      await until(`turn ${nth} is closed (${JSON.stringify(kill)})`, () => model.closed(envelope.uuid)).catch(
        async (error) => {
          throw new Error(`${error}: ${await screen()}`);
        },
      );
      expect(arrived(program, model.textOf(envelope.uuid) ?? '')).toBe(
        arrived(program, pasteable(renderEnvelope(envelope))),
      );
    }
    await rests();
    expect(model.conversation()).toEqual(sent);
    expect(sent.map((uuid) => [model.turns(uuid), model.deliveries(uuid)])).toEqual(sent.map(() => [1, 1]));
    expect(model.merged).toEqual([]);
    const wrapped = program === 'claude' && hasWrapped(configuration);
    expect(wrapped).toBe(program === 'claude' && wraps && CAN_WRAP);
    if (ASKED) console.log(figures(`${program} ${shapes}${wrapped ? ', wrapped' : ''}`, sent.length, takings));
  }

  test.runIf(ASKED).each(SHAPES)(
    'prompts of the shape %s arrive once each, whole and alone',
    (shape) => deliver({ shapes: [shape], ...ROW, kills: isSlowToResume(program, shape) ? [] : KILLS }),
    EACH * 60_000,
  );

  test.skipIf(ASKED)('prompts of each shape arrive once each, whole and alone', () => {
    const attempts = isTriedWhole(program) ? EACH : 1;
    return deliver({ shapes: SHAPES, times: attempts * SHAPES.length, attempts });
  });

  test.runIf(isTriedWhole(program) || ASKED)(
    'messages arrive once each, whole and alone, though the daemon is killed in their delivery',
    () => {
      const shapes: Shape[] = ['one-line', 'many-lines', 'awkward', 'markers'];
      const about = { shapes, attempts: 1, areMessages: true };
      if (!ASKED) return deliver({ ...about, times: DAEMON_KILLS.length, kills: DAEMON_KILLS });
      return deliver({ ...about, times: 2 * shapes.length * EACH, kills: KILLS, every: 2 });
    },
    EACH * 120_000,
  );

  test.skipIf(ASKED)('a prompt arrives once, though the daemon is killed in its delivery', () =>
    deliver({ shapes: ['many-lines', 'markers'], times: DAEMON_KILLS.length, attempts: 3, kills: DAEMON_KILLS }),
  );

  test.runIf(isTriedWhole(program) && !ASKED)(
    'a prompt arrives once, though the daemon and the program are killed after its paste',
    () => deliver({ shapes: ['many-lines'], times: 2, attempts: 2, kills: PROGRAM_KILLS.slice(-1), every: 2 }),
  );

  test.runIf(program === 'claude' && CAN_WRAP).each(ASKED ? SHAPES.map((shape) => ({ shapes: [shape] })) : ALL_AT_ONCE)(
    'prompts arrive once each if the program does not wrap them: $shapes',
    ({ shapes }) => {
      const row = ASKED ? { ...ROW, kills: KILLS } : { times: SHAPES.length, attempts: 1 };
      return deliver({ ...row, shapes, wraps: false });
    },
    EACH * 60_000,
  );
});

/** Gemini draws a resumed conversation first: two minutes for thirteen such prompts. */
const isSlowToResume = (program: Program, shape: Shape) => program === 'gemini' && shape === 'huge';

/** Times from the call to the proof that the prompt was taken, of those that met no kill. */
function figures(what: string, count: number, takings: readonly number[]): string {
  const sorted = takings.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const load = loadavg()[0]?.toFixed(1);
  return `${what}: ${count} prompts, median ${median} ms, slowest ${sorted.at(-1)} ms, load ${load}`;
}

/**
 * How a text changes: Claude turns tabs into blanks, leaves out characters that nobody sees (2.1.332) and composes those of a
 * short text, opencode adds a blank after a paste, Gemini has escaped at signs.
 */
function arrived(program: Program, text: string): string {
  if (program === 'gemini') return text.replaceAll('\\@', '@');
  if (program === 'opencode') return text.replace(/ $/, '');
  return program === 'claude' ? text.replaceAll('\t', '    ').replace(UNSEEN, '').normalize('NFC') : text;
}

const UNSEEN = /\u200b|\u200d|\ufeff|\u00ad|\ufe0f|\u202e/g;
