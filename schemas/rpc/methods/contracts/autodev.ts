import { z } from 'zod';
import { defineContractAct, defineContractMethod, defineContractRead } from '../../contract.ts';
import {
  DetectionView,
  FlowName,
  FlowView,
  ReconciledView,
  RecordedView,
  ShownPointerView,
} from '../../views/autodev.ts';
import { ReportView, repo } from '../../views/contracts.ts';

/** The pointer to the current step of a flow. */
export const AUTODEV_METHODS = [
  defineContractRead({
    name: 'autodev.show',
    summary: 'Check the pointer of a repository, and list the steps of its flow',
    params: z.strictObject({ repo }),
    result: ReportView.extend({ parsed: ShownPointerView.nullable() }),
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'autodev.detect',
    summary: 'Say which step the folders of a repository show, whatever its pointer says',
    params: z.strictObject({
      repo,
      /** Absent: chosen by the repository. */
      flow: FlowName.optional(),
      /** Absent: the highest one that has a report. */
      cycle: z.int().min(1).optional(),
    }),
    result: DetectionView,
    errors: ['contract_not_found'],
  }),
  defineContractMethod({
    name: 'autodev.reconcile',
    summary: 'Say where the work goes on, by the pointer and the folders',
    params: z.strictObject({
      repo,
      /** Write the pointer if the folders contradict it. */
      apply: z.boolean().default(false),
    }),
    result: ReportView.extend({ parsed: ReconciledView }),
    changes: { if: 'apply' },
    caller: 'person',
    errors: ['contract_not_found', 'contract_in_use'],
  }),
  defineContractAct({
    name: 'autodev.record',
    summary: 'Record in the pointer what happened to the current step',
    params: z.strictObject({
      repo,
      /** `started`, `sub-step`, `completed`, `skipped` or `retry-failed`. */
      event: z.string(),
      /** With `started`: a person decided to go on after three failed retries. */
      decided: z.boolean().optional(),
      /** With `sub-step`: the phase, its name, and a note. */
      phase: z.int().min(0).optional(),
      name: z.string().optional(),
      detail: z.string().optional(),
    }),
    result: RecordedView,
    errors: [
      'contract_not_found',
      'contract_invalid',
      'contract_in_use',
      'autodev_transition',
      'autodev_substep_not_monotonic',
      'autodev_substep_reserved',
      'autodev_step_not_optional',
      'autodev_needs_user',
      'autodev_done',
    ],
  }),
  defineContractRead({
    name: 'autodev.flows',
    summary: 'Show the steps, boundaries and rules of one flow, or of all',
    params: z.strictObject({ repo, flow: FlowName.optional() }),
    result: z.union([FlowView, z.record(FlowName, FlowView)]),
    errors: ['contract_not_found'],
  }),
] as const;
