import { describeError } from '../../core/describe-error.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { BotBook, BrokerName } from '../../ledger/ports/bot-book.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { ClaimReport } from '../bot.ts'
import type { Broker, Holding } from '../brokers/broker.ts'
import { learnOutcome } from '../reconcile/learn-outcome.ts'
import type { Redeemer } from '../reconcile/redeem.ts'

type Ports = {
  clock: Clock
  book: Pick<BotBook, 'unredeemed' | 'redemptions' | 'redeemed' | 'addResolution' | 'findResolution'>
  view: Pick<LedgerView, 'orders' | 'unsettled' | 'findResolution' | 'putResolution'>
  redeemer: Redeemer
  broker(): BrokerName
  brokerOf(name: BrokerName): Broker
}
const ONE_E6 = 1_000_000n

type Claimed = ClaimReport['claimed'][number]
type Pending = ClaimReport['pending'][number]

/**
 * Redeems what the ledger knows to have won, then everything else that the account holds at the venue: also shares that
 * no order of ours bought, and those of markets that the ledger has as redeemed. What is paid once is not held any more,
 * so it may be called again.
 */
export function createClaimWins(ports: Ports): () => Promise<ClaimReport> {
  let isRunning = false
  const claim = async (): Promise<ClaimReport> => {
    const name = ports.broker()
    const claimed: Claimed[] = []
    const pending: Pending[] = []
    for (const orders of ports.view.unsettled().filter(([first]) => first?.broker === name)) {
      const conditionId = orders[0]?.conditionId ?? ''
      const learnt = await orPending(conditionId, () => learnOutcome(ports, orders, ports.brokerOf(name)))
      if (learnt) pending.push(learnt)
    }
    const winners = await ports.book.unredeemed(name)
    for (const winner of winners) {
      const { conditionId, coin, windowStartS } = winner
      const result = await orPending(conditionId, () => ports.redeemer.redeem(winner, { accept: true }))
      if ('reason' in result) pending.push({ conditionId, reason: result.reason })
      else claimed.push({ ...result, conditionId, coin, windowStartS })
    }
    const own = new Set([...winners, ...pending].map(({ conditionId }) => conditionId))
    const others = (await ports.brokerOf(name).holdings()).filter(
      ({ conditionId, sharesE6 }) => sharesE6 > 0n && !own.has(conditionId),
    )
    for (const holding of others) {
      const result = await orPending(holding.conditionId, () => claimHolding(ports, name, holding))
      if ('reason' in result) pending.push(result)
      else if (result.amountE6 > 0n) claimed.push(result)
    }
    return { broker: name, scanned: own.size + others.length, claimed, pending }
  }
  return async () => {
    if (isRunning) throw new ServiceError('conflict', 'wins are being claimed already: wait for that to end')
    isRunning = true
    try {
      return await claim()
    } finally {
      isRunning = false
    }
  }
}

/** One market that fails does not keep the operator from the money of the others. */
const orPending = <T>(conditionId: string, act: () => Promise<T>): Promise<T | Pending> =>
  act().catch((err: unknown) => ({ conditionId, reason: `claim again later: ${describeError(err)}` }))

/** Shares of a market that the ledger does not know, has not settled, or has as redeemed. */
async function claimHolding(
  { clock, book, view, brokerOf }: Ports,
  name: BrokerName,
  { conditionId, tokenId }: Holding,
): Promise<Claimed | Pending> {
  const order = view.orders().find((each) => each.broker === name && each.tokenId === tokenId)
  const where = { conditionId, coin: order?.coin, windowStartS: order?.windowStartS }
  const resolution = order && view.findResolution(order.coin, order.windowStartS)
  // A share of the other outcome pays nothing, for ever.
  if (resolution && resolution.payoutUpE6 === (order.outcome === 'UP' ? 0n : ONE_E6))
    return { ...where, amountE6: 0n, transactionHash: undefined }
  const done = (await book.redemptions(name)).find(
    (row) => row.conditionId === conditionId && row.state === 'done',
  )
  // Its redemption has to be in the ledger, which the next pass sees to.
  if (order && !done) return { conditionId, reason: 'the market is not settled yet' }
  const result = await brokerOf(name).redeem(conditionId, [tokenId])
  if (result.outcome !== 'paid') return { conditionId, reason: result.reason }
  const { amountE6, transactionHash } = result
  if (done)
    await book.redeemed({ ...done, amountE6: done.amountE6 + amountE6, transactionHash, atMs: clock.now() })
  return { ...where, amountE6, transactionHash }
}
