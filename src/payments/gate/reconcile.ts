import { shorten } from '../../core/shorten.ts'
import { sleep } from '../../core/time/clock.ts'
import { EVERY_PROCESS, type PaymentRow } from '../../ledger/ports/payment-book.ts'
import { type RecordPorts, record } from './collect.ts'
import type { Payment } from './payment.ts'
import type { Chain } from './ports.ts'

export type Reconcile = {
  /** Before the first request: releases claims of earlier processes, which cannot have moved money. */
  recover(): Promise<void>
  /** Asks the chain about every payment whose outcome is unknown, until stopped. */
  run(signal: AbortSignal): Promise<void>
}
type Ports = RecordPorts & { chain: Chain; bootId: string }

const ROUND_EVERY_MS = 2_000
/** Asked at once in one round. */
const CONCURRENT_ASKS = 8

export function createReconcile(ports: Ports): Reconcile {
  const { clock, book, log, bootId } = ports
  return {
    async recover() {
      const rows = await book.unfinished(bootId)
      const claims = rows.filter(({ state }) => state === 'claimed')
      for (const { key, bootId: owner } of claims) await book.release(key, owner)
      if (rows.length > 0)
        log.info({ released: claims.length, unknown: rows.length - claims.length }, 'recovered payments')
    },
    async run(signal) {
      while (!signal.aborted) {
        await round(ports).catch((err) => log.warn({ err }, 'reconcile round failed'))
        await sleep(clock, ROUND_EVERY_MS, signal)
      }
    },
  }
}

async function round(ports: Ports): Promise<void> {
  const rows = (await ports.book.unfinished(EVERY_PROCESS)).filter(({ state }) => state === 'settling')
  for (let from = 0; from < rows.length; from += CONCURRENT_ASKS) {
    await Promise.all(rows.slice(from, from + CONCURRENT_ASKS).map((row) => ask(ports, row)))
  }
}

/** If the chain cannot be asked, the row waits for the next round. */
async function ask(ports: Ports, row: PaymentRow): Promise<void> {
  const payment = JSON.parse(row.payment) as Payment
  try {
    await record(ports, row, await ports.chain.outcome(payment, undefined), row.facilitator)
  } catch (err) {
    ports.log.warn({ err, payer: shorten(row.payer) }, 'the chain could not be asked')
  }
}
