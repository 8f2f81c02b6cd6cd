import { findCpuUs, findFamilyCpuUs } from '../../bench/harness/cpu.ts'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Violation } from '../audit/invariants.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { untilWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { ask, type Kind, makeKinds } from './requests.ts'
import { quantile, startLoad } from './rolling.ts'
import { SERVICE_FLAGS } from './sales.ts'
import { withMoney } from './shop-world.ts'

export type CapacityInput = { seconds: number; say(line: string): void }
export type CapacityOutcome = { violations: readonly Violation[]; text: string }
type Part = 'apis' | 'engines' | 'postgres' | 'redis'
type PerPart = Record<Part, number>
type Ends = { waitsMs: number[]; failures: string[] }

/** One time the load, in requests a second: 90,000 sales a day, and for each of them 24 that pay nothing. */
const LOAD: Record<Kind['name'], number> = { paid: 1, challenge: 5, free: 4, signals: 10, document: 5 }
const TRIED_TIMES = 10
const MODEL_TIMES = [1, 10, 100, 1_000]
/** Requests a second of a kind that is measured alone. */
const ALONE = { paid: 25, others: 250 }
const WARM_UP_MS = 5_000
/** A model that is off by more than this says nothing. */
const MOST_OFF = 1.5
/** Of a core: above it answers wait for one another. */
const FULL_SHARE = 0.6
const PARTS = ['apis', 'engines', 'postgres', 'redis'] as const
const LIMITS = { TOLLBOOK_DEMO_TOTAL_PER_DAY: '1000000' }

/** What a request of each kind costs every part, and whether ten times the load costs what these say. */
export function capacity(input: CapacityInput): Promise<CapacityOutcome> {
  return withMoney(async ({ env }) => {
    const fleet = await startFleet({ env: { ...LIMITS, ...env }, flags: SERVICE_FLAGS })
    const balancer = openBalancer(fleet.apis)
    try {
      await untilWhole(fleet)
      return await measure(fleet, balancer, input)
    } finally {
      balancer.stop()
      await fleet.end()
    }
  })
}

async function measure(fleet: Fleet, balancer: Balancer, { seconds, say }: CapacityInput) {
  const kinds = await makeKinds(fleet)
  const ends: Ends = { waitsMs: [], failures: [] }
  const run = async (rates: ReadonlyMap<Kind, number>, ms: number) => {
    const load = startMix(rates, async (kind, turn) => {
      const seen = await ask(balancer, kind, turn)
      ends.waitsMs.push(seen.ms)
      if (seen.isFailed) ends.failures.push(`${kind.name}: ${seen.what} ${seen.text}`)
    })
    const shares = await sharesDuring(fleet, ms)
    await load.stop()
    return shares
  }
  const mix = new Map(kinds.map((kind) => [kind, LOAD[kind.name] * TRIED_TIMES]))
  await run(mix, WARM_UP_MS)
  const idle = await sharesDuring(fleet, seconds * 1000)
  say(`idle: ${tell(idle, percent)}`)
  const costs = new Map<Kind, PerPart>()
  for (const kind of kinds) {
    const perSecond = kind.name === 'paid' ? ALONE.paid : ALONE.others
    const shares = await run(new Map([[kind, perSecond]]), seconds * 1000)
    const cost = eachPart((part) => Math.max(0, shares[part] - idle[part]) / perSecond)
    costs.set(kind, cost)
    say(`${kind.name}: ${tell(cost, milliseconds)} a request`)
  }
  const modelOf = (times: number) =>
    eachPart((part) =>
      kinds.reduce((sum, kind) => sum + LOAD[kind.name] * times * (costs.get(kind)?.[part] ?? 0), idle[part]),
    )
  ends.waitsMs.length = 0
  const [model, measured] = [modelOf(TRIED_TIMES), await run(mix, 3 * seconds * 1000)]
  const each = idle.apis / fleet.apis.length
  const table = MODEL_TIMES.map((times) => tellTimes(times, modelOf(times), { all: idle.apis, each }))
  return judge({ model, measured, ends, table })
}

type Judged = { model: PerPart; measured: PerPart; ends: Ends; table: readonly string[] }

function judge({ model, measured, ends, table }: Judged): CapacityOutcome {
  const { waitsMs, failures } = ends
  const off = measured.apis / model.apis
  const violations = [...new Set(failures)].map((subject) => ({ rule: 'C1 a request failed', subject }))
  if (off > MOST_OFF || off < 1 / MOST_OFF)
    violations.push({
      rule: 'C2 the model is wrong',
      subject: `the apis took ${off.toFixed(2)} times as much`,
    })
  const lines = [
    ...table,
    `${TRIED_TIMES} times the load, by the model: ${tell(model, percent)}`,
    `${TRIED_TIMES} times the load, measured: ${tell(measured, percent)}; ${failures.length} of ${waitsMs.length} failed, p50 ${quantile(waitsMs, 0.5)} ms, p99 ${quantile(waitsMs, 0.99)} ms`,
    `the apis took ${off.toFixed(2)} times what the model says`,
  ]
  return { violations, text: lines.join('\n') }
}

/** Each kind at its own times. */
function startMix(rates: ReadonlyMap<Kind, number>, call: (kind: Kind, turn: number) => Promise<void>) {
  let turn = 0
  const loads = [...rates].map(([kind, perSecond]) =>
    startLoad(perSecond, () => call(kind, clients + turn++)),
  )
  return {
    async stop() {
      await Promise.all(loads.map((load) => load.stop()))
      clients += turn
    },
  }
}

/** Nobody comes back in the next measurement. */
let clients = 0

/** Of a core. */
async function sharesDuring(fleet: Fleet, ms: number): Promise<PerPart> {
  const [before, startedMs] = [readCpu(fleet), performance.now()]
  await sleep(systemClock, ms)
  const [after, elapsedUs] = [readCpu(fleet), (performance.now() - startedMs) * 1000]
  return eachPart((part) => (after[part] - before[part]) / elapsedUs)
}

function readCpu({ apis, engines, postgres, redis }: Fleet): PerPart {
  const ofAll = (members: Fleet['apis']) =>
    members.reduce((total, member) => total + (findCpuUs(member.pid()) ?? 0), 0)
  return {
    apis: ofAll(apis),
    engines: ofAll(engines),
    postgres: findFamilyCpuUs(postgres.pid()) ?? 0,
    redis: findCpuUs(redis.pid()) ?? 0,
  }
}

const eachPart = (figure: (part: Part) => number): PerPart => ({
  apis: figure('apis'),
  engines: figure('engines'),
  postgres: figure('postgres'),
  redis: figure('redis'),
})
const tell = (figures: PerPart, format: (figure: number) => string) =>
  PARTS.map((part) => `${part} ${format(figures[part])}`).join(', ')
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const milliseconds = (seconds: number) => `${(seconds * 1000).toFixed(3)} ms`
/** Every api more also takes what one takes when nobody asks. */
function tellTimes(times: number, shares: PerPart, idle: { all: number; each: number }): string {
  const asked = shares.apis - idle.all
  const needed = Math.max(1, Math.ceil(asked / (FULL_SHARE - idle.each)))
  const needs = { ...shares, apis: asked + needed * idle.each }
  return `${times} times the load: ${tell(needs, percent)} of a core; apis that are ${percent(FULL_SHARE)} busy: ${needed}`
}
