import { STATE_KINDS, type StateKind } from '../../schemas/states/index.ts';
import type { State } from '../../schemas/states/state.ts';
import type { Binding } from '../model/binding.ts';
import type { Model } from '../model/model.ts';
import { screenState } from '../model/place.ts';
import type { Screen } from '../model/screen.ts';
import { EMPTY, fitWidth, type Line, line, lineWidth, type Span, span, wrap } from '../text/line.ts';
import { stateSpan } from '../text/stateSpan.ts';
import { theme } from '../text/theme.ts';
import { bodySize } from '../widgets/bodySize.ts';
import { createReader, READER_START } from '../widgets/reader.ts';

type Row = readonly [name: string, text: string];

const ABOUT = [
  'devflow runs coding agents in a git repository. You decide at the gates.',
  'A run follows a template: one phase after another, each done by an agent in a role or by commands. An agent runs in a tmux pane that you can watch. It works in its own worktree, never in your checkout.',
  'An agent delivers a file, the artifact, and devflow checks it against a schema. At a gate the run waits until you approve it, request changes or reject it.',
  'The log of a run records everything that happens. If the daemon is killed, the next one resumes from the log. The dashboard only shows what the daemon knows: closing it changes nothing.',
];

const TMUX: readonly Row[] = [
  ['prefix F', 'open this dashboard in a popup'],
  ['prefix A', 'open the approvals in a popup'],
  ['prefix J', 'jump to the next agent that needs you'],
  ['prefix G', 'choose an agent and go to it'],
  ['prefix B', 'go back to where you were before the jump'],
];

/** `screenKeys` opens the screens, in the order of the tabs. */
export function createHelp(screenKeys: () => readonly Pick<Binding, 'keys' | 'label'>[]): Screen {
  const reader = createReader({
    name: 'help',
    state: screenState('help', READER_START),
    lines: (model: Model) => lines(bodySize(model).columns, screenKeys()),
  });
  return {
    id: 'help',
    tab: 'help',
    key: {
      key: '8',
      label: 'help page',
      help: 'Go to the help page: what devflow is, its keys in tmux, what the states mean',
    },
    title: () => 'Help',
    queries: () => [],
    bindings: reader.bindings,
    ...reader.screen,
  };
}

function lines(columns: number, screenKeys: readonly Pick<Binding, 'keys' | 'label'>[]): Line[] {
  return [
    ...part('What devflow is', [EMPTY, ...ABOUT.flatMap((each) => wrap(each, Math.min(columns - 4, 100)))]),
    ...part('Keys', [
      EMPTY,
      ...rows(
        [
          ['?', 'list the keys of the current screen'],
          [':', 'find any action by its name'],
        ],
        columns,
      ),
      ...rows(
        [
          ...screenKeys.map(({ keys, label }) => [keys.join(', '), `open ${label}`] as const),
          ['Esc, h', 'go back'],
          ['q', 'close the dashboard; runs and agents continue'],
        ],
        columns,
      ),
    ]),
    ...part('Keys in tmux, after the prefix', [EMPTY, ...rows(TMUX, columns)]),
    ...STATE_KINDS.flatMap((kind) => part(`States: ${kind.title.toLowerCase()}`, [EMPTY, ...states(kind, columns)])),
  ];
}

function part(title: string, inside: readonly Line[]): Line[] {
  return [line(span(` ${title}`, theme.title)), ...inside.map((each) => line('  ', ...each)), EMPTY];
}

function rows(all: readonly Row[], columns: number): Line[] {
  return table(
    all.map(([name, text]) => [span(name, theme.accent), text]),
    columns,
  );
}

/** The meaning of each state, and the action it asks for. */
function states({ about, states: named, derived }: StateKind, columns: number): Line[] {
  const all = [...Object.values(named), ...derived.map(([, state]) => state)];
  const explain = ({ means, asks }: State) => `${means}.${asks === null ? '' : ` ${asks.replaceAll('`', '')}`}`;
  return [
    ...wrap(about.replaceAll('`', ''), columns - 4, theme.muted),
    ...table(
      all.map((state) => [stateSpan(state), explain(state)]),
      columns,
    ),
  ];
}

function table(all: readonly (readonly [Span, string])[], columns: number): Line[] {
  const width = Math.max(12, ...all.map(([name]) => lineWidth([name]))) + 2;
  return all.flatMap(([name, text]) =>
    wrap(text, Math.max(20, columns - width - 4)).map((each, nth) =>
      line(...fitWidth(nth === 0 ? line(name) : EMPTY, width), ...each),
    ),
  );
}
