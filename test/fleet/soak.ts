import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Violation } from '../audit/invariants.ts'
import { openBalancer } from './balancer.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { openMachineSpeed } from './machine-speed.ts'
import type { Member } from './member.ts'
import { quantile, startLoad } from './rolling.ts'
import { measureSales, SERVICE_FLAGS } from './sales.ts'
import { openShares } from './shares.ts'
import { BOUGHT, type InstantMoney, openSigner, withMoney } from './shop-world.ts'
import { slopeOf } from './slope.ts'
import { until } from './until.ts'

export type SoakInput = {
  minutes: number
  /** Nothing is sold for so long: what is kept of the market for an hour fills up meanwhile. */
  warmUpMinutes: number
  perSecond: number | undefined
  say(line: string): void
}
export type SoakOutcome = { violations: readonly Violation[]; lines: readonly string[] }
type Sample = { atMs: number; rssMb: number; heapMb: number; handles: number; files: number }
/** Open files while nobody calls. */
type Files = ReadonlyMap<Member, number>

/** Each collection takes a third of a second of each process. */
const SAMPLE_EVERY_MS = 30_000
/**
 * It sells so many before it counts: connections are opened, code is compiled, and what is kept of the last 20,000
 * sales fills up. A map that forgets its oldest doubles for the last time at 32,768 entries, and each of two apis
 * sells half.
 */
const SELLS_FIRST = 70_000
/** Until the processes have noticed that the balancer has closed its connections. */
const QUIET_MS = 20_000
const CAPACITY = { seconds: 15, connections: 32 }
const HALF = 0.5
/** Who come again: of strangers only some are let in at once. */
const CUSTOMERS = 64
/** A process that grew by this much in an hour would be restarted within days. */
const HEAP_MB_PER_HOUR = 50
const MORE_FILES = 20
const REPORT_WITHIN_MS = 60_000
/** A slope is noise within so many standard errors. */
const NOISE_ERRORS = 2
const HOUR_MS = 3_600_000
const MB = 1024 * 1024
const FLAGS = [
  ...SERVICE_FLAGS,
  '--expose-gc',
  '--import',
  new URL('./memory-report.ts', import.meta.url).href,
]
const Told = z.object({ heapUsed: z.number(), handles: z.number() })

/** Sells at half of what the fleet can, and watches what its processes keep. */
export async function soak(input: SoakInput): Promise<SoakOutcome> {
  return withMoney((money) => soakWith(money, input))
}

async function soakWith(money: InstantMoney, input: SoakInput): Promise<SoakOutcome> {
  const fleet = await startFleet({ env: money.env, flags: FLAGS })
  try {
    if (input.warmUpMinutes > 0) input.say(`nothing is sold for ${input.warmUpMinutes} minutes`)
    await sleep(systemClock, input.warmUpMinutes * 60_000)
    const perSecond =
      input.perSecond ??
      HALF *
        (
          await measureSales(
            { name: 'capacity', sellers: fleet.apis, money },
            { ...CAPACITY, say: input.say },
          )
        ).perSecond
    return await watch(fleet, money, input, perSecond)
  } finally {
    await fleet.end()
  }
}

async function watch(
  fleet: Fleet,
  money: InstantMoney,
  input: SoakInput,
  perSecond: number,
): Promise<SoakOutcome> {
  const { minutes, say } = input
  const watched = [...fleet.engines, ...fleet.apis]
  const sign = await openSigner(fleet.apis[0]?.url ?? '')
  const ends = new Map<string, number>()
  const waitsMs: number[] = []
  const tellShares = openShares(fleet, money)
  const speed = await openMachineSpeed(fleet.dir)
  const sell = () => {
    const balancer = openBalancer(fleet.apis)
    const load = startLoad(perSecond, async (turn) => {
      const from = `13.0.0.${turn % CUSTOMERS}`
      const sentMs = performance.now()
      const reply = await balancer.send(BOUGHT, { 'PAYMENT-SIGNATURE': sign(), 'X-Forwarded-For': from })
      const what = 'fault' in reply ? reply.fault : String(reply.status)
      waitsMs.push(performance.now() - sentMs)
      ends.set(what, (ends.get(what) ?? 0) + 1)
    })
    return async () => {
      await load.stop()
      balancer.stop()
    }
  }
  /** Collects at every sample, also before it counts: collecting is nothing new then. */
  const watchFor = async (watchedMinutes: number) => {
    const samples = new Map<Member, Sample[]>(watched.map((member) => [member, []]))
    const untilMs = Date.now() + watchedMinutes * 60_000
    while (Date.now() < untilMs) {
      await sleep(systemClock, SAMPLE_EVERY_MS)
      for (const [member, seen] of samples) seen.push(await takeSample(fleet, member))
      const lately = waitsMs.splice(0)
      const waits = `p50 ${quantile(lately, 0.5)} ms, p99 ${quantile(lately, 0.99)} ms`
      const members = watched.map((member) => tellLast(member, samples.get(member))).join('; ')
      say(`${ends.get('200') ?? 0} sold, ${waits}; ${members}; ${tellShares()}; ${await speed.tell()}`)
    }
    return samples
  }
  say(`${SELLS_FIRST} sales before it counts, ${Math.round(perSecond)} a second`)
  const stopFirst = sell()
  await watchFor(SELLS_FIRST / perSecond / 60)
  await stopFirst()
  const before = await countFiles(watched)
  say(`${Math.round(perSecond)} sales a second for ${minutes} minutes`)
  const stop = sell()
  const samples = await watchFor(minutes)
  await stop()
  const after = await countFiles(watched)
  await speed.end()
  return judge(samples, ends, { before, after })
}

