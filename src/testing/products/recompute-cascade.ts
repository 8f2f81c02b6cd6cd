/** The cascade risk of a reply, as its buyer sees it. */
export type ShownCascade = {
  score: number | null
  parts: Readonly<Record<string, number | null>>
  inputs: Readonly<Record<string, number | null>> | null
}

const line = (value: number, calm: number, full: number) =>
  Math.max(0, Math.min(1, (value - calm) / (full - calm)))

/** Its parts by the formulas of `docs/methodology/derivatives.md`, from the inputs of the reply alone. */
export function recomputeCascade({ inputs }: ShownCascade): Record<string, number | null> {
  const of = <T>(names: readonly string[], make: (...values: number[]) => T): T | null => {
    const values = names.map((name) => inputs?.[name] ?? null)
    return values.every((value) => value !== null) ? make(...values) : null
  }
  const liquidated = ['liquidated_last_hour_usd', 'liquidated_usual_hour_usd', 'open_interest_usd']
  return {
    leverage: of(['open_interest_usd', 'volume_24h_usd'], (open = 0, volume = 0) =>
      line(open / volume, 0.4, 1.6),
    ),
    buildup: of(['open_interest_change_24h_percent'], (percent = 0) => line(percent, 0, 15)),
    funding: of(['funding_rate_8h_percent'], (percent = 0) => line(Math.abs(percent - 0.01), 0.01, 0.09)),
    liquidations: of(liquidated, (last = 0, usual = 0, open = 0) =>
      last === 0 ? 0 : Math.min(line(Math.log10(last / usual), 0, 1), line(last / open, 0, 0.005)),
    ),
    volatility: of(['volatility_ratio'], (ratio = 0) => line(ratio, 1, 3)),
  }
}
