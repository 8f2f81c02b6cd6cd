import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { BotBook, OrderRow, TradeRow } from '../../ledger/ports/bot-book.ts'
import type { Broker, Paid } from '../brokers/broker.ts'
import { isRipe } from './is-ripe.ts'
import type { MissingShares } from './missing-shares.ts'
import { payoutOf } from './settlement.ts'

export type Winner = TradeRow & { sharesE6: bigint }
export type Redemption =
  | { state: 'done'; amountE6: bigint; transactionHash: string | undefined }
  | { state: 'pending'; reason: string }

export type RedeemPorts = {
  clock: Clock
  log: Log
  book: Pick<BotBook, 'planRedemption' | 'redeemed' | 'ordersOf' | 'findResolution'>
  missing: MissingShares
  onDifference(reason: string): Promise<void>
}
type Case = { winner: Winner; broker: Broker; accept: boolean }
type Claim = { tokenIds: readonly string[]; dueE6: bigint }

const ONE_E6 = 1_000_000n
const NOTHING: Paid = { amountE6: 0n, transactionHash: undefined }

/**
 * Redeems the shares that are there. Where they are not, only the venue's record of a payment proves that they were
 * paid: a balance that reads 0, and a plan of ours, prove nothing.
 */
export async function redeemOne(ports: RedeemPorts, given: Case): Promise<Redemption> {
  const { clock, book, log } = ports
  const { winner, broker } = given
  const { conditionId, sharesE6 } = winner
  const claim = await readClaim(ports, given)
  if (!claim) return { state: 'pending', reason: 'its fills are not final yet' }
  let heldE6 = 0n
  for (const tokenId of claim.tokenIds) heldE6 += await broker.holding(tokenId)
  const before = heldE6 >= sharesE6 ? NOTHING : await judgeMissing(ports, given, claim, heldE6)
  if ('state' in before) return before
  await book.planRedemption({ broker: broker.name, conditionId, sharesE6, atMs: clock.now() })
  const result = await broker.redeem(conditionId, claim.tokenIds)
  if (result.outcome === 'paid' && result.amountE6 > 0n)
    return finish(ports, given, { ...result, amountE6: result.amountE6 + before.amountE6 })
  // Nothing paid: an earlier one may be on its way, and the next look tells.
  const reason = result.outcome === 'paid' ? 'nothing was paid' : result.reason
  log.warn({ broker: broker.name, conditionId, reason }, 'winning shares could not be redeemed')
  return { state: 'pending', reason }
}

/** Undefined while a fill may still come to nothing; one that stays so for long is left to the balance to decide. */
async function readClaim({ book, clock }: RedeemPorts, { winner, broker }: Case): Promise<Claim | undefined> {
  const { conditionId, coin, windowStartS, outcome } = winner
  const orders = (await book.ordersOf(coin, windowStartS)).filter(
    (order) => order.broker === broker.name && order.conditionId === conditionId,
  )
  const resolution = await book.findResolution(coin, windowStartS)
  if (!isRipe(orders, resolution, clock.now())) return undefined
  const payoutUpE6 = resolution?.payoutUpE6 ?? (outcome === 'UP' ? ONE_E6 : 0n)
  const isPaying = (order: OrderRow) => (order.outcome === 'UP' ? payoutUpE6 > 0n : payoutUpE6 < ONE_E6)
  const tokenIds = [...new Set(orders.filter(isPaying).map(({ tokenId }) => tokenId))]
  return tokenIds.length > 0 ? { tokenIds, dueE6: payoutOf(orders, payoutUpE6) } : undefined
}

/** Fewer shares than we bought: what was paid for the others, where there is still something to redeem. */
async function judgeMissing(
  ports: RedeemPorts,
  given: Case,
  { tokenIds, dueE6 }: Claim,
  heldE6: bigint,
): Promise<Redemption | Paid> {
  const { winner, broker, accept } = given
  const { conditionId, sharesE6, windowStartS } = winner
  const paid = await broker.findPaid(conditionId, windowStartS * SECOND_MS)
  if (paid && paid.amountE6 >= dueE6) return finish(ports, given, paid)
  const { isLasting, isNews } = ports.missing.note(broker.name, conditionId, heldE6)
  if (isNews) await ports.onDifference(textOf({ sharesE6, tokenIds, heldE6, paid, dueE6 }))
  if (!isLasting)
    return { state: 'pending', reason: 'the venue shows fewer shares of it, and no payment yet' }
  if (heldE6 > 0n) return paid ?? NOTHING
  if (accept) return finish(ports, given, paid ?? NOTHING)
  return { state: 'pending', reason: 'the venue holds no shares of it, and shows no payment: claim the wins' }
}

async function finish(
  { clock, log, book, missing }: RedeemPorts,
  given: Case,
  paid: Paid,
): Promise<Redemption> {
  const { winner, broker } = given
  const { conditionId, sharesE6 } = winner
  const { amountE6, transactionHash } = paid
  const row = { broker: broker.name, conditionId, sharesE6, amountE6, transactionHash, atMs: clock.now() }
  await book.redeemed(row)
  missing.forget(broker.name, conditionId)
  log.info({ broker: broker.name, conditionId, transactionHash }, 'winning shares were redeemed')
  return { state: 'done', amountE6, transactionHash }
}

type Facts = {
  sharesE6: bigint
  tokenIds: readonly string[]
  heldE6: bigint
  paid: Paid | undefined
  dueE6: bigint
}

function textOf({ sharesE6, tokenIds, heldE6, paid, dueE6 }: Facts): string {
  const shares = `the ledger has ${Number(sharesE6) / 1e6} shares of token ${tokenIds.join(' and ')}, the venue ${Number(heldE6) / 1e6}`
  const money = `of ${Number(dueE6) / 1e6} USD it shows ${Number(paid?.amountE6 ?? 0n) / 1e6} as paid`
  return `${shares}; ${money}: look at the account, claim the wins, then reset`
}
