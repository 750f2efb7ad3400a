import type { Runner } from '../../../../tmux/command/runner.ts';
import type { PaneId } from '../../../../tmux/ids.ts';
import { deleteBuffer, loadBuffer, pasteBuffer } from '../../../../tmux/panes/buffers.ts';
import { cancelMode, sendKeys } from '../../../../tmux/panes/keys.ts';
import { readPaneOption } from '../../../../tmux/panes/options.ts';
import type { Server } from '../../../../tmux/server/server.ts';

const MARK = '@devflow_prompt';

/** What is done to an agent's pane: nothing else types into one. */
export interface PaneActs {
  /**
   * Has the text at hand, asks `mayGoOn` at the last moment, then pastes and leaves the mark in one go inside tmux: the
   * mark is there when, and only when, the text was pasted into this pane. False when it was not let.
   */
  paste(text: string, uuid: string, mayGoOn: () => Promise<boolean>): Promise<boolean>;
  enter(): Promise<void>;
  press(keys: readonly string[]): Promise<void>;
  /** The prompt that was last pasted into this pane. */
  readMark(): Promise<string>;
}

export function createPaneActs(runner: Runner, server: Server, pane: PaneId): PaneActs {
  return {
    async paste(text, uuid, mayGoOn) {
      const name = `devflow-${uuid}`;
      await loadBuffer(server, name, text);
      let isPasted = false;
      try {
        if (!(await mayGoOn())) return false;
        await pasteBuffer(runner, pane, name, { [MARK]: uuid });
        isPasted = true;
        return true;
      } finally {
        if (!isPasted) await deleteBuffer(runner, name).catch(() => {});
      }
    },
    async enter() {
      // In copy mode tmux would eat it.
      await cancelMode(runner, pane);
      await sendKeys(runner, pane, ['Enter']);
    },
    press: (keys) => sendKeys(runner, pane, keys),
    readMark: () => readPaneOption(runner, pane, MARK),
  };
}
