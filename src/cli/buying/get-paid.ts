import {
  type Bought,
  createTollbook,
  TollbookError,
  type TollbookOptions,
} from '../../../clients/ts/tollbook.ts'

type Call = TollbookOptions & {
  path: string
  /** Signed earlier, for the same path. */
  payment?: string | undefined
  /** For how long a payment that got no answer is presented once more. */
  againMs: number
  onAgain?: () => void
}

/**
 * One paid reply. A request that gets no answer may still have been charged: the service keeps what was paid for and
 * gives it to the same payment, charged once. So that payment is presented again, also by those who had little patience.
 */
export async function getPaid(call: Call): Promise<Bought<unknown>> {
  const { path, payment, againMs, onAgain, ...options } = call
  const get = (patienceMs: number | undefined, signed: string | undefined) =>
    createTollbook({ ...options, ...(patienceMs !== undefined && { patienceMs }) }).get(
      path as '/btc-price',
      signed === undefined ? {} : { payment: signed },
    )
  return get(options.patienceMs, payment).catch((error: unknown) => {
    if (!(error instanceof TollbookError) || error.status !== 0 || error.payment === undefined) throw error
    onAgain?.()
    return get(againMs, error.payment)
  })
}
