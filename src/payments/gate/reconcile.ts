import { shorten } from '../../core/shorten.ts'
import { sleep } from '../../core/time/clock.ts'
import { EVERY_PROCESS, type PaymentRow } from '../../ledger/ports/payment-book.ts'
import { CONCURRENT_ASKS } from './bounds/limits.ts'
import type { OpenPayments } from './bounds/open-payments.ts'
import { createTurns, type Turns } from './bounds/turns.ts'
import { type RecordPorts, record } from './collect.ts'
import type { Payment } from './payment.ts'
import type { Chain } from './ports.ts'
import type { SettleHints } from './settle-hints.ts'

export type Reconcile = {
  /** Before the first request: releases claims of earlier processes, which cannot have moved money. */
  recover(): Promise<void>
  /** Asks the chain about every payment whose outcome is unknown, until stopped. */
  run(signal: AbortSignal): Promise<void>
}
type Ports = RecordPorts & { chain: Chain; hints: SettleHints; open: OpenPayments; bootId: string }

const ROUND_EVERY_MS = 2_000

export function createReconcile(ports: Ports): Reconcile {
  const { clock, book, log, open, bootId } = ports
  const turns = createTurns(clock)
  return {
    async recover() {
      const rows = await book.unfinished(bootId)
      const claims = rows.filter(({ state }) => state === 'claimed')
      for (const { key, bootId: owner } of claims) await book.release(key, owner)
      for (const row of rows) if (row.state === 'settling') open.note(row)
      if (rows.length > 0)
        log.info({ released: claims.length, unknown: rows.length - claims.length }, 'recovered payments')
    },
    async run(signal) {
      while (!signal.aborted) {
        await round(ports, turns).catch((err) => log.warn({ err }, 'reconcile round failed'))
        await sleep(clock, ROUND_EVERY_MS, signal)
      }
    },
  }
}

async function round(ports: Ports, turns: Turns): Promise<void> {
  const rows = (await ports.book.unfinished(EVERY_PROCESS)).filter(({ state }) => state === 'settling')
  await dropDecided(ports, rows)
  const due = turns.takeDue(rows)
  for (let from = 0; from < due.length; from += CONCURRENT_ASKS) {
    await Promise.all(due.slice(from, from + CONCURRENT_ASKS).map((row) => ask(ports, row)))
  }
}

/** What was written and reported as failed is nobody's turn any more, and would count against its payer until the next start. */
async function dropDecided({ book, open }: Ports, rows: readonly PaymentRow[]): Promise<void> {
  const unfinished = new Set(rows.map(({ key }) => key))
  for (const key of open.keys()) {
    const row = unfinished.has(key) ? undefined : await book.find(key)
    if (row && row.state !== 'settling') open.drop(key, row.state)
  }
}

/** So young, a payment may be on its way into a block, and its own request asks about it too. */
const YOUNG_MS = 30_000

/** If the chain cannot be asked, the row waits for its next turn. */
async function ask(ports: Ports, row: PaymentRow): Promise<void> {
  const payment = JSON.parse(row.payment) as Payment
  try {
    const outcome = await ports.chain.outcome(payment, ports.hints.find(row.key), row.claimedAtMs)
    const decided = await record(ports, row, outcome, row.facilitator)
    if (decided) ports.open.drop(decided.key, decided.state)
  } catch (err) {
    const isYoung = ports.clock.now() - row.claimedAtMs < YOUNG_MS
    const facts = { err, payer: shorten(row.payer) }
    ports.log[isYoung ? 'debug' : 'warn'](facts, 'the chain could not be asked about a payment')
  }
}
