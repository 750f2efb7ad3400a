import { z } from 'zod';
import { defineContractRead } from '../../contract.ts';
import { ConventionView, ReportView } from '../../views/contracts.ts';
import { CONTRACT_PARAMS } from './contractParams.ts';

const Entry = z.object({ id: z.string(), location: z.string(), what: z.string() });
const severity = z.enum(['error', 'warning']);

/** devflow's contracts, and a repository's use of them. */
export const CONTRACT_METHODS = [
  defineContractRead({
    name: 'contract.list',
    summary: 'List the contracts that devflow knows',
    params: CONTRACT_PARAMS['contract.list'],
    result: z.array(Entry),
  }),
  defineContractRead({
    name: 'contract.show',
    summary: 'Show a contract and its codes',
    params: CONTRACT_PARAMS['contract.show'],
    result: Entry.extend({
      codes: z.array(z.object({ code: z.string(), strict: severity, soft: severity, meaning: z.string() })),
    }),
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'contract.detect',
    summary: 'List the contracts that a repository uses',
    params: CONTRACT_PARAMS['contract.detect'],
    result: z.array(z.object({ contract: z.string(), path: z.string() })),
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'contract.check',
    summary: 'Check all contract files of a repository',
    params: CONTRACT_PARAMS['contract.check'],
    result: ReportView,
    errors: ['contract_not_found'],
  }),
  defineContractRead({
    name: 'contract.status',
    summary: 'Show each contract of a repository with its verdict and findings',
    params: CONTRACT_PARAMS['contract.status'],
    result: z.array(ConventionView),
    errors: ['contract_not_found'],
  }),
] as const;
