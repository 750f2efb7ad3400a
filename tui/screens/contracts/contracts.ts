import type { ConventionView } from '../../../schemas/rpc/views/contracts.ts';
import { verdictOf } from '../../../schemas/states/contracts.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { type Binding, bindingsWhile } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, errorOf } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { fitWidth, type Line, line, span, wrap } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { ageChangesAt, earliest } from '../../text/time.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { createList, LIST_START, type ListState, OPEN_KEYS } from '../../widgets/list.ts';
import { createReader, READER_START } from '../../widgets/reader.ts';
import { targetBindings } from '../targets/targets.ts';
import { cleanupBinding } from './cleanup.ts';
import { auditLines, findingLines } from './contractLines.ts';
import { CONTRACTS_COLUMNS, contractsHead, contractsRow } from './contractsRow.ts';
import {
  auditQuery,
  contractsState,
  conventionsOf,
  keyOf,
  lacksStateDirectory,
  type Opened,
  statusQuery,
} from './shownContracts.ts';

const list = createList<ConventionView>({
  name: 'contracts',
  state: screenState<ListState>('contracts list', LIST_START),
  items: conventionsOf,
  keyOf,
  columns: CONTRACTS_COLUMNS,
});

const reader = createReader({
  name: 'contracts.text',
  state: screenState('contracts text', READER_START),
  lines: openedLines,
  rows: (model) => bodySize(model).rows - 1,
});

const isOpened = (model: Model) => contractsState.get(model).opened !== undefined;
const isClosed = (model: Model) => !isOpened(model);

function opening(model: Model, opened: Opened) {
  return step(reader.reset(contractsState.set(model, { opened })));
}

const actions: readonly Binding[] = [
  list.action(
    {
      id: 'contracts.open',
      keys: OPEN_KEYS,
      label: 'findings',
      footer: true,
      help: 'Show what devflow found in the files of the contract',
      when: isClosed,
    },
    'no contract is selected',
    (model, selected) => opening(model, { kind: 'findings', key: keyOf(selected) }),
  ),
  {
    id: 'contracts.audit',
    keys: ['a'],
    label: 'audit',
    footer: true,
    help: 'Show what the state directory contains, and what does not belong there',
    disabled: lacksStateDirectory,
    run: (model) => opening(model, { kind: 'audit' }),
  },
  cleanupBinding,
  ...targetBindings('contracts', (model) => {
    const selected = list.selected(model);
    const path = selected && `${model.cwd}/${selected.path}`;
    return {
      copy:
        selected && path
          ? [
              { what: 'path', text: path },
              { what: 'contract', text: selected.contract },
            ]
          : [],
      open: [],
    };
  }).filter(({ keys }) => keys.includes('y')),
];

/** The contracts that the current repository uses, with the verdict about each. */
export const contracts: Screen = {
  id: 'contracts',
  tab: 'contracts',
  key: {
    key: '6',
    label: 'contracts',
    help: 'Go to the contracts: files of this repository that programs hand to each other',
  },
  title: () => 'Contracts',
  queries: (model) => [
    statusQuery(model),
    ...(contractsState.get(model).opened?.kind === 'audit' ? [auditQuery(model)] : []),
  ],
  streams: ({ cwd }) => [{ type: 'contracts', repo: cwd }],
  changesAt: (model) => earliest(conventionsOf(model).map(({ changedAt }) => ageChangesAt(changedAt, model.now))),
  bindings: [...actions, ...bindingsWhile(isClosed, list.bindings), ...bindingsWhile(isOpened, reader.bindings)],
  view(model, size) {
    if (isOpened(model)) return reader.viewOver(model, titleOf(model), size);
    const head = [...headLines(model, size.columns), contractsHead(size.columns, list.head(model))];
    const rows = { ...size, rows: size.rows - head.length };
    const draw = (each: ConventionView, columns: number) => contractsRow(each, model.now, columns);
    return [...head, ...list.view(model, rows, draw, emptiness(model))].slice(0, size.rows);
  },
  typing: (model) => (isOpened(model) ? reader.typing(model) : list.typing(model)),
  onKey(model, key) {
    const closed = contractsState.set(model, { opened: undefined });
    return isOpened(model) ? reader.onKeyOver(model, key, closed) : list.onKey(model, key);
  },
  onMouse(model, at, size) {
    if (isOpened(model)) return reader.onMouse(model, at);
    const head = headLines(model, size.columns).length + 1;
    const row = at.row - head;
    if (row < 0) return undefined;
    const moved = list.onMouse(model, { ...at, row }, { ...size, rows: size.rows - head });
    const selected = list.selected(model);
    if (moved || !selected || row >= list.rows(model).length) return moved;
    return opening(model, { kind: 'findings', key: keyOf(selected) });
  },
};

/** Where it looks, and how many contracts are not valid. An error stays above the older answer. */
function headLines(model: Model, columns: number): Line[] {
  const found = answerOf(model.data, statusQuery(model));
  const error = found && errorOf(model.data, statusQuery(model));
  const invalid = (found ?? []).filter((each) => verdictOf(each) === 'invalid').length;
  const sum = found && `: ${counted(found.length, 'contract')}`;
  const bad = invalid > 0 && span(`, ${invalid} not valid`, theme.bad);
  const failed = error ? wrap(error.message, columns - 2, theme.bad).slice(0, 2) : [];
  return [...failed, line(span(model.cwd, theme.title), sum, bad)].map((each) => fitWidth(line(' ', ...each), columns));
}

function emptiness(model: Model): string {
  if (answerOf(model.data, statusQuery(model))) return 'This repository uses no contract that devflow knows.';
  return errorOf(model.data, statusQuery(model))?.message ?? 'Loading…';
}

function titleOf(model: Model): string {
  return contractsState.get(model).opened?.kind === 'audit' ? 'State directory' : 'Contract';
}

function openedLines(model: Model): readonly Line[] {
  const { opened } = contractsState.get(model);
  const columns = bodySize(model).columns - 2;
  if (!opened) return [];
  if (opened.kind === 'findings') {
    const found = conventionsOf(model).find((each) => keyOf(each) === opened.key);
    return found
      ? findingLines(found, columns, model.now)
      : [line(span('The repository no longer has this contract.', theme.muted))];
  }
  const audit = answerOf(model.data, auditQuery(model));
  if (audit) return auditLines(audit.parsed, columns, model.now);
  const error = errorOf(model.data, auditQuery(model));
  return wrap(error?.message ?? 'Loading…', columns, error ? theme.bad : theme.muted);
}
