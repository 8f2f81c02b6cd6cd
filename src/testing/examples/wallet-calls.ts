import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { createWalletClient, http, parseAbi } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { sleep, systemClock } from '../../core/time/clock.ts'
import { EVM_USDC } from '../../core/usdc.ts'
import { claimText } from '../../payments/transfer-claim/claim-text.ts'
import { type Buyer, createBuyer } from '../buyer.ts'
import type { World } from '../world.ts'
import { type Arrangement, bodyOf, jsonInit } from './arranged.ts'

/** A wallet with play money buys, looks at what it bought, pays by a plain transfer and signs in as a holder. */
export async function arrangeWalletCalls(world: World): Promise<Arrangement> {
  const buyer = await createBuyer(world)
  const key = privateKeyToAccount(buyer.secret as `0x${string}`)
  return {
    ...(await buy(world, buyer, key)),
    ...(await payByTransfer(world, buyer, key)),
    ...(await signIn(world, key)),
  }
}

const BOUGHT = ['/signals?coins=btc', '/btc-price', '/price/BTC']

async function buy(world: World, buyer: Buyer, key: PrivateKeyAccount): Promise<Arrangement> {
  const bought: unknown[] = []
  for (const path of BOUGHT) {
    const url = `${world.url}${path}${path.includes('?') ? '&' : '?'}demo=0`
    bought.push(await bodyOf(buyer.fetch(url)))
  }
  const list = await bodyOf(world.get('/account/receipts', await proofOf(world, key)))
  const [{ id }] = list.items
  const again = await bodyOf(world.get(`/account/replies/${id}`, await proofOf(world, key)))
  const terms = (await world.get('/price/BTC?demo=0')).headers.get('payment-required')
  return {
    'market.price': { reply: { status: 200, body: bought.at(-1) } },
    'account.receipts': { reply: { status: 200, body: list } },
    'account.reply': { sample: { id }, reply: { status: 200, body: again } },
    'payments.receipt': { sample: { id } },
    'sandbox.payment': { sample: { payment_required: terms } },
  }
}

/** The header that the stock library makes of our declaration; good for one call. */
async function proofOf(world: World, key: PrivateKeyAccount): Promise<Record<string, string>> {
  const { extensions } = await bodyOf(world.get('/account/sign-in'))
  const { info, supportedChains } = extensions['sign-in-with-x']
  const payload = await createSIWxPayload({ ...info, ...supportedChains[0] }, key as never, info.uri)
  return { 'SIGN-IN-WITH-X': encodeSIWxHeader(payload) }
}

const TRANSFER = parseAbi(['function transfer(address to, uint256 value)'])
const TRANSFERRED = 100_000n
const LOOK_EVERY_MS = 500

async function payByTransfer(world: World, buyer: Buyer, key: PrivateKeyAccount): Promise<Arrangement> {
  const { networks } = await bodyOf(world.get('/x402/status'))
  const { pay_to } = networks.find(({ asset }: { asset: string }) => asset === EVM_USDC)
  const chain = createWalletClient({ account: key, chain: base, transport: http(buyer.rpcUrl) })
  const txHash = await chain.writeContract({
    address: EVM_USDC,
    abi: TRANSFER,
    functionName: 'transfer',
    args: [pay_to, TRANSFERRED],
  })
  const endpoint = '/price/BTC'
  const signature = await key.signMessage({ message: claimText({ txHash, endpoint }) })
  const sample = { tx_hash: txHash, endpoint, wallet: key.address, signature }
  for (;;) {
    const reply = await world.send('POST', '/api/verify-tx', jsonInit(sample))
    const body = (await reply.json()) as { detail?: string }
    // It takes two blocks.
    if (!reply.headers.has('retry-after'))
      return { 'payments.verify_tx': { sample, reply: { status: reply.status, body } } }
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}

async function signIn(world: World, key: PrivateKeyAccount): Promise<Arrangement> {
  const wallet = key.address
  const challenge = await bodyOf(world.get(`/auth/challenge?wallet=${wallet}`))
  const { message, nonce } = challenge
  const sample = { wallet, signature: await key.signMessage({ message }), nonce }
  const signed = await bodyOf(world.send('POST', '/auth/verify', jsonInit(sample)))
  return {
    'account.challenge': { sample: { wallet }, reply: { status: 200, body: challenge } },
    'account.verify': { sample, reply: { status: 200, body: signed } },
    'account.tier': { sample: { wallet } },
    'account.revoke': { headers: { authorization: `Bearer ${signed.token}` } },
  }
}
