import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCommitter } from '../../../daemon/db/committer.ts';
import type { ProjectedTable, RowOf } from '../../../daemon/db/schema/projected.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { creation, event, givenTemplate, runRow } from './given.ts';

const db = useDatabase();
const T = '2026-01-02T03:04:05.678Z';

const givenChunk = (sessionId: unknown) =>
  db().pool.query(`INSERT INTO tui_transcript_chunks (session_id, seq, content) VALUES ($1, 1, 'hello')`, [sessionId]);

/** One row of every table that a transition may write, all of one run. */
async function everyRow(): Promise<{ [N in ProjectedTable]: [RowOf<N>] }> {
  const persona = await db().pool.query(
    `INSERT INTO agent_personas (name, version, hash, definition) VALUES ('p', 1, 'h', '{}') RETURNING id`,
  );
  const phase = randomUUID();
  const gate = randomUUID();
  const evaluation = randomUUID();
  const run = runRow(await givenTemplate(db()), { current_phase_id: phase, state: 'planning', updated_at: T });
  const own = { id: randomUUID(), run_id: run.id };
  return {
    runs: [run],
    run_inputs: [{ ...own, requirements_md: 'do', objective: { a: 1 }, extra: null, input_hash: 'i' }],
    run_bindings: [
      { ...own, role_id: 'r', persona_id: persona.rows[0].id, persona_hash: 'h', backend: 'fake', binding_hash: 'b' },
    ],
    run_phases: [
      {
        id: phase,
        run_id: run.id,
        phase_key: 'spec',
        seq: 0,
        state: 'running',
        attempts: 1,
        started_at: T,
        ended_at: null,
        updated_at: T,
      },
    ],
    approval_requests: [
      {
        id: gate,
        run_id: run.id,
        phase_id: phase,
        gate_key: 'g',
        state: 'pending',
        idempotency_key: 'k',
        payload: { a: [1] },
        created_at: T,
        resolved_at: null,
        updated_at: T,
      },
    ],
    approval_decisions: [
      { id: own.id, approval_request_id: gate, action: 'approve', comment: 'yes', decided_at: T, idempotency_key: 'd' },
    ],
    lanes: [
      {
        ...own,
        lane_id: 'lane-1',
        phase_id: phase,
        role_id: 'r',
        path: '/w/lanes/lane-1',
        branch: 'devflow/r/lane-1',
        base: 'b',
        head: null,
        state: 'open',
        updated_at: T,
      },
    ],
    lane_tasks: [
      {
        ...own,
        phase_id: phase,
        task_id: 't',
        lane_id: null,
        title: 'Do it',
        state: 'waiting',
        seq: 1,
        definition: { writeSet: ['a/**'] },
        work: null,
        updated_at: T,
      },
    ],
    review_findings: [
      {
        ...own,
        phase_id: phase,
        reviewer_role: 'reviewer#0',
        severity: 'high',
        category: 'correctness',
        file_path: 'src/a.ts',
        line: 3,
        summary: 'It never ends',
        evidence: null,
        verifier_status: 'unverified',
        state: 'unverified',
        details: { quote: 'for (;;)' },
        created_at: T,
        updated_at: T,
      },
    ],
    backtest_iterations: [
      {
        ...own,
        id: evaluation,
        phase_id: phase,
        attempt: 1,
        iteration: 2,
        commit: 'c',
        tree: 't',
        status: null,
        is_kept: null,
        value: null,
        deviation: null,
        gain: null,
        needed: null,
        targets_met: 0,
        reason: null,
        stop_reason: null,
        hypothesis: null,
        details: {},
        started_at: T,
        ended_at: null,
        created_at: T,
        updated_at: T,
      },
    ],
    backtest_metrics: [
      {
        ...own,
        iteration_id: evaluation,
        command_id: randomUUID(),
        part: 'validation',
        metrics: { sharpe: 1.495 },
        absent: { sortino: 'is NaN' },
        fault: null,
        created_at: T,
      },
    ],
    tui_sessions: [
      {
        ...own,
        role_id: 'r',
        lane_id: 'lane-1',
        backend: 'fake',
        cwd: '/w',
        expected_artifact_path: 'a',
        expected_schema: 's',
        last_prompt_hash: null,
        last_prompt_at: T,
        state: 'READY',
        recovery_attempts: 2,
        updated_at: T,
      },
    ],
    artifacts: [
      {
        ...own,
        phase_id: phase,
        lane_id: 'lane-1',
        path: 'p',
        stored_path: null,
        schema_id: 's',
        hash: 'h',
        valid: false,
        validation_error: [{ m: 1 }],
        created_at: T,
      },
    ],
    commands: [
      {
        ...own,
        phase_id: phase,
        lane_id: 'lane-1',
        kind: 'test',
        argv: ['a b', '"c"'],
        cwd: '/w',
        exit_code: null,
        stdout_path: null,
        stderr_path: null,
        started_at: T,
        ended_at: null,
        updated_at: T,
      },
    ],
  };
}

