/** What reports take of ledgers with ever more sales, and how long they keep everybody else waiting. */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DAY_MS } from '../../src/core/time/time.ts'
import type { PaymentLedger } from '../../src/ledger/ports/payment-book-queries.ts'
import { openDatabase } from '../../src/ledger/sqlite/database.ts'
import { createSqliteStore } from '../../src/ledger/sqlite/store.ts'
import { sampleClaim, sampleOutcome, sampleReply } from '../../src/testing/ledger/sample-claim.ts'
import { describeMachine } from '../harness/machine.ts'
import { parseNumbers } from '../harness/options.ts'
import { say, writeFigures } from '../harness/say.ts'
import { findSpread } from '../harness/spread.ts'
import { aligned } from '../harness/table.ts'
import { LARGEST_PAYER, OWN_PAYER, writeLargeLedger } from './large-ledger.ts'

const USAGE = `usage: npm run bench:ledger -- [options]

  --sales 300000     settled payments in the ledger, which is made in the temporary folder: about 1 kB each
  --days 365         over so many days
  --payers 100000    by so many wallets
  --rounds 5         how often each report is made
  --json FILE        write all figures there
`
const UNTIL_MS = Date.parse('2026-01-05T12:00:00Z')
/** New sales that are settled one after the other. */
const WRITES = 500
/** Several turns of the loop: the watch sees a delay only at its next look. */
const SETTLE_MS = 50

type Figure = { report: string; medianMs: number; maxMs: number; loopCpuMs: number; loopMs: number }

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    sales: text,
    days: text,
    payers: text,
    rounds: text,
    json: text,
    help: { type: 'boolean', short: 'h' },
  },
})
const options = parseNumbers(
  values,
  { sales: 300_000, days: 365, payers: 100_000, rounds: 5 },
  { sales: [1_000, 1e8], days: [1, 3_650], payers: [1, 1e8], rounds: [1, 1_000] },
)
if (values.help) say(USAGE)
else await bench()

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-bench-ledger-'))
  try {
    const file = join(folder, 'ledger.sqlite')
    const machine = describeMachine()
    const writtenMs = await wallMs(async () => writeLargeLedger(file, { ...options, untilMs: UNTIL_MS }))
    const megabytes = Math.round(statSync(file).size / 2 ** 20)
    say(`${machine}\n\n${options.sales} sales, ${megabytes} MB, written in ${seconds(writtenMs)}\n`)
    const migratedMs = await wallMs(async () => openDatabase(file).close())
    say(`sums made by the first start in ${seconds(migratedMs)}\n\n`)
    const figures = await measure(file)
    const rows = figures.map(({ report, ...times }) => [
      report,
      ...Object.values(times).map((ms) => ms.toFixed(1)),
    ])
    say(
      aligned([
        ['report', 'median ms', 'longest ms', 'CPU of the loop ms', 'longest loop delay ms'],
        ...rows,
      ]),
    )
    writeFigures(values.json, { machine, options, writtenMs, migratedMs, megabytes, figures })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(file: string): Promise<Figure[]> {
  const store = createSqliteStore(openDatabase(file))
  const figures: Figure[] = []
  for (const [report, make] of reportsOf(store.payments))
    figures.push(await time(report, options.rounds, make))
  let n = 0
  figures.push(await time('write: claim, reply, outcome', WRITES, () => sell(store.payments, `new ${n++}`)))
  await store.close()
  return figures
}

function reportsOf(payments: PaymentLedger): [string, () => Promise<unknown>][] {
  const exceptPayers = [OWN_PAYER]
  const totals = (days?: number) => () =>
    payments.totals({ sinceMs: days === undefined ? undefined : UNTIL_MS - days * DAY_MS, exceptPayers })
  const bought = (offset: number) => () => payments.purchasesOf(LARGEST_PAYER, { limit: 1_000, offset })
  return [
    ['nothing, for comparison', async () => {}],
    ['overview: /x402/status', () => payments.overview(exceptPayers)],
    ['totals of all time: /admin/usage', totals()],
    ['totals of 24 hours: /x402/analytics', totals(1)],
    ['totals of 7 days', totals(7)],
    ['totals of 30 days', totals(30)],
    ['purchases of the largest wallet', bought(0)],
    ['its last page that may be asked for', bought(1_000_000)],
    ['unfinished: reconciliation', () => payments.unfinished()],
    ['one transaction', () => payments.findByTransaction('eip155:8453', `0x${'1'.padStart(64, '0')}`)],
  ]
}

async function sell(payments: PaymentLedger, key: string): Promise<void> {
  await payments.enter(sampleClaim(key), sampleReply())
  await payments.settle(key, sampleOutcome({ settledAtMs: UNTIL_MS, transaction: key }))
}

/** The loop is watched in rounds of their own: watching takes CPU too. */
async function time(report: string, rounds: number, make: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = []
  const cpuUs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.threadCpuUsage()
    times.push(await wallMs(make))
    const { user, system } = process.threadCpuUsage(before)
    cpuUs.push(user + system)
  }
  const loopCpuMs = medianOf(cpuUs) / 1_000
  const loopMs = await watchLoop(rounds, make)
  return { report, medianMs: medianOf(times), maxMs: Math.max(...times), loopCpuMs, loopMs }
}

async function watchLoop(rounds: number, make: () => Promise<unknown>): Promise<number> {
  const loop = monitorEventLoopDelay({ resolution: 1 })
  loop.enable()
  await pause(SETTLE_MS)
  loop.reset()
  for (let round = 0; round < rounds; round++) {
    await make()
    await pause(1)
  }
  await pause(SETTLE_MS)
  loop.disable()
  return loop.max / 1e6
}

function medianOf(values: readonly number[]): number {
  return findSpread(values)?.median ?? 0
}

async function wallMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
