/** One message of a control-mode connection. Text is latin1: one character per byte. */
export type ControlMessage =
  /** `ours`: the answer to a line of this client, not to a hook or to the attach. */
  | { readonly type: 'block'; readonly ok: boolean; readonly ours: boolean; readonly lines: readonly string[] }
  | { readonly type: 'notification'; readonly line: string }
  /** A line outside any block that is no notification: a torn reply. */
  | { readonly type: 'stray'; readonly line: string };

interface OpenBlock {
  /** Time and number of `%begin`: an answer may contain lines that look like `%end`, but with other numbers. */
  readonly mark: string;
  readonly ours: boolean;
  readonly lines: string[];
}

/**
 * Cuts the bytes of a control-mode connection into messages. Keeps partial lines in a list, so that a long line is not
 * scanned again.
 */
export class ControlParser {
  #tail: string[] = [];
  #open: OpenBlock | undefined;

  /** Never throws, whatever the bytes and wherever they are cut. */
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
      // Flag 1: a control client sent the command. Flag 0: a hook's block, or the attach's.
      this.#open = { mark: begin[1] as string, ours: begin[2] === '1', lines: [] };
      return undefined;
    }
    return line.startsWith('%') ? { type: 'notification', line } : { type: 'stray', line };
  }
}

/** Decodes the UTF-8 text in latin1 lines. */
export function decode(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
