type Absent<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** Keys that may be undefined are optional and never undefined. */
export type Defined<T> = Omit<T, Absent<T>> & { [K in Absent<T>]?: Exclude<T[K], undefined> };

/** The values that are not undefined. JSON leaves such keys out anyway, but `in`, spreads and deep comparisons do not. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
