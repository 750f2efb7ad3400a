import type { PaneId } from '../command/ids.ts';
import type { Runner } from '../command/runner.ts';

export interface CaptureOptions {
  /** With escape sequences for colours and attributes. */
  readonly escapes?: boolean;
  /** Wrapped lines joined into one, with their trailing blanks. */
  readonly joined?: boolean;
  /** Lines of history before the screen. Default 0. */
  readonly history?: number;
}

/**
 * Reads the rows of a pane from the top, without trailing blanks; also of a dead pane. Throws `no_target`. The program
 * controls its screen, so it is a hint and never a proof.
 */
export async function capturePane(runner: Runner, pane: PaneId, options: CaptureOptions = {}): Promise<string[]> {
  const flags = [options.escapes ? ['-e'] : [], options.joined ? ['-J'] : []].flat();
  const start = options.history ? ['-S', String(-options.history)] : [];
  return runner.run([['capture-pane', '-p', ...flags, ...start, '-t', pane]], { idempotent: true });
}

export interface Cursor {
  /** Cells from the left and from the top, from 0. */
  readonly column: number;
  readonly row: number;
}

/** Screen and cursor at the same instant. */
export async function captureWithCursor(
  runner: Runner,
  pane: PaneId,
  options: Pick<CaptureOptions, 'escapes'> = {},
): Promise<{ lines: string[]; cursor: Cursor }> {
  const flags = options.escapes ? ['-e'] : [];
  const lines = await runner.run(
    [
      ['display-message', '-p', '-t', pane, '#{cursor_x} #{cursor_y}'],
      ['capture-pane', '-p', ...flags, '-t', pane],
    ],
    { idempotent: true },
  );
  const [column, row] = (lines.shift() ?? '').split(' ').map(Number) as [number, number];
  return { lines, cursor: { column, row } };
}
