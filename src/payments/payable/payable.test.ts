import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { cheap, requirementOf } from '../../testing/payments/sample-evm.ts'
import { createTerms, EVM_NETWORK, SVM_NETWORK } from '../challenge/terms.ts'
import type { Payment } from '../gate/payment.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { createPayable } from './payable.ts'

const WHY = 'USDC is paused there'
const requirement = requirementOf(cheap, 'eip155')
const payment: Payment = {
  ...{ version: 2, key: 'key', payer: '0x12', payload: {}, digest: '', validBeforeMs: undefined },
  ...{ network: EVM_NETWORK, requirement, identifier: undefined },
}

function start() {
  const clock = createManualClock(0)
  const says: { closure: string | undefined; payer: RefusalReason | undefined; isDown: boolean } = {
    ...{ closure: undefined, payer: undefined, isDown: false },
  }
  let looks = 0
  const answer = async <T>(value: T) => {
    if (says.isDown) throw new Error('down')
    return value
  }
  const token = {
    findClosure: () => {
      looks++
      return answer(says.closure)
    },
    findPayerProblem: () => answer(says.payer),
  }
  const payable = createPayable({ clock, tokens: new Map([[EVM_NETWORK, token]]) })
  return { clock, says, payable, looks: () => looks }
}

it('a sale asks the chain nothing while the token is well', async () => {
  const { clock, payable, looks } = start()
  await payable.look(EVM_NETWORK)
  for (let n = 0; n < 100; n++) {
    clock.advance(100)
    await payable.check(EVM_NETWORK)
  }
  expect(looks()).toBe(1)
})

it('looks at most once a second for those who come to a closed network', async () => {
  const { clock, says, payable, looks } = start()
  says.closure = WHY
  await payable.look(EVM_NETWORK)
  for (let n = 0; n < 100; n++) {
    clock.advance(100)
    await expect(payable.check(EVM_NETWORK)).rejects.toMatchObject({ code: 'payments_unavailable' })
  }
  expect(looks()).toBe(11)
  expect(payable.closureOf(EVM_NETWORK)).toEqual({ why: WHY, sinceMs: 0 })
  says.closure = undefined
  clock.advance(1_000)
  await payable.check(EVM_NETWORK)
  expect(payable.closureOf(EVM_NETWORK)).toBeUndefined()
})

it('explains by what is so now, however short ago it looked', async () => {
  const { says, payable } = start()
  await payable.look(EVM_NETWORK)
  expect(await payable.explain(payment)).toBeUndefined()
  says.payer = 'payer_blocked'
  expect(await payable.explain(payment)).toEqual({ kind: 'invalid', reason: 'payer_blocked' })
  says.closure = WHY
  expect(await payable.explain(payment)).toEqual({ kind: 'closed', why: WHY })
})

it('a node that does not answer closes nothing and opens nothing', async () => {
  const { clock, says, payable } = start()
  says.isDown = true
  expect(await payable.explain(payment)).toBeUndefined()
  await payable.check(EVM_NETWORK)
  says.isDown = false
  says.closure = WHY
  clock.advance(1_000)
  await payable.look(EVM_NETWORK)
  says.isDown = true
  clock.advance(1_000)
  await expect(payable.check(EVM_NETWORK)).rejects.toThrow('nothing was charged')
})

it('a closed network is offered only where there is no other, and read all the same', () => {
  const closed = new Set<string>()
  const terms = createTerms(
    { evm: '0x12', svm: 'S' },
    () => 'F',
    undefined,
    (network) => closed.has(network),
  )
  const offered = () => terms.offers('1').map(({ network }) => network)
  expect(offered()).toEqual([EVM_NETWORK, SVM_NETWORK])
  closed.add(EVM_NETWORK)
  expect(offered()).toEqual([SVM_NETWORK])
  // What was made of unchanged terms is used again.
  expect(terms.offers('1')).toBe(terms.offers('1'))
  expect(terms.accepts('1')).toHaveLength(2)
  closed.add(SVM_NETWORK)
  expect(offered()).toEqual([EVM_NETWORK, SVM_NETWORK])
})
