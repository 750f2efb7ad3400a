import { findingSentence } from '../../../schemas/findings/locatedFinding.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ConventionView } from '../../../schemas/rpc/views/contracts.ts';
import { CONTRACT_VERDICTS, verdictOf } from '../../../schemas/states/contracts.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { age } from '../../../schemas/time/duration.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { fact } from '../../text/runWords.ts';
import { stateSpan } from '../../text/stateSpan.ts';
import { theme } from '../../text/theme.ts';

/** A contract in full, with its findings. */
export function findingLines(convention: ConventionView, columns: number, now: number): Line[] {
  const { contract, path, changedAt, errors, warnings, findings } = convention;
  const state = CONTRACT_VERDICTS[verdictOf(convention)];
  const rest = errors + warnings - findings.length;
  return [
    ...fact('verdict', line(stateSpan(state), span(`  ${state.means}`, theme.muted))),
    ...fact('contract', contract),
    ...fact('path', path),
    ...fact('changed', changedAt === null ? null : `${age(changedAt, now)} ago`),
    ...fact('findings', `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`),
    EMPTY,
    ...findings.flatMap((each) =>
      wrap(findingSentence(each), columns - 2).map((text, nth) =>
        line(nth === 0 ? SIGNS[each.severity] : '  ', ...text),
      ),
    ),
    ...(rest > 0 ? [line(span(`… and ${counted(rest, 'more finding')}`, theme.muted))] : []),
  ];
}

const SIGNS = { error: span('✗ ', theme.bad), warning: span('! ', theme.warn) } as const;

type Audit = RpcResult<'state.audit'>['parsed'];

const BUCKETS: readonly (readonly [keyof Audit['buckets'], title: string])[] = [
  ['ad_hoc', 'Ad hoc: the contract does not know these names'],
  ['ephemeral', 'Ephemeral: left over from a write or an editor'],
  ['pattern_allowed', 'Variants: allowed by a pattern, for a while'],
  ['canonical', 'Canonical: the files of the contract'],
];

/** The state directory by bucket. Buckets that a cleanup removes come first. */
export function auditLines({ stateDir, counts, totalBytes, buckets }: Audit, columns: number, now: number): Line[] {
  if (stateDir === null) return [line(span('There is no state directory.', theme.muted))];
  return [
    ...fact('directory', stateDir),
    ...fact('entries', `${counts.total}, ${counted(totalBytes, 'byte')}`),
    ...BUCKETS.flatMap(([bucket, title]) => {
      const entries = buckets[bucket] ?? [];
      if (entries.length === 0) return [];
      const heading = wrap(`${title} (${entries.length})`, columns, theme.title);
      return [EMPTY, ...heading, ...entries.map((entry) => entryLine(entry, now))];
    }),
  ];
}

function entryLine({ name, size, mtime, isDir, stale }: Audit['buckets']['ad_hoc'][number], now: number): Line {
  return line(
    span(`${age(mtime, now).padStart(6)} ${String(size).padStart(9)}  `, theme.muted),
    isDir ? `${name}/` : name,
    stale === true && span('  stale', theme.warn),
  );
}
