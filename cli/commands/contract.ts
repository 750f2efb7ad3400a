import { resolve } from 'node:path';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Action } from '../io/io.ts';
import { printFacts, printJson, printTable } from '../print/output.ts';
import { printReport } from '../print/report.ts';

interface Options {
  repo?: string;
  json?: boolean;
  contract?: string;
  soft?: boolean;
  strict?: boolean;
}

/** `devflow contract list|show|detect|check`. */
export const action: Action = async ([id]: [string], { json, ...options }: Options, io, name) => {
  const repo = resolve(io.cwd, options.repo ?? '.');
  switch (name) {
    case 'list': {
      const contracts = await callDaemonOrOneshot(io, 'contract.list', {});
      if (json) printJson(io, contracts);
      else {
        const columns = [
          { title: 'CONTRACT', cell: ({ id: each }: (typeof contracts)[number]) => each },
          { title: 'WHERE', cell: ({ location }: (typeof contracts)[number]) => location },
          { title: 'WHAT', cell: ({ what }: (typeof contracts)[number]) => what },
        ];
        printTable(io, contracts, columns, 'no contracts');
      }
      return 0;
    }
    case 'show': {
      const shown = await callDaemonOrOneshot(io, 'contract.show', { contract: id });
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
    }
    case 'detect': {
      const found = await callDaemonOrOneshot(io, 'contract.detect', { repo });
      if (json) printJson(io, found);
      else {
        const columns = [
          { title: 'CONTRACT', cell: ({ contract }: (typeof found)[number]) => contract },
          { title: 'PATH', cell: ({ path }: (typeof found)[number]) => path, whole: true as const },
        ];
        printTable(io, found, columns, 'This repository uses no contract that devflow knows.');
      }
      return 0;
    }
    default: {
      const { contract, soft, strict } = options;
      const mode = soft ? ('soft' as const) : strict ? ('strict' as const) : undefined;
      const report = await callDaemonOrOneshot(io, 'contract.check', { repo, contract, mode });
      // “valid” would sound as if something had been checked.
      const { reports } = report.parsed as { reports: unknown[] };
      if (!json && reports.length === 0) io.out(`${nothingOf(contract)}\n`);
      else printReport(io, report, json);
      return report.valid ? 0 : 1;
    }
  }
};

function nothingOf(contract = 'a contract that devflow knows'): string {
  return `Nothing to check: this repository has no file of ${contract}.`;
}
