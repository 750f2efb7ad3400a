/**
 * The next time named by `… resets 3:45pm (UTC)`, `… try again at 12:59 PM` or `… retry in 1h2m3.5s`, in milliseconds
 * since 1970; undefined if there is none.
 */
export function resetTime(text: string, now: number): number | undefined {
  // Codex names the day if it is not today: `try again at Nov 25th, 2026 12:59 PM`.
  const dated = /try again at (\w{3,9} \d{1,2})(?:st|nd|rd|th), (\d{4}) (\d{1,2}:\d{2} [AP]M)/i.exec(text);
  if (dated) return Date.parse(`${dated[1]}, ${dated[2]} ${dated[3]}`) || undefined;
  const match = /(?:resets?(?: at)?|try again at) (\d{1,2})(?::(\d{2}))?\s*([ap]m)?(?:\s*\(([\w/+-]+)\))?/i.exec(text);
  if (!match) return afterWait(text, now);
  const [, hour, minute = '0', half, zone] = match;
  const wanted = ((Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0)) * 60 + Number(minute);
  const clock = minuteOfDay(now, zone);
  if (clock === undefined) return undefined;
  const ahead = (wanted - clock + 24 * 60) % (24 * 60);
  return Math.floor(now / 60_000 + ahead) * 60_000;
}

const MS = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function afterWait(text: string, now: number): number | undefined {
  const [, wait] = /\bretry (?:in|after) ((?:\d+(?:\.\d+)?(?:ms|[hms]))+)/i.exec(text) ?? [];
  if (wait === undefined) return undefined;
  const pieces = [...wait.toLowerCase().matchAll(/([\d.]+)(ms|[hms])/g)];
  return now + pieces.reduce((sum, [, count, unit]) => sum + Number(count) * MS[unit as keyof typeof MS], 0);
}

/** Undefined for an unknown time zone. */
function minuteOfDay(now: number, timeZone: string | undefined): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const [hour = 0, minute = 0] = format.format(now).split(':').map(Number);
    return hour * 60 + minute;
  } catch {
    return undefined;
  }
}
