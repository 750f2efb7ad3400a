import { answers, callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Contract } from '../define/contract.ts';
import { printReport } from '../print/contract/report.ts';
import { printFacts, printJson, printTable } from '../print/output.ts';

/** `devflow contract …`. */
export const actions: Contract = {
  list: answers('contract.list', (io, contracts, json) => {
    const columns = [
      { title: 'CONTRACT', cell: ({ id }: (typeof contracts)[number]) => id },
      { title: 'WHERE', cell: ({ location }: (typeof contracts)[number]) => location },
      { title: 'WHAT', cell: ({ what }: (typeof contracts)[number]) => what },
    ];
    if (json) printJson(io, contracts);
    else printTable(io, contracts, columns, 'no contracts');
    return 0;
  }),
  show: answers('contract.show', (io, shown, json) => {
    if (json) printJson(io, shown);
    else {
      printFacts(io, [
        ['contract', shown.id],
        ['where', shown.location],
        ['what', shown.what],
      ]);
      printTable(
        io,
        shown.codes,
        [
          { title: 'CODE', cell: ({ code }) => code },
          { title: 'STRICT', cell: ({ strict }) => strict },
          { title: 'SOFT', cell: ({ soft }) => soft },
          { title: 'MEANING', cell: ({ meaning }) => meaning },
        ],
        'no codes',
      );
    }
    return 0;
  }),
  detect: answers('contract.detect', (io, found, json) => {
    const columns = [
      { title: 'CONTRACT', cell: ({ contract }: (typeof found)[number]) => contract },
      { title: 'PATH', cell: ({ path }: (typeof found)[number]) => path, whole: true as const },
    ];
    if (json) printJson(io, found);
    else printTable(io, found, columns, 'This repository uses no contract that devflow knows.');
    return 0;
  }),
  async check(params, { soft, strict, json }, io) {
    const mode = soft ? 'soft' : strict ? 'strict' : undefined;
    const report = await callDaemonOrOneshot(io, 'contract.check', { ...params, mode });
    // “valid” would sound as if something had been checked.
    const { reports } = report.parsed as { reports: unknown[] };
    if (!json && reports.length === 0) io.out(`${nothingOf(params.contract)}\n`);
    else printReport(io, report, json);
    return report.valid ? 0 : 1;
  },
};

function nothingOf(contract = 'a contract that devflow knows'): string {
  return `Nothing to check: this repository has no file of ${contract}.`;
}
