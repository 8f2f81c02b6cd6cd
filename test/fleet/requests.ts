import type { Balancer } from './balancer.ts'
import type { Fleet } from './fleet.ts'
import { BOUGHT, openSigner } from './shop-world.ts'

/** What is asked for, and the status that it has. */
export type Kind = {
  name: 'paid' | 'challenge' | 'free' | 'signals' | 'document'
  path: string
  status: number
  headers?: () => Record<string, string>
}

const CUSTOMERS = 64

export async function makeKinds({ apis }: Fleet): Promise<[Kind, ...Kind[]]> {
  const sign = await openSigner(apis[0]?.url ?? '')
  let paid = 0
  // Customers who come again: of strangers only some are let in at once.
  const pay = () => ({ 'PAYMENT-SIGNATURE': sign(), 'X-Forwarded-For': `14.0.0.${paid++ % CUSTOMERS}` })
  return [
    { name: 'paid', path: BOUGHT, status: 200, headers: pay },
    { name: 'challenge', path: `${BOUGHT}?demo=0`, status: 402 },
    { name: 'free', path: '/price/ETH', status: 200 },
    { name: 'signals', path: '/signals', status: 200 },
    { name: 'document', path: '/llms.txt', status: 200 },
  ]
}

/** Never the same client twice: their budgets are not what is looked at. */
const clientOf = (turn: number) => `12.${(turn >> 16) & 255}.${(turn >> 8) & 255}.${turn & 255}`

export async function ask(balancer: Balancer, { path, status, headers }: Kind, turn: number) {
  const sent = { 'X-Forwarded-For': clientOf(turn), ...headers?.() }
  const startedMs = performance.now()
  const reply = await balancer.send(path, sent)
  const ms = performance.now() - startedMs
  if ('fault' in reply) return { ms, isFailed: true, what: reply.fault, at: reply.at, text: '' }
  const isFailed = reply.status !== status
  return {
    ms,
    isFailed,
    what: String(reply.status),
    at: reply.at,
    text: isFailed ? reply.text.slice(0, 200) : '',
  }
}
