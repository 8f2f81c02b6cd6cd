import { findJsonObject, isObject } from '../json-frame.ts'
import { CONTROL, type Peer } from '../peers.ts'
import { bare, type Topics } from '../topics.ts'

export const LIQUIDATIONS = 'liquidation-orders'

/** A connection to OKX's public channels. The text `ping` is answered with `pong`. */
export function acceptOkx(peer: Peer, topics: Topics): void {
  peer.onGone(() => topics.forget(peer))
  peer.onText((text) => {
    if (text === 'ping') return peer.send(CONTROL, 'pong')
    const { op, args } = findJsonObject(text) ?? {}
    if ((op !== 'subscribe' && op !== 'unsubscribe') || !Array.isArray(args))
      return peer.send(CONTROL, refusal('60012', 'Illegal request: {}'))
    for (const arg of args) peer.send(CONTROL, answer(op, arg))
  })
  const answer = (op: 'subscribe' | 'unsubscribe', arg: unknown): string => {
    if (!isObject(arg) || arg.channel !== LIQUIDATIONS || arg.instType !== 'SWAP')
      return refusal('60018', "Wrong URL or channel doesn't exist")
    if (op === 'subscribe') topics.add(LIQUIDATIONS, peer, bare)
    else topics.remove(LIQUIDATIONS, peer)
    return JSON.stringify({ event: op, arg, connId: 'a4d3ae55' })
  }
}

const refusal = (code: string, msg: string) =>
  JSON.stringify({ event: 'error', code, msg, connId: 'a4d3ae55' })
