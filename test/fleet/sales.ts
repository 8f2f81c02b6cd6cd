import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findCoreBusyUs, findCpuUs } from '../../bench/harness/cpu.ts'
import { openLoad } from '../../bench/harness/load.ts'
import { PAYMENT_RESPONSE_NAMES, paidRequest } from '../../bench/payments/measure.ts'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import { choosePort } from '../../src/http/listen.ts'
import { TOLLBOOK_MAIN } from '../../src/testing/process-life.ts'
import type { Violation } from '../audit/invariants.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { readDatabaseRows } from './ledger-in-database.ts'
import { type Member, startMember } from './member.ts'
import { BOUGHT, type InstantMoney, openSigner, withMoney } from './shop-world.ts'
import { until } from './until.ts'

export type SalesInput = { seconds: number; connections: number; say(line: string): void }
/** CPU is in milliseconds for each sale. */
export type SalesFigures = {
  name: string
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Of the processes that sell, without what they take when nobody buys. */
  sellingCpuMs: number
  /** Share of a core that they take when nobody buys. */
  idleShare: number
  /** Of the whole machine, load and databases included. */
  machineCpuMs: number
  /** Share of all cores that were busy. */
  machineShare: number
  moneyShare: number
  errors: Record<string, number>
}
export type SalesOutcome = { violations: readonly Violation[]; figures: readonly SalesFigures[] }
type Shop = { name: string; sellers: readonly Member[]; money: InstantMoney }

const HOST = '127.0.0.1'
const READY_WITHIN_MS = 120_000
const WARM_UP_MS = 5_000
const IDLE_MS = 5_000
const REST_WITHIN_MS = 20_000
/** More than any of them sells: what is left over was signed for nothing. */
const MOST_PER_SECOND = 1_500
/** As `npm start` has them. */
export const SERVICE_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=50']

/** What each layout sells, and what a sale costs. */
export async function sales(input: SalesInput): Promise<SalesOutcome> {
  const figures = [await inOneProcess(input), await inFleet(input, 1), await inFleet(input, 2)]
  const violations = figures.flatMap(({ name, errors }) =>
    Object.entries(errors).map(([what, count]) => ({
      rule: 'S1 a sale failed',
      subject: `${name}: ${count} × ${what}`,
    })),
  )
  return { figures, violations }
}

async function inFleet(input: SalesInput, apis: number): Promise<SalesFigures> {
  return withMoney(async (money) => {
    const fleet = await startFleet({ engines: 1, apis, env: money.env, flags: SERVICE_FLAGS })
    try {
      const name = apis === 1 ? 'one api' : `${apis} apis`
      const figures = await measureSales({ name, sellers: fleet.apis, money }, input)
      await checkBooks(fleet)
      return figures
    } finally {
      await fleet.end()
    }
  })
}

