/** The next time that `… resets 3:45pm (UTC)` means, in milliseconds since 1970; undefined when it names none. */
export function resetTime(text: string, now: number): number | undefined {
  const match = /resets?(?: at)? (\d{1,2})(?::(\d{2}))?\s*([ap]m)?(?:\s*\(([\w/+-]+)\))?/i.exec(text);
  if (!match) return undefined;
  const [, hour, minute = '0', half, zone] = match;
  const wanted = ((Number(hour) % (half ? 12 : 24)) + (half?.toLowerCase() === 'pm' ? 12 : 0)) * 60 + Number(minute);
  const clock = minuteOfDay(now, zone);
  if (clock === undefined) return undefined;
  const ahead = (wanted - clock + 24 * 60) % (24 * 60);
  return Math.floor(now / 60_000 + ahead) * 60_000;
}

/** Undefined for a zone that does not exist. */
function minuteOfDay(now: number, timeZone: string | undefined): number | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    const [hour = 0, minute = 0] = format.format(now).split(':').map(Number);
    return hour * 60 + minute;
  } catch {
    return undefined;
  }
}
