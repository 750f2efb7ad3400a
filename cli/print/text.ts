import { isAbsolute } from 'node:path';
import type { Env } from '../../schemas/files/paths.ts';
import type { StallView } from '../../schemas/rpc/views/session.ts';
import { stallWords } from '../../schemas/states/stall.ts';
import { visible } from '../../schemas/text/visible.ts';
import { localTime } from '../../schemas/time/localTime.ts';
import { cut, widthOf } from '../client/textWidth.ts';

export { localTime, visible };

/** Cuts plain text to so many columns. An ellipsis shows where. */
export function clip(text: string, columns: number): string {
  return widthOf(text) <= columns ? text : `${cut(text, columns - 1).text}…`;
}

/** The beginning of an id. Commands accept any unambiguous prefix. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** A path below the home directory as `~/…`. */
export function tildePath(path: string, env: Env): string {
  const home = env.HOME ?? '';
  if (!isAbsolute(home)) return path;
  if (path === home) return '~';
  return home !== '/' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Why an agent is stalled, in a few words; null if it is not. */
export function stallText(stall: Pick<StallView, 'cause' | 'detail' | 'until'> | null | undefined): string | null {
  return stall ? visible(stallWords(stall, localTime)) : null;
}

const LEAST_COLUMNS = 20;

/** Wraps one line of plain text at spaces. A word that is wider than the line is cut. */
export function wrapText(text: string, columns: number): string[] {
  const room = Math.max(LEAST_COLUMNS, columns);
  const lines: string[] = [];
  let rest = text;
  for (;;) {
    const piece = Number.isFinite(room) ? cut(rest, room).text : rest;
    if (piece.length === rest.length) return [...lines, rest];
    const space = rest.charAt(piece.length) === ' ' ? piece.length : piece.lastIndexOf(' ');
    const end = space > 0 ? space : piece.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
}
