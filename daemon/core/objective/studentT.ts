/** More degrees of freedom are taken as these: the result is then a little too large. */
const MOST_FREEDOM = 200;
const STEPS = 64;
/** The result is rounded up to thousandths, so that it is the same on every machine. */
const DIGITS = 1000;

const known = new Map<string, number>();

/**
 * The value that Student's t distribution exceeds with the given chance. Pure. `freedom`: a whole number of at least 1;
 * `chance`: between 0 and 0.5.
 */
export function exceededBy(chance: number, freedom: number): number {
  const degrees = Math.min(MOST_FREEDOM, freedom);
  const key = `${degrees} ${chance}`;
  const found = known.get(key) ?? search(chance, degrees);
  known.set(key, found);
  return found;
}

function search(chance: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (chanceAbove(high, degrees) > chance && high < 1e9) [low, high] = [high, high * 2];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (chanceAbove(middle, degrees) > chance) low = middle;
    else high = middle;
  }
  return Math.ceil(high * DIGITS) / DIGITS;
}

/** The finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4. */
function chanceAbove(t: number, degrees: number): number {
  const angle = Math.atan2(t, Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees > 1 ? term : 0;
  for (let power = isOdd ? 3 : 2; power <= degrees - 2; power += 2) {
    term *= (cosine * cosine * (power - 1)) / power;
    sum += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return (1 - within) / 2;
}
