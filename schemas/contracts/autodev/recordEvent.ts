import { DevflowError } from '../../errors.ts';
import { shorten } from '../../text/phrases.ts';
import { isKebabCase } from '../document/fields.ts';

export const RECORDED = ['started', 'sub-step', 'completed', 'skipped', 'retry-failed'] as const;

/** Something that happened to the current step. */
export type RecordEvent =
  | { type: 'started'; decided: boolean }
  | { type: 'sub-step'; phase: number; name: string; detail: string }
  | { type: 'completed' | 'skipped' | 'retry-failed' };

/** An event as a caller gives it. */
export interface GivenEvent {
  event: string;
  decided?: boolean;
  phase?: number;
  name?: string;
  detail?: string;
}

const LONGEST_DETAIL = 10_000;

/** Throws `usage` if it is no event, or has what another event takes. */
export function toRecordEvent({ event, decided, phase, name, detail }: GivenEvent): RecordEvent {
  const type = RECORDED.find((each) => each === event);
  if (type === undefined) throw usage(`There is no event “${shorten(event)}”. The events are ${RECORDED.join(', ')}`);
  const foreign = [
    ...(type === 'started' ? [] : [['--decided', decided]]),
    ...(type === 'sub-step'
      ? []
      : [
          ['--phase', phase],
          ['--name', name],
          ['--detail', detail],
        ]),
  ].find(([, value]) => value !== undefined);
  if (foreign) throw usage(`${type} does not take ${foreign[0]}`);
  if (type === 'started') return { type, decided: decided ?? false };
  if (type !== 'sub-step') return { type };
  if (phase === undefined || name === undefined) throw usage('sub-step needs --phase and --name');
  if (!Number.isSafeInteger(phase) || phase < 0) throw usage(`--phase ${phase} is not a whole number`);
  if (!isKebabCase(name)) {
    throw usage(`--name “${shorten(name)}” is not lower-case words with hyphens, such as auto-fix-gate`);
  }
  if (detail !== undefined && detail.length > LONGEST_DETAIL) {
    throw usage(`--detail is longer than ${LONGEST_DETAIL} characters`);
  }
  return { type, phase, name, detail: detail ?? '' };
}

function usage(message: string): DevflowError {
  return new DevflowError('usage', message, { recoveryHint: 'See devflow autodev record --help.' });
}
