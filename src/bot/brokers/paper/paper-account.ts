import type { Clock } from '../../../core/time/clock.ts'
import type { PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { PaperBook } from '../../../ledger/ports/paper-book.ts'
import { feeOf } from '../../../market/prediction/fee.ts'
import { divideUp } from '../../../market/prediction/millionths.ts'
import type { TakerFee } from '../../../upstreams/polymarket/five-minute-market.ts'
import type { Broker, Redeemed } from '../broker.ts'
import type { InTurn } from '../in-turn.ts'
import { E4_TO_E6 } from './walk-book.ts'

export type Funds = { cashE6: bigint; heldE6: bigint }
/** What the paper account has, and what of it orders under way may still use. */
export type PaperAccount = Pick<
  Broker,
  'obstacles' | 'cashE6' | 'holding' | 'holdings' | 'redeem' | 'findPaid'
> & {
  funds(tokenId: string): Promise<Funds>
  /** Sets aside what the order may use; says why where that is not there. */
  reserve(
    order: PlannedOrder,
    funds: Funds,
    fee: TakerFee | undefined,
    bestE4: number | undefined,
  ): string | undefined
  release(clientOrderId: string): void
}

const ONE_E6 = 1_000_000n
/** Less buys nothing at the venue. */
const LEAST_CASH_E6 = ONE_E6

type Input = {
  clock: Clock
  book: PaperBook
  startCashE6: bigint
  payoutOf(conditionId: string, tokenId: string): Promise<bigint | undefined>
  inTurn: InTurn
}

export function createPaperAccount({ book, startCashE6, payoutOf, clock, inTurn }: Input): PaperAccount {
  const reserved = new Map<string, { cashE6: bigint; tokenId: string; sharesE6: bigint }>()
  const cashE6 = async () => startCashE6 + (await book.cashFlowE6())
  const holding = async (tokenId: string) =>
    (await book.holdings()).find((held) => held.tokenId === tokenId)?.sharesE6 ?? 0n
  const redeemToken = async (conditionId: string, tokenId: string): Promise<Redeemed> => {
    const payoutE6 = await payoutOf(conditionId, tokenId)
    if (payoutE6 === undefined) return { outcome: 'refused', reason: 'the market is not resolved yet' }
    // What was paid before is told by `findPaid` alone: told here as well, it would count twice.
    const sharesE6 = await holding(tokenId)
    if (sharesE6 <= 0n) return { outcome: 'refused', reason: 'the account has no shares of it' }
    const amountE6 = (sharesE6 * payoutE6) / ONE_E6 // floors, as the contracts do
    return (await book.pay({ conditionId, tokenId, sharesE6, amountE6, atMs: clock.now() }))
      ? toPaid(amountE6)
      : { outcome: 'refused', reason: 'it was paid already' }
  }
  const redeem = async (conditionId: string, tokenIds: readonly string[]): Promise<Redeemed> => {
    const results: Redeemed[] = []
    for (const tokenId of tokenIds) results.push(await redeemToken(conditionId, tokenId))
    const paid = results.flatMap((result) => (result.outcome === 'paid' ? result.amountE6 : []))
    if (paid.length > 0) return toPaid(paid.reduce((sum, amountE6) => sum + amountE6, 0n))
    return results[0] ?? { outcome: 'refused', reason: 'no tokens were named' }
  }
  return {
    async obstacles() {
      if ((await cashE6()) >= LEAST_CASH_E6) return []
      const text = 'the paper account has less than 1 USD: set TOLLBOOK_PAPER_USD higher and start again'
      return [{ code: 'no_cash', text }]
    },
    cashE6,
    holding,
    holdings: () => book.holdings(),
    // In turn with orders: shares that are being sold are not paid out as well.
    redeem: (conditionId, tokenIds) => inTurn(() => redeem(conditionId, tokenIds)),
    async findPaid(conditionId) {
      const own = (await book.payouts()).filter((payout) => payout.conditionId === conditionId)
      const amountE6 = own.reduce((sum, payout) => sum + payout.amountE6, 0n)
      return own.length > 0 ? { amountE6, transactionHash: undefined } : undefined
    },
    async funds(tokenId) {
      return { cashE6: await cashE6(), heldE6: await holding(tokenId) }
    },
    reserve({ clientOrderId, tokenId, spendE6 = 0n, sharesE6 = 0n }, funds, fee, bestE4) {
      const neededE6 = spendE6 + feeAt(spendE6, fee, bestE4)
      const others = [...reserved.values()]
      const cashLeftE6 = others.reduce((left, each) => left - each.cashE6, funds.cashE6)
      const sharesLeftE6 = others
        .filter((each) => each.tokenId === tokenId)
        .reduce((left, each) => left - each.sharesE6, funds.heldE6)
      if (cashLeftE6 < neededE6) return 'not enough cash'
      if (sharesLeftE6 < sharesE6) return 'not enough shares'
      reserved.set(clientOrderId, { cashE6: neededE6, tokenId, sharesE6 })
      return undefined
    },
    release: (clientOrderId) => void reserved.delete(clientOrderId),
  }
}

const toPaid = (amountE6: bigint): Redeemed => ({ outcome: 'paid', amountE6, transactionHash: undefined })

/** The cheaper the shares, the more of them are bought, and the higher is the fee: at the best price it is the highest. */
function feeAt(spendE6: bigint, fee: TakerFee | undefined, bestE4: number | undefined): bigint {
  if (bestE4 === undefined) return 0n
  const priceE6 = BigInt(bestE4) * E4_TO_E6
  return feeOf(fee, priceE6, divideUp(spendE6 * ONE_E6, priceE6)) ?? 0n
}
