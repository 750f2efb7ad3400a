/** The part of neo-blessed that is used; `@types/blessed` describes the widgets. */
declare module 'neo-blessed/lib/program.js' {
  import type { EventEmitter } from 'node:events';
  import type { Readable } from 'node:stream';

  export interface BlessedProgram extends EventEmitter {
    destroy(): void;
  }
  const program: new (options: { input?: Readable; tput?: boolean; resizeTimeout?: number }) => BlessedProgram;
  export default program;
}
