import { expect, test } from 'vitest'
import { type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'
import { createMessageHashes } from './message-hashes.ts'

const nodeThat = (reply: () => unknown): JsonRpc => ({
  call: async () => reply(),
  batch: async () => [],
})
const landed = (bytes: Uint8Array) => ({
  transaction: [Buffer.from(bytes).toString('base64'), 'base64'],
  meta: { err: null },
})
const refusal = (code: number) => () => {
  throw new JsonRpcRefusal('getTransaction', { code, message: 'Transaction version (1) is not supported' })
}

test.each<[string, () => unknown]>([
  ['of a newer version', refusal(-32_015)],
  ['larger than a packet', () => landed(new Uint8Array(1_300).fill(1))],
])('a transaction %s is no payment, and holds up no search', async (_, reply) => {
  const hashes = createMessageHashes(nodeThat(reply))
  expect([await hashes.landed('signature'), hashes.knows('signature')]).toEqual(['no payment', true])
})

test.each<[string, () => unknown]>([
  ['that the node refuses for another reason', refusal(-32_000)],
  ['that cannot be read', () => landed(new Uint8Array(3))],
])('a transaction %s may be the one', async (_, reply) => {
  await expect(createMessageHashes(nodeThat(reply)).landed('signature')).rejects.toThrow()
})
