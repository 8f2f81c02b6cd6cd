import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { poolAmountOf, type TokenModel } from '../token-model.ts'
import { type PoolState, type SimPool, SPANS, type Span, type WhaleMove } from '../token-world.ts'

export const SPAN_MS: Readonly<Record<Span, number>> = {
  m5: 5 * MINUTE_MS,
  h1: HOUR_MS,
  h6: 6 * HOUR_MS,
  h24: 24 * HOUR_MS,
}

export type PoolView = {
  model: TokenModel
  pool: SimPool
  priceUsd(atMs: number): number
  liquidityUsd(atMs: number): number
  /** Oldest first, those of this pool. */
  movesBetween(fromMs: number, toMs: number): readonly WhaleMove[]
}

const TRADE_USD = 380
/** The same trader comes back. */
const TRADER_POWER = 0.82

export function poolStateAt(view: PoolView, atMs: number): PoolState {
  const spans = <T>(read: (span: Span) => T) =>
    Object.fromEntries(SPANS.map((span) => [span, read(span)])) as Record<Span, T>
  const flows = spans((span) => flowOver(view, atMs - SPAN_MS[span], atMs))
  const priceUsd = view.priceUsd(atMs)
  return {
    priceUsd,
    liquidityUsd: view.liquidityUsd(atMs),
    volumeUsd: spans((span) => flows[span].boughtUsd + flows[span].soldUsd),
    change: spans((span) => {
      const fromMs = Math.max(atMs - SPAN_MS[span], view.pool.createdMs)
      return fromMs >= atMs ? 0 : (priceUsd / view.priceUsd(fromMs) - 1) * 100
    }),
    trades: spans((span) => toTrades(flows[span])),
  }
}

type Flow = { boughtUsd: number; soldUsd: number; largeBuys: number; largeSells: number }

function flowOver({ model, pool, movesBetween }: PoolView, fromMs: number, toMs: number): Flow {
  const { token, turnover } = model
  const startMs = Math.max(fromMs, pool.createdMs)
  const endMs = Math.min(toMs, token.ruggedAtMs ?? toMs)
  if (endMs <= startMs) return { boughtUsd: 0, soldUsd: 0, largeBuys: 0, largeSells: 0 }
  const { bought, sold } = turnover.between(startMs, endMs)
  // Its usual size, because what was traded does not change afterwards.
  const sizeUsd = usualLiquidityUsd(model, pool)
  const flow = {
    boughtUsd: bought * sizeUsd,
    soldUsd: token.traits.isHoneypot ? 0 : sold * sizeUsd,
    largeBuys: 0,
    largeSells: 0,
  }
  for (const { kind, usd } of movesBetween(startMs, endMs)) {
    if (kind === 'pool_buy') {
      flow.boughtUsd += usd
      flow.largeBuys++
    } else {
      flow.soldUsd += usd
      flow.largeSells++
    }
  }
  return flow
}

function toTrades({ boughtUsd, soldUsd, largeBuys, largeSells }: Flow) {
  const buys = largeBuys + Math.round(boughtUsd / TRADE_USD)
  const sells = largeSells + Math.round(soldUsd / TRADE_USD)
  const traders = (trades: number) => Math.ceil(trades ** TRADER_POWER)
  return { buys, sells, buyers: traders(buys), sellers: traders(sells) }
}

function usualLiquidityUsd(model: TokenModel, pool: SimPool): number {
  return liquidityUsd(poolAmountOf(model, pool), model.token.decimals, model.usualUsd)
}

/** Both sides of a pool are worth the same. */
export const liquidityUsd = (amount: bigint, decimals: number, priceUsd: number): number =>
  2 * (Number(amount) / 10 ** decimals) * priceUsd
