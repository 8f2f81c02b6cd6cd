import type { Coin } from '../../../core/coin.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { findJsonObject, findStrings, isObject } from '../json-frame.ts'
import { CONTROL, type Peer } from '../peers.ts'
import { bare, type Topics } from '../topics.ts'
import { levelTexts, sequenceOf, toMatch } from './format.ts'
import { findCoinbaseCoin } from './rest.ts'
import { topicOf } from './streams.ts'

const CHANNELS = ['matches', 'level2', 'level2_batch', 'ticker', 'heartbeat']
const SIGNATURE_FIELDS = ['signature', 'key', 'passphrase', 'timestamp']

type Wanted = { channel: string; product: string; coin: Coin }
/** Why a request is refused, in the venue's words. */
type Refusal = { message: string; reason?: string }

/** A connection to Coinbase Exchange's public feed. */
export function acceptCoinbase(peer: Peer, market: SimulatedMarket, topics: Topics): void {
  const send = (message: unknown) => peer.send(CONTROL, JSON.stringify(message))
  peer.onGone(() => topics.forget(peer))
  peer.onText((text) => {
    const request = findJsonObject(text)
    if (!request) return send({ type: 'error', message: 'Malformed JSON' })
    const wanted = parseWanted(request)
    if ('message' in wanted) return send({ type: 'error', ...wanted })
    if (request.type === 'unsubscribe') {
      for (const { channel, product } of wanted.list) topics.remove(topicOf(channel, product), peer)
      return send(subscriptions(topics.of(peer)))
    }
    const fresh = wanted.list.filter(
      ({ channel, product }) => !topics.of(peer).includes(topicOf(channel, product)),
    )
    for (const { channel, product } of fresh) topics.add(topicOf(channel, product), peer, bare)
    send(subscriptions(topics.of(peer)))
    for (const each of fresh) sendFirst(peer, market, each)
  })
}

/** A new subscriber first gets the whole book, or the last match. */
function sendFirst(peer: Peer, market: SimulatedMarket, { channel, product, coin }: Wanted): void {
  const instrument = market.instrument('coinbase', coin)
  if (channel === 'level2' || channel === 'level2_batch') {
    const { bids, asks } = market.book('coinbase', coin)
    const sides = { bids: levelTexts(instrument, bids), asks: levelTexts(instrument, asks) }
    peer.send(topicOf(channel, product), JSON.stringify({ type: 'snapshot', product_id: product, ...sides }))
  }
  const newest = market.trades('coinbase', coin).newest
  if (channel === 'matches' && newest) {
    const match = toMatch(instrument, newest, 'last_match', sequenceOf(market, coin))
    peer.send(topicOf(channel, product), JSON.stringify(match))
  }
}

function parseWanted(request: Readonly<Record<string, unknown>>): { list: readonly Wanted[] } | Refusal {
  const { type, channels } = request
  if (type !== 'subscribe' && type !== 'unsubscribe')
    return { message: `${String(type)} is not a valid type` }
  const failed = (reason: string): Refusal => ({ message: `Failed to ${type}`, reason })
  if (!Array.isArray(channels) || channels.length === 0) return failed('channels must not be empty')
  const shared = findStrings(request.product_ids) ?? []
  const isSigned = SIGNATURE_FIELDS.every((field) => request[field] !== undefined && request[field] !== '')
  const list: Wanted[] = []
  for (const entry of channels) {
    const channel = isObject(entry) ? entry.name : entry
    if (typeof channel !== 'string' || !CHANNELS.includes(channel))
      return failed(`${String(channel)} is not a valid channel`)
    if (channel === 'level2' && type === 'subscribe' && !isSigned)
      return failed(
        'level2, level3, and full channels now require authentication. https://docs.cdp.coinbase.com/exchange/docs/websocket-auth',
      )
    const products = (isObject(entry) ? findStrings(entry.product_ids) : undefined) ?? shared
    if (products.length === 0) return failed('product_ids must not be empty')
    for (const product of products) {
      const coin = findCoinbaseCoin(product)
      if (!coin) return failed(`${product} is not a valid product`)
      list.push({ channel, product, coin })
    }
  }
  return { list }
}

function subscriptions(topics: readonly string[]) {
  const byChannel = new Map<string, string[]>()
  for (const topic of topics) {
    const [name = '', product = ''] = topic.split(':')
    byChannel.set(name, [...(byChannel.get(name) ?? []), product])
  }
  const channels = [...byChannel].map(([name, product_ids]) => ({ name, product_ids, account_ids: null }))
  return { type: 'subscriptions', channels }
}