async function inOneProcess(input: SalesInput): Promise<SalesFigures> {
  return withMoney(async (money, dir) => {
    const port = await choosePort(HOST, 0)
    const dataDir = join(dir, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    const member = startMember({
      ...{ name: 'all', url: `http://${HOST}:${port}`, cwd: dir, logFile: join(dir, 'all.log') },
      ...{ args: [TOLLBOOK_MAIN, 'serve'], flags: SERVICE_FLAGS },
      env: { PATH: process.env.PATH, HOST, PORT: String(port), TOLLBOOK_DATA_DIR: dataDir, ...money.env },
    })
    try {
      await until('the service', async () => (await member.probe('/readyz')) === 200, READY_WITHIN_MS)
      return await measureSales({ name: 'all in one, SQLite', sellers: [member], money }, input)
    } finally {
      await member.end()
    }
  })
}

/** Closed loop: on every connection one sale after the other. */
export async function measureSales(
  shop: Shop,
  { seconds, connections, say }: SalesInput,
): Promise<SalesFigures> {
  const { sellers, money } = shop
  const places = sellers.map(({ url }) => ({ host: new URL(url).hostname, port: Number(new URL(url).port) }))
  const idleUs = await usedDuring(sellers, () => sleep(systemClock, IDLE_MS))
  const sign = await openSigner(sellers[0]?.url ?? '')
  const stock = Array.from({ length: Math.ceil((seconds + WARM_UP_MS / 1000) * MOST_PER_SECOND) }, sign)
  let isOver = false
  const loads = await Promise.all(
    places.map((place) =>
      openLoad({
        ...{ ...place, status: 200, requiredHeader: PAYMENT_RESPONSE_NAMES },
        connections: Math.ceil(connections / places.length),
        nextRequest() {
          const payment = isOver ? undefined : stock.pop()
          return payment === undefined ? undefined : paidRequest(place, payment, BOUGHT)
        },
      }),
    ),
  )
  const countAll = (ms: number) => Promise.all(loads.map((load) => load.count(ms)))
  await countAll(WARM_UP_MS)
  const before = readMachine(money)
  const startedMs = performance.now()
  let counted: Awaited<ReturnType<typeof countAll>> = []
  const sellingUs = await usedDuring(sellers, async () => {
    counted = await countAll(seconds * 1000)
  })
  const elapsedUs = (performance.now() - startedMs) * 1000
  const after = readMachine(money)
  isOver = true
  await Promise.race([Promise.all(loads.map((load) => load.rested)), sleep(systemClock, REST_WITHIN_MS)])
  for (const load of loads) load.close()
  const sold = counted.reduce((total, { requests }) => total + requests, 0)
  const idleShare = idleUs / (IDLE_MS * 1000)
  const figures = {
    ...{ name: shop.name, perSecond: sold / (elapsedUs / 1_000_000), idleShare },
    p50Ms: Math.max(...counted.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...counted.map(({ p99Ms }) => p99Ms)),
    sellingCpuMs: (sellingUs - idleShare * elapsedUs) / sold / 1000,
    machineCpuMs: (after.busyUs - before.busyUs) / sold / 1000,
    machineShare: (after.busyUs - before.busyUs) / elapsedUs / availableParallelism(),
    moneyShare: (after.moneyUs - before.moneyUs) / elapsedUs,
    errors: addUp(counted.map(({ errors }) => errors)),
  }
  say(describeSales(figures))
  return figures
}

export function describeSales(figures: SalesFigures): string {
  const { name, perSecond, p50Ms, p99Ms, sellingCpuMs, idleShare, machineCpuMs, machineShare, moneyShare } =
    figures
  const percent = (share: number) => `${Math.round(share * 100)} %`
  return `${name}: ${Math.round(perSecond)} sales a second, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; CPU of a sale ${sellingCpuMs.toFixed(2)} ms where it is sold (idle ${percent(idleShare)} of a core), ${machineCpuMs.toFixed(2)} ms on the machine (${percent(machineShare)} busy); facilitator and node ${percent(moneyShare)} of a core; errors ${JSON.stringify(figures.errors)}`
}

async function usedDuring(members: readonly Member[], work: () => Promise<unknown>): Promise<number> {
  const read = () => members.reduce((total, member) => total + (findCpuUs(member.pid()) ?? 0), 0)
  const before = read()
  await work()
  return read() - before
}

function readMachine({ server }: InstantMoney) {
  const cores = Array.from({ length: availableParallelism() }, (_, core) => findCoreBusyUs(core) ?? 0)
  return { busyUs: cores.reduce((total, us) => total + us, 0), moneyUs: findCpuUs(server.pid) ?? 0 }
}

function addUp(all: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [what, count] of all.flatMap((each) => Object.entries(each)))
    total[what] = (total[what] ?? 0) + count
  return total
}

/** The figures count only if the books were kept. */
async function checkBooks({ postgres }: Fleet): Promise<void> {
  const rows = await readDatabaseRows(postgres.url)
  const open = rows.filter(({ state }) => state !== 'settled').length
  if (open > 0) throw new Error(`${open} of ${rows.length} payments were not settled`)
}
