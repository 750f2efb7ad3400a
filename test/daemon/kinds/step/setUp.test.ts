import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { readTemplateText } from '../../../../schemas/definitions/definitionFile.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { approve, commandFails, decision, done, given, type Input } from '../../core/support/given.ts';
import { finished, GUESS, placed, SETUP, setUp } from '../../core/support/setup.ts';
import { until } from '../../core/support/unattended.ts';

const yaml = readFileSync(join(packageRoot(), 'schemas/templates/template-factory@1.yaml'), 'utf8');
const read = readTemplateText(yaml, { schemaFault: () => undefined });
if (!read.ok) throw new TypeError('template-factory@1 is no template');
const { definition: template } = read.value;

const asks: Input = ({ phases }) => ({
  type: 'stepPerformed',
  phaseId: phases[0]?.id ?? '',
  attempt: 1,
  result: { ok: false, ask: { plan: 'first', probes: [], limits: [] } },
});
const step = (run: Run) => decide(run).find((effect) => effect.type === 'performStep');
const asked = (setup = SETUP) => given({ template, setup }, done('lockBindings')).on(asks);

describe('a step that runs commands of the repository', () => {
  test('only lists them before a person decided, so nothing is set up', () => {
    expect(step(given({ template, setup: SETUP }, done('lockBindings')).run)?.setup).toBeUndefined();
    asked().decides();
  });

  test('waits for the set-up of the worktree, and takes over what it made', () => {
    const ready = asked()
      .on(approve)
      .decides('placeWorktree')
      .on(...setUp)
      .decides('performStep');
    expect(step(ready.run)?.setup).toMatchObject({
      env: { NODE_ENV: 'test' },
      ports: ['PORT'],
      variables: { PORT: '4000', DEVFLOW_LANE: 'main', DEVFLOW_WORKTREE: ready.run.worktreeRoot },
    });
  });

  test('needs none if it may run nothing', () => {
    asked().on(decision('request_changes')).decides('performStep');
  });

  test('does without where the set-up failed and a person said so', () => {
    const without = asked().on(approve, placed, commandFails, finished, decision('reject')).decides('performStep');
    expect(step(without.run)?.setup).toBeUndefined();
  });

  test('does without where a guess failed', () => {
    const failed = asked(GUESS).on(approve, placed, commandFails, finished).decides('performStep');
    expect(step(failed.run)?.setup).toBeUndefined();
  });
});

test('a rehearsal takes it over, too, and publishing does not', () => {
  const of = (name: string) => (run: Run) => step(run)?.step === name;
  const story = given({ template, setup: SETUP });
  expect(step(until(story, of('rehearse')).run)?.setup).toMatchObject({ variables: { PORT: '4000' } });
  expect(step(until(story, of('promote')).run)?.setup).toBeUndefined();
});
