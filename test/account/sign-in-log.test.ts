import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RequestFacts, silentLog } from '../../src/core/log.ts'
import { shorten } from '../../src/core/shorten.ts'
import { newWallet } from '../../src/testing/account/sign-in-world.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const logged: RequestFacts[] = []
let world: World
let holder: PrivateKeyAccount | undefined
beforeAll(async () => {
  const log = { ...silentLog, request: (facts: RequestFacts) => void logged.push(facts) }
  world = await startWorld({}, log)
  const { evm } = (await (await world.get('/sandbox/wallets')).json()) as {
    evm?: { private_key: `0x${string}` }
  }
  holder = evm && privateKeyToAccount(evm.private_key)
})
afterAll(() => world[Symbol.asyncDispose]())

const shortOf = ({ address }: PrivateKeyAccount) => shorten(address.toLowerCase())
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  world.send('POST', path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function answerOf(wallet: PrivateKeyAccount) {
  const reply = await world.get(`/auth/challenge?wallet=${wallet.address}`)
  const { message, nonce } = (await reply.json()) as { message: string; nonce: string }
  return { wallet: wallet.address, nonce, signature: await wallet.signMessage({ message }) }
}

/** What the log says of the last request of a product, and the text that the caller got, without the request id. */
async function told(product: string, asked: Promise<Response>) {
  const text = (await (await asked).text()).replace(/"request_id":"[^"]*"/, '')
  const line = logged.findLast((each) => each.product === product)
  return { text, line: [line?.status, line?.cause, line?.wallet] }
}

test('the log says who signed in and why others were refused; the callers all get one text', {
  timeout: 60_000,
}, async ({ skip }) => {
  if (!holder) return skip(lackOf('anvil'))
  const stranger = newWallet()
  const verify = (answer: object) => told('account.verify', post('/auth/verify', answer))
  const answer = await answerOf(holder)
  const forged = await verify({ ...answer, signature: '0x12' })
  expect(forged.line).toEqual([401, 'signature', shortOf(holder)])
  const unknown = await verify({ ...answer, nonce: 'f'.repeat(64) })
  expect(unknown.line).toEqual([401, 'nonce_unknown', shortOf(holder)])
  const made = await verify(answer)
  expect(made.line).toEqual([200, undefined, shortOf(holder)])
  const again = await verify(answer)
  expect(again.line).toEqual([401, 'nonce_used', shortOf(holder)])
  expect((await verify(await answerOf(stranger))).line).toEqual([403, 'not_a_holder', shortOf(stranger)])

  const { token } = JSON.parse(made.text) as { token: string }
  const revoked = await told('account.revoke', post('/auth/revoke', {}, bearer(token)))
  expect(revoked.line).toEqual([200, undefined, shortOf(holder)])
  const ended = await told('market.price', world.get('/price/BTC', bearer(token)))
  expect(ended.line).toEqual([401, 'token_revoked', shortOf(holder)])
  const call = { name: 'get_price', arguments: { token: 'BTC' } }
  await createRpc(world, '/mcp')({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, bearer(token))
  expect(logged.filter(({ path, cause }) => path === '/mcp' && cause === 'token_revoked')).toHaveLength(1)

  expect(new Set([forged, unknown, again, ended].map(({ text }) => text)).size).toBe(1)
  expect(JSON.stringify(logged).toLowerCase()).not.toContain(holder.address.toLowerCase().slice(6, -4))
})
