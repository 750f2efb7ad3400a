import { type Model, type Overlay, type OverlayOf, type Size, type Step, step } from '../model/model.ts';
import { screenOf } from '../screens/index.ts';
import { fitWidth, type Line, line, lineWidth, overlayLines, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { bodySize } from '../widgets/bodySize.ts';
import { chooseLines, onChooseKey } from './choose.ts';
import { confirmLines, onConfirmKey } from './confirm.ts';
import { helpLines, onHelpKey } from './help.ts';
import { inputLines, onInputKey } from './input.ts';
import { onPaletteKey, paletteLines } from './palette.ts';
import { messageLines, onMessageKey } from './scrolled.ts';

interface OverlayKind<O> {
  title(model: Model, overlay: O): string;
  lines(model: Model, overlay: O, room: Size): Line[];
  onKey(model: Model, overlay: O, key: string, room: Size): Step;
  /** The wheel presses `up` and `down`, but never where those keys would close the overlay. */
  readonly wheel: 'always' | 'never' | 'while it scrolls';
  /** A person types into it, so it stays at the top while its height changes. */
  readonly isAtTop?: true;
}

/** A kind without an entry does not compile. */
const KINDS: { readonly [K in Overlay['kind']]: OverlayKind<OverlayOf<K>> } = {
  confirm: {
    title: (_, { title = 'Are you sure?' }) => title,
    lines: (_, overlay, { columns, rows }) => confirmLines(overlay, columns, rows),
    onKey: (model, overlay, key, room) => onConfirmKey({ ...model, overlay: undefined }, overlay, key, room),
    wheel: 'while it scrolls',
  },
  input: {
    title: (_, { title }) => title,
    lines: (_, overlay, { columns, rows }) => inputLines(overlay, columns, rows),
    onKey: onInputKey,
    wheel: 'never',
  },
  choose: {
    title: (_, { title }) => title,
    lines: (_, overlay, { columns, rows }) => chooseLines(overlay, columns, rows),
    onKey: onChooseKey,
    wheel: 'always',
    isAtTop: true,
  },
  palette: {
    title: () => 'Commands',
    lines: (model, overlay, { columns, rows }) => paletteLines(model, overlay, columns, rows),
    onKey: onPaletteKey,
    wheel: 'always',
    isAtTop: true,
  },
  message: {
    title: (_, { title }) => title,
    lines: (_, overlay, { columns, rows }) => messageLines(overlay, columns, rows),
    onKey: onMessageKey,
    wheel: 'while it scrolls',
  },
  help: {
    title: (model) => `Keys: ${screenOf(model).title(model)}`,
    lines: helpLines,
    onKey: onHelpKey,
    wheel: 'always',
  },
};

function kindOf({ kind }: Overlay): OverlayKind<Overlay> {
  return KINDS[kind] as OverlayKind<Overlay>;
}

/** An open overlay gets every key. */
export function onOverlayKey(model: Model, overlay: Overlay, key: string): Step {
  return kindOf(overlay).onKey(model, overlay, key, roomIn(bodySize(model)));
}

/** A click does nothing: it could be a slip, and must confirm nothing. */
export function onOverlayMouse(model: Model, overlay: Overlay, action: 'click' | 'up' | 'down'): Step {
  const { wheel } = kindOf(overlay);
  if (action === 'click' || wheel === 'never') return step(model);
  const next = onOverlayKey(model, overlay, action);
  return wheel === 'always' || next.model.overlay ? next : step(model);
}

/** The screen's lines with the overlay over them. */
export function withOverlay(model: Model, under: readonly Line[], size: Size): readonly Line[] {
  const { overlay } = model;
  if (!overlay) return under;
  const { title, lines, isAtTop } = kindOf(overlay);
  const room = roomIn(size);
  const inside = lines(model, overlay, room).map((each) => line(' ', ...each));
  const frame = box(title(model, overlay), inside, room.columns + 4);
  const row = Math.max(0, Math.floor((size.rows - frame.length) / (isAtTop ? 4 : 2)));
  const column = Math.floor((size.columns - room.columns - 4) / 2);
  return overlayLines(under, frame, isAtTop ? Math.min(row, 1) : row, column);
}

const MAX_COLUMNS = 88;

/** The cells inside a frame over a screen of this size. */
function roomIn({ columns, rows }: Size): Size {
  return { columns: Math.min(columns - 4, MAX_COLUMNS) - 4, rows: rows - 2 };
}

/** Lines in a frame with a title. `columns` includes the frame. */
function box(title: string, lines: readonly Line[], columns: number): Line[] {
  const inner = columns - 2;
  const name = title === '' ? [] : line(' ', span(title, theme.title), ' ');
  const edge = '─'.repeat(Math.max(0, inner - 1 - lineWidth(name)));
  const look = theme.accent;
  return [
    fitWidth([span('╭─', look), ...name, span(edge, look), span('╮', look)], columns),
    ...lines.map((each): Line => [span('│', look), ...fitWidth(each, inner), span('│', look)]),
    [span(`╰${'─'.repeat(inner)}╯`, look)],
  ];
}
