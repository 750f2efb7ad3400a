import { expect, test } from 'vitest';
import type { Run } from '../../../daemon/core/run/state.ts';
import { reviewOutcome } from '../../../daemon/kinds/review/reviewOutcome.ts';
import { createLists } from '../../../daemon/store/lists.ts';
import { changedRows } from '../../../daemon/store/projection/projection.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { approve, pause, type Story } from '../core/support/given.ts';
import { onlyReviewing, type Play, reviewing } from '../core/support/reviewStory.ts';
import { untilEnd } from '../core/support/unattended.ts';
import { givenRuns } from '../db/given.ts';

const database = useDatabase();

/** Writes a run as an engine does, with what its rows refer to. Several may be open. */
async function keep({ run, events }: Pick<Story, 'run' | 'events'>, slot: number): Promise<Run> {
  const { pool } = database();
  const { templateId, templateHash, template, bindings } = run;
  await pool.query(
    `INSERT INTO workflow_templates (id, name, version, hash, definition) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [templateId, template.name, template.version, templateHash, template],
  );
  for (const { personaId, personaName, personaVersion, personaHash } of bindings) {
    await pool.query(
      `INSERT INTO agent_personas (id, name, version, hash, definition) VALUES ($1, $2, $3, $4, '{}')
       ON CONFLICT DO NOTHING`,
      [personaId, personaName, personaVersion, personaHash],
    );
  }
  const logged = events.map(({ idempotencyKey, ...event }) => ({ ...event, key: idempotencyKey }));
  const request = { runId: run.id, expectedSeq: 0, events: logged, rows: changedRows(undefined, { ...run, slot }) };
  await pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify([request])]);
  return run;
}

const WITH_FIXER = ['reviewer', 'verifier', 'implementer'];
const red: Play = { command: () => 1, fixes: () => false };
const two: Play = { look: () => [{ line: 1 }, { line: 9, claim: 'Else.' }, { line: 20, severity: 'low' }] };
const shaped = (name: string) => ({ runId: derivedId('run', name) });

const STORIES: Record<string, () => Story> = {
  passed: () => onlyReviewing({}, {}, shaped('passed')),
  'blocked by findings': () => onlyReviewing(two, {}, shaped('findings')),
  'blocked by a check': () => onlyReviewing(red, {}, shaped('check')),
  'a rehearsal that passed': () => onlyReviewing({}, { verifier: 'fake' }, shaped('rehearsal')),
  'a rehearsal that is blocked': () => onlyReviewing(two, { 'reviewer#1': 'fake' }, shaped('blocked rehearsal')),
  'with a fixer: fixed': () => onlyReviewing({}, {}, { ...shaped('fixed'), roles: WITH_FIXER }),
  'with a fixer: asked': () => onlyReviewing(red, {}, { ...shaped('asked'), roles: WITH_FIXER }),
  'with a fixer: accepted': () => onlyReviewing(red, {}, { ...shaped('accepted'), roles: WITH_FIXER }).on(approve),
  'with a fake fixer': () => onlyReviewing({}, { implementer: 'fake' }, { ...shaped('fake fixer'), roles: WITH_FIXER }),
  paused: () => onlyReviewing(red, {}, { ...shaped('paused'), roles: WITH_FIXER }).on(pause),
  'more than a review': () => untilEnd(reviewing(two, {}, shaped('more'))),
};

test('rows say of each run what its log says', async () => {
  const { pool } = database();
  const said: Record<string, unknown> = {};
  const lists = createLists(pool);
  for (const [slot, [name, tell]] of Object.entries(STORIES).entries()) {
    const run = await keep(tell(), slot);
    const [row] = (await lists.listRuns({})).filter(({ runId }) => runId === run.id);
    expect({ name, outcome: row?.outcome }).toEqual({ name, outcome: reviewOutcome(run) });
    said[name] = [row?.outcome?.word, row?.outcome?.blockers, row?.onlyReviews].filter((each) => each !== undefined);
  }
  expect(said).toEqual({
    passed: ['passed', 0, true],
    'blocked by findings': ['blocked', 2, true],
    'blocked by a check': ['blocked', 1, true],
    'a rehearsal that passed': ['rehearsal', 0, true],
    'a rehearsal that is blocked': ['rehearsal', 2, true],
    'with a fixer: fixed': ['passed', 0],
    'with a fixer: asked': [],
    'with a fixer: accepted': ['accepted', 1],
    'with a fake fixer': ['passed', 0],
    paused: [],
    'more than a review': [],
  });
});

test('a run has its outcome once it is completed, and keeps it', async () => {
  const story = onlyReviewing({}, {}, shaped('later'));
  await keep({ ...story, run: { ...story.run, state: 'executing', endedAt: null } }, 0);
  const lists = createLists(database().pool);
  const listed = async () => (await lists.listRuns({})).map(({ state, outcome }) => [state, outcome?.word]);
  expect(await listed()).toEqual([['executing', undefined]]);
  await database().pool.query(`UPDATE runs SET state = 'completed'`);
  expect(await listed()).toEqual([['completed', 'passed']]);
  expect(await listed()).toEqual([['completed', 'passed']]);
});

test('a template without phases is no review', async () => {
  await givenRuns(database(), 1);
  const [row] = await createLists(database().pool).listRuns({});
  expect(row).not.toHaveProperty('onlyReviews');
});
