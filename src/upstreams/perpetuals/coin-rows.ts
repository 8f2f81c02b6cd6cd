import { z } from 'zod'
import { COINS, type Coin } from '../../core/coin.ts'
import { describeFault } from '../wire/reply.ts'
import { wireArray } from '../wire/text.ts'

/** Venues list fewer than a thousand contracts. */
const MAX_ROWS = 5_000

/** Which of our coins a venue's name of a contract means. */
export type Contracts = ReadonlyMap<unknown, Coin>

export const contractsOf = (nameOf: (coin: Coin) => string): Contracts =>
  new Map(COINS.map((coin) => [nameOf(coin), coin]))

/**
 * The rows of our coins, by the field that names the contract; the others are not looked at. A bad row is left out, and
 * a list without a good one is refused.
 */
export const coinRows = <Row extends z.ZodType>(row: Row, nameField: string, contracts: Contracts) =>
  wireArray(z.unknown(), MAX_ROWS).transform((rows, { issues }): ReadonlyMap<Coin, z.output<Row>> => {
    const found = new Map<Coin, z.output<Row>>()
    let reason = 'none of our contracts is listed'
    for (const each of rows) {
      const coin = contracts.get(fieldOf(each, nameField))
      if (coin === undefined || found.has(coin)) continue
      const parsed = row.safeParse(each)
      if (parsed.success) found.set(coin, parsed.data)
      else reason = describeFault(parsed.error)
    }
    if (found.size === 0) issues.push({ code: 'custom', message: reason, input: undefined })
    return found
  })

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
