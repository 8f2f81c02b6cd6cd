import { z } from 'zod'
import { type Coin, findCoin } from '../../core/coin.ts'
import { fieldOf } from '../perpetuals/coin-rows.ts'
import { amount, fundingRate, price } from '../perpetuals/fields.ts'
import { historyRows } from '../perpetuals/history-rows.ts'
import { describeFault } from '../wire/reply.ts'
import { wireArray } from '../wire/text.ts'
import { wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

/** The venue lists some three hundred contracts. */
const MAX_CONTRACTS = 5_000

const Context = z
  .object({ funding: fundingRate(), openInterest: amount(), markPx: price(), dayNtlVlm: orUnknown(amount()) })
  .transform((wire) => ({
    fundingRate: wire.funding,
    markPrice: wire.markPx,
    openInterest: wire.openInterest,
    openInterestUsd: wire.openInterest * wire.markPx,
    volume24hUsd: wire.dayNtlVlm,
  }))
type Context = z.output<typeof Context>

/** Contracts and, in the same order, what is going on in each. Only exact names count: `kPEPE` is another unit. */
export const ContextsReply = z
  .tuple([
    z.object({ universe: wireArray(z.unknown(), MAX_CONTRACTS) }),
    wireArray(z.unknown(), MAX_CONTRACTS),
  ])
  .transform(([{ universe }, contexts], { issues }): ReadonlyMap<Coin, Context> => {
    const found = new Map<Coin, Context>()
    let reason = 'none of our contracts is listed'
    for (const [index, contract] of universe.entries()) {
      const coin = coinNamed(fieldOf(contract, 'name'))
      if (!coin || found.has(coin)) continue
      const parsed = Context.safeParse(contexts[index])
      if (parsed.success) found.set(coin, parsed.data)
      else reason = describeFault(parsed.error)
    }
    // Lists of different length no longer say which context is whose.
    if (universe.length !== contexts.length) reason = 'as many contexts as contracts expected'
    if (found.size === 0 || universe.length !== contexts.length)
      issues.push({ code: 'custom', message: reason, input: undefined })
    return found
  })

function coinNamed(name: unknown): Coin | undefined {
  const coin = typeof name === 'string' ? findCoin(name) : undefined
  return coin === name ? coin : undefined
}

export const FundingHistoryReply = historyRows(
  z
    .object({ time: wireTime(), fundingRate: fundingRate() })
    .transform((wire) => ({ atMs: wire.time, rate: wire.fundingRate })),
)
