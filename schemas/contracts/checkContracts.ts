import { DevflowError } from '../errors.ts';
import { PARTS } from './registry.ts';
import { CONTRACTS } from './report/codes.ts';
import { finding, type Mode, makeReport, notReadWhole, type Report } from './report/report.ts';
import { sumOf } from './report/sumOf.ts';
import type { TreeSnapshot } from './report/tree.ts';

export const UNKNOWN_HINT = 'List the contracts: devflow contract list.';

/**
 * One report over everything that a repository has of a contract, or of a family such as `handover`. Without a name: of all
 * contracts. Throws `contract_not_found` for a name that nobody knows.
 */
export function checkContracts(tree: TreeSnapshot, { contract, mode }: { contract?: string; mode?: Mode } = {}) {
  if (contract !== undefined && !CONTRACTS.some(({ id }) => id === contract || isInFamily(id, contract))) {
    const about = { data: { what: 'contract' }, recoveryHint: UNKNOWN_HINT };
    throw new DevflowError('contract_not_found', `devflow knows no contract ${contract}.`, about);
  }
  const reports = PARTS.flatMap((part) => part.detect(tree).flatMap(({ path }) => part.check(tree, path, mode)));
  const chosen = reports
    .filter((report) => contract === undefined || belongsTo(report.contract, contract))
    .map((report) => withVersion(report, contract));
  return sumOf([...chosen, ...unread(tree, chosen)]);
}

/** A report about directories that were not read whole, if there are any that no report is about. */
function unread(tree: TreeSnapshot, reports: readonly Report[]): Report[] {
  const said = new Set(reports.flatMap(({ errors }) => errors.map(({ path }) => path)));
  const findings = notReadWhole(tree).filter(({ path }) => !said.has(path));
  if (findings.length === 0) return [];
  return [makeReport({ contract: '*', subject: '.', mode: 'strict', findings, parsed: null })];
}

/** A contract in any version, or the name of its family: `handover` means all handovers. */
function belongsTo(id: string, wanted: string): boolean {
  return nameOf(id) === nameOf(wanted) || isInFamily(id, wanted);
}

function isInFamily(id: string, family: string): boolean {
  return id.startsWith(`${family}/`);
}

function nameOf(id: string): string {
  return id.split('@')[0] as string;
}

/**
 * Warns if a newer contract judged the repository than the one asked for. A repository follows the program that writes
 * its files.
 */
function withVersion(report: Report, wanted = report.contract): Report {
  const { contract, subject } = report;
  const place = (id: string) => CONTRACTS.findIndex((each) => each.id === id);
  if (nameOf(contract) !== nameOf(wanted) || place(wanted) < 0 || place(contract) <= place(wanted)) return report;
  const message = `${subject} is newer than ${wanted}: ${contract} judges it.`;
  return { ...report, warnings: [...report.warnings, finding('STATE_NEWER', message, { path: subject })] };
}
