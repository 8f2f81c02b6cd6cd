import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { cheap, requirementOf } from '../../testing/payments/sample-evm.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
import type { Payment } from '../gate/payment.ts'
import { createLookAtPayer } from './look-at-payer.ts'

const PAYER = `0x${'12'.repeat(20)}`
const NONCE = `0x${'5a'.repeat(32)}`

function pay(network: 'eip155' | 'solana' = 'eip155', payer = PAYER): Payment {
  const requirement = requirementOf(cheap, network)
  const { payTo: to, amount: value } = requirement
  const authorization = { from: payer, to, value, validAfter: '0', validBefore: '1800000000', nonce: NONCE }
  const payload = { payload: { signature: '0x12', authorization } }
  return {
    ...{ version: 2, key: 'key', payer, payload, digest: '', validBeforeMs: undefined },
    ...{ network: requirement.network, requirement, identifier: undefined },
  }
}

function start(answer: () => Promise<unknown[]>) {
  const asked: unknown[] = []
  const batch: JsonRpc['batch'] = (calls) => {
    asked.push(calls)
    return answer()
  }
  const rpc = { batch, call: () => Promise.reject(new Error('not used')) }
  const clock = createManualClock(0)
  return { asked, clock, lookAtPayer: createLookAtPayer({ clock, rpc }) }
}

const price = BigInt(requirementOf(cheap, 'eip155').amount)
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const [UNUSED, USED] = [word(0n), word(1n)]

it.each([
  ['the price', word(price), UNUSED, { hasFunds: true, isUnused: true }],
  ['one less', word(price - 1n), UNUSED, { hasFunds: false, isUnused: true }],
  ['nothing, because this was paid', word(0n), USED, { hasFunds: false, isUnused: false }],
  ['no balance at all', '0x', UNUSED, undefined],
  ['no text', null, UNUSED, undefined],
  ['an authorization that nobody knows of', word(price), '0x', undefined],
])('a payer with %s', async (_, balance, use, expected) => {
  const { asked, lookAtPayer } = start(async () => [balance, use])
  expect(await lookAtPayer(pay())).toEqual(expected)
  const to = requirementOf(cheap, 'eip155').asset.toLowerCase()
  const payer = `${'0'.repeat(24)}${PAYER.slice(2)}`
  expect(asked).toEqual([
    [
      ['eth_call', [{ to, data: `0x70a08231${payer}` }, 'latest']],
      ['eth_call', [{ to, data: `0xe94a0102${payer}${NONCE.slice(2)}` }, 'latest']],
    ],
  ])
})

it.each([
  ['0x', false],
  ['0xef0100', true],
  [null, true],
])('says whether it has code where that is asked for: %s', async (code, hasCode) => {
  const { asked, lookAtPayer } = start(async () => [word(price), UNUSED, code])
  expect(await lookAtPayer(pay(), true)).toEqual({ hasFunds: true, isUnused: true, hasCode })
  expect(asked).toMatchObject([[{}, {}, ['eth_getCode', [PAYER, 'latest']]]])
})

it('does not know where the node does not answer, nor on Solana', async () => {
  const { asked, lookAtPayer } = start(() => Promise.reject(new Error('down')))
  expect(await lookAtPayer(pay())).toBeUndefined()
  expect(await lookAtPayer(pay('solana'))).toBeUndefined()
  expect(asked).toHaveLength(1)
})

it('asks about so many at once, and does not wait for ever', async () => {
  const { asked, clock, lookAtPayer } = start(() => new Promise<never>(() => {}))
  const looks = Array.from({ length: 400 }, (_, n) =>
    lookAtPayer(pay('eip155', `0x${n.toString(16).padStart(40, '0')}`)),
  )
  await new Promise(setImmediate)
  expect(asked).toHaveLength(16)
  clock.advance(2_000)
  expect(await Promise.all(looks.slice(16))).toEqual(Array(384).fill(undefined))
})
