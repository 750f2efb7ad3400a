import { FIRST_QUERIES } from './model/listQueries.ts';
import type { Model, ScreenId, Size } from './model/model.ts';
import { fitWidth, type Line, line, span } from './text/line.ts';
import { theme } from './text/theme.ts';
import { clock } from './text/time.ts';
import { view } from './view.ts';
import { isTooSmall } from './widgets/bodySize.ts';

/**
 * The frame that the next popup shows until it has newer data. It looks just opened, and is marked as old. Undefined if
 * no key of tmux opens this screen, or if the model lacks data for it.
 */
export function oldFrame({ link, place, size, data, ...model }: Model): readonly Line[] | undefined {
  const queries = FIRST_QUERIES[place.screen];
  if (link.state !== 'up' || queries === undefined || place.id !== undefined || isTooSmall(size)) return undefined;
  const isWhole = queries.every((query) => {
    const answer = data.get(query.key);
    return answer?.value !== undefined && answer.error === undefined;
  });
  if (!isWhole) return undefined;
  const opened: Model = {
    ...model,
    link: { state: 'connecting' },
    place,
    size,
    data,
    history: [],
    states: new Map(),
    overlay: undefined,
    toasts: [],
    busy: [],
  };
  return [...view(opened).slice(0, -1), oldMark(model.now, size.columns)];
}

/**
 * The last line of an old frame. `bin/devflow` shows no frame without it. Its style has no colour, so it is readable on every
 * background.
 */
export function oldMark(now: number, columns: number): Line {
  const since = clock(new Date(now).toISOString(), 0);
  return fitWidth(line(span(` Old: from ${since}. Reading the daemon…`, theme.marked)), columns, theme.bar);
}

/** The name of the file that `bin/devflow` looks for. Undefined if the environment says nothing usable about the terminal. */
export function oldFrameName(screen: ScreenId, { rows, columns }: Size, env: NodeJS.ProcessEnv): string | undefined {
  const { TERM = '', COLORTERM, NO_COLOR, LC_ALL, LC_CTYPE, LANG } = env;
  if (!/^[\w+-]+$/.test(TERM)) return undefined;
  const isUtf8 = /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
  return `${screen}-${rows}x${columns}-${TERM}-${COLORTERM ? 'c' : ''}${NO_COLOR ? 'n' : ''}${isUtf8 ? 'u' : ''}`;
}
