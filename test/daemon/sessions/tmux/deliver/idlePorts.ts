import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DeliveryPorts } from '../../../../../daemon/sessions/tmux/deliver/deliveryPorts.ts';
import { openLedger } from '../../../../../daemon/sessions/tmux/deliver/ledger.ts';
import { createChanges } from '../../../../../daemon/sessions/tmux/observe/changes.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { steadyNow } from '../../../../../schemas/time/steadyTime.ts';

/** The pane of an idle agent, as the test changes it. */
export interface Pane {
  composer: string;
  /** The uuid of the prompt that was last pasted. */
  mark: string;
  /** As the screen says; undefined if it says nothing. */
  state: 'STARTING' | undefined;
  print(): void;
  /** The agent has become idle now. */
  idleSince(): void;
}

/** What a delivery to an idle agent needs, which has been silent for a minute. It shows at most 1024 characters of a paste. */
export function idlePorts(): { ports: DeliveryPorts; pane: Pane } {
  const directory = mkdtempSync(join(tmpdir(), 'delivery-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  let since = steadyNow() - 60_000;
  let printedAt = since;
  const firstReadyAt = since;
  const pane: Pane = {
    composer: '',
    mark: '',
    state: undefined,
    print: () => {
      printedAt = steadyNow() + 1;
    },
    idleSince: () => {
      since = steadyNow();
    },
  };
  const ports: DeliveryPorts = {
    pid: 1,
    launch: 1,
    profile: { timings: TIMINGS, clearKeys: [] },
    acts: {
      async paste(text, _, mayPaste) {
        if (!(await mayPaste())) return false;
        pane.print();
        pane.composer = text.slice(0, 1024);
        return true;
      },
      enter: async () => {},
      press: async () => {},
      readMark: async () => pane.mark,
    },
    observer: {
      changes: createChanges(),
      status: () => ({ state: 'READY', since, signals: [] }),
      lastOutputAt: () => printedAt,
      printedAt: () => printedAt,
      bracketedPaste: () => true,
      firstReadyAt: () => firstReadyAt,
      readScreen: async () => ({ composer: pane.composer, screen: { lines: [] }, state: pane.state }),
      changesIn: () => undefined,
      turnBeganAfter: () => false,
      lookAtHooks: () => {},
      pruneHooks: () => {},
    } as unknown as DeliveryPorts['observer'],
    ledger: openLedger(directory),
    hooked: () => false,
    conversationHas: () => undefined,
    hung: () => undefined,
    onWait: () => {},
    at: () => {},
    noticed: { shownAt: firstReadyAt },
  };
  return { ports, pane };
}
