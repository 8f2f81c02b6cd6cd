import { findJsonObject, findStrings } from '../../json-frame.ts'
import { CONTROL, type Peer } from '../../peers.ts'
import type { MarketChannel } from './market-channel.ts'
import type { Listener } from './subscriptions.ts'

export const MAX_ASSETS = 500
/** Clients are asked to send `PING` every ten seconds. */
export const SILENCE_LIMIT_MS = 120_000
const CLOSE_GOING_AWAY = 1001
const INVALID = 'INVALID OPERATION'

/** A connection to `/ws/market`. */
export type MarketSession = {
  /** Disconnects a client that has said nothing for too long. */
  check(nowMs: number): void
}

export function createMarketSession(peer: Peer, channel: MarketChannel, nowMs: () => number): MarketSession {
  const listener: Listener = { peer, isCustom: false, assets: new Set() }
  let isSubscribed = false
  let heardMs = nowMs()
  const say = (text: string) => peer.send(CONTROL, text)

  const start = (request: Request, tokenIds: readonly string[]) => {
    isSubscribed = true
    const books = channel.subscribe(listener, tokenIds)
    if (request.initial_dump !== false) say(JSON.stringify(books))
  }
  const change = (request: Request, tokenIds: readonly string[]) => {
    if (request.operation === 'unsubscribe') return channel.unsubscribe(listener, tokenIds)
    if (request.operation !== 'subscribe' || !isSubscribed) return say(INVALID)
    const fresh = tokenIds.filter((tokenId) => !listener.assets.has(tokenId))
    const books = channel.subscribe(listener, fresh)
    if (request.initial_dump !== false) for (const book of books) say(JSON.stringify(book))
  }
  channel.open(listener)
  peer.onGone(() => channel.gone(listener))
  peer.onText((text) => {
    heardMs = nowMs()
    if (text === 'PING') return say('PONG')
    const request = findJsonObject(text)
    const tokenIds = [...new Set(findStrings(request?.assets_ids))]
    if (!request || tokenIds.length === 0) return say(INVALID)
    if (!tokenIds.every(isTokenId) || new Set([...listener.assets, ...tokenIds]).size > MAX_ASSETS)
      return say(INVALID)
    if (typeof request.custom_feature_enabled === 'boolean')
      listener.isCustom = request.custom_feature_enabled
    if (request.operation !== undefined) return change(request, tokenIds)
    if (isSubscribed || !isMarketType(request.type)) return say(INVALID)
    start(request, tokenIds)
  })
  return {
    check(atMs) {
      if (atMs - heardMs > SILENCE_LIMIT_MS) peer.close(CLOSE_GOING_AWAY, 'ping timeout')
    },
  }
}

type Request = Readonly<Record<string, unknown>>
const isMarketType = (type: unknown) => typeof type === 'string' && type.toLowerCase() === 'market'
/** A 256-bit number. */
const isTokenId = (text: string) => /^\d{1,78}$/.test(text)
