/** The part of neo-blessed that is used; `@types/blessed` describes the widgets. */
declare module 'neo-blessed/lib/program.js' {
  import type { EventEmitter } from 'node:events';

  export interface BlessedProgram extends EventEmitter {
    destroy(): void;
  }
  const program: new (options: { tput?: boolean; resizeTimeout?: number }) => BlessedProgram;
  export default program;
}
