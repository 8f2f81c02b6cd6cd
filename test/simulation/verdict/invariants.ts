import type { MemoryRow, MemoryRows } from '../../../src/testing/ledger/memory-payment-rows.ts'
import type { Inclusion } from '../chain/history.ts'
import type { SimulatedNodes } from '../chain/nodes.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import { isForSeller } from '../people/authorization.ts'
import type { Purchase } from '../people/buyers.ts'
import { PRICES } from '../seller/products.ts'
import type { Service } from '../seller/service.ts'
import type { Late } from './charges.ts'

/** Names what broke, with the payment it broke for. */
export type Violation = { rule: string; subject: string }
export type Aftermath = {
  chain: SimulatedChain
  nodes: SimulatedNodes
  service: Service
  rows: MemoryRows
  purchases: readonly Purchase[]
  /** What each of these rules was broken by. */
  seen: Seen
  late: readonly Late[]
}
/** Noted while the story went on. */
export type Seen = {
  /** Solana payments that reached a facilitator who cannot submit them. */
  strayed: string[]
  /** Payments that reached a facilitator and that nobody had signed like that. */
  forged: string[]
  /** Answers to malformed headers. */
  odd: string[]
}
type Report = (rule: string, subject: string) => void

/** Conservation: what must hold when faults have stopped and everything under way has ended. */
export function findViolations(aftermath: Aftermath): Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, subject) => void violations.push({ rule, subject })
  const transfers = aftermath.chain.transfers().filter(({ authorization }) => isForSeller(authorization))
  checkTransfers(aftermath, transfers, report)
  checkRows(aftermath, report)
  checkDeliveries(aftermath, report)
  checkPurchases(aftermath, report)
  checkHandler(aftermath, transfers, report)
  checkSeen(aftermath, report)
  for (const { key, ms } of aftermath.late)
    report('charged and without a reply for too long', `${key} ${ms} ms`)
  return violations
}

function checkSeen({ seen, nodes, service }: Aftermath, report: Report): void {
  for (const key of seen.strayed) report('a Solana payment went to a facilitator that cannot submit it', key)
  for (const key of seen.forged) report('a forged payment reached a facilitator', key)
  for (const what of seen.odd) report('a malformed payment was not refused', what)
  for (const key of service.wrongs.resent) report('a settle in doubt was sent elsewhere', key)
  for (const key of service.wrongs.late) report('a payment was sent long after its sale had begun', key)
  for (const what of service.wrongs.rude) report('somebody was asked too much', what)
  for (const key of nodes.sentBlindly) report('a payment was sent while the chain was silent', key)
  for (const error of service.broken) report('the service broke', error)
}

/** I1, I2, I8: every transfer has exactly one settled row with a stored reply. */
function checkTransfers(
  { rows, service, chain }: Aftermath,
  transfers: readonly Inclusion[],
  report: Report,
): void {
  for (const { authorization, transaction, by } of transfers) {
    const { key, value } = authorization
    const row = rows.get(key)
    // What a stranger submits for a buyer who never came back is a gift, until a row says otherwise.
    if (!row && by === 'stranger' && !service.deliveries.some((delivery) => delivery.key === key)) continue
    if (!row) report('a transfer without a row', key)
    else if (row.state !== 'settled') report('a transfer whose row is not settled', `${key} ${row.state}`)
    else if (row.reply === undefined) report('a settled row without a reply', key)
    else if (row.transaction !== transaction && !wasUndone(chain, row))
      report('a row that names another transaction', key)
    else if (Number(row.amount) !== value) report('a row whose amount is not what moved', key)
  }
}

/** Its transaction counted once, and was undone since. Another one may have moved the money in its place. */
const wasUndone = ({ history, confirmedAt }: SimulatedChain, { key, transaction }: MemoryRow) =>
  confirmedAt(key) !== undefined &&
  history.ofKey(key).some((each) => each.transaction === transaction && each.undoneAtMs)

/** I1 the other way round, I7, and one purchase per identifier. */
function checkRows({ rows, chain, service }: Aftermath, report: Report): void {
  const isOpen = (payer: string) => service.processes().some(({ open }) => open.countOf(payer) > 0)
  const identifiers = new Map<string, string>()
  for (const row of rows.values()) {
    const { key, state, identifier } = row
    if (state === 'claimed' || state === 'settling') report('a row that never ended', `${key} ${state}`)
    if (state === 'settled' && chain.confirmedAt(key) === undefined)
      report('a settled row without a transfer that counts', key)
    if (hasEnded(row) && !isWaiting(rows, row.payer) && isOpen(row.payer))
      report('a payment that was decided is still open', key)
    if (identifier === undefined) continue
    if (identifiers.has(identifier)) report('one identifier, two purchases', identifier)
    identifiers.set(identifier, key)
  }
}

const hasEnded = ({ state }: MemoryRow) => state === 'settled' || state === 'void'
const isWaiting = (rows: MemoryRows, payer: string) =>
  [...rows.values()].some((row) => row.payer === payer && !hasEnded(row))

/** I3, I4: no reply unpaid, one authorization one reply, byte for byte. */
function checkDeliveries({ service, rows }: Aftermath, report: Report): void {
  const first = new Map<string, string>()
  for (const { key, productId, request, text, isForged, wasPaid } of service.deliveries) {
    if (isForged) report('a forged payment got a reply', key)
    if (!wasPaid) report('a reply that was not paid for', key)
    const goods = `${request} ${text}`
    if ((first.get(key) ?? goods) !== goods) report('one payment, two replies', key)
    first.set(key, goods)
    if (!text.startsWith(`${productId}?`)) report('the wrong reply', `${key} ${text}`)
    const row = rows.get(key)
    if (row && !isOfRow(row, text)) report('a reply that is not the stored one', key)
    if (row && Number(row.amount) < PRICES[productId]) report('a reply for less than its price', key)
  }
}

const isOfRow = ({ reply, transaction }: MemoryRow, text: string) =>
  text === `${reply?.text} ${reply?.receipt} ${transaction}`

/** I5, I6: no honest buyer is charged twice, or charged without getting the reply. */
function checkPurchases({ purchases, chain }: Aftermath, report: Report): void {
  for (const { kind, signed, received, insults } of purchases) {
    const charged = signed.filter(({ key }) => chain.transferOf(key))
    const name = signed[0]?.key ?? 'nobody'
    if (charged.length > 1) report('an honest buyer was charged twice', name)
    if (charged.length > 0 && received.length === 0) report('a charged buyer got nothing', name)
    if (kind === 'honest' && received.length === 0) report('an honest buyer was never served', name)
    if (new Set(received.map(({ text }) => text)).size > 1) report('a buyer got two different replies', name)
    for (const insult of insults) report('an honest buyer was turned away', insult)
  }
}

/** The handler runs once per claim, and only for claims of its own process; a reply it did not make is not charged for. */
function checkHandler({ service }: Aftermath, transfers: readonly Inclusion[], report: Report): void {
  for (const { key, mayRun } of service.handlerRuns) {
    if (!mayRun) report('the handler ran without a claim', key)
  }
  for (const { authorization, landedAtMs, by } of transfers) {
    if (by === 'stranger') continue
    const { key } = authorization
    const isMade = service.handlerRuns.some((run) => run.key === key && run.isOk && run.atMs <= landedAtMs)
    if (!isMade) report('charged for what was never made', key)
  }
}
