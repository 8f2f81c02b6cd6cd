/**
 * True once `everyMs` have passed since `lastMs`, or nothing was before. Where the clock was set back nobody knows how
 * long ago the last time was: then it is due too.
 */
export const isDue = (nowMs: number, lastMs: number | undefined, everyMs: number): boolean =>
  lastMs === undefined || nowMs < lastMs || nowMs - lastMs >= everyMs
