import type { Model } from '../model/model.ts';

/** A column of a list: what it shows of a thing is what `/` finds and `S` sorts by. */
export interface Column<T> {
  readonly title: string;
  text(item: T, model: Model): string;
  /** What it sorts by, the least first; absent: its text. */
  order?(item: T): number | string;
}

/** The column that a list is sorted by. */
export interface Sorting {
  readonly by: string;
  readonly down: boolean;
}

/** Those that contain all the words typed, wherever they are seen. `also` is looked in although no column shows it. */
export function filterItems<T>(
  model: Model,
  items: readonly T[],
  words: string,
  columns: readonly Column<T>[],
  also?: (item: T) => string,
): readonly T[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return items;
  return items.filter((item) => {
    const text = [...columns.map((column) => column.text(item, model)), also?.(item)].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** In the order of a column, those it says nothing of last; what is equal stays as it was. */
export function sortItems<T>(
  model: Model,
  items: readonly T[],
  columns: readonly Column<T>[],
  sorting: Sorting | undefined,
): readonly T[] {
  const column = columns.find(({ title }) => title === sorting?.by);
  if (!column || !sorting) return items;
  const of = (item: T) => column.order?.(item) ?? column.text(item, model).trim().toLowerCase();
  const turn = sorting.down ? -1 : 1;
  return items
    .map((item) => ({ item, order: of(item) }))
    .sort((a, b) => Number(isNothing(a.order)) - Number(isNothing(b.order)) || turn * compare(a.order, b.order))
    .map(({ item }) => item);
}

const isNothing = (order: number | string): boolean => order === '' || Number.isNaN(order);

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** How long ago, the youngest first; of what has no time nothing. */
export function youngestFirst(time: string | null | undefined): number {
  return -Date.parse(time ?? '');
}

/** The names of columns, the one that the list is sorted by with the way it goes. */
export type Head = (title: string, shown?: string) => string;

export function headTitle(sorting: Sorting | undefined): Head {
  return (title, shown = title) => (sorting?.by === title ? `${shown}${sorting.down ? '↓' : '↑'}` : shown);
}
