import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeFunctionData, parseAbi } from 'viem'
import { silentLog } from '../../src/core/log.ts'
import { usd } from '../../src/core/money.ts'
import { type Clock, systemClock } from '../../src/core/time/clock.ts'
import type { Payment } from '../../src/payments/gate/payment.ts'
import { createReadPayment } from '../../src/payments/read/read-payment.ts'
import { type EvmChain, startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { startFaultyNode } from '../../src/sandbox/chains/faulty-node.ts'
import type { Fault } from '../../src/sandbox/facilitator/faults.ts'
import { createSandboxFacilitator } from '../../src/sandbox/facilitator/sandbox-facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/facilitator/serve-facilitator.ts'
import { openFacilitatorKeys } from '../../src/sandbox/keys.ts'
import {
  account,
  BASE_URL,
  cheap,
  requirementOf,
  signAuthorization,
  terms,
  toHeader,
} from '../../src/testing/payments/sample-evm.ts'
import { keyPayer } from '../../src/testing/sandbox/payers.ts'
import { startWorld } from '../../src/testing/world.ts'

type Address = Parameters<EvmChain['fundUsdc']>[0]
type Accepted = Parameters<ReturnType<typeof keyPayer>['pay']>[0]
type Challenge = { accepts: Accepted[]; resource: unknown }
export type Check = { name: string; status: string; detail: string; age_ms: number | null }

const FUNDS = usd('1')
const TOKEN = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])

/** The real service before a local Base, which it sees through two nodes that can fail. */
export async function openChainWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-chains-'))
  const evm = await startEvmChain({ dataDir: dir, log: silentLog })
  const nodes = [await startFaultyNode(evm.rpcUrl), await startFaultyNode(evm.rpcUrl)] as const
  const asked: string[] = []
  let settleFault: Fault | undefined
  const facilitator = await serveFacilitator(
    await createSandboxFacilitator({ evm, svm: undefined, keys: openFacilitatorKeys(dir) }),
    {
      tamper: ({ path }) => {
        asked.push(path)
        return path === '/settle' ? settleFault : undefined
      },
    },
  )
  const start = (count: 1 | 2, { clock, env = {} }: { clock?: Clock; env?: Record<string, string> } = {}) =>
    startWorld(
      {
        TOLLBOOK_EVM_RPC_URL: nodes
          .slice(0, count)
          .map(({ url }) => url)
          .join(','),
        TOLLBOOK_FACILITATORS: facilitator.url,
        TOLLBOOK_DEMO_CALLS_PER_DAY: '0',
        ...env,
      },
      silentLog,
      clock,
    )
  return {
    evm,
    nodes,
    asked,
    start,
    failSettle: (fault: Fault | undefined) => {
      settleFault = fault
    },
    async close() {
      await Promise.all([...nodes.map((node) => node.close()), facilitator.close()])
      await evm.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
export type ChainWorld = Awaited<ReturnType<typeof openChainWorld>>
type Service = Awaited<ReturnType<typeof startWorld>>

/** A funded payer and the payment that it signed for a price. */
export async function signedBuyer({ evm }: ChainWorld, service: Service, path = '/price/BTC') {
  const payer = keyPayer(`0x${randomBytes(32).toString('hex')}`)
  const address = payer.address as Address
  await evm.fundUsdc(address, FUNDS)
  const challenge = (await (await service.get(path)).json()) as Challenge
  const [payload] = await payer.pay(challenge.accepts[0] as Accepted)
  const header = Buffer.from(JSON.stringify({ ...payload, resource: challenge.resource })).toString('base64')
  return {
    buy: () => service.get(path, { 'payment-signature': header }),
    paid: async () => FUNDS - (await evm.usdcOf(address)),
  }
}

export async function checkOf(service: Service, name: string): Promise<Check | undefined> {
  const { checks } = (await (await service.get('/health')).json()) as { checks: Check[] }
  return checks.find((check) => check.name === name)
}

/** A payment as the gate has it, and what settles it on the chain. */
export async function paymentOn({
  evm,
}: ChainWorld): Promise<{ payment: Payment; settle(): Promise<string> }> {
  const ours = requirementOf(cheap, 'eip155')
  const nonce = `0x${randomBytes(32).toString('hex')}` as const
  const validBefore = String(Math.floor(systemClock.now() / 1000) + ours.maxTimeoutSeconds)
  const signed = await signAuthorization(ours, { nonce, validBefore })
  const read = createReadPayment({
    ...{ clock: systemClock, terms, baseUrl: BASE_URL },
    signatures: { holds: async () => false },
  })
  const text = toHeader({ x402Version: 2, accepted: ours, payload: signed })
  const result = await read({ version: 2, text }, cheap, 'client')
  if ('reason' in result || result.problem) throw new Error(JSON.stringify(result))
  await evm.fundUsdc(account.address, FUNDS)
  return {
    payment: result.payment,
    async settle() {
      const { from, to, value, validAfter, ...rest } = signed.authorization
      const data = encodeFunctionData({
        abi: TOKEN,
        functionName: 'transferWithAuthorization',
        args: [
          from,
          to,
          BigInt(value),
          BigInt(validAfter),
          BigInt(rest.validBefore),
          rest.nonce,
          signed.signature,
        ],
      })
      const [sender] = (await evm.rpc('eth_accounts')) as string[]
      const sent = { from: sender, to: ours.asset, data, gas: '0x100000' }
      const receipt = (await evm.rpc('eth_sendTransactionSync', sent)) as { transactionHash: string }
      return receipt.transactionHash
    },
  }
}
