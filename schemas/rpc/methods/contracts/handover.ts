import { z } from 'zod';
import { defineContractMethod, defineContractRead } from '../../contract.ts';
import { ReportView, repo } from '../../views/contracts.ts';
import {
  CleanupView,
  DriftView,
  KindOfHandover,
  NextSessionView,
  ProjectView,
  RemediationView,
} from '../../views/handover.ts';
import { PathText } from '../../views/refs.ts';

/** Relative to the repository. */
const path = PathText;

/** The handovers of a project: what one phase of work gives to the next. */
export const HANDOVER_METHODS = [
  defineContractRead({
    name: 'handover.validate',
    summary: 'Check one handover at any path',
    params: z.strictObject({
      repo,
      kind: KindOfHandover,
      path,
      /** Only warn of what is missing, as a reader does. */
      soft: z.boolean().default(false),
      /** With research: the path is its directory. */
      dir: z.boolean().default(false),
      /** With progress: it must have something left to do. */
      resume: z.boolean().default(false),
    }),
    result: ReportView,
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'handover.check',
    summary: 'Check all handovers of a project, each as its reader does',
    params: z.strictObject({
      repo,
      project: path,
      /** Check brief, research and review as their writer does. */
      strict: z.boolean().default(false),
    }),
    result: ProjectView,
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'handover.findings',
    summary: 'List the findings of a review that a remediation plan must serve',
    params: z.strictObject({ repo, review: path }),
    result: RemediationView,
    errors: ['contract_not_found'],
  }),
  defineContractMethod({
    name: 'handover.drift',
    summary: 'Compare the progress of a project with the commits of git',
    params: z.strictObject({
      repo,
      project: path,
      /** Write what git says, and refresh the session state. */
      apply: z.boolean().default(false),
    }),
    result: DriftView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: ['contract_not_found', 'contract_in_use'],
  }),
  defineContractRead({
    name: 'handover.next',
    summary: 'Say what the next session of a project begins with',
    params: z.strictObject({ repo, project: path }),
    result: NextSessionView,
    errors: ['contract_not_found', 'contract_invalid'],
  }),
  defineContractMethod({
    name: 'handover.cleanup',
    summary: 'Remove the session state and the prompt of a completed session',
    params: z.strictObject({
      repo,
      project: path,
      /** Remove them; without it, only say so. */
      apply: z.boolean().default(false),
    }),
    result: CleanupView,
    changes: { if: 'apply' },
    caller: 'person',
    errors: ['contract_not_found', 'contract_in_use', 'handover_cleanup_refused'],
  }),
] as const;
