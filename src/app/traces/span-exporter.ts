import { type Backoff, createBackoff } from '../../core/time/backoff.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { CollectorTrouble } from './collector-trouble.ts'
import { type Resource, toExportRequest } from './otlp-json.ts'
import type { SendSpans, Sent } from './send-spans.ts'
import type { Span } from './span.ts'

/**
 * `queue_full`: more than the collector takes. `trace_full`: one request made too many. `undelivered`: sent in vain, or
 * not before the end. `refused`: the collector does not want the request; `rejected`: it took the others of it.
 */
export type SpanOutcome = 'sent' | 'queue_full' | 'trace_full' | 'undelivered' | 'refused' | 'rejected'
export type CountSpans = (outcome: SpanOutcome, spans: number) => void

/** Never throws and never makes anybody wait but `stop`. */
export type SpanExporter = { add(span: Span): void; stop(): Promise<void> }

type Ports = {
  clock: Clock
  random: () => number
  resource: Resource
  send: SendSpans
  trouble: CollectorTrouble
  count: CountSpans
}

/** About 600 bytes each in memory. */
export const MAX_QUEUED = 8_192
/** Made into text in one go, which takes about a millisecond. */
export const BATCH_SPANS = 256
export const SEND_AFTER_MS = 2 * SECOND_MS
export const SEND_WITHIN_MS = 5 * SECOND_MS
export const MAX_TRIES = 5
const RETRY_BOUNDS = { firstMs: SECOND_MS, maxMs: 30 * SECOND_MS }
/** From the last request to the end of the process. */
export const STOP_WITHIN_MS = 2 * SECOND_MS

/** Spans wait here and go out together, one request at a time. */
export function createSpanExporter(ports: Ports): SpanExporter {
  const { clock, count } = ports
  const queue: Span[] = []
  const stopping = new AbortController()
  const ending = new AbortController()
  const deliver = createDeliver(ports, stopping.signal, ending.signal)
  let cancel: (() => void) | undefined
  let running: Promise<void> | undefined

  const sendBatches = async () => {
    do {
      const isDelivered = await deliver(queue.splice(0, BATCH_SPANS))
      if (stopping.signal.aborted && !isDelivered) return
    } while (queue.length >= (stopping.signal.aborted ? 1 : BATCH_SPANS))
  }
  const start = () => {
    cancel?.()
    cancel = undefined
    running ??= sendBatches().finally(() => {
      running = undefined
      if (queue.length > 0 && !stopping.signal.aborted) plan(SEND_AFTER_MS)
    })
  }
  const plan = (ms: number) => {
    cancel?.()
    cancel = clock.after(ms, start)
  }
  return {
    add(span) {
      if (stopping.signal.aborted) return count('undelivered', 1)
      if (queue.length >= MAX_QUEUED) return count('queue_full', 1)
      queue.push(span)
      if (running) return
      if (queue.length === BATCH_SPANS) plan(0)
      else if (!cancel) plan(SEND_AFTER_MS)
    },
    async stop() {
      const giveUp = clock.after(STOP_WITHIN_MS, () => ending.abort())
      stopping.abort()
      await running
      if (queue.length > 0) start()
      await running
      giveUp()
      cancel?.()
      if (queue.length > 0) count('undelivered', queue.splice(0).length)
    },
  }
}

type Deliver = (batch: readonly Span[]) => Promise<boolean>

/** Sends a batch until it is taken or refused, a few times at most; while the service stops, once. */
function createDeliver(ports: Ports, stopping: AbortSignal, ending: AbortSignal): Deliver {
  const { clock, random, resource, send, trouble, count } = ports
  const backoff = createBackoff(RETRY_BOUNDS, random)
  return async (batch) => {
    const body = JSON.stringify(toExportRequest(resource, batch))
    for (let tries = 1; ; tries++) {
      const sent = await within(clock, ending, (signal) => send(body, signal))
      if (sent.kind === 'sent') {
        backoff.reset()
        noteSent(ports, batch.length, sent)
        return true
      }
      trouble.failed(sent.cause)
      if (sent.kind === 'refused') {
        count('refused', batch.length)
        return true
      }
      const isLast = tries === MAX_TRIES || stopping.aborted
      if (!isLast) await pause(clock, backoff, sent.waitMs, stopping)
      // A collector that asked to be left alone is not asked once more because we stop.
      if (isLast || (stopping.aborted && sent.waitMs > 0)) {
        count('undelivered', batch.length)
        return false
      }
    }
  }
}

const pause = (clock: Clock, backoff: Backoff, waitMs: number, stopping: AbortSignal) =>
  sleep(clock, Math.max(backoff.nextMs(), waitMs), stopping)

function noteSent(
  { trouble, count }: Ports,
  spans: number,
  { rejected, said }: Sent & { kind: 'sent' },
): void {
  const left = Math.min(rejected, spans)
  if (spans > left) count('sent', spans - left)
  if (left > 0) count('rejected', left)
  if (left > 0) trouble.failed(`the collector rejected ${left} of ${spans} spans: ${said || 'no reason'}`)
  else trouble.succeeded()
}

async function within(
  clock: Clock,
  ending: AbortSignal,
  send: (signal: AbortSignal) => Promise<Sent>,
): Promise<Sent> {
  const late = new AbortController()
  const cancel = clock.after(SEND_WITHIN_MS, () => late.abort(new Error(`no answer in ${SEND_WITHIN_MS} ms`)))
  try {
    return await send(AbortSignal.any([late.signal, ending]))
  } finally {
    cancel()
  }
}
