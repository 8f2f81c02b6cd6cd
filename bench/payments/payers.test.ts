import { recoverTypedDataAddress } from 'viem'
import { expect, test } from 'vitest'
import { AUTHORIZATION_TYPES } from '../../src/payments/read/evm/authorization-types.ts'
import type { Envelope } from '../harness/offer.ts'
import { createSignPayment, payerAddresses } from './payers.ts'

const accepted = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '1000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: '0x1111111111111111111111111111111111111111',
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
} as const
const resource = { url: 'http://x/price/BTC', description: '', mimeType: '', serviceName: '', tags: [] }
const envelope: Envelope = { resource, accepts: [accepted], extensions: { bazaar: { info: {} } } }

test('payments carry the whole challenge and a signature that the general library takes for the payer’s', async () => {
  const sign = createSignPayment(envelope)
  const payments = [sign(), sign()].map((text) => JSON.parse(Buffer.from(text, 'base64').toString()))
  for (const [index, { x402Version, payload, ...challenge }] of payments.entries()) {
    const { authorization, signature } = payload
    expect(x402Version).toBe(2)
    expect(challenge).toEqual({ resource, accepted, extensions: envelope.extensions })
    const { name, version } = accepted.extra
    const domain = { name, version, chainId: 8453, verifyingContract: accepted.asset }
    const signer = await recoverTypedDataAddress({
      domain,
      types: AUTHORIZATION_TYPES,
      primaryType: 'TransferWithAuthorization',
      message: authorization,
      signature,
    })
    expect([signer, authorization.from]).toEqual([payerAddresses[index], payerAddresses[index]])
  }
  expect(payments[0].payload.authorization.nonce).not.toBe(payments[1].payload.authorization.nonce)
})
