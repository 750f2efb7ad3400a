import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import type { DeliveryPoint } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { type PromptEnvelope, renderEnvelope } from '../../../../../schemas/envelope.ts';
import { DevflowError } from '../../../../../schemas/errors.ts';
import { pasteable } from '../../../../../tmux/panes/buffers.ts';
import { countDelivery, type Sent } from '../../../../fixtures/scripted/journal.ts';
import { seeded } from '../../../../fixtures/scripted/seeded.ts';
import { SHAPES, tortureEnvelope, torturePrompts } from '../../../../fixtures/scripted/torture.ts';
import { useScriptedSessions } from '../../../../helpers/scriptedSession.ts';
import { sendInChild } from './sendInChild.ts';
import { KINDS } from './tortureKinds.ts';

const ALL = Number(process.env.DEVFLOW_TORTURE ?? 100);
const SEED = process.env.DEVFLOW_TORTURE_SEED ?? 'devflow';
const AT_ONCE = 8;
const TRIES = 12;
const POINTS: readonly DeliveryPoint[] = [
  'queued',
  'pasting',
  'pasted',
  'entering',
  'entered',
  'proven',
  'acknowledged',
];

class Killed extends Error {}
const isUncertain = (error: unknown) => error instanceof DevflowError && error.code === 'delivery_uncertain';
const given = useScriptedSessions();

/**
 * Sends prompts one after the other as the engine does: started or adopted, sent, sent again after a kill or a failure.
 * A kill strikes at a random point of a random delivery: by throwing there and dropping the adapter, or for real, in a
 * process of its own.
 */
async function torment(kind: string, ways: string, count: number) {
  const random = seeded(`${SEED} ${kind}`);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  let armed: DeliveryPoint | undefined;
  const at = (point: DeliveryPoint) => {
    if (point !== armed) return;
    armed = undefined;
    throw new Killed(point);
  };
  const { goneMs, unreadMs } = scripted.timings;
  const timings = { ...TIMINGS, readyMs: 15_000, goneMs, unreadMs };
  // Two daemons on one server may kill it: one connects while the other closes a window (connecting.int.test.ts).
  const session = await given({ scripted: ways, roleId: kind, at, apart: true, timings });
  // Each way begins with another shape, so that a short run has all of them.
  const turn = Object.keys(KINDS).indexOf(kind) % SHAPES.length;
  const prompts = torturePrompts(`${SEED} ${kind}`, [...SHAPES.slice(turn), ...SHAPES.slice(0, turn)]);
  const artifacts = join(session.input.cwd, '.devflow');
  mkdirSync(artifacts);
  const sent: Sent[] = [];
  const told: string[] = [];
  let { adapter } = session;
  let kills = 0;
  let doubts = 0;
  /** As a person who looks into the pane. */
  async function answer(envelope: PromptEnvelope): Promise<void> {
    doubts += 1;
    const assumeTaken = (await session.journal()).some(({ uuids }) => uuids.includes(envelope.uuid));
    await adapter.sendPrompt(session.input, envelope, { assumeTaken });
  }
  for (let nth = 0; nth < count; nth++) {
    const envelope = tortureEnvelope(prompts.next().value, { expectedArtifact: join(artifacts, `${nth}.json`) });
    const each: Sent = { uuid: envelope.uuid, text: pasteable(renderEnvelope(envelope)), acknowledged: false };
    sent.push(each);
    for (let tries = 0; tries < TRIES && !each.acknowledged; tries++) {
      armed = tries < 4 && random() < 0.45 ? pick(POINTS) : undefined;
      try {
        if (armed && random() < 0.25) {
          await adapter.release(session.input);
          await sendInChild(session, envelope, armed);
          armed = undefined;
          kills += 1;
          adapter = session.next();
        }
        await adapter.start(session.input);
        await adapter.sendPrompt(session.input, envelope);
        each.acknowledged = true;
      } catch (error) {
        if (error instanceof Killed) {
          kills += 1;
          await adapter.release(session.input);
          adapter = session.next();
        } else {
          told.push(error instanceof Error ? error.message : String(error));
          if (!isUncertain(error)) continue;
          await answer(envelope);
          each.acknowledged = true;
        }
      }
    }
  }
  return { kind, told, kills, doubts, session, sent };
}

const clean = { lost: [], doubled: [], merged: [], altered: [] };
const honest = { falselyAcknowledged: [], falselyFailed: [], whileBusy: [], strangers: [] };

it(
  `${ALL} prompts arrive once, whole and alone, whatever the program does and whenever the daemon is killed`,
  async () => {
    const kinds = Object.entries(KINDS).filter(([kind]) => (process.env.DEVFLOW_TORTURE_KIND ?? kind) === kind);
    const each = Math.ceil(ALL / kinds.length);
    const queue = [...kinds];
    const outcomes: Awaited<ReturnType<typeof torment>>[] = [];
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) outcomes.push(await torment(next[0], next[1], each));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    const faults: unknown[] = [];
    let [whole, kills, doubts] = [0, 0, 0];
    for (const { kind, sent, session, told, kills: struck, doubts: asked } of outcomes) {
      const count = countDelivery(sent, await session.journal());
      whole += count.whole;
      kills += struck;
      doubts += asked;
      const expected = { ...clean, ...honest, sent: each, whole: each };
      try {
        expect(count).toEqual(expected);
      } catch {
        faults.push({ kind, count, told });
      }
    }
    if (process.env.DEVFLOW_TORTURE) console.log(`${whole} whole, ${kills} kills, ${doubts} doubts`);
    expect(faults).toEqual([]);
    expect(whole).toBe(each * kinds.length);
  },
  ALL * 6_000,
);
