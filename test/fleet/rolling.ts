import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Violation } from '../audit/invariants.ts'
import { openBalancer } from './balancer.ts'
import { untilWhole } from './faults.ts'
import { type Fleet, startFleet } from './fleet.ts'
import type { Member } from './member.ts'
import { createPhases } from './phases.ts'
import { ask, makeKinds } from './requests.ts'
import { withMoney } from './shop-world.ts'

export type RollingInput = { perSecond: number; say(line: string): void }
export type RollingOutcome = {
  violations: readonly Violation[]
  requests: number
  failed: number
  /** By step of the deployment. */
  answers: ReadonlyMap<string, ReadonlyMap<string, number>>
  waitsMs: { p50: number; p99: number; max: number }
  dir: string
}
/** Of so many requests one is paid. */
const PAID_EVERY = 8
const BETWEEN_STEPS_MS = 2_000
const LIMITS = { TOLLBOOK_DEMO_TOTAL_PER_DAY: '1000000' }

/** Every process is replaced in turn under load that a balancer shares out; nobody may notice. */
export function rolling(input: RollingInput): Promise<RollingOutcome> {
  return withMoney(({ env }) => replaceAll(input, { ...LIMITS, ...env }))
}

async function replaceAll(
  { perSecond, say }: RollingInput,
  env: Record<string, string>,
): Promise<RollingOutcome> {
  const fleet = await startFleet({ env })
  const balancer = openBalancer(fleet.apis)
  const phases = createPhases()
  const waits: number[] = []
  const failures: string[] = []
  try {
    await untilWhole(fleet)
    const kinds = await makeKinds(fleet)
    const load = startLoad(perSecond, async (turn) => {
      const kind = kinds[turn % PAID_EVERY === 0 ? 0 : 1 + (turn % (kinds.length - 1))]
      if (!kind) return
      const seen = await ask(balancer, kind, turn)
      waits.push(seen.ms)
      phases.heard(`${kind.name} ${seen.what}`)
      if (seen.isFailed) failures.push(`${kind.name} at ${seen.at}: ${seen.what} ${seen.text}`)
    })
    for (const [name, step] of await steps(fleet)) {
      await phases.during(name, step)
      say(`${name} restarted; ${failures.length} of ${waits.length} requests have failed`)
    }
    await load.stop()
  } finally {
    balancer.stop()
    await fleet.end()
  }
  return {
    violations: [...new Set(failures)].map((subject) => ({ rule: 'R1 a request failed', subject })),
    ...{ requests: waits.length, failed: failures.length, answers: phases.counts, dir: fleet.dir },
    waitsMs: { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), max: quantile(waits, 1) },
  }
}

/** The engine that waits before the one that leads, as one who replaces them would do it. */
async function steps(fleet: Fleet): Promise<[string, () => Promise<void>][]> {
  const leader = await fleet.leader()
  const waiting = fleet.engines.filter((engine) => engine !== leader)
  const order = [...fleet.apis, ...waiting, ...(leader ? [leader] : [])]
  return order.map((member) => [
    member === leader ? `${member.name}, which leads` : member.name,
    () => replace(fleet, member),
  ])
}

async function replace(fleet: Fleet, member: Member): Promise<void> {
  await sleep(systemClock, BETWEEN_STEPS_MS)
  await member.restart()
  await untilWhole(fleet)
  await sleep(systemClock, BETWEEN_STEPS_MS)
}

/** At their times, however long others take. */
export function startLoad(perSecond: number, call: (turn: number) => Promise<void>) {
  const startedMs = performance.now()
  const underWay = new Set<Promise<void>>()
  let turn = 0
  const stop = systemClock.every(5, () => {
    for (const due = ((performance.now() - startedMs) / 1000) * perSecond; turn < due; ) {
      const sent = call(turn++).finally(() => underWay.delete(sent))
      underWay.add(sent)
    }
  })
  return {
    sent: () => turn,
    async stop() {
      stop()
      await Promise.all(underWay)
    },
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
