import { DevflowError } from '../errors.ts';
import { PARTS } from './registry.ts';
import { CONTRACTS } from './report/ids.ts';
import { notReadWhole } from './report/notReadWhole.ts';
import { type Mode, makeReport, type Report } from './report/report.ts';
import { sumOf } from './report/sumOf.ts';
import type { TreeSnapshot } from './report/tree.ts';

export const UNKNOWN_HINT = 'List the contracts: devflow contract list.';

/**
 * One report over everything that a repository has of a contract, or of a family such as `handover`. Without a name: of all
 * contracts. Throws `contract_not_found` for a name that nobody knows.
 */
export function checkContracts(tree: TreeSnapshot, { contract, mode }: { contract?: string; mode?: Mode } = {}) {
  if (contract !== undefined && !CONTRACTS.some(({ id }) => belongsTo(id, contract))) {
    const about = { data: { what: 'contract' }, recoveryHint: UNKNOWN_HINT };
    throw new DevflowError('contract_not_found', `devflow knows no contract ${contract}.`, about);
  }
  const reports = PARTS.flatMap((part) => part.detect(tree).flatMap(({ path }) => part.check(tree, path, mode)));
  const chosen = reports.filter((report) => contract === undefined || belongsTo(report.contract, contract));
  return sumOf([...chosen, ...unread(tree, chosen)]);
}

/** A report about directories that were not read whole, if there are any that no report is about. */
function unread(tree: TreeSnapshot, reports: readonly Report[]): Report[] {
  const said = new Set(reports.flatMap(({ errors }) => errors.map(({ path }) => path)));
  const findings = notReadWhole(tree).filter(({ path }) => !said.has(path));
  if (findings.length === 0) return [];
  return [makeReport({ contract: '*', subject: '.', mode: 'strict', findings, parsed: null })];
}

/** A contract, or the name of its family: `handover` means all handovers. */
function belongsTo(id: string, wanted: string): boolean {
  return id === wanted || id.startsWith(`${wanted}/`);
}
