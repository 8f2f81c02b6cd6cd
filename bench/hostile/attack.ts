import { randomBytes } from 'node:crypto'
import type { Envelope } from '../harness/offer.ts'
import { createSignPayment } from '../payments/payers.ts'
import { createAsk, type Place } from './ask.ts'
import type { Wallets } from './wallets.ts'
import { OTHER_PATH, PATH } from './world.ts'

export type Hostile = { kind: Kind; path: string; payment: string }
/** How often each kind of payment got each answer. */
export type Answers = Readonly<Record<string, Readonly<Record<string, number>>>>

/** Of a hundred: signed for wallets without money, by nobody, for more than there is, used before, and no payment at all. */
const SHARES = { empty: 40, forged: 20, thin: 20, used: 10, malformed: 10 } as const
type Kind = keyof typeof SHARES
const KINDS = (Object.keys(SHARES) as Kind[]).flatMap((kind) => Array<Kind>(SHARES[kind]).fill(kind))
/** So that a burst never has one kind only. */
const STRIDE = 37
const SIGNATURE_BYTES = 64

/** Signed just before they are sent: they are good for five minutes. */
export function makeHostile(
  count: number,
  envelope: Envelope,
  wallets: Wallets,
  used: string,
): readonly Hostile[] {
  const signEmpty = createSignPayment(envelope, wallets.empty)
  const signThin = createSignPayment(envelope, wallets.thin)
  const make: Record<Kind, () => Omit<Hostile, 'kind'>> = {
    empty: () => ({ path: PATH, payment: signEmpty() }),
    forged: () => ({ path: PATH, payment: forge(signEmpty()) }),
    thin: () => ({ path: PATH, payment: signThin() }),
    used: () => ({ path: OTHER_PATH, payment: used }),
    malformed: () => ({ path: PATH, payment: randomBytes(90).toString('base64') }),
  }
  return Array.from({ length: count }, (_, n) => {
    const kind = KINDS[(n * STRIDE) % KINDS.length] as Kind
    return { kind, ...make[kind]() }
  })
}

/** Only the chain can say that no contract takes it. */
function forge(payment: string): string {
  const signed = JSON.parse(Buffer.from(payment, 'base64').toString())
  signed.payload.signature = `0x${randomBytes(SIGNATURE_BYTES).toString('hex')}1b`
  return Buffer.from(JSON.stringify(signed)).toString('base64')
}

/** Sends them evenly over a time, whatever becomes of those before; each from the next of the addresses. */
export async function attack(
  place: Place,
  payments: readonly Hostile[],
  overMs: number,
  addresses: readonly string[],
): Promise<Answers> {
  const ask = createAsk(place)
  const answers: Record<string, Record<string, number>> = {}
  const startedMs = performance.now()
  const sent: Promise<void>[] = []
  const send = async ({ kind, path, payment }: Hostile, n: number) => {
    const { ending } = await ask(path, addresses[n % addresses.length] as string, payment)
    const counts = answers[kind] ?? {}
    answers[kind] = { ...counts, [ending]: (counts[ending] ?? 0) + 1 }
  }
  for (const [n, each] of payments.entries()) {
    const waitMs = startedMs + (n * overMs) / payments.length - performance.now()
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    sent.push(send(each, n))
  }
  await Promise.all(sent)
  ask.close()
  return answers
}
