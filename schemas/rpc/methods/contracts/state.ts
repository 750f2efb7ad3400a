import { z } from 'zod';
import { defineContractAct, defineContractMethod, defineContractRead } from '../../contract.ts';
import { PlanView, ReportView, repo } from '../../views/contracts.ts';
import { PathText } from '../../views/refs.ts';
import {
  AuditView,
  ClassifiedView,
  ContentsView,
  InitView,
  LaneView,
  ReferencesView,
  SnapshotView,
  WorkflowView,
} from '../../views/state.ts';

const count = z.int().min(0);
/** Carry out the plan. Without it, nothing is done. */
const apply = z.boolean().default(false);
/** The number of snapshots to keep. Absent: as `.devt/config.json` says, else 5. */
const archiveRuns = count.optional();
const acts = ['contract_not_found', 'contract_in_use', 'state_locked', 'path_unsafe'] as const;

/** The state directory `.devt/state`. */
export const STATE_METHODS = [
  defineContractRead({
    name: 'state.audit',
    summary: 'Classify everything in the state directory',
    params: z.strictObject({ repo, staleDays: count.optional(), mode: z.enum(['strict', 'soft']).optional() }),
    result: ReportView.extend({ parsed: AuditView }),
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'state.validate',
    summary: 'Check what the files of the state directory say',
    params: z.strictObject({ repo }),
    result: ReportView.extend({ parsed: ContentsView }),
    errors: ['contract_not_found'],
  }),
  defineContractMethod({
    name: 'state.cleanup',
    summary: 'Archive what is foreign, left over or stale in the state directory',
    params: z.strictObject({
      repo,
      apply,
      staleDays: count.optional(),
      /** Ad hoc files younger than this stay. */
      adHocStaleDays: count.optional(),
      archiveRuns,
    }),
    result: PlanView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: acts,
  }),
  defineContractMethod({
    name: 'state.reset',
    summary: 'Archive everything in the state directory but the exempt names',
    params: z.strictObject({ repo, apply, archiveRuns }),
    result: PlanView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: acts,
  }),
  defineContractMethod({
    name: 'state.evict',
    summary: 'Archive gate markers, and results from before the session',
    params: z.strictObject({ repo, apply, archiveRuns }),
    result: PlanView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: acts,
  }),
  defineContractMethod({
    name: 'state.init',
    summary: 'Begin a workflow: evict, clean up, and stamp workflow.yaml',
    params: z.strictObject({ repo, type: z.string(), task: z.string().optional(), apply }),
    result: InitView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: [...acts, 'contract_invalid'],
  }),
  defineContractRead({
    name: 'state.read',
    summary: 'Show workflow.yaml, or one of its values',
    params: z.strictObject({ repo, key: z.string().optional() }),
    result: z.unknown(),
    errors: ['contract_not_found', 'contract_invalid'],
  }),
  defineContractAct({
    name: 'state.update',
    summary: 'Set values of workflow.yaml',
    params: z.strictObject({
      repo,
      /** Each `key=value`. */
      pairs: z.array(z.string()).min(1),
    }),
    result: WorkflowView,
    errors: [...acts, 'contract_invalid', 'state_anchor_immutable'],
  }),
  defineContractRead({
    name: 'state.sidecar',
    summary: 'Check one sidecar of the state directory',
    params: z.strictObject({ repo, name: z.string() }),
    result: ReportView,
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'state.history',
    summary: 'List the snapshots in the archive of the state directory',
    params: z.strictObject({ repo, limit: count.optional() }),
    result: z.array(SnapshotView),
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'state.references',
    summary: 'Find the files of the state directory that prompts and workflows name',
    params: z.strictObject({
      repo,
      /** Relative to the repository. */
      files: z.array(PathText).min(1),
    }),
    result: ReportView.extend({ parsed: ReferencesView }),
    errors: ['contract_not_found', 'not_found', 'path_unsafe'],
  }),
  defineContractRead({
    name: 'state.classify',
    summary: 'Say the bucket of names, or the file name of a lane',
    params: z.strictObject({ repo, names: z.array(z.string()).default([]), lane: z.string().optional() }),
    result: z.union([ClassifiedView, LaneView]),
    errors: ['contract_not_found'],
  }),
] as const;
