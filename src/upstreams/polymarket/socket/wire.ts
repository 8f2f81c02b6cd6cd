import type { z } from 'zod'
import { CONDITION_ID, isTokenId, tokenIdPart } from '../../rules/path-parts.ts'
import { describeFault } from '../../wire/reply.ts'
import { MARKET_EVENTS, type MarketEvent } from './market-events.ts'

// The market channel of the venue's socket.

/** The text that keeps a connection open, and its answer. */
export const PING = 'PING'
const PONG = 'PONG'
/** Snapshots of some dozen full books. */
const MAX_FRAME_CHARS = 8 * 1024 * 1024
const MAX_EVENTS = 2_000
const MAX_NAME_CHARS = 40
/** Ids of a broken frame that are reported; more than a window's two tokens are no use. */
const MAX_BLAMED = 100

/** A frame that breaks the format, with what it was about as far as that can be read: those books are in doubt. */
export type MalformedEvent = {
  type: 'malformed'
  name: string
  conditionId: string | undefined
  tokenIds: readonly string[]
  reason: string
}
/** An event of a kind that we do not know; the venue adds some. */
export type UnknownEvent = { type: 'unknown'; name: string }
export type SocketEvent = MarketEvent | MalformedEvent | UnknownEvent | { type: 'pong' }

/** Everything that a frame says, in its order. Never throws. */
export const readMarketFrame = (text: string): readonly SocketEvent[] => readFrame(text, MARKET_EVENTS)

/** The first frame of a connection. */
export const subscribeMarketFrame = (tokenIds: readonly string[]): string =>
  JSON.stringify({ assets_ids: tokenIds.map(tokenIdPart), type: 'market', custom_feature_enabled: true })

/** Adds tokens to a connection that has been subscribed, or takes some away. */
export const changeMarketFrame = (
  operation: 'subscribe' | 'unsubscribe',
  tokenIds: readonly string[],
): string =>
  JSON.stringify({ assets_ids: tokenIds.map(tokenIdPart), operation, custom_feature_enabled: true })

type Kinds = Readonly<Record<string, z.ZodType>>

export function readFrame<Of extends Kinds>(
  text: string,
  kinds: Of,
): (z.output<Of[keyof Of]> | MalformedEvent | UnknownEvent | { type: 'pong' })[] {
  if (text === PONG) return [{ type: 'pong' }]
  if (text.length > MAX_FRAME_CHARS) return [malformed('frame', undefined, 'longer than is read')]
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return [malformed('frame', undefined, 'not JSON')]
  }
  const events = Array.isArray(json) ? json : [json]
  if (events.length > MAX_EVENTS) return [malformed('frame', undefined, 'more events than are read')]
  return events.map((event) => readEvent(event, kinds))
}

function readEvent<Of extends Kinds>(event: unknown, kinds: Of) {
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    return malformed('event', undefined, 'not an object')
  const type = 'event_type' in event ? event.event_type : ''
  if (typeof type !== 'string') return malformed('event', event, 'event_type: expected a text')
  const name = type.slice(0, MAX_NAME_CHARS)
  const schema = Object.hasOwn(kinds, type) ? kinds[type] : undefined
  if (!schema) return { type: 'unknown' as const, name }
  const parsed = schema.safeParse(event)
  return parsed.success
    ? (parsed.data as z.output<Of[keyof Of]>)
    : malformed(name, event, describeFault(parsed.error))
}

function malformed(name: string, event: object | undefined, reason: string): MalformedEvent {
  const { market, asset_id, assets_ids, price_changes } = (event ?? {}) as Record<string, unknown>
  const rows: unknown[] = Array.isArray(price_changes) ? price_changes.slice(0, MAX_BLAMED) : []
  const named = Array.isArray(assets_ids) ? assets_ids.slice(0, MAX_BLAMED) : []
  const ids = [asset_id, ...named, ...rows.map((row) => (row as { asset_id?: unknown } | null)?.asset_id)]
  return {
    type: 'malformed',
    name,
    conditionId: typeof market === 'string' && CONDITION_ID.test(market) ? market.toLowerCase() : undefined,
    tokenIds: [...new Set(ids.filter(isTokenId))],
    reason,
  }
}
