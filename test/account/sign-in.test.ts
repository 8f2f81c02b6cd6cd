import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { encodeFunctionData } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choosePort } from '../../src/http/listen.ts'
import { abiOf, EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import { createRpc } from '../../src/sandbox/chains/evm/rpc-client.ts'
import { newWallet } from '../../src/testing/account/sign-in-world.ts'
import { makeSmartWallet } from '../../src/testing/account/smart-wallet.ts'
import { createClient } from '../../src/testing/client.ts'
import { connectMcp } from '../../src/testing/mcp-client.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const PAID = '/price/BTC'

let world: World
type Held = { project_token: string; project_tokens: number }
let chain:
  | { rpcUrl: string; rpc: ReturnType<typeof createRpc>; eoa: PrivateKeyAccount; held: Held }
  | undefined
beforeAll(async () => {
  // Tokens name the address of the service, so it must not change with a restart.
  const port = await choosePort('127.0.0.1', 0)
  world = await startWorld({ PORT: String(port), TOLLBOOK_DEMO_CALLS_PER_DAY: '1' })
  const { evm } = await json(await world.get('/sandbox/wallets'))
  if (evm)
    chain = {
      rpcUrl: evm.rpc_url,
      rpc: createRpc(evm.rpc_url),
      eoa: privateKeyToAccount(evm.private_key),
      held: evm,
    }
})
afterAll(() => world[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: the tests look at replies field by field
const json = async (reply: Response): Promise<any> => reply.json()
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  world.send('POST', path, {
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const readWhole = async (reply: Response) => ({
  status: reply.status,
  headers: reply.headers,
  body: await json(reply),
})

type Signer = { address: string; sign(message: string): Promise<string> }
const ofKey = (key: PrivateKeyAccount): Signer => ({
  address: key.address,
  sign: (message) => key.signMessage({ message }),
})

async function signIn(wallet: Signer): Promise<Response> {
  const { message, nonce } = await json(await world.get(`/auth/challenge?wallet=${wallet.address}`))
  return post('/auth/verify', { wallet: wallet.address, nonce, signature: await wallet.sign(message) })
}

const onChain = (name: string, story: (own: NonNullable<typeof chain>) => Promise<void>) =>
  test(name, { timeout: 60_000 }, async ({ skip }) => (chain ? story(chain) : skip(lackOf('anvil'))))

/** Over MCP. */
async function callTool(headers: Record<string, string>): Promise<unknown> {
  const client = await connectMcp(world, 'legacy', headers)
  const result = await client.callTool({ name: 'get_price', arguments: { token: 'BTC' } })
  await client.close()
  return result
}

/** Over A2A. */
async function sendMessage(headers: Record<string, string>): Promise<unknown> {
  const parts = [{ data: { skill: 'market.price', params: { token: 'BTC' } } }]
  const message = { messageId: 'm', role: 'ROLE_USER', parts }
  const reply = await post(
    '/a2a',
    { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
    headers,
  )
  return (await json(reply)).result.task
}

onChain(
  'an account of the sandbox signs in and calls what is paid; signed out it is refused',
  async ({ eoa, held }) => {
    expect((await json(await world.get(`/tier/${eoa.address}`))).balance).toBe(held.project_tokens)
    expect((await json(await world.get('/deep/info'))).token.toLowerCase()).toBe(
      held.project_token.toLowerCase(),
    )
    const made = await json(await signIn(ofKey(eoa)))
    expect(made).toEqual({
      token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3_600,
      wallet: eoa.address,
      tier: 'premium',
      balance: 100,
    })
    const keys = createLocalJWKSet(await json(await world.get('/.well-known/jwks.json')))
    await jwtVerify(made.token, keys, { issuer: world.url, audience: world.url })

    const called = await world.get(PAID, bearer(made.token))
    expect([called.status, called.headers.get('x-holder-calls-limit')]).toEqual([200, '10000'])
    expect(called.headers.get('x-holder-calls-remaining')).toBe('9999')
    expect(called.headers.get('x-demo-calls-remaining')).toBe('1')
    expect(called.headers.get('access-control-expose-headers')).toContain('X-Holder-Calls-Remaining')
    expect((await world.send('HEAD', PAID, { headers: bearer(made.token) })).status).toBe(402)
    expect(await callTool(bearer(made.token))).toMatchObject({
      _meta: { 'tollbook/holder-calls': { limit: 10_000, remaining: 9_998 } },
    })
    expect(await callTool(bearer('made.up.token'))).toMatchObject({
      isError: true,
      structuredContent: { code: 'unauthorized' },
    })
    expect(await sendMessage(bearer(made.token))).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ data: { token: 'BTC' } }] }],
    })
    expect(JSON.stringify(await sendMessage(bearer('made.up.token')))).toContain('no valid sign-in')
    const last = await world.get(PAID, bearer(made.token))
    expect(last.headers.get('x-holder-calls-remaining')).toBe('9996')

    const ended = await post('/auth/revoke', {}, bearer(made.token))
    expect([ended.status, (await json(ended)).revoked]).toEqual([200, true])
    expect((await world.get(PAID, bearer(made.token))).status).toBe(401)
    expect((await post('/auth/revoke', {}, bearer(made.token))).status).toBe(401)
  },
)

