import { type Field, typed } from './field.ts';

/** Its lines, and the place of the cursor in them. Columns count characters. */
export function linesOf({ text, at }: Field): { lines: readonly string[]; row: number; column: number } {
  const before = [...text].slice(0, at).join('').split('\n');
  return { lines: text.split('\n'), row: before.length - 1, column: [...(before.at(-1) ?? '')].length };
}

/** A field of several lines after a key; undefined for a key it does not use. */
export function typedLines(field: Field, key: string): Field | undefined {
  const { lines, row, column } = linesOf(field);
  const line = lines[row] ?? '';
  switch (key) {
    case 'C-j':
      return onLine('\n');
    case 'up':
      return row === 0 ? field : goTo(row - 1);
    case 'down':
      return row === lines.length - 1 ? field : goTo(row + 1);
    case 'home':
    case 'end':
    case 'C-a':
    case 'C-e':
    case 'C-u':
    case 'C-k':
      return onLine(key);
    default:
      return typed(field, key);
  }

  /** The key changes only the line of the cursor. */
  function onLine(pressed: string): Field {
    const next = typed({ text: line, at: column }, pressed) ?? { text: line, at: column };
    const text = [...lines.slice(0, row), next.text, ...lines.slice(row + 1)].join('\n');
    return { text, at: startOf(row) + next.at };
  }

  function goTo(nth: number): Field {
    return { ...field, at: startOf(nth) + Math.min(column, [...(lines[nth] ?? '')].length) };
  }

  function startOf(nth: number): number {
    return lines.slice(0, nth).reduce((sum, each) => sum + [...each].length + 1, 0);
  }
}
