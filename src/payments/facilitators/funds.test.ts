import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { cheap, requirementOf } from '../../testing/payments/sample-evm.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
import type { Payment } from '../gate/payment.ts'
import { createHasFunds } from './funds.ts'

const PAYER = `0x${'12'.repeat(20)}`

function pay(network: 'eip155' | 'solana' = 'eip155', payer = PAYER): Payment {
  const requirement = requirementOf(cheap, network)
  return {
    ...{ version: 2, key: 'key', payer, payload: {}, digest: '', validBeforeMs: undefined },
    ...{ network: requirement.network, requirement, identifier: undefined },
  }
}

function start(answer: () => Promise<unknown>) {
  const asked: unknown[] = []
  const call: JsonRpc['call'] = (method, params) => {
    asked.push([method, params])
    return answer()
  }
  const rpc = { call, batch: () => Promise.reject(new Error('not used')) }
  const clock = createManualClock(0)
  return { asked, clock, hasFunds: createHasFunds({ clock, rpc }) }
}

const price = BigInt(requirementOf(cheap, 'eip155').amount)
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`

it.each([
  ['the price', word(price), true],
  ['one less', word(price - 1n), false],
  ['nothing', word(0n), false],
  ['no balance at all', '0x', undefined],
  ['no text', null, undefined],
])('a payer with %s', async (_, balance, expected) => {
  const { asked, hasFunds } = start(async () => balance)
  expect(await hasFunds(pay())).toBe(expected)
  const call = {
    to: requirementOf(cheap, 'eip155').asset,
    data: `0x70a08231${'0'.repeat(24)}${PAYER.slice(2)}`,
  }
  expect(asked).toEqual([['eth_call', [call, 'latest']]])
})

it('does not know where the node does not answer, nor on Solana', async () => {
  const { asked, hasFunds } = start(() => Promise.reject(new Error('down')))
  expect(await hasFunds(pay())).toBeUndefined()
  expect(await hasFunds(pay('solana'))).toBeUndefined()
  expect(asked).toHaveLength(1)
})

it('asks about so many at once, and does not wait for ever', async () => {
  const { asked, clock, hasFunds } = start(() => new Promise<never>(() => {}))
  const looks = Array.from({ length: 400 }, (_, n) =>
    hasFunds(pay('eip155', `0x${n.toString(16).padStart(40, '0')}`)),
  )
  await new Promise(setImmediate)
  expect(asked).toHaveLength(16)
  clock.advance(2_000)
  expect(await Promise.all(looks.slice(16))).toEqual(Array(384).fill(undefined))
})
