/** What the other end of a control-mode connection said, line by line. Text is latin1: one character a byte. */
export type ControlMessage =
  /** `ours` tells an answer to a line of this client from those of hooks and of the attach itself. */
  | { readonly type: 'block'; readonly ok: boolean; readonly ours: boolean; readonly lines: readonly string[] }
  | { readonly type: 'notification'; readonly line: string }
  /** A line outside any block that is no notification: a reply that was torn. */
  | { readonly type: 'stray'; readonly line: string };

interface OpenBlock {
  /** Time and number of `%begin`: an answer may hold lines that look like `%end`, but not with these. */
  readonly mark: string;
  readonly ours: boolean;
  readonly lines: string[];
}

/** Cuts the bytes of a control-mode connection into messages. Keeps partial lines in a list: no rescans of a long one. */
export class ControlParser {
  #tail: string[] = [];
  #open: OpenBlock | undefined;

  /** Total: whatever the bytes and wherever they are cut. */
  push(chunk: Buffer): ControlMessage[] {
    const messages: ControlMessage[] = [];
    const text = chunk.toString('latin1');
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      const line = this.#tail.join('') + text.slice(from, at);
      this.#tail = [];
      from = at + 1;
      const message = this.#line(line);
      if (message !== undefined) messages.push(message);
    }
    if (from < text.length) this.#tail.push(text.slice(from));
    return messages;
  }

  #line(line: string): ControlMessage | undefined {
    const open = this.#open;
    if (open !== undefined) {
      const end = /^%(end|error) (\d+ \d+) \d+$/.exec(line);
      if (end === null || end[2] !== open.mark) {
        open.lines.push(line);
        return undefined;
      }
      this.#open = undefined;
      return { type: 'block', ok: end[1] === 'end', ours: open.ours, lines: open.lines };
    }
    const begin = /^%begin (\d+ \d+) (\d+)$/.exec(line);
    if (begin !== null) {
      // Flag 1: the command came from a control client. 0: a hook's, or the unsolicited block of the attach.
      this.#open = { mark: begin[1] as string, ours: begin[2] === '1', lines: [] };
      return undefined;
    }
    return line.startsWith('%') ? { type: 'notification', line } : { type: 'stray', line };
  }
}

/** The text that latin1 lines carry. */
export function decode(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
