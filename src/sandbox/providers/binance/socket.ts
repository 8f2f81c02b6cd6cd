import { findJsonObject, findStrings } from '../json-frame.ts'
import { CONTROL, type Peer } from '../peers.ts'
import { bare, type Frame, type Topics } from '../topics.ts'

/** Binance's limit per connection. */
const MAX_STREAMS = 1024
const inStream: Frame = (topic, text) => `{"stream":${JSON.stringify(topic)},"data":${text}}`

/**
 * A connection to Binance. `/ws/<stream>/<stream>` sends plain events, `/stream?streams=` wraps them; the futures'
 * prefixes `/public` and `/market` make no difference. As on Binance, an unknown stream name is accepted and stays silent.
 */
export function acceptBinance(peer: Peer, url: URL, path: string, topics: Topics): void {
  const route = path.replace(/^\/(public|market)/, '')
  const frame = route.startsWith('/stream') ? inStream : bare
  const subscribe = (streams: readonly string[]) => {
    for (const stream of streams) topics.add(stream, peer, frame)
  }
  const fromUrl = url.searchParams.get('streams')?.split('/') ?? route.split('/').slice(2)
  subscribe(fromUrl.filter((stream) => stream.includes('@')).slice(0, MAX_STREAMS))
  peer.onGone(() => topics.forget(peer))
  peer.onText((text) => peer.send(CONTROL, JSON.stringify(answer(text))))

  const answer = (text: string): unknown => {
    const request = findJsonObject(text)
    if (!request) return { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' }
    const { method, id = null } = request
    const refuse = (msg: string) => ({ code: 2, msg: `Invalid request: ${msg}`, id })
    if (method === 'LIST_SUBSCRIPTIONS') return { result: topics.of(peer), id }
    if (method !== 'SUBSCRIBE' && method !== 'UNSUBSCRIBE')
      return refuse('unknown method, expected one of `SUBSCRIBE`, `UNSUBSCRIBE`, `LIST_SUBSCRIPTIONS`')
    const streams = findStrings(request.params)
    if (!streams) return refuse('params must be a list of stream names')
    if (method === 'UNSUBSCRIBE') for (const stream of streams) topics.remove(stream, peer)
    else if (topics.of(peer).length + streams.length > MAX_STREAMS) return refuse('too many streams')
    else subscribe(streams)
    return { result: null, id }
  }
}
