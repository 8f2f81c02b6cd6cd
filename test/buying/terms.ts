import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { Counter } from './counter.ts'
import type { PaymentRequired } from './wallet.ts'

export type PayTo = { evm: string; svm: string }
/** Prices are in millionths, by address. */
export type Terms = { payTo: PayTo; prices: ReadonlyMap<string, bigint> }

const reader = new x402HTTPClient(new x402Client())

/** What the service wants for an address; undefined while it cannot be asked. */
export async function readRequired(counter: Counter, path: string): Promise<PaymentRequired | undefined> {
  const reply = await counter.ask(path)
  if (reply?.status !== 402) return undefined
  try {
    return reader.getPaymentRequiredResponse((name) => reply.headers.get(name), await reply.json())
  } catch {
    // Killed in the middle of its answer.
    return undefined
  }
}

/** Of all these addresses, on both networks. */
export async function readTerms(counter: Counter, paths: readonly string[]): Promise<Terms> {
  const prices = new Map<string, bigint>()
  let payTo: Partial<PayTo> = {}
  for (const path of paths) {
    const required = await readRequired(counter, path)
    if (!required) throw new Error(`the service does not say what ${path} costs; see its log`)
    for (const { network, amount, payTo: to } of required.accepts) {
      prices.set(path, BigInt(amount))
      payTo = { ...payTo, [network.startsWith('eip155:') ? 'evm' : 'svm']: to }
    }
  }
  const { evm, svm } = payTo
  if (!evm || !svm) throw new Error('the service offers one network only; see its log')
  return { prices, payTo: { evm, svm } }
}
