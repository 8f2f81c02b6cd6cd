/** Normal quantile of 97.5 %: 95 % lie between it and its negative. */
export const Z_95 = 1.959964

/**
 * 95 % interval of a rate, after Wilson: unlike the plain normal one it stays within 0..1 and is usable from the first
 * trial on. Without trials nothing is known.
 */
export function wilsonInterval(hits: number, trials: number): { low: number; high: number } {
  if (trials === 0) return { low: 0, high: 1 }
  const rate = hits / trials
  const square = Z_95 ** 2
  const centre = (rate + square / (2 * trials)) / (1 + square / trials)
  const half =
    (Z_95 / (1 + square / trials)) * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials ** 2))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