async function stored(table: string): Promise<Record<string, unknown>[]> {
  const { rows } = await db().pool.query(`SELECT * FROM ${table}`);
  return rows.map((row) => JSON.parse(JSON.stringify(row)));
}

test('writes every table in one call, parents first; a second call changes only what it names', async () => {
  const rows = await everyRow();
  const committer = createCommitter(db().connection, { epoch: null });
  await committer.commit(creation(rows.runs[0], { rows }));
  for (const [table, [row]] of Object.entries(rows))
    expect(await stored(table)).toEqual([expect.objectContaining(row)]);

  await db().pool.query(`UPDATE tui_sessions SET tmux_session = 'mine', last_capture_seq = 9`);
  const later = {
    runs: [{ ...rows.runs[0], state: 'failed', current_phase_id: null, ended_at: T }],
    run_phases: [{ ...rows.run_phases[0], state: 'failed', ended_at: T }],
    approval_requests: [{ ...rows.approval_requests[0], state: 'approved', resolved_at: T }],
    lanes: [{ ...rows.lanes[0], base: 'c', head: 'h', state: 'landed' }],
    lane_tasks: [{ ...rows.lane_tasks[0], lane_id: 'lane-1', state: 'landed', work: { commit: 'h' } }],
    review_findings: [{ ...rows.review_findings[0], line: 7, state: 'fixed', details: { quote: 'for' } }],
    backtest_iterations: [
      {
        ...rows.backtest_iterations[0],
        status: 'valid',
        is_kept: true,
        value: 0.1 + 0.2,
        stop_reason: 'met',
        ended_at: T,
      },
    ],
    tui_sessions: [{ ...rows.tui_sessions[0], state: 'CRASHED', last_prompt_at: null }],
    artifacts: [{ ...rows.artifacts[0], valid: true, stored_path: '/s', validation_error: null }],
    commands: [{ ...rows.commands[0], exit_code: 3, ended_at: T }],
  };
  await committer.commit({ runId: rows.runs[0].id, expectedSeq: 1, events: [event('failed')], rows: later });
  for (const [table, [row]] of Object.entries(later))
    expect(await stored(table)).toEqual([expect.objectContaining(row)]);
  expect(await stored('tui_sessions')).toEqual([
    expect.objectContaining({ tmux_session: 'mine', last_capture_seq: 9 }),
  ]);
  await committer.close();
});

test('removes a task that has nothing but its id, and keeps one that a later transition writes', async () => {
  const rows = await everyRow();
  const [task] = rows.lane_tasks as [{ id: string }];
  const other = { ...task, id: randomUUID(), task_id: 'other' };
  const write = (tasks: object[], key: string) => ({
    ...{ runId: rows.runs[0].id, expectedSeq: null, events: [event(key)], rows: { lane_tasks: tasks } },
  });
  const { run_phases, runs } = rows;
  const batch = [creation(runs[0], { rows: { runs, run_phases } }), write([task, other], 'planned')];
  await db().pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify(batch)]);
  expect(await stored('lane_tasks')).toHaveLength(2);
  const again = [write([{ id: task.id }, { id: other.id }], 'planned again'), write([other], 'and again')];
  await db().pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify(again)]);
  expect(await stored('lane_tasks')).toEqual([expect.objectContaining(other)]);
});

