import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import { PERFORMERS } from '../../../../daemon/engine/allPerformers.ts';
import { createPerform } from '../../../../daemon/engine/local/perform.ts';
import type { PerformerPorts } from '../../../../daemon/engine/performers/performer.ts';
import { systemClock } from '../../../../daemon/system/clock.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { approve, decision, firstPhaseDone, given, phaseDone } from '../../core/support/given.ts';
import { silent } from '../local/support/performing.ts';

it('fails a command that the policy blocks; its gate accepts approve and request_changes', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'devflow-blocked-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const story = given({ template: 'withoutPlan' }, ...firstPhaseDone);
  const due = decide(story.run).find((effect): effect is EffectOf<'runCommand'> => effect.type === 'runCommand');
  if (!due) throw new TypeError('no command is due');
  const ports = { clock: systemClock, faults: noFaults, log: silent } as unknown as PerformerPorts;
  const lane = { ...due.lane, path: cwd };
  const effect = { ...due, argv: ['git', 'reset', '--hard'], cwd, lane, dir: join(cwd, 'out') };
  const outcome = await createPerform(PERFORMERS, ports)(effect, new AbortController().signal);
  const reason = 'blocked by policy: git reset --hard discards uncommitted work';
  expect(outcome).toEqual({ type: 'commandEnded', commandId: due.commandId, exitCode: null, ok: false, reason });
  expect(readFileSync(join(cwd, 'out', `${due.commandId}.err`), 'utf8')).toContain(reason);

  if (!outcome) throw new TypeError('there is no outcome');
  const asked = () => given({ template: 'withoutPlan' }, ...firstPhaseDone).on(outcome);
  asked().records('command.failed', 'approval.requested').to({ run: 'awaiting_approval' });
  expect(asked().run.approvals.at(-1)?.subject).toMatchObject({ commands: [{ exitCode: null, reason }] });
  asked().on(approve).to({ run: 'completed' });
  const again = asked().on(decision('request_changes', 'Take the reset out.'), ...phaseDone);
  expect(decide(again.run)).toMatchObject([{ type: 'runCommand' }]);
});
