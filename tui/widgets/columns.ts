import type { Model } from '../model/model.ts';

/** A column of a list. The filter searches its text, and `S` sorts by it. */
export interface Column<T> {
  readonly title: string;
  text(item: T, model: Model): string;
  /** The sort key, lowest first. Absent: the text of the cell. */
  order?(item: T): number | string;
}

export interface Sorting {
  readonly by: string;
  readonly down: boolean;
}

/** The items that contain all the words, in any column or in `also`, and those that `isFound` knows by them. */
export function filterItems<T>(
  model: Model,
  items: readonly T[],
  words: string,
  columns: readonly Column<T>[],
  { also, isFound }: { also?: ((item: T) => string) | undefined; isFound?: ((item: T) => boolean) | undefined } = {},
): readonly T[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return items;
  return items.filter((item) => {
    const text = [...columns.map((column) => column.text(item, model)), also?.(item)].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word)) || isFound?.(item) === true;
  });
}

/** The items in the order of a column, empty cells last. Equal items keep their order. */
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
    .sort((a, b) => Number(isEmpty(a.order)) - Number(isEmpty(b.order)) || turn * compare(a.order, b.order))
    .map(({ item }) => item);
}

const isEmpty = (order: number | string): boolean => order === '' || Number.isNaN(order);

function compare(a: number | string, b: number | string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorts by age, the youngest first. */
export function youngestFirst(time: string | null | undefined): number {
  return -Date.parse(time ?? '');
}

/** The title of a column, with an arrow if the list is sorted by it. */
export type Head = (title: string, shown?: string) => string;

export function headTitle(sorting: Sorting | undefined): Head {
  return (title, shown = title) => (sorting?.by === title ? `${shown}${sorting.down ? '↓' : '↑'}` : shown);
}
