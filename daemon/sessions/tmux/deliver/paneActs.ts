import type { PaneId } from '../../../../tmux/command/ids.ts';
import type { Runner } from '../../../../tmux/command/runner.ts';
import { deleteBuffer, loadBuffer, pasteBuffer } from '../../../../tmux/panes/buffers.ts';
import { sendKeys } from '../../../../tmux/panes/keys.ts';
import { readPaneOption } from '../../../../tmux/panes/options.ts';

const MARK = '@devflow_prompt';

/** Everything that devflow types into an agent's pane. */
export interface PaneActs {
  /**
   * Loads the text, asks `mayPaste` at the last moment, and then pastes. The same tmux command sets the mark. So the
   * mark exists if and only if the text was pasted into this pane. Returns false if it may not.
   */
  paste(text: string, uuid: string, mayPaste: () => Promise<boolean>): Promise<boolean>;
  enter(): Promise<void>;
  press(keys: readonly string[]): Promise<void>;
  /** The uuid of the prompt that was last pasted into this pane. */
  readMark(): Promise<string>;
}

export function createPaneActs(runner: Runner, pane: PaneId, sessionDir: string): PaneActs {
  return {
    async paste(text, uuid, mayPaste) {
      const name = await loadBuffer(runner, sessionDir, text);
      let isPasted = false;
      try {
        if (!(await mayPaste())) return false;
        await pasteBuffer(runner, pane, name, { [MARK]: uuid });
        isPasted = true;
        return true;
      } finally {
        if (!isPasted) await deleteBuffer(runner, name).catch(() => {});
      }
    },
    enter: () => sendKeys(runner, pane, ['Enter']),
    press: (keys) => sendKeys(runner, pane, keys),
    readMark: () => readPaneOption(runner, pane, MARK),
  };
}
