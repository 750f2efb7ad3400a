import { steadyNow } from '../../schemas/time/steadyTime.ts';
import type { Io } from '../io/io.ts';
import { clip } from './text.ts';

/** Prints lines. On a terminal, a status line below them is redrawn every second. */
export interface LiveLine {
  print(text: string): void;
  show(text: (seconds: number) => string): void;
  end(): void;
}

/** Bytes, because `out` makes escape sequences in text visible. */
const ERASE = Buffer.from('\r\u001b[2K');

export function createLiveLine(io: Pick<Io, 'out' | 'outIsTty' | 'columns'>): LiveLine {
  const started = steadyNow();
  let current: ((seconds: number) => string) | undefined;
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    if (!io.outIsTty || current === undefined) return;
    const text = current(Math.round((steadyNow() - started) / 1000));
    io.out(ERASE);
    io.out(clip(text, Math.min(io.columns, 500) - 1));
  };
  const erase = () => void (io.outIsTty && current !== undefined && io.out(ERASE));

  return {
    print: (text) => {
      erase();
      io.out(`${text}\n`);
      draw();
    },
    show: (text) => {
      current = text;
      if (!io.outIsTty) return;
      timer ??= setInterval(draw, 1000);
      draw();
    },
    end: () => {
      clearInterval(timer);
      erase();
      current = undefined;
    },
  };
}
