import type { Clock } from '../../../core/time/clock.ts'
import { DAY_MS } from '../../../core/time/time.ts'
import { createSingleFlight } from '../../../upstreams/rules/single-flight.ts'
import { type JsonRpc, JsonRpcRefusal, NoBatchError, ReplyTooLargeError } from '../json-rpc.ts'
import { rememberBatches } from './batch-memory.ts'
import { createHeadAge } from './head-age.ts'
import { NodeFault, type NodeKind } from './node-kind.ts'
import { createProbePause } from './probe-pause.ts'

export type NodeHealth = {
  /** Undefined while it is well. */
  trouble: { error: unknown; sinceMs: number } | undefined
  latencyMs: number | undefined
  headAgeMs: number | undefined
}
export type ChainNode = {
  host: string
  /** Throws for a node of another chain, which is never asked anything else. */
  rpc: JsonRpc
  /** Whether it is well and answered within the last `ms`. */
  answeredWithin(ms: number): boolean
  isInTrouble(): boolean
  /** In trouble for so long that nobody waits for its word any more. */
  isGone(): boolean
  /** In trouble, in doubt, or slow when it was last probed: what can wait is not asked of it. */
  isStrained(): boolean
  /** Just after a failed probe, when another one would say the same. */
  isPausing(): boolean
  /** Asks whether it is well; throws where it is not. The only way out of trouble. */
  probe(): Promise<void>
  health(): NodeHealth
}
type Input = { clock: Clock; host: string; rpc: JsonRpc; kind: NodeKind }

/** A probe is two small requests at once. */
const SLOW_MS = 2_000
const GONE_AFTER_MS = DAY_MS

/** A node and what is known of it. A call that fails leaves it in doubt; a probe that fails puts it in trouble. */
export function createChainNode({ clock, host, kind, ...input }: Input): ChainNode {
  const rpc = rememberBatches(clock, input.rpc)
  const flights = createSingleFlight()
  const pause = createProbePause(clock)
  const headAge = createHeadAge(clock, kind.staleAfterMs)
  let isOurs = false
  let answeredAtMs: number | undefined
  let isInDoubt = false
  let latencyMs: number | undefined
  let trouble: NodeHealth['trouble']

  const identify = () =>
    flights.join('identify', kind, async () => {
      const stranger = await kind.findStranger(rpc)
      if (stranger !== undefined) throw new NodeFault(stranger)
      isOurs = true
    })
  const fall = (error: unknown) => {
    trouble = { error, sinceMs: trouble?.sinceMs ?? clock.now() }
    pause.begin()
    answeredAtMs = undefined
  }
  const probe = () =>
    flights.join('probe', kind, async () => {
      const startedMs = clock.now()
      try {
        // Asked anew: behind an address may be another node than before.
        const [head] = await Promise.all([kind.readHead(rpc), identify()])
        headAge.see(head)
      } catch (error) {
        fall(error)
        throw error
      }
      trouble = undefined
      isInDoubt = false
      pause.end()
      latencyMs = clock.now() - startedMs
      answeredAtMs = clock.now()
    })
  const doubt = () => {
    isInDoubt = true
    answeredAtMs = undefined
    isOurs = false
    if (!pause.isOn()) void probe().catch(() => {})
  }
  const guarded = async <T>(run: () => Promise<T>): Promise<T> => {
    if (trouble?.error instanceof NodeFault && pause.isOn()) throw trouble.error
    try {
      if (!isOurs) await identify()
      const result = await run()
      answeredAtMs = clock.now()
      return result
    } catch (error) {
      if (error instanceof NodeFault) fall(error)
      else if (!isAnswer(error)) doubt()
      throw error
    }
  }
  return {
    host,
    rpc: guardCalls(rpc, guarded),
    answeredWithin: (ms) =>
      trouble === undefined && isOurs && answeredAtMs !== undefined && clock.now() - answeredAtMs <= ms,
    isInTrouble: () => trouble !== undefined,
    isGone: () => trouble !== undefined && clock.now() - trouble.sinceMs >= GONE_AFTER_MS,
    isStrained: () => trouble !== undefined || isInDoubt || (latencyMs ?? 0) > SLOW_MS,
    isPausing: pause.isOn,
    probe,
    health: () => ({ trouble, latencyMs, headAgeMs: headAge.ms() }),
  }
}

type Guarded = <T>(run: () => Promise<T>) => Promise<T>

const guardCalls = (rpc: JsonRpc, guarded: Guarded): JsonRpc => ({
  call: (...asked) => guarded(() => rpc.call(...asked)),
  batch: (...asked) => guarded(() => rpc.batch(...asked)),
})

/** The call itself was refused: that says nothing about the next one. */
const isAnswer = (error: unknown) =>
  error instanceof JsonRpcRefusal || error instanceof ReplyTooLargeError || error instanceof NoBatchError
