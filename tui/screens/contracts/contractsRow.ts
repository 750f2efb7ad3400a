import type { ConventionView } from '../../../schemas/rpc/views/contracts.ts';
import { CONTRACT_VERDICTS, verdictOf } from '../../../schemas/states/contracts.ts';
import { age } from '../../../schemas/time/duration.ts';
import { endOf, type Line, line, type Style, span } from '../../text/line.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';
import { type Column, type Head, youngestFirst } from '../../widgets/columns.ts';
import { type ColumnWidth, columnWidths, joinCells, titleLine } from '../../widgets/columnWidths.ts';

/** In the order of `CONTRACTS_COLUMNS`. */
const WIDTHS: readonly ColumnWidth[] = [
  { min: 10, ideal: 10, priority: 10 },
  { min: 6, ideal: 6, priority: 7 },
  { min: 8, ideal: 8, priority: 6 },
  { min: 4, ideal: 5, priority: 5 },
  { min: 12, ideal: 22, priority: 9 },
  { min: 24, ideal: 40, priority: 8, grows: true },
];
const AGE = 4;

/** The columns of `contractsRow`; a narrow terminal leaves some out. */
export const CONTRACTS_COLUMNS: readonly Column<ConventionView>[] = [
  { title: 'verdict', text: (each) => CONTRACT_VERDICTS[verdictOf(each)].word },
  { title: 'errors', text: ({ errors }) => String(errors), order: ({ errors }) => -errors },
  { title: 'warnings', text: ({ warnings }) => String(warnings), order: ({ warnings }) => -warnings },
  {
    title: 'age',
    text: ({ changedAt }, { now }) => age(changedAt, now),
    order: ({ changedAt }) => youngestFirst(changedAt),
  },
  { title: 'contract', text: ({ contract }) => contract },
  { title: 'path', text: ({ path }) => path },
];

export function contractsHead(columns: number, head: Head): Line {
  return titleLine(
    CONTRACTS_COLUMNS.map(({ title }) => head(title)),
    WIDTHS,
    columns,
  );
}

export function contractsRow(convention: ConventionView, now: number, columns: number): Line {
  const { contract, path, changedAt, errors, warnings } = convention;
  const widths = columnWidths(WIDTHS, columns);
  return joinCells(
    [
      line(stateSpan(CONTRACT_VERDICTS[verdictOf(convention)])),
      number(errors, 6, theme.bad),
      number(warnings, 8, theme.warn),
      line(span(age(changedAt, now).padStart(AGE), theme.muted)),
      line(contract),
      endOf(line(path), widths[5] ?? 0, theme.muted),
    ],
    widths,
  );
}

function number(count: number, cells: number, look: Style): Line {
  return line(span(String(count).padStart(cells), count === 0 ? theme.muted : look));
}
