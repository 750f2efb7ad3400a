import { deleteBuffer, loadBuffer } from '../../../tmux/buffers.ts';
import { type Command, unlessDead, when } from '../../../tmux/command.ts';
import { refuseHeldBack } from '../../../tmux/heldBack.ts';
import type { PaneId } from '../../../tmux/ids.ts';
import { sendKeys } from '../../../tmux/keys.ts';
import { readPaneOption, setPaneOptionCommand } from '../../../tmux/options.ts';
import type { Server } from '../../../tmux/server.ts';
import type { Runner } from '../../../tmux/tmux.ts';

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
  const leaveMode: Command = ['if-shell', '-F', '-t', pane, '#{pane_in_mode}', `send-keys -t ${pane} -X cancel`];
  return {
    async paste(text, uuid, mayGoOn) {
      const name = `devflow-${uuid}`;
      await loadBuffer(server, name, text);
      let isPasted = false;
      try {
        if (!(await mayGoOn())) return false;
        const paste = unlessDead(pane, [
          leaveMode,
          ['paste-buffer', '-p', '-r', '-d', '-b', name, '-t', pane],
          setPaneOptionCommand(pane, MARK, uuid),
        ]);
        refuseHeldBack(pane, await runner.run([paste]));
        isPasted = true;
        return true;
      } finally {
        if (!isPasted) await deleteBuffer(runner, name).catch(() => {});
      }
    },
    async enter() {
      // In copy mode tmux would eat it.
      await runner.run([when(pane, '#{pane_in_mode}', [['send-keys', '-t', pane, '-X', 'cancel']])]);
      await sendKeys(runner, pane, ['Enter']);
    },
    press: (keys) => sendKeys(runner, pane, keys),
    readMark: () => readPaneOption(runner, pane, MARK),
  };
}
