import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { scalperEvents } from '../../src/products/bot/scalper-events.ts'
import { findCpuUs } from '../harness/cpu.ts'
import type { ServerProcess } from '../harness/fleet.ts'
import { parseNumbers } from '../harness/options.ts'
import { say, writeFigures } from '../harness/say.ts'
import { findSpread } from '../harness/spread.ts'
import { withFleet } from '../harness/with-fleet.ts'
import { startOurs } from '../http/world.ts'

const HELP = `What viewers of the live dashboard cost the service, beyond what it does without them.
  --viewers 1000  --seconds 20  --rounds 3  --staring 100  --wait 120  --json FILE\n`
const GOAL_PERCENT = 5
const CALM_MS = 20_000
const SETTLE_MS = 3_000
const PROBE_MS = 5_000

const { values } = parseArgs({
  options: {
    viewers: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    staring: { type: 'string' },
    wait: { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) say(HELP)
else await main()

async function main(): Promise<void> {
  const { viewers, seconds, rounds, staring, wait } = parseNumbers(
    values,
    { viewers: 1_000, seconds: 20, rounds: 3, staring: 100, wait: 120 },
    { viewers: [1, 1_900], seconds: [1, 3_600], rounds: [1, 100], staring: [0, 1_900], wait: [1, 7_200] },
  )
  await withFleet(async ({ fleet, dir, machine, pinning }) => {
    say(`${machine}\n${pinning}\n`)
    const service = await startOurs({ fleet, dir, profileDir: undefined })
    const crowd = startCrowd(service)
    await pause(CALM_MS)
    say(
      'round  without  with viewers  they cost (of a core)  events per viewer and second  memory without, with (MB)\n',
    )
    const costs: number[] = []
    for (let round = 1; round <= rounds; round++) {
      const before = await shareOf(service, seconds)
      const memory = rssMbOf(service)
      const opened = await crowd.tell(`watch ${viewers}`)
      if (opened.refused > 0) throw new Error(`${opened.refused} viewers were refused`)
      await pause(SETTLE_MS)
      const start = await crowd.tell('count')
      const during = await shareOf(service, seconds)
      const { events } = await crowd.tell('count')
      const memoryWith = rssMbOf(service)
      await crowd.tell('leave')
      await pause(SETTLE_MS)
      const after = await shareOf(service, seconds)
      const without = (before + after) / 2
      costs.push(during - without)
      const rate = (events - start.events) / viewers / seconds
      say(
        `${round}  ${percent(without)}  ${percent(during)}  ${percent(during - without)}  ${rate.toFixed(2)}  ${memory}, ${memoryWith}\n`,
      )
    }
    const cost = findSpread(costs)?.median ?? Number.NaN
    const verdict = cost * 100 < GOAL_PERCENT ? 'met' : 'missed'
    say(
      `${viewers} viewers cost ${percent(cost)} of a core (median); the goal is ${GOAL_PERCENT} %: ${verdict}\n`,
    )
    if (staring > 0) await measureStaring(service, crowd, staring, wait)
    writeFigures(values.json, { machine, viewers, seconds, costs, cost })
    crowd.child.stdin?.end()
  })
}

/** Those who connect and never read: on loopback the system holds megabytes for each before anything waits with us. */
async function measureStaring(service: ServerProcess, crowd: Crowd, count: number, waitS: number) {
  const before = rssMbOf(service)
  await crowd.tell(`stare ${count}`)
  const sinceMs = performance.now()
  const passedS = () => Math.round((performance.now() - sinceMs) / 1000)
  let isDropped = false
  while (!isDropped && passedS() < waitS) {
    await pause(PROBE_MS)
    isDropped = (await crowd.tell('probe')).refused === 0
  }
  const end = isDropped ? `dropped after ${passedS()} s` : `still there after ${passedS()} s`
  say(
    `${count} viewers that never read: ${end}; the service has ${before} MB before, ${rssMbOf(service)} MB after\n`,
  )
}

type Told = { viewers: number; events: number; bytes: number; refused: number }
type Crowd = { child: ChildProcess; tell(order: string): Promise<Told> }

/** In a process of its own, on the core of the load. */
function startCrowd({ host, port }: ServerProcess): Crowd {
  const file = new URL('crowd.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [file, host, String(port), scalperEvents.path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill())
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  return {
    child,
    async tell(order) {
      const said = once(lines, 'line')
      child.stdin?.write(`${order}\n`)
      return JSON.parse(String((await said)[0])) as Told
    },
  }
}

/** Of one core, all threads of the process together. */
async function shareOf(service: ServerProcess, seconds: number): Promise<number> {
  const startedAt = performance.now()
  const before = cpuUsOf(service)
  await pause(seconds * 1000)
  return (cpuUsOf(service) - before) / 1000 / (performance.now() - startedAt)
}

function cpuUsOf({ pid }: ServerProcess): number {
  const used = findCpuUs(pid)
  if (used === undefined) throw new Error('this needs /proc')
  return used
}

function rssMbOf({ pid }: ServerProcess): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb) / 1024)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
