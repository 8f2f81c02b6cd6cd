import { createFaultLog } from '../../core/fault-log.ts'
import { shorten } from '../../core/shorten.ts'
import { sleep } from '../../core/time/clock.ts'
import type { DueRow } from '../../ledger/ports/payment-book.ts'
import { ASK_AGAIN, ASKS_PER_ROUND, CONCURRENT_ASKS } from './bounds/limits.ts'
import type { OpenPayments } from './bounds/open-payments.ts'
import { othersSendFromMs, type RecordPorts, record } from './collect.ts'
import type { Payment } from './payment.ts'
import type { Chain } from './ports.ts'
import type { SettleHints } from './settle-hints.ts'

export type Reconcile = {
  /** Before the first request: learns what earlier processes left open. */
  recover(): Promise<void>
  /** Asks the chain about every payment whose outcome is unknown, until stopped. */
  run(signal: AbortSignal): Promise<void>
  /** Only learns what another process has decided, until stopped. */
  follow(signal: AbortSignal): Promise<void>
}
type Ports = RecordPorts & { chain: Chain; hints: SettleHints; open: OpenPayments; isShared?: boolean }

const ROUND_EVERY_MS = 2_000

export function createReconcile(ports: Ports): Reconcile {
  const { clock, book, log, open, isShared = false } = ports
  const repeat = async (step: () => Promise<void>, signal: AbortSignal) => {
    const faults = createFaultLog(log, 'reconcile round failed')
    while (!signal.aborted) {
      await step().then(faults.succeeded, (err) => faults.failed(err, { err }))
      await sleep(clock, ROUND_EVERY_MS, signal)
    }
  }
  return {
    async recover() {
      const rows = (await book.unfinished()).filter(({ state }) => state === 'settling')
      for (const row of rows) open.note(row, isShared ? othersSendFromMs(row) : clock.now())
      if (rows.length > 0) log.info({ unknown: rows.length }, 'recovered payments')
    },
    async run(signal) {
      const unasked: Unasked = new Map()
      const again = (step: () => Promise<void>) => repeat(step, signal)
      // What others have decided is heard of while slow nodes are asked.
      await Promise.all([again(() => round(ports, unasked)), again(() => dropDecided(ports))])
    },
    follow: (signal) =>
      repeat(async () => {
        await dropDecided(ports)
        // While nobody leads a buyer would else be told to wait for a process that has died.
        await releaseDead(ports)
      }, signal),
  }
}

/**
 * Rows that had a turn at which the chain could not be asked: the next may be seconds after it is back. `left`: how often
 * they are asked about before that.
 */
type Unasked = Map<string, { row: DueRow; left: number }>
const ASKS_BETWEEN_TURNS = 2

async function round(ports: Ports, unasked: Unasked): Promise<void> {
  const { book, clock } = ports
  const nowMs = clock.now()
  const due = await book.takeDue({ nowMs, limit: ASKS_PER_ROUND, pauses: ASK_AGAIN })
  const rows = new Map([...(await findAskable(ports, unasked)), ...due].map((row) => [row.key, row]))
  // What facilitators have told another process shortens the search, and is not worth waiting for a turn.
  if (ports.isShared && rows.size > 0) await ports.hints.load().catch(() => {})
  for (const { key } of due) unasked.delete(key)
  const left = [...rows.values()]
  for (let from = 0; from < left.length; from += CONCURRENT_ASKS) {
    await Promise.all(left.slice(from, from + CONCURRENT_ASKS).map((row) => ask(ports, row, unasked)))
  }
  await releaseDead(ports)
}

async function releaseDead({ book, clock, log }: Ports): Promise<void> {
  const released = await book.releaseExpired(clock.now())
  if (released > 0) log.warn({ released }, 'claims whose process has died were released')
}

/** Those whose chain can be asked again. */
async function findAskable({ chain }: Ports, unasked: Unasked): Promise<DueRow[]> {
  const rows = [...unasked.values()].map(({ row }) => row)
  const networks = [...new Set(rows.map(({ network }) => network))]
  const ready = await Promise.all(
    networks.map((network) =>
      chain.ready(network, ROUND_EVERY_MS).then(
        () => network,
        () => undefined,
      ),
    ),
  )
  return rows.filter(({ network }) => ready.includes(network))
}

/** What was written and reported as failed is nobody's turn any more, and would count against its payer until the next start. */
async function dropDecided({ book, open }: Ports): Promise<void> {
  const keys = open.keys()
  if (keys.length === 0) return
  const unfinished = new Set((await book.unfinished()).map(({ key }) => key))
  for (const key of keys) {
    const row = unfinished.has(key) ? undefined : await book.find(key)
    if (row && row.state !== 'settling') open.drop(key, row.state)
  }
}

/** So young, a payment may be on its way into a block, and its own request asks about it too. */
const YOUNG_MS = 30_000

/** If the chain cannot be asked, the row waits until it can be, or for its next turn. */
async function ask(ports: Ports, row: DueRow, unasked: Unasked): Promise<void> {
  const payment = JSON.parse(row.payment) as Payment
  try {
    const outcome = await ports.chain.outcome(payment, ports.hints.find(row.key), row.claimedAtMs)
    unasked.delete(row.key)
    if (outcome.kind === 'open') return
    const whole = await ports.book.find(row.key)
    const decided = whole && (await record(ports, whole, outcome, row.facilitator))
    if (decided) ports.open.drop(decided.key, decided.state)
  } catch (err) {
    const left = (unasked.get(row.key)?.left ?? ASKS_BETWEEN_TURNS + 1) - 1
    if (left === 0) unasked.delete(row.key)
    else if (unasked.has(row.key) || unasked.size < ASKS_PER_ROUND) unasked.set(row.key, { row, left })
    const isYoung = ports.clock.now() - row.claimedAtMs < YOUNG_MS
    const facts = { err, payer: shorten(row.payer) }
    ports.log[isYoung ? 'debug' : 'warn'](facts, 'the chain could not be asked about a payment')
  }
}
