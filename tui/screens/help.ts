import type { Model } from '../model/model.ts';
import { bodySize } from '../model/size.ts';
import { EMPTY, type Line, line, sized, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { createReader, READER_START } from '../widgets/reader.ts';
import type { Screen } from './screen.ts';
import { screenState } from './state.ts';

type Row = readonly [name: string, text: string];

const ABOUT = [
  'devflow lets coding agents do a piece of work in a git repository, and keeps a person in charge of it.',
  'A run follows a template: phases one after the other, each done by an agent in a role or by commands. An agent lives in a tmux pane that anybody may look at; it works in a worktree of its own, never in your checkout.',
  'What an agent hands in is a file that is checked against a schema. At a gate the run waits until a person approves it, asks for changes, or refuses it.',
  'Everything that happens is in the log of the run. A daemon that is killed goes on where it was; the dashboard only shows what the daemon knows, and closing it changes nothing.',
];

const TMUX: readonly Row[] = [
  ['prefix F', 'this dashboard, in a popup'],
  ['prefix A', 'the approvals, in a popup'],
  ['prefix J', 'jump to the next agent that needs a person'],
  ['prefix G', 'choose among all agents and go to one'],
  ['prefix B', 'back to where you were before you jumped'],
];

const RUNS: readonly Row[] = [
  ['created, bound', 'it exists; its roles have their personas'],
  ['planning', 'agents write what is to be done, up to the plan'],
  ['executing', 'agents do it'],
  ['awaiting_approval', 'a gate waits for your decision: press 2'],
  ['paused', 'nothing goes on until you resume it, or decide what it asks'],
  ['completed', 'done, with a report; its branch is yours to merge'],
  ['failed, aborted', 'it ended before; worktree and branch stay until you clean up'],
];

const SESSIONS: readonly Row[] = [
  ['CREATED, BOOTSTRAPPING', 'its pane is being made, its program starts'],
  ['READY', 'it waits for something to do'],
  ['BUSY', 'it works'],
  ['WAITING_FOR_APPROVAL', 'it asks a person in its pane, and waits for the answer'],
  ['ARTIFACT_TIMEOUT', 'it took longer than it may; it is asked once more'],
  ['HUNG', 'it is busy without any progress; devflow mends that itself'],
  ['CRASHED, RESUMING', 'its program ended; devflow brings it back'],
  ['REBOOTSTRAPPED', 'it was begun anew, and told where the work stands'],
  ['FAILED_NEEDS_HUMAN', 'devflow cannot go on with it: a person must look'],
];

const PHASES: readonly Row[] = [
  ['pending', 'its turn has not come'],
  ['running, awaiting_artifact', 'it is worked on; a file is expected'],
  ['validating', 'the file is checked against its schema'],
  ['awaiting_approval', 'it is finished, and a gate stands before the next one'],
  ['completed, failed, skipped', 'it is over'],
];

const reader = createReader({
  name: 'help',
  state: screenState('help', READER_START),
  lines: (model: Model) => lines(bodySize(model).columns),
});

export const help: Screen = {
  id: 'help',
  title: () => 'Help',
  needs: () => [],
  bindings: reader.bindings,
  view: reader.view,
  typing: reader.typing,
  onKey: reader.onKey,
  onMouse: (model, { action }) => reader.onMouse(model, action),
};

function lines(columns: number): Line[] {
  return [
    ...part('What devflow is', [EMPTY, ...ABOUT.flatMap((each) => wrap(each, Math.min(columns - 4, 100)))]),
    ...part('Keys', [
      EMPTY,
      ...rows(
        [
          ['?', 'what the keys of the present screen do'],
          [':', 'find any action by its name'],
        ],
        columns,
      ),
      ...rows(
        [
          ['1 to 7', 'the screens'],
          ['Esc, h', 'back'],
          ['q', 'close the dashboard; runs and agents go on'],
        ],
        columns,
      ),
    ]),
    ...part('Keys in tmux, after its prefix', [EMPTY, ...rows(TMUX, columns)]),
    ...part('States of a run', [EMPTY, ...rows(RUNS, columns)]),
    ...part('States of a phase', [EMPTY, ...rows(PHASES, columns)]),
    ...part('States of a session', [EMPTY, ...rows(SESSIONS, columns)]),
  ];
}

function part(title: string, inside: readonly Line[]): Line[] {
  return [line(span(` ${title}`, theme.title)), ...inside.map((each) => line('  ', ...each)), EMPTY];
}

function rows(all: readonly Row[], columns: number): Line[] {
  const width = Math.max(12, ...all.map(([name]) => name.length)) + 2;
  return all.flatMap(([name, text]) =>
    wrap(text, Math.max(20, columns - width - 4)).map((each, nth) =>
      line(...sized(nth === 0 ? line(span(name, theme.accent)) : EMPTY, width), ...each),
    ),
  );
}
