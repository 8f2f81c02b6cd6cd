import type { Internet } from '../../src/sandbox/internet.ts'
import type { PredictionVenue } from '../../src/sandbox/prediction/venue.ts'
import type { Channel, Outage } from '../../src/sandbox/providers/outages.ts'
import type { Tamper } from '../../src/sandbox/providers/peers.ts'
import type { Seeded } from '../../src/testing/seeded.ts'

/** Outages of minutes between minutes of peace, by a seed: what befalls a venue in a bad day. */
export type Trouble = {
  tamper: Tamper
  /** Called every second; begins and ends what is due. */
  advanceTo(nowMs: number): void
  /** No more of it from now on. */
  end(): void
  /** Since when everything has been well; undefined while something is not. */
  wellSinceMs(): number | undefined
  /** Since when the market list has been well. */
  listWellSinceMs(): number | undefined
  /** Since when the venue has only repeated itself; undefined while it does not. */
  frozenSinceMs(): number | undefined
  /** When it last began to, and when it last did. */
  lastFrozen(): { fromMs: number; toMs: number }
  /** What began last, for the report of a failure. */
  latest(): string
  /** How often each kind began. */
  counts(): ReadonlyMap<string, number>
}

type Ports = { seeded: Seeded; internet: () => Internet; venue: () => PredictionVenue; startMs: number }
type Running = { name: string; untilMs: number; isList: boolean; stop(): void }

const REST: readonly [Outage, ...Outage[]] = [
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'error' },
  { kind: 'limit', retryAfter: '3' },
  { kind: 'limit', status: 425, retryAfter: '2' },
  { kind: 'limit', status: 503 },
  { kind: 'html' },
  { kind: 'truncate' },
  { kind: 'wrong_types' },
  { kind: 'empty' },
]
const SOCKET: readonly [Outage, ...Outage[]] = [
  { kind: 'reset' },
  { kind: 'hang' },
  { kind: 'silent' },
  { kind: 'error' },
  { kind: 'limit', retryAfter: '4' },
  { kind: 'html' },
  { kind: 'truncate' },
  { kind: 'wrong_types' },
  { kind: 'empty' },
]
const FROZEN = 'frozen'
/** Of the others, up to 70 s. */
const LASTS_MS: Partial<Record<string, readonly [leastMs: number, mostMs: number]>> = {
  // A connection on which nothing comes for longer is replaced, and what was held would reach the wrong one.
  delay: [1_000, 6_000],
  // Longer than we take it for quiet.
  [FROZEN]: [60_000, 90_000],
}
const LATE_MS = 8 * 60_000

export function createTrouble({ seeded, internet, venue, startMs }: Ports): Trouble {
  const running = new Set<Running>()
  const counts = new Map<string, number>()
  let held: string[] | undefined
  let nextMs = startMs + 40_000
  let wellSinceMs: number | undefined = startMs
  let listWellSinceMs: number | undefined = startMs
  let frozenSinceMs: number | undefined
  let lastFrozen = { fromMs: startMs, toMs: Number.NEGATIVE_INFINITY }
  const outage = (provider: 'gamma' | 'clob', channel: Channel, how: Outage) => {
    internet().outages.set(provider, channel, how)
    return () => internet().outages.set(provider, channel)
  }
  const fail = (provider: 'gamma' | 'clob', channel: Channel) => () => {
    const how = seeded.pick(channel === 'rest' ? REST : SOCKET)
    const name = `${provider} ${channel} ${how.kind}${how.status ?? ''}`
    return {
      name,
      isList: provider === 'gamma',
      stop: outage(provider, channel, how),
    }
  }
  const kinds: readonly [() => Omit<Running, 'untilMs'>, ...(() => Omit<Running, 'untilMs'>)[]] = [
    fail('gamma', 'rest'),
    fail('clob', 'rest'),
    fail('clob', 'socket'),
    () => {
      internet().disconnectAll('clob')
      return { name: 'drop', isList: false, stop() {} }
    },
    () => {
      held ??= []
      const release = () => {
        // What was held goes out with the next frame.
        releasing = held ?? []
        held = undefined
      }
      return { name: 'delay', isList: false, stop: release }
    },
    () => {
      const isDisputed = seeded.chance(0.3)
      venue().setTrouble(isDisputed ? { disputed: true } : { resolutionDelayMs: LATE_MS })
      return {
        name: isDisputed ? 'dispute' : 'late',
        hangs: false,
        isList: false,
        stop: () => venue().setTrouble({}),
      }
    },
  ]
  const freeze = () => {
    const stops = (['rest', 'socket'] as const).map((channel) => outage('clob', channel, { kind: 'frozen' }))
    return { name: FROZEN, isList: false, stop: () => stops.forEach((stop) => void stop()) }
  }
  let releasing: string[] = []
  let latest: string[] = []
  const begin = (nowMs: number) => {
    // Alone, since another outage would end it; and first, so that the shortest day has one.
    const isFreeze = running.size === 0 && (counts.size === 0 || seeded.chance(0.15))
    const made = isFreeze ? freeze() : seeded.pick(kinds)()
    // A silence of a second or two is not noticed as such: what it swallows is found by comparing, seconds later.
    const [leastMs, mostMs] = LASTS_MS[made.name] ?? [/silent|hang/.test(made.name) ? 4_000 : 1_000, 70_000]
    const lastsMs = seeded.between(leastMs, mostMs)
    running.add({ ...made, untilMs: nowMs + lastsMs })
    latest = [...latest.slice(-4), `${made.name} at ${nowMs} for ${lastsMs} ms`]
    counts.set(made.name, (counts.get(made.name) ?? 0) + 1)
  }
  const finish = (nowMs: number) => {
    for (const each of running) {
      if (each.untilMs > nowMs) continue
      each.stop()
      running.delete(each)
    }
  }
  return {
    tamper({ venue: provider, text }) {
      if (provider !== 'clob') return [text]
      if (held) {
        held.push(text)
        return []
      }
      const texts = [...releasing, text]
      releasing = []
      return texts
    },
    advanceTo(nowMs) {
      finish(nowMs)
      // One thing at a time, or two: the second may begin while the first lasts.
      if (nowMs >= nextMs && running.size < 2 && frozenSinceMs === undefined) {
        begin(nowMs)
        nextMs = nowMs + seeded.between(5_000, 130_000)
      }
      const isBad = [...running].some(({ name }) => name !== 'late' && name !== 'dispute')
      wellSinceMs = isBad ? undefined : (wellSinceMs ?? nowMs)
      const isFrozen = [...running].some(({ name }) => name === FROZEN)
      frozenSinceMs = isFrozen ? (frozenSinceMs ?? nowMs) : undefined
      if (frozenSinceMs !== undefined) lastFrozen = { fromMs: frozenSinceMs, toMs: nowMs }
      listWellSinceMs = [...running].some(({ isList }) => isList) ? undefined : (listWellSinceMs ?? nowMs)
    },
    end() {
      nextMs = Number.POSITIVE_INFINITY
      finish(Number.POSITIVE_INFINITY)
    },
    wellSinceMs: () => wellSinceMs,
    listWellSinceMs: () => listWellSinceMs,
    frozenSinceMs: () => frozenSinceMs,
    lastFrozen: () => lastFrozen,
    latest: () => latest.join(', '),
    counts: () => counts,
  }
}
