import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { DAY_MS } from '../../../core/time/time.ts'
import type { Payment } from '../../gate/payment.ts'
import type { ChainOutcome } from '../../gate/ports.ts'
import type { JsonRpc } from '../json-rpc.ts'
import { createAgreedReferee } from './agree.ts'
import { createChainNode } from './chain-node.ts'
import { joinNodes } from './chain-nodes.ts'

/** `gone`: it has not answered for a day. */
type Said = ChainOutcome['kind'] | 'silent' | 'gone'
const PAID = { kind: 'paid', transaction: '0x1' } as const
const kindOf = (said: Said | undefined) => ({
  staleAfterMs: undefined,
  findStranger: async () => undefined,
  async readHead() {
    if (said === 'gone') throw new Error('does not answer')
    return { height: 1, timeMs: undefined }
  },
})

/** What becomes of a payment of which each node says something, in order of preference. */
const decide = (...said: Said[]) => decideAfter(DAY_MS, ...said)

async function decideAfter(ms: number, ...said: Said[]) {
  const clock = createManualClock(0)
  const asked: number[] = []
  const rpcs = said.map((): JsonRpc => ({ call: async () => null, batch: async () => [] }))
  const all = rpcs.map((rpc, at) => createChainNode({ clock, host: `${at}`, rpc, kind: kindOf(said[at]) }))
  await Promise.allSettled(all.map((node) => node.probe()))
  clock.advance(ms)
  const referee = createAgreedReferee(clock, joinNodes('base', all), (rpc) => ({
    async outcome() {
      const at = all.findIndex((node) => node.rpc === rpc)
      asked.push(at)
      const outcome = said[at]
      if (outcome === undefined || outcome === 'silent' || outcome === 'gone')
        throw new Error('does not answer')
      return outcome === 'paid' ? PAID : { kind: outcome }
    },
  }))
  const decided = await referee.outcome({} as Payment, undefined).then(
    (outcome) => outcome.kind,
    () => 'silent',
  )
  return { decided, asked }
}

test.each<[Said[], Said]>([
  [['paid'], 'paid'],
  [['open'], 'open'],
  [['dead'], 'dead'],
  [['silent'], 'silent'],
  [['paid', 'dead'], 'paid'],
  [['paid', 'silent'], 'paid'],
  [['open', 'dead'], 'open'],
  [['silent', 'paid'], 'paid'],
  [['silent', 'open'], 'open'],
  [['silent', 'silent'], 'silent'],
  // Dead takes two where there are two, and all that answer.
  [['dead', 'dead'], 'dead'],
  [['dead', 'paid'], 'paid'],
  [['dead', 'open'], 'open'],
  [['dead', 'silent'], 'open'],
  [['silent', 'dead'], 'open'],
  [['dead', 'dead', 'silent'], 'dead'],
  [['dead', 'silent', 'dead'], 'dead'],
  [['silent', 'dead', 'dead'], 'dead'],
  [['dead', 'dead', 'open'], 'open'],
  [['dead', 'open', 'paid'], 'paid'],
  [['dead', 'silent', 'silent'], 'open'],
  // Nobody waits for one that has been away for a day.
  [['dead', 'gone'], 'dead'],
  [['gone', 'dead'], 'dead'],
  [['gone', 'open'], 'open'],
  [['gone', 'gone'], 'silent'],
  [['dead', 'silent', 'gone'], 'open'],
])('%j is %s', async (said, decided) => {
  expect((await decide(...said)).decided).toBe(decided)
})

test('one that has been away for less than a day is waited for', async () => {
  expect((await decideAfter(DAY_MS - 1, 'dead', 'gone')).decided).toBe('open')
})

test('where one node is enough no other is asked', async () => {
  expect((await decide('paid', 'paid')).asked).toEqual([0])
  expect((await decide('open', 'paid')).asked).toEqual([0])
})

test('dead because no node shows it takes a second look; dead because one shows another use does not', async () => {
  const clock = createManualClock(0)
  const rpcs = [1, 2].map((): JsonRpc => ({ call: async () => null, batch: async () => [] }))
  const all = rpcs.map((rpc, at) => createChainNode({ clock, host: `${at}`, rpc, kind: kindOf('dead') }))
  let isShown = false
  const referee = createAgreedReferee(clock, joinNodes('base', all), (rpc) => ({
    outcome: async () => ({ kind: 'dead', isAbsent: !(isShown && rpc === all[1]?.rpc) }),
  }))
  const payment = { key: 'a' } as Payment
  const decide = async () => (await referee.outcome(payment, undefined)).kind
  expect(await decide()).toBe('open')
  clock.advance(3_000)
  expect(await decide()).toBe('dead')
  isShown = true
  expect((await referee.outcome({ key: 'b' } as Payment, undefined)).kind).toBe('dead')
})
