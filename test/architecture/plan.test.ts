import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../../daemon/doctor/checks/index.ts';
import { CATALOGUE } from '../../schemas/errors.ts';
import { EVENTS } from '../../schemas/events/index.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { STATE_KINDS } from '../../schemas/states/index.ts';

/** What devflow was planned with. It never changes. */
const PLANNED = {
  events: list(
    'run.created run.started run.paused run.resumed run.completed run.failed run.aborted phase.started phase.completed',
    'phase.failed phase.skipped prompt.sent prompt.repaired artifact.expected artifact.validated artifact.invalid',
    'artifact.timeout approval.requested approval.resolved session.created session.ready session.busy session.idle',
    'session.crashed session.recovered session.failed command.started command.completed command.failed',
    'review.batch_recorded finding.verifier_resolved backtest.iteration_started backtest.iteration_completed',
    'backtest.objective_evaluated',
  ),
  states: {
    Runs: list('created bound planning awaiting_approval executing paused completed failed aborted'),
    Phases: list('pending running awaiting_artifact validating awaiting_approval completed failed skipped'),
    Gates: list('pending approved rejected changes_requested aborted paused'),
    Sessions: list(
      'CREATED BOOTSTRAPPING READY BUSY WAITING_FOR_APPROVAL ARTIFACT_TIMEOUT HUNG CRASHED RESUMING REBOOTSTRAPPED',
      'FAILED_NEEDS_HUMAN',
    ),
    Severities: list('info low medium high critical'),
    Findings: list('unverified confirmed rejected'),
  } as Record<string, string[]>,
  errors: {
    recoverable: list('network_blip pane_briefly_unresponsive prompt_send_transient db_serialization_retry'),
    human_required: list(
      'artifact_invalid_after_repair artifact_timeout_exhausted destructive_command_blocked secret_access_blocked',
      'backend_unavailable no_eligible_persona writeset_conflict merge_conflict objective_not_met',
      'review_dispute_unresolved',
    ),
    fatal: list(
      'db_unreachable workspace_permissions internal_state_corruption template_load_failed migration_pending',
      'config_invalid',
    ),
  },
  checks: list('node pnpm tmux git docker database migrations workspace config codex claude disk'),
};

const PAGE = readFileSync(join(packageRoot(), 'docs', 'plan.md'), 'utf8');

/** The rows of a section's table, as cells. */
function rowsOf(title: string): string[][] {
  const [, after = ''] = PAGE.split(`\n## ${title}\n`);
  const [section = ''] = after.split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) => line.slice(2, -2).split(' | '));
}

const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
const namedIn = (title: string) => rowsOf(title).flatMap(([first]) => named(first));
const beyond = (all: readonly string[], planned: readonly string[] = []) =>
  all.filter((name) => !planned.includes(name));

describe('docs/plan.md names exactly what devflow has and the plan has not', () => {
  test('events', () => {
    const all = EVENTS.map(({ type }) => type);
    expect(namedIn('Events beyond the plan').sort()).toEqual(beyond(all, PLANNED.events).sort());
    expect(beyond(PLANNED.events, all)).toEqual([]);
  });

  test('states', () => {
    const all = STATE_KINDS.map(
      ({ title, states }) => [title, beyond(Object.keys(states), PLANNED.states[title])] as const,
    );
    const more = all.filter(([, states]) => states.length > 0).map(([title, states]) => [title, [...states].sort()]);
    const rows = rowsOf('States beyond the plan').map(([title = '', cell]) => [title, named(cell).sort()]);
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(more));
    for (const [title, planned] of Object.entries(PLANNED.states)) {
      const states = STATE_KINDS.find((kind) => kind.title === title)?.states ?? {};
      expect(beyond(planned, Object.keys(states)), title).toEqual([]);
    }
  });

  test('errors, and those with another class', () => {
    const planned = Object.values(PLANNED.errors).flat();
    expect(namedIn('Errors beyond the plan').sort()).toEqual(beyond(Object.keys(CATALOGUE), planned).sort());
    expect(beyond(planned, Object.keys(CATALOGUE))).toEqual([]);
    const moved = Object.entries(PLANNED.errors).flatMap(([planned, codes]) =>
      codes.filter((code) => CATALOGUE[code as keyof typeof CATALOGUE].class !== planned),
    );
    expect(moved).toEqual(['workspace_permissions']);
    for (const code of moved) expect(PAGE).toContain(`\`${code}\` asks a person`);
  });

  test('checks', () => {
    const all = CHECKS.map(({ name }) => name);
    expect(namedIn('Checks beyond the plan').sort()).toEqual(beyond(all, PLANNED.checks).sort());
    expect(beyond(PLANNED.checks, all)).toEqual(['pnpm']);
    expect(PAGE).toContain("the plan's `pnpm`");
  });
});

function list(...lines: string[]): string[] {
  return lines.join(' ').split(' ');
}
