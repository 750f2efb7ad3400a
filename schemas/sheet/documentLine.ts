/** A line of a document or a sheet, without width and colours. Each reader wraps and paints it. */
export interface DocumentLine {
  /** The JSON pointer of the value that it shows; empty for text between values and outside of JSON. */
  pointer: string;
  text: string;
  /** `code` keeps its spaces, and no reader looks for markup in it. */
  as: 'heading' | 'text' | 'item' | 'code';
  depth: number;
  /** Stands before the text: a bullet, a number, a name. */
  mark?: string;
  /** Markdown of an agent: a reader may style `**strong**` and the like within the line. */
  isMarkdown?: true;
}

const INDENT = 2;

/** The characters before the text: its indent and its mark. */
export function beginOf({ depth, mark }: Pick<DocumentLine, 'depth' | 'mark'>): string {
  return `${' '.repeat(depth * INDENT)}${mark === undefined ? '' : `${mark} `}`;
}
