import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { newWallet } from '../../src/testing/account/sign-in-world.ts'
import { createBuyer } from '../../src/testing/buyer.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

const PAID = '/price/BTC?demo=0'

let world: World
useSharedWorld('usual', (it) => {
  world = it
})

// biome-ignore lint/suspicious/noExplicitAny: the tests look at replies field by field
const json = async (reply: Response): Promise<any> => reply.json()

/** The header that the stock library makes of our declaration. */
async function proofOf(signer: object, type: 'eip191' | 'ed25519'): Promise<Record<string, string>> {
  const { info, supportedChains } = (await json(await world.get('/account/sign-in'))).extensions[
    'sign-in-with-x'
  ]
  const chain = supportedChains.find((each: { type: string }) => each.type === type)
  const payload = await createSIWxPayload({ ...info, ...chain }, signer as never, world.url)
  return { 'SIGN-IN-WITH-X': encodeSIWxHeader(payload) }
}

const buys = (
  network: 'base' | 'solana',
  type: 'eip191' | 'ed25519',
  open: (secret: string) => Promise<object> | object,
) =>
  test(`who paid on ${network} lists what it bought and reads it again, and nobody else does`, {
    timeout: 60_000,
  }, async ({ skip }) => {
    const offered = await json(await world.get('/sandbox/wallets'))
    if (network === 'base' && !offered.evm) return skip(lackOf('anvil'))
    const buyer = await createBuyer(world, network)
    const bought = await buyer.fetch(`${world.url}${PAID}`)
    const sold = await json(bought)
    expect(bought.status).toBe(200)
    const signer = await open(buyer.secret)

    const proof = await proofOf(signer, type)
    const list = await json(await world.get('/account/receipts', proof))
    expect(list).toMatchObject({ purchases: 1, spent_usdc: 0.001, spent_atomic: '1000', next_offset: null })
    expect(list.items).toEqual([
      expect.objectContaining({ request: 'GET /price/BTC', amount_atomic: '1000' }),
    ])
    const [{ id }] = list.items
    expect((await world.get('/account/receipts', proof)).status).toBe(401)

    const again = await world.get(`/account/replies/${id}`, await proofOf(signer, type))
    expect([again.status, (await json(again)).reply]).toEqual([200, sold])
    const table = await world.get('/account/receipts?format=csv', await proofOf(signer, type))
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, line, end] = (await table.text()).split('\r\n')
    expect([head?.startsWith('"id","settled_at"'), line?.startsWith(`"${id}"`), end]).toEqual([
      true,
      true,
      '',
    ])
    const accepted = { ...(await proofOf(signer, type)), accept: 'text/csv' }
    expect((await world.get('/account/receipts', accepted)).headers.get('content-type')).toContain('text/csv')

    const stranger = newWallet()
    expect((await world.get(`/account/replies/${id}`, await proofOf(stranger, 'eip191'))).status).toBe(404)
    expect(await json(await world.get('/account/receipts', await proofOf(stranger, 'eip191')))).toMatchObject(
      {
        purchases: 0,
        items: [],
      },
    )
  })

buys('base', 'eip191', (secret) => privateKeyToAccount(secret as `0x${string}`))
buys('solana', 'ed25519', (secret) => createKeyPairSignerFromBytes(base58.decode(secret)))

test('without a proof there is nothing to see', async () => {
  for (const path of ['/account/receipts', '/account/replies/q3Zr0XoTnW5bQm1Yc8Kd2A'])
    for (const headers of [{}, { 'SIGN-IN-WITH-X': 'e30=' }, { authorization: 'Bearer a.b.c' }]) {
      const reply = await world.get(path, headers as Record<string, string>)
      expect([reply.status, (await json(reply)).detail]).toEqual([401, 'this is no valid sign-in'])
    }
})