test('removes a finding that has nothing but its id', async () => {
  const rows = await everyRow();
  const [finding] = rows.review_findings as [{ id: string }];
  const committer = createCommitter(db().connection, { epoch: null });
  const { runs, run_phases, review_findings } = rows;
  await committer.commit(creation(runs[0], { rows: { runs, run_phases, review_findings } }));
  expect(await stored('review_findings')).toHaveLength(1);
  const gone = { review_findings: [{ id: finding.id }] };
  await committer.commit({ runId: runs[0].id, expectedSeq: null, events: [], rows: gone });
  expect(await stored('review_findings')).toEqual([]);
  await committer.close();
});

test('keeps the later of two writes to one row in a batch', async () => {
  const row = runRow(await givenTemplate(db()));
  const bound = { ...row, state: 'bound' };
  const batch = [creation(row), { runId: row.id, expectedSeq: 1, events: [event('b')], rows: { runs: [bound] } }];
  await db().pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify(batch)]);
  expect(await stored('runs')).toEqual([expect.objectContaining({ state: 'bound' })]);
});

test('the log, decisions and transcripts cannot be changed', async () => {
  const rows = await everyRow();
  const { approval_requests, approval_decisions, ...rest } = rows;
  const committer = createCommitter(db().connection, { epoch: null });
  await committer.commit(
    creation(rows.runs[0], { rows: rest, events: [event('created', { phaseId: rows.run_phases[0]?.id as string })] }),
  );
  await committer.commit({
    runId: rows.runs[0].id,
    expectedSeq: 1,
    events: [],
    rows: { approval_requests, approval_decisions },
  });
  await committer.close();
  await givenChunk(rows.tui_sessions[0]?.id);
  const changes = {
    run_events: 'seq = 7',
    approval_decisions: "comment = 'x'",
    tui_transcript_chunks: "content = 'x'",
  };
  for (const [table, change] of Object.entries(changes)) {
    for (const query of [`DELETE FROM ${table}`, `UPDATE ${table} SET ${change}`, `TRUNCATE ${table}`]) {
      await expect(db().pool.query(query), query).rejects.toMatchObject({ code: 'DF010' });
    }
  }
  await expect(db().pool.query('TRUNCATE runs CASCADE')).rejects.toMatchObject({ code: 'DF010' });
  // Approvals have no cascade: a run with decisions stays.
  await expect(db().pool.query('DELETE FROM runs')).rejects.toMatchObject({ code: '23503' });
});

test('deletes a run without decisions together with its log and transcripts', async () => {
  const { approval_requests: _, approval_decisions: __, ...rows } = await everyRow();
  const [gone] = rows.runs as [{ id: string; template_id: string }];
  const kept = runRow(gone.template_id);
  const batch = [creation(kept), creation(rows.runs[0], { rows })];
  await db().pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify(batch)]);
  await givenChunk(rows.tui_sessions[0]?.id);
  await db().pool.query('DELETE FROM runs WHERE id = $1', [gone.id]);
  expect((await stored('run_events')).map(({ run_id }) => run_id)).toEqual([kept.id]);
  expect(await stored('tui_transcript_chunks')).toEqual([]);
});

test('refuses a value outside a closed vocabulary', async () => {
  const row = { ...runRow(await givenTemplate(db())), state: 'napping' };
  const committer = createCommitter(db().connection, { epoch: null });
  await expect(committer.commit(creation(row))).rejects.toMatchObject({
    code: '23514',
    constraint: 'runs_state_check',
  });
  await committer.close();
});
