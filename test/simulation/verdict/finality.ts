import { parseAtomic } from '../../../src/core/money.ts'
import type { MemoryRow } from '../../../src/testing/ledger/memory-payment-rows.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import type { GateCode } from '../gate-code.ts'
import type { Disk } from '../seller/disk.ts'
import { type Findings, isWaryFrom } from '../seller/findings.ts'
import type { Service } from '../seller/service.ts'
import { isLookedAt } from '../story.ts'
import type { Violation } from './invariants.ts'

type Aftermath = {
  chain: SimulatedChain
  service: Service
  disk: Disk
  findings: Findings
  code: Pick<GateCode, 'createMemoryPaymentBook' | 'isLostIn'>
  /** Whether everything settled had the time to be looked at again. */
  isToTheEnd: boolean
}
type Report = (rule: string, subject: string) => void

/** Nodes that are this late may be asked just before a transfer came back. */
const LATE_VIEW_MS = 10_000
/** From the moment a payer is written down until a process knows it, with a ledger that fails twice. */
const KNOWN_AFTER_MS = 15_000

/** What is settled is final in the end, or written down as undone. */
export async function findBrokenFinality(aftermath: Aftermath): Promise<Violation[]> {
  const violations: Violation[] = []
  const report: Report = (rule, subject) => void violations.push({ rule, subject })
  for (const { key, state, finalForMs = 0, isPayable } of aftermath.findings.all) {
    if (state === 'lost' && isPayable) report('a payment was given up that could be paid', key)
    if ((state === 'open' || state === 'lost') && finalForMs > LATE_VIEW_MS)
      report('a payment that is final was called undone', `${key} ${state}`)
  }
  const settled = [...aftermath.disk.rows.values()].filter(({ state }) => state === 'settled')
  for (const row of settled) {
    checkWary(aftermath, row, report)
    if (aftermath.isToTheEnd) checkEnd(aftermath, row, report)
  }
  if (aftermath.isToTheEnd) await checkRevenue(aftermath, settled, report)
  return violations
}

/** Who had a payment undone is served when the next one cannot be. */
function checkWary({ chain, service, findings }: Aftermath, row: MemoryRow, report: Report): void {
  const { key, payer, transaction, settledAtMs = 0 } = row
  const atMs = settledAtMs - service.skewMs
  if (!isWaryFrom(findings.all, payer, { fromMs: atMs - KNOWN_AFTER_MS, toMs: atMs })) return
  const isFinal = chain.history
    .ofKey(key)
    .some((each) => each.transaction === transaction && chain.finalFromMs(each) <= atMs)
  if (!isFinal) report('a payer who was undone before is served before finality', key)
}

function checkEnd({ chain, disk }: Aftermath, row: MemoryRow, report: Report): void {
  const { key, transaction } = row
  const undone = disk.finality.undone.get(key)
  const stands = chain.transferOf(key)
  if (!isLookedAt(disk, row)) report('a settled payment that nobody looked at again', key)
  else if (undone?.state === 'open' || undone?.state === 'unseen')
    report('an undone payment that is never decided', `${key} ${undone.state}`)
  else if (!stands && undone?.state !== 'lost') report('an undone payment that counts', key)
  else if (stands && undone?.state === 'lost') report('a payment that stands is lost', key)
  else if (stands && stands.transaction !== (undone?.newTransaction ?? transaction))
    report('a payment that stands in another transaction than the one that is kept', key)
}

/** What the reports say is what moved, and stayed, for a row. */
async function checkRevenue({ chain, disk, code }: Aftermath, settled: readonly MemoryRow[], report: Report) {
  const { rows, finality } = disk
  const book = code.createMemoryPaymentBook({ rows, isLost: code.isLostIn(finality) })
  const { revenue } = await book.totals({ exceptPayers: [] })
  const moved = settled.filter(({ key }) => chain.transferOf(key))
  const expected = moved.reduce((sum, { amount }) => sum + parseAtomic(amount), 0n)
  if (revenue !== expected) report('revenue that is not what moved', `${revenue} instead of ${expected}`)
}
