import { x402Client, x402HTTPClient } from '@x402/fetch'
import type { Counter } from './counter.ts'
import type { PaymentRequired } from './wallet.ts'

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
