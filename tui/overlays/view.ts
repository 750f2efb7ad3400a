import type { Model, Size } from '../model/model.ts';
import type { Overlay } from '../model/overlay.ts';
import { screenOf } from '../screens/index.ts';
import { type Line, line, overlayLines } from '../text/line.ts';
import { box } from '../widgets/box.ts';
import { chooseLines } from './choose.ts';
import { confirmLines } from './confirm.ts';
import { helpLines } from './help.ts';
import { inputLines } from './input.ts';
import { messageLines } from './message.ts';
import { paletteLines } from './palette.ts';
import { roomIn } from './room.ts';

/** The screen's lines with what lies over them. */
export function withOverlay(model: Model, under: readonly Line[], size: Size): readonly Line[] {
  const { overlay } = model;
  if (!overlay) return under;
  const room = roomIn(size);
  const inside = linesOf(model, overlay, room).map((each) => line(' ', ...each));
  const frame = box(titleOf(model, overlay), inside, room.columns + 4);
  // What one types into stays where it is while more or less is found.
  const isHigh = overlay.kind === 'palette' || overlay.kind === 'choose';
  const row = Math.max(0, Math.floor((size.rows - frame.length) / (isHigh ? 4 : 2)));
  return overlayLines(under, frame, isHigh ? Math.min(row, 1) : row, Math.floor((size.columns - room.columns - 4) / 2));
}

function titleOf(model: Model, overlay: Overlay): string {
  switch (overlay.kind) {
    case 'confirm':
      return 'Sure?';
    case 'palette':
      return 'Commands';
    case 'help':
      return `Keys: ${screenOf(model).title(model)}`;
    default:
      return overlay.title;
  }
}

function linesOf(model: Model, overlay: Overlay, { columns, rows }: Size): Line[] {
  switch (overlay.kind) {
    case 'confirm':
      return confirmLines(overlay, columns, rows);
    case 'input':
      return inputLines(overlay, columns, rows);
    case 'choose':
      return chooseLines(overlay, columns, rows);
    case 'message':
      return messageLines(overlay, columns, rows);
    case 'palette':
      return paletteLines(model, overlay, columns, rows);
    case 'help':
      return helpLines(model, overlay, { columns, rows });
    default:
      return overlay satisfies never;
  }
}
