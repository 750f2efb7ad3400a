import type { Report } from './report.ts';

interface Sum {
  reports: { contract: string; subject: string; valid: boolean; errors: number; warnings: number }[];
}

/** One report over many: valid only if all of them are. */
export function sumOf(reports: readonly Report[]): Report<Sum> {
  return {
    contract: '*',
    subject: '.',
    valid: reports.every(({ valid }) => valid),
    errors: reports.flatMap(({ errors }) => errors),
    warnings: reports.flatMap(({ warnings }) => warnings),
    parsed: {
      reports: reports.map(({ contract, subject, valid, errors, warnings }) => {
        return { contract, subject, valid, errors: errors.length, warnings: warnings.length };
      }),
    },
  };
}