onChain('a deployed smart wallet signs in (EIP-1271), and not with the key of somebody else', async (own) => {
  const owner = newWallet()
  const wallet = await makeSmartWallet(own, owner, { isDeployed: true, salt: 1, tokens: 5n })
  const made = await json(await signIn(wallet))
  expect(made).toMatchObject({ wallet: wallet.address, tier: 'holder', balance: 5 })
  const called = await world.get(PAID, bearer(made.token))
  expect([called.status, called.headers.get('x-holder-calls-remaining')]).toEqual([200, '99'])
  const foreign = await makeSmartWallet(own, newWallet(), { isDeployed: true, salt: 1, tokens: 5n })
  expect((await signIn({ ...foreign, address: wallet.address })).status).toBe(401)
  expect((await signIn({ ...ofKey(owner), address: wallet.address })).status).toBe(401)
})

onChain('a smart wallet that is not deployed yet signs in (ERC-6492), and stays undeployed', async (own) => {
  const wallet = await makeSmartWallet(own, newWallet(), { isDeployed: false, salt: 2, tokens: 100n })
  expect(await json(await signIn(wallet))).toMatchObject({ wallet: wallet.address, tier: 'premium' })
  expect(await own.rpc('eth_getCode', wallet.address, 'latest')).toBe('0x')
  const foreign = await makeSmartWallet(own, newWallet(), { isDeployed: false, salt: 2, tokens: 1n })
  expect((await signIn({ ...foreign, address: wallet.address })).status).toBe(401)
})

onChain('whoever holds nothing is told so, and a bad sign-in is one text', async () => {
  const none = ofKey(newWallet())
  const refused = await signIn(none)
  expect([refused.status, (await json(refused)).code]).toEqual([403, 'forbidden'])
  const texts = await Promise.all([
    signIn({ ...none, address: newWallet().address }),
    post('/auth/verify', { wallet: none.address, nonce: 'x', signature: '0x' }),
    post('/auth/verify', { wallet: none.address, nonce: '', signature: `0x${'1b'.repeat(8_192)}` }),
    post('/auth/revoke', {}),
    post('/auth/revoke', {}, bearer('a.b.c')),
    world.get(PAID, bearer('a.b.c')),
    world.get(PAID, { authorization: 'Bearer' }),
  ])
  for (const reply of texts)
    expect([reply.status, (await json(reply)).detail]).toEqual([401, 'this is no valid sign-in'])
  expect((await world.get('/auth/challenge?wallet=0x12')).status).toBe(422)
  expect((await post('/auth/verify', { wallet: none.address })).status).toBe(422)
})

test('a bad token uses no free call of its address', async () => {
  const client = createClient(world)
  expect((await client(PAID, { headers: bearer('a.b.c') })).status).toBe(chain ? 401 : 200)
  if (chain) expect((await client(PAID)).headers['x-demo-calls-remaining']).toBe('0')
})

onChain('project tokens that went on to another wallet open nothing in the first any more', async (own) => {
  const wallet = await makeSmartWallet(own, newWallet(), { isDeployed: true, salt: 4, tokens: 5n })
  const { token } = await json(await signIn(wallet))
  const next = newWallet()
  await own.rpc('anvil_impersonateAccount', wallet.address)
  await own.rpc('anvil_setBalance', wallet.address, `0x${(10n ** 18n).toString(16)}`)
  const args = [next.address, 5n * 10n ** 18n]
  const data = encodeFunctionData({ abi: abiOf('ProjectToken'), functionName: 'transfer', args })
  await own.rpc('eth_sendTransactionSync', { from: wallet.address, to: EVM_CONTRACTS.ProjectToken, data })
  expect(await json(await signIn(ofKey(next)))).toMatchObject({ tier: 'holder', balance: 5 })

  const refused = await world.get(PAID, bearer(token))
  expect([refused.status, refused.headers.get('x-holder-calls-remaining')]).toEqual([403, null])
  expect((await json(refused)).hint).toContain('pay through x402')
  // What a payment would cost can still be asked for with the same header.
  expect((await world.get(`${PAID}?demo=0`, bearer(token))).status).toBe(402)
})

