import type { z } from 'zod'
import { limitsOf, type ProviderName, type RequestLimit } from '../../config/providers.ts'
import { type Log, silentLog } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { type Upstream, UpstreamError, type UpstreamRequest } from '../upstream.ts'
import { createCircuitBreaker, type Verdict } from './circuit-breaker.ts'
import { exchange } from './exchange.ts'
import type { HostGate } from './host-gate.ts'
import { createHostTrouble, type HostTrouble } from './host-trouble.ts'
import { createPacer, NoRoom } from './pacer.ts'
import { repeatRequest } from './repeat-request.ts'
import { createSingleFlight } from './single-flight.ts'
import { createTally } from './tally.ts'
import { type WrittenRequest, writeRequest } from './written-request.ts'

/** From sending to the last byte: a reply that drips ends here too. */
const TIMEOUT_MS = 8_000
const MAX_REPLY_BYTES = 4 * 1024 * 1024

export type UpstreamOptions = {
  provider: ProviderName
  baseUrl: string
  clock: Clock
  random: () => number
  /** Of the base address: everything that asks this host shares it. */
  gate: Pick<HostGate, 'holdMs' | 'note'>
  /** Told once when the provider fails, and once when that is over. */
  log?: Pick<Log, 'info' | 'warn'>
  /** Sent with every request: the key that the provider gave us. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Replaced in tests only. */
  limits?: readonly RequestLimit[]
}
type Asked = { written: WrittenRequest; request: UpstreamRequest<z.ZodType> }

/** The rules for every provider. A request meets them from the last line upwards. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { provider, clock, random, gate, headers, limits = limitsOf(provider), log = silentLog } = options
  const base = new URL(options.baseUrl)
  const pacer = createPacer({ clock, limits })
  const breaker = createCircuitBreaker({ clock, random })
  const tally = createTally(provider, clock)
  const trouble = createHostTrouble({ provider, channel: 'rest', host: base.host }, clock, log)
  const flights = createSingleFlight()
  const closing = new AbortController()

  const send = async (asked: Asked): Promise<unknown> => {
    const judge = breaker.enter()
    const sentMs = clock.now()
    try {
      tally.sent()
      const parsed = await sendOnce(asked, { clock, closing: closing.signal, note: gate.note, headers })
      judge('well')
      tally.answered(clock.now() - sentMs)
      return parsed
    } catch (error) {
      if (closing.signal.aborted) throw new UpstreamError('busy', `${provider} is closed`)
      const failure = toUpstreamError(error, asked.written)
      judge(verdictOf(failure))
      if (failure.fault === 'not_found') tally.answered(clock.now() - sentMs)
      else tally.failed(failure)
      throw failure
    }
  }
  const mayAsk = () => {
    if (closing.signal.aborted) throw new UpstreamError('busy', `${provider} is closed`)
    const [holdMs, openMs] = [gate.holdMs(), breaker.waitMs()]
    const retryAfterMs = Math.ceil(Math.max(holdMs, openMs))
    if (retryAfterMs === 0) return
    const why = holdMs > 0 ? 'asked us to wait' : 'is down'
    throw new UpstreamError('busy', `${provider} ${why}: not asked for ${retryAfterMs} ms`, { retryAfterMs })
  }
  const sendInTurn = async (asked: Asked): Promise<unknown> => {
    mayAsk()
    const leave = await pacer.enter(asked.written.path).catch((error: unknown) => {
      tally.hadNoRoom()
      throw new UpstreamError('busy', `${provider}: ${error instanceof NoRoom ? error.message : 'not sent'}`)
    })
    try {
      mayAsk()
      return await send(asked)
    } finally {
      leave()
    }
  }
  const repeating = {
    ...{ clock, random, closing: closing.signal },
    ...{ holdMs: gate.holdMs, isSpared: breaker.isOpen, repeated: tally.repeated },
  }
  return {
    async ask<Wire extends z.ZodType>(request: UpstreamRequest<Wire>) {
      const written = writeRequest(base, request)
      tally.asked()
      const start = () =>
        judged(
          repeatRequest(() => sendInTurn({ written, request }), {
            ...repeating,
            isSentOnce: request.isSentOnce === true,
          }),
          trouble,
        )
      return (await flights.join(written.key, request.schema, start)) as z.output<Wire>
    },
    counters: () => tally.counters(gate.holdMs() > 0 ? 'refused' : breaker.isOpen() ? 'open' : 'ok'),
    check: trouble.check,
    close() {
      closing.abort()
      pacer.close()
    },
  }
}

/** What was not sent says nothing about the provider, and one that does not find something answers. */
async function judged<T>(work: Promise<T>, trouble: HostTrouble): Promise<T> {
  try {
    const done = await work
    trouble.succeeded()
    return done
  } catch (error) {
    const fault = error instanceof UpstreamError ? error.fault : 'busy'
    if (fault === 'not_found') trouble.succeeded()
    else if (fault !== 'busy') trouble.failed(error)
    throw error
  }
}

type Wires = Pick<UpstreamOptions, 'clock' | 'headers'> & { closing: AbortSignal; note: HostGate['note'] }

async function sendOnce(
  { written, request }: Asked,
  { clock, closing, note, headers }: Wires,
): Promise<unknown> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_REPLY_BYTES, schema } = request
  const late = new AbortController()
  const cancel = clock.after(timeoutMs, () => late.abort(new Error(`no reply in ${timeoutMs} ms`)))
  const signal = AbortSignal.any([closing, late.signal])
  try {
    return parseReply(
      schema,
      await exchange(written, { signal, maxBytes, note, headers, nowMs: clock.now() }),
      written,
    )
  } finally {
    cancel()
  }
}

function parseReply(schema: z.ZodType, json: unknown, { method, path }: WrittenRequest): unknown {
  const { success, data, error } = schema.safeParse(json)
  if (success) return data
  const issue = error.issues[0]
  const at = issue?.path.map(String).join('.') || 'the reply'
  throw new UpstreamError('malformed', `${method} ${path}: ${at}: ${issue?.message}`, { cause: error })
}

/** What a schema of ours throws beyond its issues is a reply that it cannot read. */
function toUpstreamError(error: unknown, { method, path }: WrittenRequest): UpstreamError {
  if (error instanceof UpstreamError) return error
  return new UpstreamError('malformed', `${method} ${path}: the reply cannot be read`, { cause: error })
}

const ASKS_TO_WAIT: readonly (number | undefined)[] = [418, 425, 429]

function verdictOf({ fault, status }: UpstreamError): Verdict {
  if (fault === 'down' || fault === 'malformed') return fault
  return ASKS_TO_WAIT.includes(status) ? 'unknown' : 'well'
}
