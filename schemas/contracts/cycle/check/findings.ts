import { shorten } from '../../../text/phrases.ts';
import type { ContractCode } from '../../report/codes.ts';
import { type Finding, finding } from '../../report/report.ts';

/** A state with a hundred thousand faults gets no hundred thousand findings. */
const MOST_OF_A_CODE = 100;

/** Collects what is wrong with one file. Beyond a hundred of a code, one more finding says so. */
export class Findings {
  readonly #path: string;
  readonly #found: Finding[] = [];
  readonly #counts = new Map<ContractCode, number>();

  constructor(path: string) {
    this.#path = path;
  }

  /** `field` is the way to the value: `plan.tasks[3].effort`. */
  add(code: ContractCode, message: string, field?: string): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= MOST_OF_A_CODE) {
      this.#found.push(finding(code, message, { path: this.#path, field: field && shorten(field) }));
    } else if (count === MOST_OF_A_CODE + 1) {
      this.#found.push(finding(code, 'There are more of these. They are not listed.', { path: this.#path }));
    }
  }

  list(): Finding[] {
    return this.#found;
  }
}