onChain('a client may sign in 60 times a minute, and is told so', async () => {
  const challenge = await world.get(`/auth/challenge?wallet=${newWallet().address}`)
  const answer = await post('/auth/verify', { wallet: newWallet().address, nonce: 'x', signature: '0x' })
  for (const { headers } of [challenge, answer])
    expect(headers.get('ratelimit-policy')).toMatch(/;q=60;w=60$/)
})

onChain('tier and token are read from the chain', async ({ eoa }) => {
  expect(await json(await world.get(`/tier/${eoa.address.toLowerCase()}`))).toMatchObject({
    wallet: eoa.address,
    tier: 'premium',
    balance: 100,
    calls_per_day: 10_000,
    next: null,
    source: 'sandbox:base_node',
  })
  expect(await json(await world.get(`/tier/${newWallet().address}`))).toMatchObject({
    tier: 'none',
    balance: 0,
    next: { tier: 'holder', tokens: 1, missing: 1, calls_per_day: 100 },
  })
  const info = await json(await world.get('/deep/info'))
  expect(info).toMatchObject({ name: 'Tollbook', symbol: 'TOLL', decimals: 18 })
  expect(info.total_supply).toBeGreaterThanOrEqual(100)
  expect(info.block).toBeGreaterThan(0)
  expect(info.parts.map(({ source }: { source: string }) => source)).toEqual([
    'sandbox:base_node',
    'sandbox:blockscout',
    'sandbox:dexscreener',
  ])
  expect([info.holders.count, info.price_usd]).not.toContain(null)
})

onChain('at the end of the allowance every surface says so, and when it begins again', async (own) => {
  const wallet = await makeSmartWallet(own, newWallet(), { isDeployed: true, salt: 4, tokens: 1n })
  const { token } = await json(await signIn(wallet))
  await world.get(PAID)
  const used = await Promise.all(Array.from({ length: 100 }, () => world.get(PAID, bearer(token))))
  expect(used.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200))

  const { headers, status, ...over } = await readWhole(await world.get(PAID, bearer(token)))
  expect([status, over.body.error]).toEqual([402, 'allowance_used'])
  expect([headers.get('x-holder-calls-limit'), headers.get('x-holder-calls-remaining')]).toEqual(['100', '0'])
  const restS = Number(headers.get('retry-after'))
  expect(restS > 0 && restS <= 86_400).toBe(true)
  expect(headers.get('access-control-expose-headers')).toContain('X-Holder-Calls-Remaining')
  // With the longest envelope and id of a request, a status line and what https adds: 4,000 go through every proxy.
  const envelope = headers.get('payment-required') ?? ''
  const bytes = [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)
  expect(bytes + 2 * (1_360 - envelope.length) + 64).toBeLessThan(3_925)

  const refused = await callTool(bearer(token))
  expect(refused).toMatchObject({
    structuredContent: { error: 'allowance_used' },
    _meta: { 'tollbook/holder-calls': { limit: 100, remaining: 0, retry_after_s: expect.any(Number) } },
  })
  expect(JSON.stringify(await sendMessage(bearer(token)))).toContain('used up until midnight UTC')
})

onChain('a restart keeps tokens good, and what was used of the allowance', async (own) => {
  const wallet = await makeSmartWallet(own, newWallet(), { isDeployed: true, salt: 3, tokens: 1n })
  const { token } = await json(await signIn(wallet))
  expect((await world.get(PAID, bearer(token))).headers.get('x-holder-calls-remaining')).toBe('99')
  await world.restart()
  expect((await world.get(PAID, bearer(token))).headers.get('x-holder-calls-remaining')).toBe('98')
})

onChain('the programs of the guide sign in, call, and list what was bought', async () => {
  const guide = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const [signingIn, listing] = ['## Sign-in for holders', '## What a wallet bought'].map((heading) => {
    const section = guide.slice(guide.indexOf(heading)).split('\n## ')[0] ?? ''
    return /```ts\n([\s\S]*?)```/.exec(section)?.[1] ?? ''
  })
  const imports = /^import .*\n/gm
  const program = [
    ...`${signingIn}${listing}`.matchAll(imports),
    `${signingIn}${listing}`.replaceAll(imports, '').replace('http://127.0.0.1:4020', world.url),
    'console.log(receipts.status, (await receipts.json()).purchases)',
  ].join('\n')
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(stdout).toMatch(/^200 99\d\d\n200 0\n$/)
})
