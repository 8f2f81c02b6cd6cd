import { ORACLE_DELAY_MS } from '../../market/oracle.ts'
import type { SimOracleTick } from '../../market/sim-events.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { findJsonObject, isObject } from '../json-frame.ts'
import { CONTROL, type Peer } from '../peers.ts'
import {
  findPriceTopic,
  type PriceTopic,
  SPOT_CHANNEL,
  TWAP_CHANNEL,
  topicName,
  toSnapshot,
  toUpdate,
} from './format.ts'

export type Credentials = { apiKey: string; secret: string; passphrase: string }

export const MAX_SUBSCRIPTIONS = 64
const MAX_AUTHS = 8
const CLOSE_AUTH = 4001
const CLOSE_POLICY = 4008

/** One connection: what it subscribed to, and whether it has shown its key. */
export type Session = { tell(tick: SimOracleTick): void }

export function createSession(peer: Peer, market: SimulatedMarket, credentials: Credentials): Session {
  const topics = new Map<string, PriceTopic>()
  // Counted per connection and channel, over all its symbols.
  const seqs = new Map<string, number>()
  // A subscription counts against the limit even when the connection already holds it.
  let held = 0
  let auths = 0
  let isAuthed = false
  const send = (message: unknown) => peer.send(CONTROL, JSON.stringify(message))
  const nextSeq = (channel: string) => {
    const seq = (seqs.get(channel) ?? 0) + 1
    seqs.set(channel, seq)
    return seq
  }
  const authenticate = (request: Request) => {
    if (++auths > MAX_AUTHS) return peer.close(CLOSE_POLICY, 'too many auth frames')
    isAuthed = isObject(request.auth) && matches(request.auth, credentials)
    if (isAuthed) return send({ op: 'authed', ...ridOf(request) })
    send({ op: 'error', code: 'auth_failed', ...ridOf(request) })
    peer.close(CLOSE_AUTH, 'auth failed')
  }
  const subscribe = (request: Request, entry: unknown) => {
    const channel = isObject(entry) ? entry.channel : undefined
    const refuse = (code: string) =>
      send({ op: 'error', code, ...(typeof channel === 'string' && { channel }), ...ridOf(request) })
    if (channel !== SPOT_CHANNEL && channel !== TWAP_CHANNEL) return refuse('bad_channel')
    if (!isAuthed) return refuse('auth_required')
    const topic = findPriceTopic(channel, isObject(entry) && isObject(entry.filter) ? entry.filter : {})
    if (!topic) return refuse('bad_filter')
    const isOff = request.op === 'unsubscribe'
    if (!isOff && held >= MAX_SUBSCRIPTIONS) return refuse('too_many_subscriptions')
    held = isOff ? Math.max(0, held - 1) : held + 1
    if (isOff) topics.delete(topicName(topic))
    else topics.set(topicName(topic), topic)
    send({ op: isOff ? 'unsubscribed' : 'subscribed', channel, ...ridOf(request) })
    if (isOff) return
    const lastSecond = Math.floor((market.nowMs() - ORACLE_DELAY_MS) / 1000)
    peer.send(topicName(topic), JSON.stringify(toSnapshot(market, topic, lastSecond, nextSeq(channel))))
  }
  peer.onText((text) => {
    const request = findJsonObject(text)
    if (request?.op === 'ping') return send({ op: 'pong', ...ridOf(request) })
    if (request?.op === 'auth') return authenticate(request)
    const isKnown = request?.op === 'subscribe' || request?.op === 'unsubscribe'
    if (!isKnown || !Array.isArray(request.subscriptions))
      return send({ op: 'error', code: 'bad_op', ...ridOf(request) })
    for (const entry of request.subscriptions.slice(0, MAX_SUBSCRIPTIONS + 1)) subscribe(request, entry)
  })
  return {
    tell(tick) {
      for (const topic of topics.values())
        if (topic.coin === tick.coin)
          peer.send(topicName(topic), JSON.stringify(toUpdate(topic, tick, nextSeq(topic.channel))))
    },
  }
}

type Request = Readonly<Record<string, unknown>>
const ridOf = (request: Request | undefined) => (typeof request?.rid === 'string' ? { rid: request.rid } : {})

function matches(given: Request, { apiKey, secret, passphrase }: Credentials): boolean {
  return given.apiKey === apiKey && given.secret === secret && given.passphrase === passphrase
}
