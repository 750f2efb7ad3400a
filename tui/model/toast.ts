import type { ApiError } from './apiError.ts';
import type { Model, Toast } from './model.ts';

const TOAST_MS: Readonly<Record<Toast['tone'], number>> = { good: 4_000, warn: 8_000, bad: 10_000 };
const MAX_TOASTS = 4;

/** False also for a toast that would stay too long: the clock was set back. */
export function isShown({ until }: Toast, now: number): boolean {
  return until > now && until - now <= Math.max(...Object.values(TOAST_MS));
}

/** Shows a message for some seconds. The same text is never shown twice. */
export function toast(model: Model, tone: Toast['tone'], text: string, gates?: number): Model {
  const id = model.lastToast + 1;
  const added = { id, tone, text, until: model.now + TOAST_MS[tone], gates };
  const others = model.toasts.filter((each) => each.text !== text);
  return { ...model, lastToast: id, toasts: [...others, added].slice(-MAX_TOASTS) };
}

export function toastError(model: Model, { message, hint }: ApiError): Model {
  return toast(model, 'bad', hint === undefined ? message : `${message} ${hint}`);
}
