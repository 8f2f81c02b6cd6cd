/** What it costs to tell other processes what the engine knows, over Redis, beside folding it into a market here. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { openRedis } from '../../src/access/redis/connection.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import type { FeedSink } from '../../src/feeds/events.ts'
import { createFeeds } from '../../src/feeds/feeds.ts'
import { createMarket } from '../../src/market/market.ts'
import { startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { startRedis } from '../../src/testing/access/redis-server.ts'
import { openNoisyEngine } from '../../src/testing/relay/relay-world.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { describeMachine } from '../harness/machine.ts'
import { parseNumbers } from '../harness/options.ts'
import { say, writeFigures } from '../harness/say.ts'
import { aligned } from '../harness/table.ts'

const USAGE = `usage: npm run bench:relay -- [options]

  --seconds 10   how long each rate is measured
  --json FILE    write all figures there
`
const RATES = [1, 10, 100]
const RECORD_S = 10
const FEED_EVERY_MS = 10
const PREFIX = 'bench:'
const WARM_MS = 2_000

type Event = (sink: FeedSink, nowMs: number) => void
type Recording = { past: readonly Event[]; events: readonly Event[] }
type Said = { cpuUs: number; lagsMs: number[]; ready: boolean; entries: number; loads: number }

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { seconds: text, json: text, help: { type: 'boolean', short: 'h' } },
})
const { seconds } = parseNumbers(values, { seconds: 10 }, { seconds: [1, 600] })
if (values.help) say(USAGE)
else await bench()

async function bench(): Promise<void> {
  const machine = describeMachine()
  say(`${machine}\n`)
  const recording = await recordSandbox()
  const { events } = recording
  say(`the sandbox has ${(events.length / RECORD_S).toFixed(0)} events a second\n\n`)
  const rows = []
  for (const rate of RATES) rows.push(await measure(recording, rate))
  const heads = [
    'rate',
    'events/s',
    'KB/s',
    'engine CPU',
    'reader CPU',
    'market alone',
    'engine x',
    'reader x',
    'lag p50 ms',
    'p99 ms',
    'loads',
  ]
  say(aligned([heads, ...rows.map((row) => Object.values(row))]))
  writeFigures(values.json, { machine, rows })
  process.exit(0)
}

/** Of the feeds that follow the sandbox's venues, with the times of their own taken out. */
async function recordSandbox(): Promise<Recording> {
  const market = createSimulatedMarket({ seed: 'relay', startMs: Date.now() })
  const internet = await startInternet({ market, clock: systemClock, realTime: true })
  let events: Event[] = []
  const ids = { next: 1e9 }
  const sink: FeedSink = {
    trade: (trade) => void events.push((to, atMs) => to.trade({ ...trade, id: ids.next++, atMs })),
    book: (book) => void events.push((to, atMs) => to.book({ ...book, atMs })),
    bookLost: (lost) => void events.push((to) => to.bookLost(lost)),
    kline: (kline) => void events.push((to) => to.kline(kline)),
    tradeDoubt: (doubt) => void events.push((to) => to.tradeDoubt(doubt)),
    minuteLost: (lost) => void events.push((to) => to.minuteLost(lost)),
    oracle: (tick) => void events.push((to, atMs) => to.oracle({ ...tick, atMs })),
  }
  const options = { clock: systemClock, upstreams: internet.urls, log: silentLog, random: Math.random }
  const feeds = createFeeds({ ...options, sink })
  await feeds.start()
  await wait(5_000)
  // The past is read at the start only.
  const past = events
  events = []
  await wait(RECORD_S * 1_000)
  const recorded = events
  await feeds.stop()
  await internet.close()
  return { past, events: recorded }
}

async function measure({ past, events }: Recording, rate: number) {
  const server = await startRedis()
  const redis = openRedis({ url: server.url, log: silentLog })
  await wait(300)
  const clock = systemClock
  const engine = openNoisyEngine({ redis, clock, seeded: createSeeded(1), epoch: 1, prefix: PREFIX })
  const reader = startReader(server.url)
  for (const event of past) event(engine.sink, Date.now())
  const perMs = (events.length / (RECORD_S * 1_000)) * rate
  await feed(events, perMs, WARM_MS, engine.sink)
  const before = { reader: await reader.ask(), cpu: process.cpuUsage(), ...engine.publisher.counts() }
  const fed = await feed(events, perMs, seconds * 1_000, engine.sink)
  const cpu = process.cpuUsage(before.cpu)
  const bytes = engine.publisher.counts().bytes - before.bytes
  const after = await reader.ask()
  await engine.publisher.stop()
  reader.child.kill()
  redis.close()
  await server.end()
  const alone = process.cpuUsage()
  await feed(events, perMs, seconds * 1_000, createMarket({ clock }).sink)
  const aloneMs = toMs(process.cpuUsage(alone)) / seconds
  const [engineMs, readerMs] = [toMs(cpu) / seconds, (after.cpuUs - before.reader.cpuUs) / 1_000 / seconds]
  const lags = after.lagsMs.sort((a, b) => a - b)
  return {
    rate: `${rate}x`,
    events: (fed / seconds).toFixed(0),
    kilobytes: (bytes / 1_000 / seconds).toFixed(0),
    engine: `${engineMs.toFixed(0)} ms/s`,
    reader: `${readerMs.toFixed(0)} ms/s`,
    alone: `${aloneMs.toFixed(0)} ms/s`,
    engineRatio: (engineMs / aloneMs).toFixed(1),
    readerRatio: (readerMs / aloneMs).toFixed(1),
    p50: String(lags[lags.length >> 1] ?? '-'),
    p99: String(lags[Math.floor(lags.length * 0.99)] ?? '-'),
    loads: String(after.loads),
  }
}

/** In their order, again and again; what a late turn of the timer has missed is made up for. */
async function feed(events: readonly Event[], perMs: number, forMs: number, sink: FeedSink): Promise<number> {
  const startMs = performance.now()
  let fed = 0
  for (let pastMs = 0; pastMs < forMs; pastMs = performance.now() - startMs) {
    for (const due = Math.floor(pastMs * perMs); fed < due; fed++)
      events[fed % events.length]?.(sink, Date.now())
    await wait(FEED_EVERY_MS)
  }
  return fed
}

function startReader(url: string): { child: ChildProcess; ask(): Promise<Said> } {
  const file = new URL('./reader.ts', import.meta.url)
  const child = spawn(process.execPath, [file.pathname, url, PREFIX], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    child,
    async ask() {
      child.stdin.write('\n')
      return JSON.parse((await lines.next()).value ?? '{}')
    },
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000
}
