import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FacilitatorClient } from '@x402/core/server'
import { usd } from '../../src/core/money.ts'
import { serveFacilitator } from '../../src/sandbox/facilitator/serve-facilitator.ts'
import { capture, findHeader } from '../harness/capture.ts'
import type { Fleet, ServerProcess } from '../harness/fleet.ts'
import type { Envelope } from '../harness/offer.ts'
import { startOurs } from '../http/world.ts'
import { type Chain, type Funds, JSON_HEADERS, startAnvil, startMemoryChain } from './chain.ts'
import type { Wallets } from './wallets.ts'

/** `memory`: where anvil is emulated, a measurement beside it is one of the emulator. */
export type ChainKind = 'anvil' | 'memory'
/** Calls that the service has made. */
export type Calls = { verify: number; settle: number; node: number }
export type HostileWorld = {
  service: ServerProcess
  envelope: Envelope
  /** What it has called since the last time. */
  takeCalls(): Calls
  close(): Promise<void>
}

/** What is sold in this benchmark, and what a used payment is tried with. */
export const PATH = '/price/BTC'
export const OTHER_PATH = '/price/ETH'
const HONEST_FUNDS = usd('1000')
/** Enough for one call. */
const THIN_FUNDS = usd('0.001')
const HOST = '127.0.0.1'

/** What an answer of a facilitator on another host takes, whatever else it is asked. */
const VERIFY_MS = 50

/**
 * The real service before a chain and a facilitator over HTTP, which has the limits of a public one; both count. Checks are
 * answered from what the wallets hold: on the chain of this machine they would slow down everybody, which a facilitator
 * with machines of its own does not.
 */
export async function startWorld(
  fleet: Fleet,
  dir: string,
  wallets: Wallets,
  kind: ChainKind,
): Promise<HostileWorld> {
  const calls: Calls = { verify: 0, settle: 0, node: 0 }
  const funds = fundsOf(wallets)
  const chain = kind === 'anvil' ? await startAnvil(dir, funds) : startMemoryChain(funds)
  const facilitator = await serveFacilitator(countedFacilitator(chain.facilitator, funds, calls))
  const node = await serveNode((body) => {
    calls.node++
    return chain.answer(body)
  })
  const service = await startOurs({
    ...{ fleet, dir, profileDir: undefined },
    env: {
      TOLLBOOK_EVM_RPC_URL: node.url,
      TOLLBOOK_FACILITATORS: facilitator.url,
      TOLLBOOK_TRUSTED_PROXIES: HOST,
      TOLLBOOK_DEMO_CALLS_PER_DAY: '0',
    },
  })
  return {
    service,
    envelope: await readEnvelope(service),
    takeCalls() {
      const taken = { ...calls }
      Object.assign(calls, { verify: 0, settle: 0, node: 0 })
      return taken
    },
    async close() {
      await fleet.stopAll()
      node.close()
      await facilitator.close()
      await chain.close()
    },
  }
}

function fundsOf({ honest, thin, newcomers }: Wallets): Funds {
  const once = [...thin, ...newcomers].map(({ address }) => [lower(address), THIN_FUNDS] as const)
  return new Map([[lower(honest.address), HONEST_FUNDS], ...once])
}

const lower = (address: string) => address.toLowerCase()
const payerOf = ({ payload }: { payload: unknown }) =>
  lower((payload as { authorization: { from: string } }).authorization.from)

function countedFacilitator(
  { getSupported, settle }: Chain['facilitator'],
  funds: Funds,
  calls: Calls,
): FacilitatorClient {
  return {
    getSupported,
    async verify(payment, { amount }) {
      calls.verify++
      await pause(VERIFY_MS)
      const payer = payerOf(payment)
      if ((funds.get(payer) ?? 0n) >= BigInt(amount)) return { isValid: true, payer }
      return { isValid: false, invalidReason: 'insufficient_funds', payer }
    },
    async settle(payment, terms) {
      calls.settle++
      const settled = await settle(payment, terms)
      const payer = payerOf(payment)
      if (settled.success) funds.set(payer, (funds.get(payer) ?? 0n) - BigInt(terms.amount))
      return settled
    },
  }
}

/** For the service alone: a facilitator has a way of its own to the chain. */
async function serveNode(answer: Chain['answer']): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    try {
      const { status, text } = await answer(Buffer.concat(chunks))
      response.writeHead(status, JSON_HEADERS).end(text)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve))
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function readEnvelope(service: ServerProcess): Promise<Envelope> {
  const header = findHeader(await capture(service, PATH), 'PAYMENT-REQUIRED')
  if (header === undefined) throw new Error(`${PATH} is not for sale`)
  return JSON.parse(Buffer.from(header, 'base64').toString()) as Envelope
}
