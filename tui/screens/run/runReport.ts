import type { Model } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, errorOf, query } from '../../model/query.ts';
import { fitWidth, type Line, line, span } from '../../text/line.ts';
import { memoize } from '../../text/memoize.ts';
import { theme } from '../../text/theme.ts';
import { markdownLines } from '../../widgets/markdown.ts';
import { createReader, READER_START } from '../../widgets/reader.ts';
import type { RunSection } from './runSection.ts';
import { sectionSize, shownRunId } from './shownRun.ts';

const reportQuery = (model: Model) => query('run.report', { runId: shownRunId(model) });
const reportLines = memoize((report: { markdown: string }, columns) => markdownLines(report.markdown, Number(columns)));

const NONE: readonly Line[] = [];

function linesOf(model: Model): readonly Line[] {
  const report = answerOf(model.data, reportQuery(model));
  return report ? reportLines(report, String(sectionSize(model).columns - 2)) : NONE;
}

const reportReader = createReader({
  name: 'run.report',
  state: screenState('run report', READER_START),
  lines: linesOf,
  rows: (model) => sectionSize(model).rows,
});

/** The final report; for an open run, the report as it would be now. */
export const report: RunSection = {
  id: 'report',
  title: 'Report',
  bindings: reportReader.bindings,
  queries: (model) => [reportQuery(model)],
  view(model, _run, size) {
    const error = errorOf(model.data, reportQuery(model));
    const lines = linesOf(model);
    if (lines.length === 0) return [line(span(` ${error?.message ?? 'Loading…'}`, error ? theme.bad : theme.muted))];
    const text = reportReader.view(model, { ...size, columns: size.columns - 2 });
    return text.map((each) => fitWidth(line(' ', ...each), size.columns));
  },
  typing: reportReader.typing,
  onKey: reportReader.onKey,
  onMouse: reportReader.onMouse,
};
