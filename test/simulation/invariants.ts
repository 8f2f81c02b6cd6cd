import type { MemoryRow, MemoryRows } from '../../src/testing/ledger/memory-payment-rows.ts'
import { keyOf, PAY_TO } from './authorization.ts'
import type { Purchase } from './buyers.ts'
import type { SimulatedChain, Transfer } from './chain.ts'
import { PRICES, type Service } from './service.ts'

/** Names what broke, with the payment it broke for. */
export type Violation = { rule: string; subject: string }
export type Aftermath = {
  chain: SimulatedChain
  service: Service
  rows: MemoryRows
  purchases: readonly Purchase[]
  /** Solana payments that reached a facilitator who cannot submit them. */
  strayed: readonly string[]
}
type Report = (rule: string, subject: string) => void

/** Conservation: what must hold when faults have stopped and everything under way has ended. */
export function findViolations(aftermath: Aftermath): Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, subject) => void violations.push({ rule, subject })
  const transfers = aftermath.chain.transfers().filter(({ to }) => to === PAY_TO)
  checkTransfers(aftermath, transfers, report)
  checkRows(aftermath, report)
  checkDeliveries(aftermath, report)
  checkPurchases(aftermath, report)
  checkHandler(aftermath, transfers, report)
  for (const key of aftermath.strayed)
    report('a Solana payment went to a facilitator that cannot submit it', key)
  for (const key of aftermath.service.resent) report('a settle in doubt was sent elsewhere', key)
  for (const error of aftermath.service.broken) report('the service broke', error)
  return violations
}

/** I1, I2, I8: every transfer has exactly one settled row with a stored reply. */
function checkTransfers({ rows, service }: Aftermath, transfers: readonly Transfer[], report: Report): void {
  for (const { key, transaction, value, by } of transfers) {
    const row = rows.get(key)
    // What a stranger submits for a buyer who never came back is a gift, until a row says otherwise.
    if (!row && by === 'stranger' && !service.deliveries.some((delivery) => delivery.key === key)) continue
    if (!row) report('a transfer without a row', key)
    else if (row.state !== 'settled') report('a transfer whose row is not settled', `${key} ${row.state}`)
    else if (row.reply === undefined) report('a settled row without a reply', key)
    else if (row.transaction !== transaction) report('a row that names another transaction', key)
    else if (Number(row.amount) !== value) report('a row whose amount is not what moved', key)
  }
}

/** I1 the other way round, I7, and one purchase per identifier. */
function checkRows({ rows, chain }: Aftermath, report: Report): void {
  const identifiers = new Map<string, string>()
  for (const row of rows.values()) {
    const { key, state, identifier } = row
    if (state === 'claimed' || state === 'settling') report('a row that never ended', `${key} ${state}`)
    if (state === 'settled' && chain.transferOf(key) === undefined)
      report('a settled row without a transfer', key)
    if (identifier === undefined) continue
    if (identifiers.has(identifier)) report('one identifier, two purchases', identifier)
    identifiers.set(identifier, key)
  }
}

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
    const charged = signed.filter((authorization) => chain.transferOf(keyOf(authorization)))
    const name = signed[0] ? keyOf(signed[0]) : 'nobody'
    if (charged.length > 1) report('an honest buyer was charged twice', name)
    if (charged.length > 0 && received.length === 0) report('a charged buyer got nothing', name)
    if (kind === 'honest' && received.length === 0) report('an honest buyer was never served', name)
    if (new Set(received.map(({ text }) => text)).size > 1) report('a buyer got two different replies', name)
    for (const insult of insults) report('an honest buyer was turned away', insult)
  }
}

/** The handler runs once per claim, and only for claims of its own process; a reply it did not make is not charged for. */
function checkHandler({ service }: Aftermath, transfers: readonly Transfer[], report: Report): void {
  for (const { key, mayRun } of service.handlerRuns) {
    if (!mayRun) report('the handler ran without a claim', key)
  }
  for (const { key, minedAtMs, by } of transfers) {
    if (by === 'stranger') continue
    const isMade = service.handlerRuns.some((run) => run.key === key && run.isOk && run.atMs <= minedAtMs)
    if (!isMade) report('charged for what was never made', key)
  }
}
