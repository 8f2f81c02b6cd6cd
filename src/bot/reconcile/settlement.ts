import type { OrderRow, ResolutionRow, Settlement, TradeRow } from '../../ledger/ports/bot-book.ts'
import type { Direction } from '../../signals/signal.ts'
import { goodFills, sharesHeld, sumFills, tookSomething } from '../account/fills.ts'

const ONE_E6 = 1_000_000n

/**
 * What all orders of one market under one broker brought, now that it is known what a share pays. Undefined where none
 * of them took anything.
 */
export function settlementOf(
  orders: readonly OrderRow[],
  { outcome, payoutUpE6, atMs }: Pick<ResolutionRow, 'outcome' | 'payoutUpE6' | 'atMs'>,
  confidence: number | undefined,
): Settlement | undefined {
  const taking = orders.filter(tookSomething)
  const [first] = taking
  if (!first) return undefined
  const buys = sumFills(taking.filter(({ side }) => side === 'BUY'))
  const sales = sumFills(taking.filter(({ side }) => side === 'SELL'))
  const worthE6 = payoutOf(taking, payoutUpE6)
  const collectedE6 = sales.notionalE6 + worthE6
  const feesE6 = buys.feeE6 + sales.feeE6
  return {
    broker: first.broker,
    conditionId: first.conditionId,
    coin: first.coin,
    windowStartS: first.windowStartS,
    direction: mainSide(taking),
    outcome,
    origin: originOf(taking),
    confidence,
    boughtSharesE6: buys.sharesE6,
    costE6: buys.notionalE6,
    feesE6,
    collectedE6,
    profitE6: collectedE6 - buys.notionalE6 - feesE6,
    roundProfitE6: roundProfit(taking, payoutUpE6),
    openedMs: Math.min(...taking.flatMap(goodFills).map((fill) => fill.atMs)),
    resolvedMs: atMs,
  }
}

/** What the shares that are left pay, each side apart. Floors, as the contracts do. */
export function payoutOf(orders: readonly OrderRow[], payoutUpE6: bigint): bigint {
  const heldOf = (outcome: Direction) => sharesHeld(orders.filter((order) => order.outcome === outcome))
  return (heldOf('UP') * payoutUpE6) / ONE_E6 + (heldOf('DOWN') * (ONE_E6 - payoutUpE6)) / ONE_E6
}

/** A trade of which every fill failed after it was settled: rows are never removed, so it stays, with nothing in it. */
export const emptied = (trade: Settlement): Settlement => ({
  ...trade,
  boughtSharesE6: 0n,
  costE6: 0n,
  feesE6: 0n,
  collectedE6: 0n,
  profitE6: 0n,
  roundProfitE6: undefined,
})

/** As if nobody had traded by hand: the round only buys, and holds what it bought. */
function roundProfit(orders: readonly OrderRow[], payoutUpE6: bigint): bigint | undefined {
  const own = orders.filter(({ origin, side }) => origin === 'round' && side === 'BUY')
  if (own.length === 0) return undefined
  const { notionalE6, feeE6 } = sumFills(own)
  return payoutOf(own, payoutUpE6) - notionalE6 - feeE6
}

function mainSide(orders: readonly OrderRow[]): Direction {
  const spent = (outcome: Direction) =>
    sumFills(orders.filter((order) => order.side === 'BUY' && order.outcome === outcome)).notionalE6
  return spent('UP') >= spent('DOWN') ? 'UP' : 'DOWN'
}

function originOf(orders: readonly OrderRow[]): TradeRow['origin'] {
  const [first, ...others] = new Set(orders.map(({ origin }) => origin))
  return others.length > 0 || !first ? 'mixed' : first
}
