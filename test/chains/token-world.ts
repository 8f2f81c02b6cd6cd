import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FacilitatorClient } from '@x402/core/server'
import { encodeFunctionData } from 'viem'
import { expect } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { usd } from '../../src/core/money.ts'
import { sleep, systemClock } from '../../src/core/time/clock.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../src/payments/challenge/terms.ts'
import { startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { type Address, abiOf, codeOf, EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import { startFaultyNode } from '../../src/sandbox/chains/faulty-node.ts'
import { startSvmChain } from '../../src/sandbox/chains/svm/chain.ts'
import { createSandboxFacilitator } from '../../src/sandbox/facilitator/sandbox-facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/facilitator/serve-facilitator.ts'
import { openFacilitatorKeys } from '../../src/sandbox/keys.ts'
import { createWallets } from '../../src/sandbox/wallets.ts'
import { evmPayer, keyPayer, type Payer, solanaPayer } from '../../src/testing/sandbox/payers.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

type Requirement = Parameters<Payer['pay']>[0]
type Challenge = { accepts: Requirement[]; resource: unknown; error: string }
type Settle = FacilitatorClient['settle']

const PATH = '/price/BTC'
export const PRICE = 1_000n
const FUNDS = usd('1')
const SIGNATURE_BYTES = 192
const ASK_EVERY_MS = 50

/** The real service before a local Base and a local Solana, with the scheme code of public facilitators between them. */
export async function openTokenWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-tokens-'))
  const svmClock = createManualClock(Date.now())
  const [evm, svm] = await Promise.all([
    startEvmChain({ dataDir: dir, log: silentLog }),
    startSvmChain({ dataDir: dir, clock: svmClock }),
  ])
  const asked: string[] = []
  const real = await createSandboxFacilitator({ evm, svm, keys: openFacilitatorKeys(dir) })
  let settle: Settle = (...sent) => real.settle(...sent)
  const client = { ...real, settle: (...sent: Parameters<Settle>) => settle(...sent) }
  const facilitator = await serveFacilitator(client, {
    tamper: ({ path }) => {
      if (path !== '/supported') asked.push(path)
      return undefined
    },
  })
  const nodes = {
    [EVM_NETWORK]: await startFaultyNode(evm.rpcUrl),
    [SVM_NETWORK]: await startFaultyNode(svm.rpcUrl),
  }
  const service = await startWorld({
    TOLLBOOK_EVM_RPC_URL: nodes[EVM_NETWORK].url,
    TOLLBOOK_SVM_RPC_URL: nodes[SVM_NETWORK].url,
    TOLLBOOK_FACILITATORS: facilitator.url,
    TOLLBOOK_DEMO_CALLS_PER_DAY: '0',
  })
  const [keeper] = (await evm.rpc('eth_accounts')) as Address[]
  return {
    evm,
    svm,
    svmClock,
    nodes,
    service,
    asked,
    /** Between the service and the facilitator's own settling. */
    around(wrap: (real: Settle) => Settle) {
      settle = wrap((...sent) => real.settle(...sent))
    },
    /** A transaction of the token's keeper. */
    async keep(functionName: string, args: readonly unknown[] = []) {
      const data = encodeFunctionData({ abi: abiOf('OddUsdc'), functionName, args })
      const sent = { from: keeper, to: EVM_CONTRACTS.TestUsdc, data, gas: '0x100000' }
      expect(await evm.rpc('eth_sendTransactionSync', sent)).toMatchObject({ status: '0x1' })
    },
    async close() {
      await service[Symbol.asyncDispose]()
      await facilitator.close()
      await Promise.all(Object.values(nodes).map((node) => node.close()))
      await Promise.all([evm.close(), svm.close()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
export type TokenWorld = Awaited<ReturnType<typeof openTokenWorld>>

export async function challengeOf(service: World): Promise<Challenge> {
  return (await (await service.get(PATH)).json()) as Challenge
}

/** Who is paid on a network. */
export const payToOf = ({ service }: TokenWorld, network: string): string =>
  service.app.site.payment.accepts('1').find((each) => each.network === network)?.payTo ?? ''

type Ending = { status: number; why: string; detail: string }

/** A funded buyer with one signed payment. */
export async function buyerOn(world: TokenWorld, network: string, payer?: Payer) {
  const { service, evm, svm } = world
  const signer = payer ?? (await (network === SVM_NETWORK ? solanaBuyer(world) : keyPayer()))
  const held = () =>
    network === EVM_NETWORK ? evm.usdcOf(signer.address as Address) : svm.usdcOf(signer.address)
  if (network === EVM_NETWORK) await evm.fundUsdc(signer.address as Address, FUNDS)
  const { resource } = await challengeOf(service)
  // Also of a network that is not offered now: an earlier 402 may have asked for it.
  const asked = service.app.site.payment.accepts(`${PRICE}`).find((each) => each.network === network)
  if (!asked) throw new Error(`${network} is not accepted`)
  const [payload] = await signer.pay(asked as Requirement)
  const header = Buffer.from(JSON.stringify({ ...payload, resource })).toString('base64')
  const before = await held()
  return {
    address: signer.address,
    async buy(): Promise<Ending> {
      const reply = await service.get(PATH, { 'payment-signature': header })
      const { code, error, detail = '' } = (await reply.json()) as Record<string, string>
      return { status: reply.status, why: code ?? error ?? '', detail }
    },
    paid: async () => before - (await held()),
  }
}

/** As a buyer does who is told to come again. */
export async function untilDecided(buy: () => Promise<Ending>): Promise<Ending> {
  for (;;) {
    const ending = await buy()
    if (ending.status !== 503) return ending
    await sleep(systemClock, ASK_EVERY_MS)
  }
}

async function solanaBuyer({ svm }: TokenWorld): Promise<Payer> {
  const { solana } = await createWallets({ evm: undefined, svm }).fresh()
  if (!solana) throw new Error('no wallet')
  return solanaPayer(solana.secret_key, svm.rpcUrl)
}

/** A contract that says yes to whoever asks, and no when it is to pay. */
export async function fickleWallet({ evm }: TokenWorld): Promise<Payer> {
  const address = `0x${randomBytes(20).toString('hex')}` as const
  await evm.rpc('anvil_setCode', address, codeOf('FickleWallet'))
  const signature = `0x${randomBytes(SIGNATURE_BYTES).toString('hex')}` as const
  return evmPayer({ address, signTypedData: async () => signature })
}
