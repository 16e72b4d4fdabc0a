const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/**
 * `now`, but whatever in it is as it was in `then` is the same object as there: what is drawn from it need not be drawn
 * again. For plain data only.
 */
export function share<Data>(now: Data, then: unknown): Data {
  if (now === then || !isObject(now) || !isObject(then) || Array.isArray(now) !== Array.isArray(then))
    return now;
  const keys = Object.keys(now);
  let same = keys.length === Object.keys(then).length;
  const whole = (Array.isArray(now) ? [] : {}) as Record<string, unknown>;
  for (const key of keys) {
    whole[key] = share(now[key], then[key]);
    same &&= whole[key] === then[key] && key in then;
  }
  return (same ? then : whole) as Data;
}
