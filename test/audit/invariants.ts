import type { Purchase } from '../buying/buyers.ts'
import type { Sighting } from '../buying/counter.ts'
import type { Transfer } from './chain-evidence.ts'
import { isOpen, type LedgerRow } from './ledger-rows.ts'

/** Everything that can be known from outside once all is quiet. */
export type Evidence = {
  nowMs: number
  transfers: readonly Transfer[]
  held: bigint
  rows: readonly LedgerRow[]
  sightings: ReadonlyMap<string, readonly Sighting[]>
  purchases: readonly Purchase[]
  /** In millionths, by address, as the 402 said. */
  prices: ReadonlyMap<string, bigint>
  /** What /x402/status says; undefined where it did not answer. */
  reportedRevenue: bigint | undefined
}
export type Violation = { rule: string; subject: string }
type Report = (rule: string, subject: string) => void
type Index = { rows: ReadonlyMap<string, readonly LedgerRow[]>; charged: ReadonlySet<string> }

/** What a row may outlive its authorization by: the chain's margin and a round of reconciliation. */
const DECIDED_WITHIN_MS = 60_000

export function findViolations(evidence: Evidence): Violation[] {
  const violations: Violation[] = []
  const report: Report = (rule, subject) => void violations.push({ rule, subject })
  const index = {
    rows: Map.groupBy(evidence.rows, ({ id }) => id),
    charged: new Set(evidence.transfers.map(({ id }) => id)),
  }
  checkTransfers(evidence, index, report)
  checkRows(evidence, index, report)
  checkSightings(evidence, index, report)
  checkPurchases(evidence, index, report)
  checkSums(evidence, report)
  return violations
}

function checkTransfers({ transfers }: Evidence, { rows }: Index, report: Report): void {
  const seen = new Set<string>()
  for (const { id, transaction, amount } of transfers) {
    if (seen.has(id)) report('I1 one authorization moved money twice', id)
    seen.add(id)
    const settled = (rows.get(id) ?? []).filter(({ state }) => state === 'settled')
    const [row] = settled
    if (!row || settled.length > 1) report(`I1 a transfer with ${settled.length} settled rows`, id)
    else if (row.transaction !== transaction) report('I1 a row that names another transaction', id)
    else if (row.amount !== amount) report('I1 a row whose amount is not what moved', id)
  }
}

function checkRows({ rows, nowMs }: Evidence, { charged }: Index, report: Report): void {
  for (const row of rows) {
    const { id, state, replyText, validBeforeMs } = row
    if (state === 'settled' && !charged.has(id)) report('I1 a settled row without a transfer', id)
    if (state === 'settled' && replyText === undefined) report('I2 a settled row without a reply', id)
    const isLate = validBeforeMs === undefined || nowMs > validBeforeMs + DECIDED_WITHIN_MS
    if (isOpen(row) && isLate) report(`I7 a row that never ended: ${state}`, id)
  }
}

function checkSightings({ sightings, prices }: Evidence, { rows }: Index, report: Report): void {
  for (const [id, goods] of sightings) {
    if (goods.length > 1) report('I4 one payment, two goods', id)
    const row = rows.get(id)?.find(({ state }) => state === 'settled')
    for (const { path, text } of goods) {
      if (!row) report('I3 a reply that was not paid for', id)
      else if (row.amount < (prices.get(path) ?? 0n)) report('I3 a reply for less than its price', id)
      else if (row.request !== `GET ${path}`) report('I4 a reply to another request', id)
      else if (row.replyText !== text) report('I4 a reply that is not the stored one', id)
    }
  }
}

function checkPurchases({ purchases, sightings }: Evidence, { charged }: Index, report: Report): void {
  for (const { kind, payments, isDelivered, insults } of purchases) {
    const ids = payments.map(({ id }) => id)
    const name = ids.join(', ')
    const paid = ids.filter((id) => charged.has(id))
    if (paid.length > 1) report('I5 a buyer was charged twice', name)
    if (paid.some((id) => !sightings.has(id))) report('I6 a charged buyer cannot get the reply', name)
    if (kind === 'honest' && !isDelivered) report('I6 an honest buyer was never served', name)
    for (const insult of insults) report('an honest buyer was turned away', insult)
  }
}

function checkSums({ transfers, rows, held, reportedRevenue }: Evidence, report: Report): void {
  const moved = sum(transfers)
  const booked = sum(rows.filter(({ state }) => state === 'settled'))
  if (moved !== booked) report('I8 the ledger and the chain differ', `${booked} booked, ${moved} moved`)
  if (moved !== held) report('I8 the balance is not what moved', `${held} held, ${moved} moved`)
  if (reportedRevenue === undefined) report('I8 the revenue was not compared', 'no answer from /x402/status')
  else if (reportedRevenue !== booked)
    report('I8 the status page and the ledger differ', `${reportedRevenue} reported, ${booked} booked`)
}

const sum = (all: readonly { amount: bigint }[]): bigint =>
  all.reduce((total, { amount }) => total + amount, 0n)
