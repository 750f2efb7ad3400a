import { type CharSet, only, singleUnit, union } from './charSet.ts';

/** The letter that stands for all cases of a code unit, as regular expressions with the flag `i` compare them. */
export function foldUnit(unit: number): number {
  const upper = String.fromCharCode(unit).toUpperCase();
  const folded = upper.length === 1 ? upper.charCodeAt(0) : unit;
  return unit >= 0x80 && folded < 0x80 ? unit : folded;
}

export function foldText(text: string): string {
  let folded = '';
  for (let index = 0; index < text.length; index += 1) folded += String.fromCharCode(foldUnit(text.charCodeAt(index)));
  return folded;
}

/** A set that has the folded form of each of its units. */
export function foldSet(set: CharSet): CharSet {
  const unit = singleUnit(set);
  if (unit !== undefined) return only(foldUnit(unit));
  const inSet = foldedUnits().filter(([each]) => set.some(([from, to]) => from <= each && each <= to));
  return union([...set, ...inSet.map(([, folded]) => [folded, folded] as const)]);
}

let units: (readonly [unit: number, folded: number])[] | undefined;

/** The about 1,400 units that are not their own folded form. */
function foldedUnits(): readonly (readonly [unit: number, folded: number])[] {
  units ??= Array.from({ length: 0x10000 }, (_, unit) => [unit, foldUnit(unit)] as const).filter(
    ([unit, folded]) => unit !== folded,
  );
  return units;
}
