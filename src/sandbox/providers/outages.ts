import type { LoopbackReply, LoopbackRequest, RefusedUpgrade } from '../loopback-server.ts'
import type { Tamper } from './peers.ts'

/**
 * Ways in which a provider fails, as its clients see them. `reset` breaks connections, `hang` accepts them and never
 * answers, `silent` answers the handshake and says nothing more. `frozen` says nothing new: it repeats its first reply
 * to each request, and its sockets are silent. `limit` is a 429, or the status given. The last four answer with a body
 * or with frames that are not what they should be.
 */
export const OUTAGE_KINDS = [
  'reset',
  'hang',
  'silent',
  'frozen',
  'error',
  'limit',
  'html',
  'truncate',
  'wrong_types',
  'empty',
] as const
export type OutageKind = (typeof OUTAGE_KINDS)[number]
/** `path`: only REST addresses that contain it fail. */
export type Outage = { kind: OutageKind; path?: string; status?: number; retryAfter?: string }
export type Channel = 'rest' | 'socket'
type Asked = Pick<LoopbackRequest, 'path' | 'query' | 'body'>

/** A switch for the failures of each provider. It counts what clients try. */
export type Outages = {
  /** From now on the provider fails like this, for connected clients too; without an outage it is well again. */
  set(provider: string, channel: Channel, outage?: Outage): void
  /** Requests or attempts to connect since the start. */
  count(provider: string, channel: Channel): number
  answer(
    provider: string,
    { path, query, body }: Asked,
    work: () => Promise<LoopbackReply>,
  ): Promise<LoopbackReply | undefined>
  /** What becomes of an attempt to connect; undefined lets it through. */
  refuse(provider: string): RefusedUpgrade | undefined
  tamper: Tamper
}

type Options = { tamper: Tamper | undefined; disconnect(provider: string): void }

export function createOutages({ tamper, disconnect }: Options): Outages {
  const outages = new Map<string, Outage>()
  const frozen = new Map<string, Map<string, Promise<LoopbackReply>>>()
  const counts = new Map<string, number>()
  const keyOf = (provider: string, channel: Channel) => `${provider} ${channel}`
  const meet = (provider: string, channel: Channel) => {
    const key = keyOf(provider, channel)
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return outages.get(key)
  }
  const repeat = (provider: string, request: string, work: () => Promise<LoopbackReply>) => {
    const replies = frozen.get(provider) ?? new Map<string, Promise<LoopbackReply>>()
    frozen.set(provider, replies)
    const reply = replies.get(request) ?? work()
    if (replies.size < MAX_FROZEN) replies.set(request, reply)
    return reply
  }
  return {
    set(provider, channel, outage) {
      const key = keyOf(provider, channel)
      if (channel === 'rest') frozen.delete(provider)
      if (outage) outages.set(key, outage)
      else outages.delete(key)
      if (outage && channel === 'socket' && CUTS.includes(outage.kind)) disconnect(provider)
    },
    count: (provider, channel) => counts.get(keyOf(provider, channel)) ?? 0,
    async answer(provider, { path, query, body }, work) {
      const outage = meet(provider, 'rest')
      if (!outage || !path.includes(outage.path ?? '')) return work()
      if (outage.kind === 'frozen') return repeat(provider, `${path}?${query} ${body}`, work)
      if (outage.kind === 'reset') return undefined
      if (outage.kind === 'hang' || outage.kind === 'silent') return NEVER
      return failedReply(outage, await work())
    },
    refuse(provider) {
      const outage = meet(provider, 'socket')
      return outage && REFUSALS[outage.kind]?.(outage)
    },
    tamper(wire) {
      const outage = outages.get(keyOf(wire.venue, 'socket'))
      if (outage) return failedFrames(outage.kind, wire.text)
      return tamper ? tamper(wire) : [wire.text]
    },
  }
}

/** Connections that these outages break; the others spoil what is said. */
const CUTS: readonly OutageKind[] = ['reset', 'error', 'limit', 'html']
const MAX_FROZEN = 10_000
const NEVER = new Promise<undefined>(() => {})
const PAGE = '<!doctype html><title>Sorry</title><h1>We will be back soon</h1>'
const HTML = { 'content-type': 'text/html' }

const REFUSALS: { [kind in OutageKind]?: (outage: Outage) => RefusedUpgrade } = {
  reset: () => 'reset',
  hang: () => 'hang',
  error: () => ({ status: 500, headers: {}, body: '' }),
  limit: (outage) => ({ ...limited(outage), body: '' }),
  html: () => ({ status: 200, headers: HTML, body: PAGE }),
}

function limited({ status = 429, retryAfter }: Outage): LoopbackReply & { headers: Record<string, string> } {
  return { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body: '{}' }
}

function failedReply(outage: Outage, well: LoopbackReply): LoopbackReply {
  if (outage.kind === 'limit') return limited(outage)
  if (outage.kind === 'error') return { status: 500, body: '{"msg":"internal error"}' }
  if (outage.kind === 'html') return { status: 200, headers: HTML, body: PAGE }
  return { ...well, body: spoil(outage.kind, String(well.body)) }
}

function failedFrames(kind: OutageKind, text: string): readonly string[] {
  if (kind === 'silent' || kind === 'hang' || kind === 'frozen') return []
  return [spoil(kind, text)]
}

function spoil(kind: OutageKind, text: string): string {
  if (kind === 'truncate') return text.slice(0, Math.ceil(text.length / 2))
  if (kind === 'empty') return text.startsWith('[') ? '[]' : '{}'
  if (!isJson(text)) return 'true'
  // A reviver gets the innermost values first, and keeps the shape around them.
  return JSON.stringify(
    JSON.parse(text, (_, value: unknown) => (typeof value === 'object' && value !== null ? value : true)),
  )
}

/** Providers also say single words, such as `PONG`. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
