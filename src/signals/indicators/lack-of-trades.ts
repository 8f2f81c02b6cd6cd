/** Why an average over trades is unknown; undefined once the trades of the last `neededMs` are known. */
export function lackOfTrades(firstMs: number, nowMs: number, neededMs: number): string | undefined {
  if (Number.isNaN(firstMs)) return 'no trades are known yet'
  return nowMs - firstMs >= neededMs
    ? undefined
    : `trades are known of less than the ${neededMs / 1000} seconds it needs`
}
