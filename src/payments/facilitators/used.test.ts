import { expect, test } from 'vitest'
import { cheap, requirementOf, signAuthorization } from '../../testing/payments/sample-evm.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
import { SVM_NETWORK } from '../challenge/terms.ts'
import type { Payment } from '../gate/payment.ts'
import { createIsUsed } from './used.ts'

const requirement = requirementOf(cheap, 'eip155')
const payment: Payment = {
  ...{ version: 2, key: 'key', payer: '0x12', digest: '', validBeforeMs: undefined, identifier: undefined },
  ...{ network: requirement.network, requirement },
  payload: { payload: await signAuthorization(requirement) },
}
const word = (digit: number) => `0x${String(digit).padStart(64, '0')}`
const askWith = (answer: () => Promise<unknown>, asked: Payment = payment) => {
  const calls: string[] = []
  const rpc: JsonRpc = {
    call(method) {
      calls.push(method)
      return answer()
    },
    batch: () => Promise.reject(new Error('not asked here')),
  }
  return createIsUsed({ rpc })(asked).then((isUsed) => ({ isUsed, calls }))
}

test('the token is asked once, and a node that does not say it says nothing', async () => {
  const calls = ['eth_call']
  expect(await askWith(async () => word(1))).toEqual({ isUsed: true, calls })
  expect(await askWith(async () => word(0))).toEqual({ isUsed: false, calls })
  expect(await askWith(async () => '0x')).toEqual({ isUsed: undefined, calls })
  expect(await askWith(() => Promise.reject(new Error('429')))).toEqual({ isUsed: undefined, calls })
})

test('Solana has no such list', async () => {
  const svm = { ...payment, network: SVM_NETWORK }
  expect(await askWith(async () => word(1), svm)).toEqual({ isUsed: undefined, calls: [] })
})
