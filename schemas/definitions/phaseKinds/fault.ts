/** A fault at a path of a document. */
export interface Fault {
  path: (string | number)[];
  message: string;
}
