import { randomUUID } from 'node:crypto'
import { findJsonObject, findStrings } from '../json-frame.ts'
import { CONTROL, type Peer } from '../peers.ts'
import { bare, type Topics } from '../topics.ts'

const TOPIC = /^allLiquidation\.[A-Z0-9]{2,30}$/

/** A connection to Bybit's public stream. As there, one unknown topic refuses the whole request. */
export function acceptBybit(peer: Peer, topics: Topics): void {
  const connection = randomUUID()
  peer.onGone(() => topics.forget(peer))
  peer.onText((text) => {
    const reply = answer(text)
    peer.send(CONTROL, JSON.stringify({ ...reply, conn_id: connection }))
  })
  const answer = (text: string) => {
    const { op, args, req_id = '' } = findJsonObject(text) ?? {}
    if (op === 'ping') return { success: true, ret_msg: 'pong', req_id, op }
    const names = findStrings(args)
    if ((op !== 'subscribe' && op !== 'unsubscribe') || !names)
      return { success: false, ret_msg: 'Invalid request', req_id, op: op ?? '' }
    const unknown = names.find((name) => !TOPIC.test(name))
    if (unknown !== undefined)
      return { success: false, ret_msg: `error:handler not found,topic:${unknown}`, req_id, op }
    for (const name of names)
      if (op === 'subscribe') topics.add(name, peer, bare)
      else topics.remove(name, peer)
    return { success: true, ret_msg: '', req_id, op }
  }
}
