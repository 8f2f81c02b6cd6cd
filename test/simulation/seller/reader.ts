import type { PaidProduct } from '../../../src/catalog/catalog.ts'
import type { Problem } from '../../../src/payments/gate/sell.ts'
import type { PaymentHeader, ReadPayment, ReadPaymentPorts } from '../../../src/payments/read/read-payment.ts'
import type { GateParts } from '../gate-code.ts'
import { PAY_TO, requirementFor } from '../people/authorization.ts'
import { findSignerOnce } from '../people/evm-signer.ts'
import { toHeader } from '../people/sign.ts'
import { feePayerNamed, signSvm } from '../people/svm-signer.ts'
import { PRODUCTS } from './products.ts'

type Ports = Pick<ReadPaymentPorts, 'clock' | 'terms' | 'signatures'>
/** The reader as the process at hand has it. */
export type Reader = (
  ports: Ports,
  header: PaymentHeader,
  product: PaidProduct,
  client: string,
  known?: Problem,
) => ReturnType<ReadPayment>

export const BASE_URL = 'https://tollbook.example'

/**
 * One for all processes: it keeps nothing of a payment, and asks its ports before it waits for the first time. It has
 * worked out the seller's token account on Solana when the first schedule begins, which takes real time.
 */
export async function createReader({ createReadPayment, createTerms }: GateParts): Promise<Reader> {
  const feePayer = feePayerNamed('a')
  let current: Ports = {
    clock: { now: () => 0, after: () => () => undefined, every: () => () => undefined },
    terms: createTerms(PAY_TO, () => feePayer),
    signatures: { holds: async () => false },
  }
  const read = createReadPayment({
    clock: {
      now: () => current.clock.now(),
      after: (...task) => current.clock.after(...task),
      every: (...task) => current.clock.every(...task),
    },
    terms: {
      accepts: (price) => current.terms.accepts(price),
      offers: (price) => current.terms.offers(price),
      suspended: (...named) => current.terms.suspended(...named),
      mayPayFees: (...named) => current.terms.mayPayFees(...named),
    },
    signatures: { holds: (claim) => current.signatures.holds(claim) },
    baseUrl: BASE_URL,
    findSigner: findSignerOnce,
  })
  const requirement = requirementFor(1_000, feePayer)
  const { transaction } = signSvm('nobody', 'none', requirement)
  await read(
    toHeader({ transaction }, requirement, { version: 2, identifier: undefined }),
    PRODUCTS.cheap,
    '',
  )
  return (ports, ...asked) => {
    current = ports
    return read(...asked)
  }
}