async function countFiles(watched: readonly Member[]): Promise<Files> {
  await sleep(systemClock, QUIET_MS)
  return new Map(watched.map((member) => [member, filesOf(member.pid())]))
}

const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

function judge(
  samples: ReadonlyMap<Member, readonly Sample[]>,
  ends: ReadonlyMap<string, number>,
  quiet: { before: Files; after: Files },
): SoakOutcome {
  const violations: Violation[] = []
  const lines = [`answers: ${[...ends].map(([what, count]) => `${count} × ${what}`).join(', ')}`]
  for (const [what, count] of ends)
    if (what !== '200') violations.push({ rule: 'K1 a sale failed', subject: `${count} × ${what}` })
  for (const [member, all] of samples) {
    const { name } = member
    const perHour = (figure: (sample: Sample) => number) =>
      slopeOf(all.map((sample) => [sample.atMs / HOUR_MS, figure(sample)]))
    const [rss, heap] = [perHour(({ rssMb }) => rssMb), perHour(({ heapMb }) => heapMb)]
    const tell = ({ slope, error }: typeof heap) =>
      `${slope.toFixed(1)} ± ${error.toFixed(1)} an hour, ${slope > NOISE_ERRORS * error ? 'above noise' : 'within noise'}`
    const [first, last] = [all[0], all.at(-1)]
    if (!first || !last) continue
    const change = (figure: (sample: Sample) => number, digits = 0) =>
      `${figure(first).toFixed(digits)} to ${figure(last).toFixed(digits)}`
    lines.push(
      `${name}: RSS ${change(({ rssMb }) => rssMb)} MB (${tell(rss)}), heap after collection ${change(({ heapMb }) => heapMb, 1)} MB (${tell(heap)}), handles ${change(({ handles }) => handles)}, files ${change(({ files }) => files)}`,
    )
    if (heap.slope > HEAP_MB_PER_HOUR)
      violations.push({ rule: 'K2 memory that grows', subject: `${name}: ${tell(heap)}` })
    const [before = 0, after = 0] = [quiet.before.get(member), quiet.after.get(member)]
    lines.push(`${name}: files while nobody calls, before and after: ${before}, ${after}`)
    if (after > before + MORE_FILES)
      violations.push({ rule: 'K3 files that stay open', subject: `${name}: ${before} to ${after}` })
  }
  return { violations, lines }
}

const tellLast = ({ name }: Member, seen: readonly Sample[] = []) =>
  `${name} ${seen.at(-1)?.rssMb.toFixed(0)} MB, heap ${seen.at(-1)?.heapMb.toFixed(1)}`

async function takeSample({ dir }: Fleet, member: Member): Promise<Sample> {
  const pid = member.pid()
  const file = join(dir, `memory-${pid}.json`)
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await until(
    `the memory of ${member.name}`,
    () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}'),
    REPORT_WITHIN_MS,
  )
  const { heapUsed, handles } = Told.parse(JSON.parse(readFileSync(file, 'utf8')))
  const rssKb = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])
  const files = filesOf(pid)
  return { atMs: Date.now(), rssMb: rssKb / 1024, heapMb: heapUsed / MB, handles, files }
}
