import type { Chain, ChainOutcome } from '../../src/payments/gate/ports.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import { type Authorization, authorizationIn, keyOf } from './authorization.ts'
import type { Faults } from './faults.ts'
import type { Timeline, Trace } from './timeline.ts'

export type Transfer = {
  key: string
  transaction: string
  payer: string
  to: string
  value: number
  minedAtMs: number
  /** A facilitator's name, or whoever else submitted it. */
  by: string
}
export type Mined = { isOk: true; transaction: string } | { isOk: false; reason: string }

export type SimulatedChain = {
  /** Mined after `ms` if it still can be then: single-use nonce, validity window, balance. */
  broadcast(authorization: Authorization, ms: number, by: string): Promise<Mined>
  fund(payer: string, value: number): void
  drain(payer: string): void
  balance(payer: string): number
  /** The payer takes the authorization back. */
  cancel(authorization: Authorization): void
  isUsed(authorization: Authorization): boolean
  transferOf(key: string): Transfer | undefined
  transfers(): readonly Transfer[]
  setOutage(isOut: boolean): void
  referee: Chain
}
type World = { timeline: Timeline; random: Seeded; faults: Faults; trace: Trace }
type Use = { atMs: number; transfer: Transfer | undefined }

const MAX_LAG_MS = 4_000

export function createSimulatedChain(world: World): SimulatedChain {
  const { timeline, trace } = world
  const uses = new Map<string, Use>()
  const transfers: Transfer[] = []
  const balances = new Map<string, number>()
  let isOut = false
  const mine = (authorization: Authorization, by: string): Mined => {
    const key = keyOf(authorization)
    const { payer, to, value, diesAtMs, isGenuine } = authorization
    const balance = balances.get(payer) ?? 0
    if (!isGenuine) return { isOk: false, reason: 'invalid_signature' }
    if (uses.has(key)) return { isOk: false, reason: 'nonce_already_used' }
    if (timeline.now() >= diesAtMs) return { isOk: false, reason: 'expired' }
    if (balance < value) return { isOk: false, reason: 'insufficient_funds' }
    balances.set(payer, balance - value)
    const transaction = `tx${transfers.length}`
    const transfer = { key, transaction, payer, to, value, minedAtMs: timeline.now(), by }
    transfers.push(transfer)
    uses.set(key, { atMs: timeline.now(), transfer })
    return { isOk: true, transaction }
  }
  return {
    broadcast: (authorization, ms, by) =>
      new Promise((resolve) =>
        timeline.after(ms, () => {
          const mined = mine(authorization, by)
          trace?.(`chain: ${keyOf(authorization)} by ${by}: ${mined.isOk ? mined.transaction : mined.reason}`)
          resolve(mined)
        }),
      ),
    fund: (payer, value) => void balances.set(payer, value),
    drain: (payer) => void balances.set(payer, 0),
    balance: (payer) => balances.get(payer) ?? 0,
    cancel(authorization) {
      if (!uses.has(keyOf(authorization)))
        uses.set(keyOf(authorization), { atMs: timeline.now(), transfer: undefined })
    },
    isUsed: (authorization) => uses.has(keyOf(authorization)),
    transferOf: (key) => uses.get(key)?.transfer,
    transfers: () => transfers,
    setOutage(out) {
      isOut = out
    },
    referee: createReferee(world, uses, () => isOut),
  }
}

/** Our own node: it may fail or lag, but what it says was true at the moment it speaks of. */
function createReferee(world: World, uses: ReadonlyMap<string, Use>, isOut: () => boolean): Chain {
  const { timeline, random, faults, trace } = world
  return {
    async outcome(payment, hint) {
      await timeline.sleep(random.between(1, 20))
      if (isOut() || random.chance(faults.rpcFailure)) {
        await timeline.sleep(random.between(1, 500))
        throw new Error('the node does not answer')
      }
      const lagMs = random.chance(faults.rpcLag) ? random.between(1, MAX_LAG_MS) : 0
      const use = uses.get(payment.key)
      const seenMs = timeline.now() - (hint !== undefined && hint === use?.transfer?.transaction ? 0 : lagMs)
      const outcome = judge(authorizationIn(payment.payload), use, seenMs)
      trace?.(`referee: ${payment.key} is ${outcome.kind}`)
      return outcome
    },
  }
}

function judge({ diesAtMs }: Authorization, use: Use | undefined, seenMs: number): ChainOutcome {
  if (use && use.atMs <= seenMs)
    return use.transfer ? { kind: 'paid', transaction: use.transfer.transaction } : { kind: 'dead' }
  return seenMs >= diesAtMs ? { kind: 'dead' } : { kind: 'open' }
}
