import type { Clock } from '../../core/time/clock.ts'
import { type Allowance, createRequestBudget } from '../../upstreams/rules/request-budget.ts'

/** Of the requests that a venue never answered the oldest are forgotten. */
const MAX_UNANSWERED = 64

export type Verb = 'subscribe' | 'unsubscribe'
export type Request = { id: number; verb: Verb; topics: readonly string[] }

/** The requests of one connection: those not sent yet and those not answered yet. */
export type Outbox = {
  add(verb: Verb, topic: string): void
  /** Never again joins the topic with others in one request. */
  isolate(topic: string): void
  open(send: (text: string) => void): void
  /** Forgets all requests. */
  close(): void
  /** Takes out the oldest unanswered request that `isIt` accepts. */
  takeUnanswered(isIt: (request: Request) => boolean): Request | undefined
}

type Options = {
  clock: Clock
  /** What we may send; undefined only against a server of our own. */
  allowance: Allowance | undefined
  wireOf(request: Request): unknown
}

/** Keeps the order of the requests, joins neighbours of one kind, and stays within the allowance. */
export function createOutbox({ clock, allowance, wireOf }: Options): Outbox {
  const budget = allowance && createRequestBudget(clock, allowance, Number.POSITIVE_INFINITY)
  const isolated = new Set<string>()
  let waiting: { verb: Verb; topic: string }[] = []
  let unanswered: Request[] = []
  let requests = 0
  let send: ((text: string) => void) | undefined
  let cancelSend: (() => void) | undefined

  const takeBatch = (verb: Verb) => {
    const end = waiting.findIndex(
      (next, at) =>
        at > 0 && (next.verb !== verb || isolated.has(next.topic) || isolated.has(waiting[0]?.topic ?? '')),
    )
    const batch = waiting.splice(0, end < 0 ? waiting.length : end)
    return [...new Set(batch.map(({ topic }) => topic))]
  }
  const sendNext = () => {
    cancelSend = undefined
    const verb = waiting[0]?.verb
    if (!send || !verb) return
    const request = { id: ++requests, verb, topics: takeBatch(verb) }
    unanswered = [...unanswered, request].slice(-MAX_UNANSWERED)
    send(JSON.stringify(wireOf(request)))
    flush()
  }
  const flush = () => {
    if (!send || waiting.length === 0 || cancelSend) return
    const waitMs = budget?.findWaitMs(1) ?? 0
    if (waitMs === 0) sendNext()
    else cancelSend = clock.after(waitMs, sendNext)
  }
  return {
    add(verb, topic) {
      waiting.push({ verb, topic })
      flush()
    },
    isolate: (topic) => void isolated.add(topic),
    open(sender) {
      send = sender
      flush()
    },
    close() {
      cancelSend?.()
      cancelSend = undefined
      send = undefined
      waiting = []
      unanswered = []
    },
    takeUnanswered(isIt) {
      const at = unanswered.findIndex(isIt)
      return at < 0 ? undefined : unanswered.splice(at, 1)[0]
    },
  }
}
