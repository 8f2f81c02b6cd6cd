import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  extractReceiptFromResponse,
  extractReceiptPayload,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { PaymentRow } from '../../ledger/ports/payment-book.ts'
import { createTerms, SVM_NETWORK } from '../challenge/terms.ts'
import { createOffers, OFFER_RECEIPT, OFFER_RENEW_MS } from './offers.ts'
import { createReceipts } from './receipts.ts'
import { openServiceKey } from './service-key.ts'
import { contentDigestOf, settleResponse } from './settle-response.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'service-key-'))
const key = openServiceKey(dataDir)
const clock = createManualClock(Date.now())
const baseUrl = 'https://api.tollbook.example'
const url = `${baseUrl}/price/BTC?x=1`
const accepts = createTerms(
  { evm: `0x${'ab'.repeat(20)}`, svm: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' },
  () => 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
).accepts('1000')

const text = '{"token":"BTC","price_usd":100012.34,"note":"größer"}'
const transaction = `0x${'5e'.repeat(32)}`
const row: PaymentRow = {
  key: 'eip155:8453/usdc/payer/nonce',
  id: 'q3Zr0XoTnW5bQm1Yc8Kd2A',
  fingerprint: 'f',
  identifier: undefined,
  productId: 'market.price',
  request: 'GET /price/BTC?x=1',
  payer: `0x${'b2'.repeat(20)}`,
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '1000',
  payTo: `0x${'ab'.repeat(20)}`,
  payment: '{}',
  claimedAtMs: clock.now(),
  state: 'settling',
  reply: { text, asOfMs: undefined, receipt: undefined },
  facilitator: undefined,
  transaction: undefined,
  settledAtMs: undefined,
}
const sign = (changes: Partial<PaymentRow> = {}) =>
  createReceipts({ key, baseUrl, mode: 'sandbox' }).sign({ ...row, ...changes }, transaction, clock.now())
const settled = async (network = row.network): Promise<PaymentRow> => ({
  ...row,
  network,
  state: 'settled',
  transaction,
  settledAtMs: clock.now(),
  reply: { text, asOfMs: undefined, receipt: await sign({ network }) },
})

describe('the service key', () => {
  test('is made once, kept for us alone, and named by itself', () => {
    expect(key.id).toMatch(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/)
    expect(statSync(join(dataDir, 'service-key.json')).mode & 0o777).toBe(0o600)
    const kept = readFileSync(join(dataDir, 'service-key.json'), 'utf8')
    expect(openServiceKey(dataDir).id).toBe(key.id)
    expect(readFileSync(join(dataDir, 'service-key.json'), 'utf8')).toBe(kept)
    expect(JSON.stringify(key)).not.toContain(JSON.parse(kept).d)
  })

  test.each(['', '{}', '{"kty":"OKP","crv":"Ed25519","x":"AA"}'])('%j is not taken for a key', (damaged) => {
    const dir = mkdtempSync(join(tmpdir(), 'service-key-'))
    writeFileSync(join(dir, 'service-key.json'), damaged)
    expect(() => openServiceKey(dir)).toThrow('is damaged')
  })
})

describe('offers', () => {
  const extension = createOffers({ key, clock, mode: 'sandbox' }).extension(url, accepts)
  const offers = extractOffersFromPaymentRequired({
    x402Version: 2,
    resource: { url, description: '', mimeType: '' },
    accepts: accepts.map((each) => ({ ...each, network: each.network as `${string}:${string}` })),
    extensions: { [OFFER_RECEIPT]: extension },
  })

  test('verify with the SDK and say exactly what is accepted', async () => {
    expect(offers).toHaveLength(2)
    for (const [index, offer] of offers.entries()) {
      if (offer.format !== 'jws') throw new Error('not a JWS')
      const { scheme, network, asset, payTo, amount } = accepts[index] ?? {}
      expect(await verifyOfferSignatureJWS(offer)).toEqual({
        version: 1,
        resourceUrl: url,
        scheme,
        network,
        asset,
        payTo,
        amount,
        validUntil: expect.any(Number),
        mode: 'sandbox',
      })
      const found = findAcceptsObjectFromSignedOffer(offer, accepts as never)
      expect(found).toEqual(accepts[index])
    }
  })

  test('outlast the challenge that carries them by the time a payer has', () => {
    const [first] = decodeSignedOffers(offers)
    const lastHandedOutS = (clock.now() + OFFER_RENEW_MS) / 1000
    expect(first?.validUntil).toBeGreaterThanOrEqual(lastHandedOutS + 300)
    expect(first?.validUntil).toBeLessThan(lastHandedOutS + 302)
  })

  test('do not verify once changed', async () => {
    for (const change of [
      { amount: '1' },
      { payTo: '0x00' },
      { resourceUrl: `${url}&y=2` },
      { validUntil: 9e9 },
      { mode: 'live' },
    ])
      await expect(verifyOfferSignatureJWS(tampered(offers[0], change))).rejects.toThrow()
  })

  test('are none where there is no way to pay', () => {
    expect(createOffers({ key, clock, mode: 'sandbox' }).extension(url, [])).toBeUndefined()
  })
})

describe('receipts', () => {
  test('verify with the SDK, fit the offer, and are bound to the bytes', async () => {
    const response = await responseOf(2)
    const receipt = extractReceiptFromResponse(response)
    if (receipt?.format !== 'jws') throw new Error('no receipt')
    const payload = await verifyReceiptSignatureJWS(receipt)
    expect(payload).toEqual({
      version: 1,
      network: 'eip155:8453',
      resourceUrl: url,
      payer: row.payer,
      issuedAt: Math.floor(clock.now() / 1000),
      transaction,
      id: row.id,
      productId: 'market.price',
      amount: '1000',
      contentDigest: contentDigestOf(await response.text()),
      mode: 'sandbox',
    })
    const [offer] = decodeSignedOffers(
      createOffers({ key, clock, mode: 'sandbox' }).extension(url, accepts)?.info.offers as never,
    )
    if (!offer) throw new Error('no offer')
    expect(verifyReceiptMatchesOffer(receipt, offer, [row.payer])).toBe(true)
    expect(verifyReceiptMatchesOffer(receipt, offer, [row.payTo])).toBe(false)
    expect(extractReceiptPayload(receipt).payer).toBe(row.payer)
  })

  test('have the same text whenever and wherever they are signed', async () => {
    const sign = (cores: number) =>
      createReceipts({ key, baseUrl, mode: 'sandbox', cores }).sign(row, transaction, row.claimedAtMs)
    expect(new Set([await sign(1), await sign(2), await sign(1)]).size).toBe(1)
  })

  test('do not verify with another amount, payer, digest or transaction', async () => {
    const receipt = { format: 'jws', signature: await sign() } as const
    for (const change of [
      { amount: '2000' },
      { payer: row.payTo },
      { contentDigest: contentDigestOf('') },
      { transaction: '0x' },
      { mode: 'live' },
    ])
      await expect(verifyReceiptSignatureJWS(tampered(receipt, change))).rejects.toThrow()
    await expect(verifyReceiptSignatureJWS(receipt)).resolves.toMatchObject({ amount: '1000' })
  })

  test('of a changed body say another digest', async () => {
    const payload = async (reply: string) =>
      extractReceiptPayload({
        format: 'jws',
        signature: await sign({ reply: { text: reply, asOfMs: 0, receipt: '' } }),
      })
    expect(await payload(`${text} `)).not.toMatchObject({ contentDigest: contentDigestOf(text) })
    expect(await payload(text)).toMatchObject({ contentDigest: contentDigestOf(text) })
  })

  test('the digest is the one of RFC 9530', () => {
    expect(contentDigestOf('{"hello": "world"}')).toBe(
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    )
  })

  test('settlements say their network as their version does', async () => {
    expect(settleResponse(await settled(), 2)).toMatchObject({
      success: true,
      transaction,
      network: 'eip155:8453',
      payer: row.payer,
      amount: '1000',
    })
    expect(settleResponse(await settled(), 1).network).toBe('base')
    expect(settleResponse(await settled(SVM_NETWORK), 1).network).toBe('solana')
    expect(extractReceiptFromResponse(await responseOf(1))).toMatchObject({ format: 'jws' })
    expect(() => settleResponse(row, 2)).toThrow('settling')
  })
})

async function responseOf(version: 1 | 2): Promise<Response> {
  const encoded = Buffer.from(JSON.stringify(settleResponse(await settled(), version))).toString('base64')
  const name = version === 1 ? 'X-PAYMENT-RESPONSE' : 'PAYMENT-RESPONSE'
  return new Response(text, { headers: { [name]: encoded } })
}

/** The same signature over another payload. */
function tampered(signed: { signature: string } | undefined, change: object) {
  const [head, payload = '', signature] = signed?.signature.split('.') ?? []
  const said = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change }
  const other = Buffer.from(JSON.stringify(said)).toString('base64url')
  return { format: 'jws' as const, signature: `${head}.${other}.${signature}` }
}
